"""A real file of SAS, which no library here can write: read, released, and written as XPORT."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import shoal
from shoal.exceptions import InputError
from shoal.table import read_table

#: R's package haven ships the same flowers as SAS and as SPSS wrote them (see .ci/run).
FILES = Path(os.environ.get("SHOAL_STATISTICS_FILES", "/var/cache/shoal-tests"))


@pytest.fixture
def iris() -> Path:
    if not (FILES / "iris.sas7bdat").is_file():
        assert os.environ.get("CI") != "true", "There is no file of SAS (see .ci/run)."
        pytest.skip("no file of SAS here: .ci/run takes one from Debian's r-cran-haven")
    return FILES / "iris.sas7bdat"


def test_a_file_of_sas_says_what_the_same_file_of_spss_says(iris: Path) -> None:
    sas, spss = read_table(iris), read_table(iris.with_suffix(".sav"))
    assert (sas.n_rows, sas.origin.kind) == (150, "sas")
    assert sas.kinds["Sepal_Length"] == "numeric"
    assert sas.kinds["Species"] == "nominal"
    for ours, theirs in zip(sas.column_names, spss.column_names, strict=True):
        assert ours.lower().replace("_", ".") == theirs.lower().replace("_", ".")
        six = spss.text(theirs).str.slice(0, 6)  # as wide as the column of names is there
        assert sas.text(ours).to_list() == six.to_list()


def test_a_release_of_it_is_a_transport_file(iris: Path, tmp_path: Path) -> None:
    table = read_table(iris)
    written = shoal.anonymize(
        table, quasi_identifiers=["Sepal_Length", "Sepal_Width"], k=5, bound=False
    ).write(tmp_path / "out", ledger="off")
    assert "data.xpt" in written.files
    back = read_table(tmp_path / "out" / "data.xpt")
    assert back.n_rows == 150
    assert back.text("Species").value_counts()["count"].to_list() == [50, 50, 50]


def test_half_a_file_is_a_sentence(iris: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.sas7bdat"
    half.write_bytes(iris.read_bytes()[:3000])
    with pytest.raises(InputError, match=r"half\.sas7bdat"):
        read_table(half)
