"""One Java for all tests of Spark, which starts fast, and in it one session for nearly all."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from lean_java import QUICK, lean_home

from shoal.datasets import people
from shoal.plan import Plan

JDBC = Path("/usr/share/java/postgresql.jar")
FAST = {
    **({"spark.jars": str(JDBC)} if JDBC.is_file() else {}),
    "spark.driver.extraJavaOptions": f"{QUICK} -Xms512m -Xmn320m",  # room before it tidies up
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.adaptive.enabled": "false",  # tables are small: to plan them again costs more,
    "spark.sql.codegen.wholeStage": "false",  # and so does a compiled program for each query;
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",  # `test_spark_cluster` has both as users do
    "spark.sql.ui.explainMode": "simple",  # nobody looks at the plan that each query tells,
    "spark.python.sql.dataFrameDebugging.enabled": "false",  # nor at the line that asked for it
    "spark.python.daemon.module": "imported_daemon",
}


def pytest_collection_modifyitems(items):
    """Sessions of their own come first: a Java has one at a time.

    Let pass what Spark's own client leaves open: sockets that Python closes for it.
    """
    on_spark = [i for i, item in enumerate(items) if "spark" in item.path.parts]
    in_order = sorted((items[i] for i in on_spark), key=lambda item: not _begins(item))
    for i, item in zip(on_spark, in_order, strict=True):
        items[i] = item
        item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
        item.add_marker(
            pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
        )


def _begins(item):
    return "begin" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def begin(tmp_path_factory):
    """A way to begin a session, for tests that need another than all others share.

    Java keeps the settings of the first as defaults. Without Spark tests skip, and fail under
    ``CI=true``.
    """
    try:
        import pyspark  # noqa: F401
    except ImportError:
        message = "Spark is not installed: pip install 'shoal[spark]'."
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(lean_home(tmp_path_factory.mktemp("spark") / "home")))
        yield _begin


@contextmanager
def _begin(master, **settings):
    from shoal.spark import spark_session

    with pytest.MonkeyPatch.context() as patch:  # Java remembers where the daemon lies
        for folder in Path(__file__).parents[:2]:
            patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        patch.setenv("SPARK_LAUNCHER_OPTS", QUICK)  # another Java tells how to start this one
        stack = ExitStack()
        session = stack.enter_context(spark_session(master, FAST | settings))
    with stack:
        yield session


@pytest.fixture(scope="session")
def spark(request):
    """The session that tests share."""
    with request.getfixturevalue("begin")("local[2]") as session:
        yield session


@pytest.fixture(scope="session")
def town(tmp_path_factory) -> Path:
    """A folder with a table of 900 people and its hierarchies."""
    return people(900).write(tmp_path_factory.mktemp("town"))


@pytest.fixture(scope="session")
def whole(spark, plan):
    """The town, anonymized in one fragment, for tests that only look at it or write it."""
    from shoal.spark import anonymize, read_source

    with anonymize(read_source(spark, plan.source), plan) as release:
        yield release


@pytest.fixture(scope="session")
def plan(town) -> Plan:
    """A plan for the town: common rows first, which is quick."""
    data = people(1)
    quasi = data.roles.quasi_identifiers[:5]
    from dataclasses import replace

    return Plan(
        source=str(town / "data.csv"),
        roles=replace(data.roles, quasi_identifiers=quasi, target=None),
        kinds={name: data.kinds[name] for name in quasi},
        hierarchy_folder=str(town / "hierarchies"),
        k=5,
        order="common",
        refine=False,
    )
