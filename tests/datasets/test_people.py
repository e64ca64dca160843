import hashlib

import polars as pl
import pytest

from shoal.datasets import people
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Mask, read_hierarchies

N = 60_000
PINNED = "39d9fdd9a3622de626c2ac5a55e67b3ac9e33b0518487ad8b8e134a0cad6c99a"


@pytest.fixture(scope="module")
def dataset():
    return people(N)


@pytest.fixture(scope="module")
def frame(dataset):
    return dataset.frame


def _alone(frame: pl.DataFrame, columns) -> float:
    sizes = frame.group_by(columns).len()["len"]
    return (sizes == 1).sum() / frame.height


def test_the_same_seed_makes_the_same_bytes():
    written = people(1000, seed=3).frame.write_csv().encode()
    assert people(1000, seed=3).frame.write_csv().encode() == written
    assert people(1000, seed=4).frame.write_csv().encode() != written


def test_the_bytes_stay_what_they_are():
    """Benchmarks are compared over time: whoever changes the world of people must mean to."""
    written = people(1000, seed=0).frame.write_csv().encode()
    assert hashlib.sha256(written).hexdigest() == PINNED


def test_a_smaller_table_is_the_beginning_of_a_larger_one(frame):
    assert people(500).frame.equals(frame.head(500))


@pytest.mark.parametrize("n", [0, -5, 2.5, "ten", 10**9])
def test_a_bad_size_is_refused(n):
    with pytest.raises(InvalidParameterError, match="n must be"):
        people(n)


def test_a_bad_seed_is_refused():
    with pytest.raises(InvalidParameterError, match="seed"):
        people(10, seed=-1)


def test_one_row_is_enough():
    assert people(1).frame.shape == (1, 14)


def test_every_column_has_a_kind_and_nothing_is_missing(dataset, frame):
    assert list(dataset.kinds) == frame.columns
    assert frame.null_count().sum_horizontal().item() == 0
    assert dataset.frame.schema["admitted"] == pl.Date
    assert len(dataset.roles.quasi_identifiers) == 8


@pytest.mark.parametrize(
    ("n", "least", "most"), [(10_000, 0.7, 0.92), (30_000, 0.65, 0.87), (1_000_000, 0.45, 0.62)]
)
def test_many_are_alone_as_in_real_tables(n, least, most):
    dataset = people(n)
    assert least < _alone(dataset.frame, dataset.roles.quasi_identifiers) < most


def test_no_quasi_identifier_does_it_alone(dataset, frame):
    for column in dataset.roles.quasi_identifiers:
        assert _alone(frame, [column]) < 0.005
    assert _alone(frame, ["age", "sex", "zip"]) < 0.2


def test_identifiers_identify(frame):
    assert frame["person_id"].n_unique() == frame.height
    assert frame["person_id"].str.contains(r"^9\d\d-\d\d-\d{4}$").all()
    assert frame["name"].str.contains(r"^\S+ \S+$").all()
    assert 2_000 < frame["name"].n_unique() < frame.height


def test_zips_are_codes_with_a_heavy_tail(frame):
    assert frame["zip"].str.contains(r"^\d{5}$").all()
    assert 0.1 < frame["zip"].str.starts_with("0").mean() < 0.9
    shares = frame["zip"].value_counts(sort=True)["count"] / frame.height
    assert shares[0] > 0.05
    assert shares.head(10).sum() > 0.4
    assert (shares < 0.001).sum() > 400


def test_hierarchies_cover_every_value(dataset, frame):
    text = [name for name in dataset.roles.quasi_identifiers if name != "age"]
    assert set(dataset.hierarchies) == {*text, "diagnosis"}
    for column, hierarchy in dataset.hierarchies.items():
        values = frame[column].unique().sort().to_list()
        assert hierarchy.arrange(values, column=column).n_leaves == len(values)
    heights = {name: h.height for name, h in dataset.hierarchies.items() if name != "zip"}
    assert heights["occupation"] == heights["birth_country"] == heights["diagnosis"] == 3
    assert isinstance(dataset.hierarchies["zip"], Mask)


def test_every_leaf_is_somebody(dataset, frame):
    for column, hierarchy in dataset.hierarchies.items():
        if column != "zip":
            assert frame[column].n_unique() >= hierarchy.n_leaves - 1, column


def test_children_are_children(frame):
    children = frame.filter(pl.col("age") < 16)
    assert set(children["marital_status"]) == {"Never married"}
    assert set(children["occupation"]) == {"Child", "Pupil or student"}
    assert set(children["workclass"]) == {"Not working"}
    assert not children["education"].is_in(["High school diploma", "Bachelor", "Master"]).any()
    assert frame.filter(pl.col("age") < 18)["marital_status"].n_unique() == 1


