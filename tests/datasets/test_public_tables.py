import hashlib
from pathlib import Path

import polars as pl
import pytest

from shoal.datasets import _adult, _census_income, _medical_cost, adult, census_income, medical_cost
from shoal.datasets import wisconsin as load_wisconsin
from shoal.datasets._store import PublicFile, find
from shoal.exceptions import InvalidParameterError

WDBC = PublicFile(
    "wdbc/wdbc.data", "d606af411f3e5be8a317a5a8b652b425aaf0ff38ca683d5327ffff94c3695f4a"
)


def _files_of_adult(hierarchies: str) -> list[PublicFile]:
    return [*_adult._FILES.values(), *_adult._LADDERS[hierarchies].values()]


def _assert_covered(dataset) -> None:
    """Every value of a column with a hierarchy must be a leaf of it."""
    for column, hierarchy in dataset.hierarchies.items():
        values = dataset.frame[column].drop_nulls().unique().sort().to_list()
        assert hierarchy.arrange(values, column=column).n_leaves == len(values)


@pytest.mark.parametrize(
    ("part", "rows", "complete_rows", "rich"),
    [("train", 32_561, 30_162, 7_841), ("test", 16_281, 15_060, 3_846)],
)
def test_adult_has_the_rows_of_its_description(need, part, rows, complete_rows, rich):
    need(*_files_of_adult("arx"))
    whole = adult(complete=False, part=part).frame
    assert whole.height == rows
    assert adult(part=part).frame.height == complete_rows
    assert whole.filter(pl.col("income") == ">50K").height == rich
    assert set(whole["income"]) == {"<=50K", ">50K"}
    incomplete = [name for name in whole.columns if whole[name].null_count()]
    assert incomplete == ["workclass", "occupation", "native-country"]


def test_adult_of_both_parts(need):
    need(*_files_of_adult("arx"))
    both = adult(part="both").frame
    assert both.height == 45_222
    assert both.head(30_162).equals(adult().frame)


def test_adult_is_as_known(need):
    need(*_files_of_adult("arx"))
    dataset = adult()
    frame, quasi = dataset.frame, dataset.roles.quasi_identifiers
    assert frame.row(0)[:4] == (39, "State-gov", 77516, "Bachelors")
    assert frame["age"].dtype == pl.Int64
    assert adult(complete=False).frame.is_duplicated().sum() == 47  # 24 rows repeat one of 23
    alone = frame.group_by(quasi).len().filter(pl.col("len") == 1).height
    assert alone / frame.height == pytest.approx(0.4649, abs=0.0001)
    assert "age" not in dataset.hierarchies
    assert set(quasi) - {"age"} == set(dataset.hierarchies)


@pytest.mark.parametrize(
    ("hierarchies", "heights"),
    [
        ("arx", {"education": 3, "native-country": 2, "occupation": 2, "sex": 1}),
        ("malle", {"native-country": 3, "workclass": 2, "relationship": 1, "income": 1}),
    ],
)
def test_adult_hierarchies_cover_every_value(need, hierarchies, heights):
    need(*_files_of_adult(hierarchies))
    dataset = adult(complete=False, part="both", hierarchies=hierarchies)
    _assert_covered(dataset)
    assert {name: dataset.hierarchies[name].height for name in heights} == heights


def test_adult_becomes_a_table(need):
    need(*_files_of_adult("arx"))
    table = adult().table()
    assert table.n_rows == 30_162
    assert table.kinds["age"] == "numeric"
    assert table.roles.target == "income"


@pytest.mark.parametrize("wrong", [{"part": "dev"}, {"hierarchies": "none"}])
def test_adult_refuses_other_choices(wrong):
    with pytest.raises(InvalidParameterError):
        adult(**wrong)


def test_checksums_are_those_of_the_files(need):
    files = [
        *_files_of_adult("arx"),
        *_adult._LADDERS["malle"].values(),
        *_census_income._FILES.values(),
        _medical_cost._FILE,
    ]
    need(*files)
    for file in files:
        content = Path(find(file)).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file.sha256, file.path


@pytest.mark.parametrize(("part", "rows", "rich"), [("train", 199_523, 12_382)])
def test_census_income_has_the_rows_of_its_description(need, part, rows, rich):
    need(_census_income._FILES[part])
    dataset = census_income(part)
    assert dataset.frame.shape == (rows, 42)
    assert dataset.frame.filter(pl.col("income class") == "50000+").height == rich
    assert len(dataset.roles.quasi_identifiers) == 10
    assert dataset.frame["hispanic origin"].str.count_matches("^NA$").sum() == 874  # text, as ever
    assert dataset.frame["country of birth self"].null_count() == 3_393
    assert set(dataset.hierarchies) == set(dataset.roles.quasi_identifiers) - {"age"}
    _assert_covered(dataset)


def test_census_income_of_the_test_part(need):
    need(_census_income._FILES["test"])
    dataset = census_income("test")
    assert dataset.frame.height == 99_762
    _assert_covered(dataset)
    with pytest.raises(InvalidParameterError):
        census_income("both")


def test_medical_cost(need):
    need(_medical_cost._FILE)
    dataset = medical_cost()
    assert dataset.frame.shape == (1_338, 7)
    assert dataset.frame.filter(pl.col("smoker") == "yes").height == 274
    assert dataset.frame["bmi"].dtype == pl.Float64
    assert list(dataset.kinds) == dataset.frame.columns
    _assert_covered(dataset)


def test_wisconsin_is_the_published_file(need):
    need(WDBC)
    published = pl.read_csv(find(WDBC), has_header=False)
    frame = load_wisconsin().frame
    assert frame.height == published.height == 569
    letters = frame["diagnosis"].replace_strict({"malignant": "M", "benign": "B"})
    assert letters.to_list() == published.to_series(1).to_list()
    assert frame["mean radius"].to_list() == published.to_series(2).to_list()
    assert frame["mean symmetry"].to_list() == published.to_series(10).to_list()
