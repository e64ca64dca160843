"""Names of columns in many languages, and the last gate before anything is published."""

from __future__ import annotations

import tomllib

import polars as pl
import pytest

from shoal.table import infer_roles, read_table
from shoal.table.recognizing import _tongues
from shoal.table.recognizing._tongues import languages_of, understand
from shoal.table.recognizing._vocabulary import ARRANGED, TAUGHT, any_of

ROWS = 60
NAMES = {  # people, day of birth, sex, town, illness, income
    "pl": ("nazwisko", "data_urodzenia", "plec", "miasto", "rozpoznanie", "dochód"),
    "tr": ("soyadı", "dogum_tarihi", "cinsiyet", "şehir", "hastalık", "gelir"),
    "id": ("nama_lengkap", "tgl_lahir", "jenis_kelamin", "kota", "penyakit", "penghasilan"),
    "sv": ("efternamn", "födelsedatum", "kön", "kommun", "sjukdom", "inkomst"),
    "fi": ("sukunimi", "syntymäaika", "sukupuoli", "kaupunki", "sairaus", "tulot"),
    "cs": ("příjmení", "datum_narození", "pohlaví", "obec", "nemoc", "mzda"),
    "hu": ("vezetéknév", "születési_dátum", "neme", "település", "betegség", "jövedelem"),
    "ro": ("prenume", "data_nasterii", "sexul", "oraș", "boala", "venit"),
    "hr": ("prezime", "datum_rođenja", "spol", "općina", "bolest", "dohodak"),
    "ru": ("фамилия", "дата_рождения", "пол", "город", "диагноз", "доход"),
    "uk": ("прізвище", "дата_народження", "стать", "місто", "хвороба", "дохід"),
    "el": ("επώνυμο", "γέννηση", "φύλο", "πόλη", "ασθένεια", "εισόδημα"),
    "zh": ("姓名", "出生日期", "性别", "城市", "诊断", "收入"),
    "ja": ("氏名", "生年月日", "性別", "市町村", "病名", "年収"),
    "ko": ("성명", "생년월일", "성별", "도시", "진단명", "소득"),
    "vi": ("họ_tên", "ngày_sinh", "giới_tính", "thành_phố", "bệnh", "thu_nhập"),
}
ROLES = ("identifier", "quasi_identifier", "quasi_identifier", "quasi_identifier")


def people(names):
    """Make people up whose cells say nothing that a name does not say."""
    cells = (
        [f"{a}{b}" for a in "abcdef" for b in "qrstuvwxyz"],
        [f"{1950 + i}" for i in range(ROWS)],
        ["1", "2"] * (ROWS // 2),
        ["aa", "bb", "cc"] * (ROWS // 3),
        ["k1", "k2", "k3", "k4"] * (ROWS // 4),
        [str(1000 + 10 * (i % 7)) for i in range(ROWS)],
    )
    return read_table(pl.DataFrame(dict(zip(names, cells, strict=True))))


@pytest.mark.parametrize("language", NAMES)
def test_names_are_understood_in_many_languages(language):
    found = [guess.choice for guess in infer_roles(people(NAMES[language])).values()]
    assert found == [*ROLES, "sensitive", "sensitive"]


def test_every_meaning_is_a_word_that_vocabularies_know():
    sections = tomllib.loads((_tongues.FOLDER / "words.toml").read_text("utf-8"))
    known = f"{_tongues.UNDERSTOOD} {ARRANGED} {TAUGHT}"
    strangers = [word for word in sections if not any_of(known, [word])]
    assert strangers == [_tongues.SPEAKS]
    assert len({language for words in sections.values() for language in words}) >= 30


def test_a_word_that_means_much_else_needs_another_of_its_language():
    assert understand(("ad",)) == ("ad",)
    turkish = languages_of([("ad",), ("soyadi",), ("cinsiyet",)])
    assert turkish == {"tr"}
    assert understand(("ad",), turkish) == ("firstname",)


def test_words_put_together_are_taken_apart():
    assert understand(("tanggallahir",)) == ("birth",)
    assert understand(("idpelanggan",)) == ("id", "customer")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("claim", [f"CL-{i:06}" for i in range(ROWS)]),
        ("ruling", [f"PPL-TC {i:05}/08" for i in range(ROWS)]),
        ("result", [str(70_000_000 + 7919 * i) for i in range(ROWS)]),
        ("via", ["", "", "one@x.org"] * (ROWS // 3)),
        ("notes", ["called twice", "moved away", "asked for help"] * (ROWS // 3)),
        ("kin", ["王小明", "李娜", "张伟", "刘洋", "陈静", "杨帆"] * (ROWS // 6)),
        ("foo", ["was seen at home", "left very early", *[""] * (ROWS - 2)]),
    ],
)
def test_the_last_gate_lets_no_identifier_through(name, values):
    ages = [str(20 + i % 9) for i in range(ROWS)]
    guesses = infer_roles(read_table(pl.DataFrame({"age": ages, name: values})))
    assert guesses[name].choice in ("identifier", "person", "drop", "quasi_identifier")


def test_the_last_gate_lets_answers_and_amounts_through():
    frame = pl.DataFrame(
        {
            "age": [str(20 + i % 9) for i in range(ROWS)],
            "wage": [str(10_000_000 + 7 * i) for i in range(ROWS)],
            "mood": ["fairly good", "very bad today", "not so good"] * (ROWS // 3),
            "colour": ["red", "green"] * (ROWS // 2),
        }
    )
    found = {name: guess.choice for name, guess in infer_roles(read_table(frame)).items()}
    assert found["wage"] == "sensitive"
    assert found["mood"] == "sensitive"
    assert found["colour"] not in ("identifier", "drop")
