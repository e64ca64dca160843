"""Pseudonyms of digits: NIST's own samples, and a permutation of every length."""

from __future__ import annotations

import sys

import polars as pl
import pytest
from hospital import hospital
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.exceptions import InvalidParameterError
from shoal.projects import ProjectKey, make_pseudonyms
from shoal.projects._ff1 import FF1

KEY = ProjectKey("trial", bytes(range(32)))
SECRET = "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94"
TWEAKS = ("", "39383736353433323130", "3737373770717273373737")
WORDS = (("0123456789", 10), ("0123456789", 10), ("0123456789abcdefghi", 36))
SAMPLES = {  # NIST, Cryptographic Standards and Guidelines, examples with values: FF1 samples 1-9
    128: ("2433477484", "6124200773", "a9tv40mll9kdu509eum"),
    192: ("2830668132", "2496655549", "xbj3kv35jrawxv32ysr"),
    256: ("6657667009", "1001623463", "xs8a0azh2avyalyzuwd"),
}


@pytest.mark.parametrize("bits", SAMPLES)
def test_the_samples_of_the_standard(bits):
    key = bytes.fromhex(SECRET[: bits // 4])
    made = [
        FF1(key, bytes.fromhex(tweak), radix).encrypt([word])[0]
        for tweak, (word, radix) in zip(TWEAKS, WORDS, strict=True)
    ]
    assert tuple(made) == SAMPLES[bits]


def test_all_numbers_of_a_length_are_permuted_and_small_domains_refused():
    ff1 = FF1(KEY.derive("x"))
    words = [f"{i:06d}" for i in range(0, 1_000_000, 97)]
    made = ff1.encrypt(words)
    assert len(set(made)) == len(words)
    assert {len(word) for word in made} == {6}
    assert sum(map(str.__eq__, made, words)) < 5
    assert ff1.encrypt(words[5:6]) == made[5:6]  # alone as in company
    for short in (["12345"], ["123456", "1234567"]):
        with pytest.raises(InvalidParameterError, match="6 letters or more"):
            ff1.encrypt(short)
    assert repr(ff1) == "FF1(tweak=b'', radix=10)"


@settings(max_examples=15)
@given(st.lists(st.from_regex("[0-9]{6,40}", fullmatch=True), unique=True, max_size=20))
def test_different_numbers_of_any_length_stay_different(names):
    made = make_pseudonyms(pl.Series(names, dtype=pl.String), KEY, "patient", look="digits")
    assert made.n_unique() == len(names)
    assert made.str.len_chars().to_list() == [len(name) for name in names]
    other = make_pseudonyms(pl.Series(names, dtype=pl.String), KEY, "doctor", look="digits")
    assert not names or made.to_list() != other.to_list()


def test_a_release_shows_digits_of_the_same_length_that_join(tmp_path):
    frame = hospital().with_columns(patient_no=pl.Series([f"0{700_000 + i}" for i in range(60)]))
    asked = {
        "quasi_identifiers": ["age", "sex"],
        "person": "patient_no",
        "pseudonyms": {"patient_no": {"scope": "project", "look": "digits", "prefix": "P-"}},
        "k": 4,
        "bound": False,
    }
    one, two = shoal.anonymize(frame, **asked), shoal.anonymize(frame.reverse(), **asked)
    made = one.frame["patient_no"]
    assert made.str.contains(r"^P-[0-9]{7}$").all()
    assert set(made) == set(two.frame["patient_no"])
    one.write(tmp_path / "out", ledger="off")
    names = hospital()
    with pytest.raises(InvalidParameterError, match="60 names are something else") as error:
        shoal.anonymize(names, **asked)
    assert names["patient_no"][0] not in str(error.value)


def test_without_aes_digits_are_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    with pytest.raises(InvalidParameterError, match="need AES") as error:
        make_pseudonyms(pl.Series(["123456"]), KEY, "patient", look="digits")
    assert "shoal[keys]" in error.value.hint


def test_a_number_longer_than_the_others_is_refused():
    """Its pseudonym would be the only one of seven digits: whoever knows that finds the person."""
    numbers = [f"{700_000 + i}" for i in range(59)] + ["1234567"]
    frame = hospital().with_columns(patient_no=pl.Series(numbers))
    pseudonyms = {"patient_no": {"scope": "release", "look": "digits"}}
    with pytest.raises(InvalidParameterError, match="have 2 lengths") as error:
        shoal.anonymize(
            frame, quasi_identifiers="age", person="patient_no", pseudonyms=pseudonyms, k=4
        )
    assert "1234567" not in str(error.value)
