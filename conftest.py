"""What all tests and all examples in documents share: a house of their own."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

settings.register_profile("shoal", deadline=None)  # a test never times a thing
settings.load_profile("shoal")

# Pythons that tests start read what was compiled before, whatever this machine is told: each
# would compile all its imports again, for two seconds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

TESTS = Path(__file__).parent / "tests"
ON_SPARK = ("tests/spark/", "tests/studies/test_all_studies.py")
SELDOM = (50_000, 10, 10)  # objects made before garbage is looked for, where Python waits for 700
ONE_CORE_EACH = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def pytest_configure(config: pytest.Config) -> None:
    """Before workers begin: compile kernels once for all of them, and give each one core.

    Threads of several workers on the same cores wait for each other, and do so busily.
    """
    gc.set_threshold(*SELDOM)
    begins_workers = bool(getattr(config.option, "numprocesses", None))
    if begins_workers and not hasattr(config, "workerinput"):
        os.environ.update(dict.fromkeys(ONE_CORE_EACH, "1"))
        script = Path(__file__).parent / "tests" / "compile_kernels.py"
        subprocess.run([sys.executable, str(script)], check=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[Any]:
    """Look for examples in what users read, not in tests: there are none, and it takes a while."""
    found = yield
    if TESTS in file_path.parents:
        return [collector for collector in found if not isinstance(collector, DoctestModule)]
    return found


def pytest_collection_finish() -> None:
    """What was imported and found lives to the end: nobody looks through it again."""
    gc.freeze()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal out whole files, and those that need Spark as one: it has one Java, in one worker."""
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "Spark" if nodeid.startswith(ON_SPARK) else super()._split_scope(nodeid)

    return ByFile(config, log)


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for every test; numbered here, since pytest looks through all to number one."""
    street = tmp_path_factory.mktemp("houses")
    return (street / str(number) for number in count())


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Iterator[int]]:
    """Where tests have their folders, and the numbers of these."""
    return tmp_path_factory.mktemp("rooms"), count()


@pytest.fixture
def tmp_path(rooms: tuple[Path, Iterator[int]], request: pytest.FixtureRequest) -> Path:
    """Give a test an empty folder, as pytest does; that one looks through all to number one."""
    street, numbers = rooms
    name = re.sub(r"\W", "_", request.node.name)[:30]
    room = street / f"{name}{next(numbers)}"
    room.mkdir(mode=0o700)
    return room


@pytest.fixture(autouse=True)
def own_house(houses: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a private folder of its own: no ledger or key outlives it."""
    house = next(houses)
    house.mkdir()
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(house))
    return house
