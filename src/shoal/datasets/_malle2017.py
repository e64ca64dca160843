"""Files of the experiment of Malle et al. (2017): its input, 18 of its outputs, its scores."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

from shoal.datasets._store import PublicFile, fetch, find
from shoal.exceptions import UnknownColumnError

_FOLDER = "adult_malle_experiment"
_RAW = "https://raw.githubusercontent.com/cassinius"
_SOURCES = {  # folder here: where the authors keep it
    "": f"{_RAW}/iml-anonymization-data/master/inputs",
    "anonymized_equal": f"{_RAW}/iml-anonymization-data/master/outputs",
    "f1_results": f"{_RAW}/right-to-forget-data/master/iml_output",
}


def malle2017_file(name: str) -> bytes:
    """Read a file of the published experiment as the authors wrote it (MIT, Apache-2.0).

    Parameters
    ----------
    name : str
        ``original_data_5000_rows.csv`` (or 500); ``anonymized_equal/adults_<target>_equal_<k>.csv``
        for the targets income, marital-status and education-num; or
        ``f1_results/results_<classifier>_<target>.csv`` (there: income, marital, education).

    Examples
    --------
    >>> malle2017_file("original_data_500_rows.csv")[:20]  # doctest: +SKIP
    b'age, hours-per-week,'
    """
    checksums = _checksums()
    if name not in checksums:
        raise UnknownColumnError.among(name, checksums, what="file of the experiment")
    packed = PublicFile(f"{_FOLDER}/{name}.gz", checksums.get(f"{name}.gz", ""))
    if packed.sha256 and find(packed) is not None:
        return gzip.decompress(fetch(packed).read_bytes())
    folder, _, file = name.rpartition("/")
    plain = PublicFile(f"{_FOLDER}/{name}", checksums[name], f"{_SOURCES[folder]}/{file}")
    return fetch(plain).read_bytes()


@cache
def _checksums() -> dict[str, str]:
    text = files("shoal.datasets").joinpath("malle2017.sha256").read_text(encoding="utf-8")
    pairs = (line.split() for line in text.splitlines())
    return {name: checksum for checksum, name in pairs}