def test_degrees_take_time(frame):
    youngest = dict(frame.group_by("education").agg(pl.col("age").min()).iter_rows())
    assert youngest["Bachelor"] >= 22
    assert youngest["Master"] >= 24
    assert youngest["Doctorate"] >= 27


def test_work_wants_schooling(frame):
    advanced = ["Professional degree", "Doctorate", "Master"]
    physicians = frame.filter(pl.col("occupation") == "Physician")["education"]
    cleaners = frame.filter(pl.col("occupation") == "House cleaner")["education"]
    assert physicians.is_in(advanced).all()
    assert cleaners.is_in(advanced).mean() < 0.01
    idle = frame.filter(pl.col("workclass") == "Not working")["occupation"]
    assert set(idle) == {
        *("Child", "Pupil or student", "Homemaker", "Unemployed", "Unable to work", "Retired")
    }


def test_the_old_are_retired_and_widowed(frame):
    retired = frame.filter(pl.col("occupation") == "Retired")["age"]
    assert retired.min() >= 50
    assert retired.median() > 68
    widowed = frame.filter(pl.col("marital_status") == "Widowed")
    assert widowed["age"].median() > 70
    assert (widowed["sex"] == "female").mean() > 0.65


def test_diagnoses_fit_age_and_sex(frame):
    births = frame.filter(pl.col("diagnosis").is_in(["Childbirth", "Pregnancy complication"]))
    assert set(births["sex"]) == {"female"}
    assert births["age"].is_between(14, 50).all()
    prostate = frame.filter(pl.col("diagnosis") == "Prostate cancer")
    assert set(prostate["sex"]) == {"male"}
    median_age = dict(frame.group_by("diagnosis").agg(pl.col("age").median()).iter_rows())
    assert median_age["Dementia"] > 75
    assert median_age["Asthma"] < 45


def test_places_differ(frame):
    frame = frame.with_columns(area=pl.col("zip").str.slice(0, 3))
    foreign = pl.col("birth_country") != "United States"
    shares = dict(frame.group_by("area").agg(foreign.mean()).iter_rows())
    assert shares["113"] > 3 * shares["120"]
    farming = frame.filter(pl.col("occupation") == "Farm worker")["area"].is_in(["100", "104"])
    assert farming.mean() < frame["area"].is_in(["100", "104"]).mean()


def test_flu_is_a_winter_illness(frame):
    winter = frame["admitted"].dt.month().is_in([12, 1, 2])
    assert winter.filter(frame["diagnosis"] == "Influenza").mean() > 0.35
    assert winter.filter(frame["diagnosis"] == "Appendicitis").mean() < 0.3


def test_readmission_can_be_learned(dataset):
    auc = _auc_of_a_linear_model(dataset.frame.head(5000), list(dataset.roles.quasi_identifiers))
    assert 0.75 < auc < 0.85
    assert 0.2 < (dataset.frame["readmitted"] == "yes").mean() < 0.4


def _auc_of_a_linear_model(frame: pl.DataFrame, features: list[str]) -> float:
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    rows = frame.select(features).to_pandas()
    label = (frame["readmitted"] == "yes").to_numpy()
    one_hot = OneHotEncoder(min_frequency=10, handle_unknown="infrequent_if_exist")
    text = [name for name in features if name != "age"]
    model = make_pipeline(
        make_column_transformer((one_hot, text), (StandardScaler(), ["age"])),
        LogisticRegression(max_iter=1000, C=0.3),
    )
    half = frame.height // 2
    model.fit(rows[:half], label[:half])
    return float(roc_auc_score(label[half:], model.predict_proba(rows[half:])[:, 1]))


def test_the_table_keeps_text_as_text():
    dataset = people(2000)
    table = dataset.table()
    assert table.n_rows == 2000
    assert table.roles == dataset.roles
    assert table.kinds["zip"] == "code"
    assert table.column("zip").labels[0].startswith("0")


def test_what_is_written_reads_back(tmp_path):
    dataset = people(2000)
    folder = dataset.write(tmp_path / "new")
    back = pl.read_csv(folder / "data.csv", infer_schema=False)
    assert back.equals(dataset.frame.cast(pl.String))
    hierarchies = read_hierarchies(folder / "hierarchies")
    assert set(hierarchies) == set(dataset.hierarchies)
    for column, hierarchy in hierarchies.items():
        values = back[column].unique().sort().to_list()
        written = hierarchy.arrange(values)
        direct = dataset.hierarchies[column].arrange(values)
        assert written.height == direct.height
        assert written.node_heights.tolist() == direct.node_heights.tolist()


def test_no_value_is_shown(dataset):
    assert repr(dataset) == "Dataset('people', 60000 rows, 14 columns, 8 quasi-identifiers)"
