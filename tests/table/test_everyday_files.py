"""Files as spreadsheets, R and pandas write them: read, and what was done is said."""

import subprocess
import sys

import polars as pl
import pytest

from shoal.exceptions import EncodingError, RaggedRowError
from shoal.table import read_table

BODY = [("34", "f", "8010"), ("17", "m", "4020")]
COLUMNS = tuple(f"column_{place}" for place in range(4, 8))
FILES = {  # name of the case: (text, columns, what is said)
    "trailing comma": (
        *("age,sex,zip,\n34,f,8010,\n17,m,4020,\n", ("age", "sex", "zip")),
        "1 column without name and cells left out; lines end in a delimiter.",
    ),
    "trailing comma in rows only": (
        *("age,sex,zip\n34,f,8010,\n17,m,4020,\n", ("age", "sex", "zip")),
        "1 column without name and cells left out; lines end in a delimiter.",
    ),
    "trailing comma in the header only": (
        *("age,sex,zip,\n34,f,8010\n17,m,4020\n", ("age", "sex", "zip")),
        None,
    ),
    "many trailing commas": (
        *("age,sex,zip,,\n34,f,8010,,\n17,m,4020,,\n", ("age", "sex", "zip")),
        "2 columns without name and cells left out.",
    ),
    "same names": (
        *("age,age,zip\n34,f,8010\n17,m,4020\n", ("age", "age_2", "zip")),
        "Column 2 has the name of another; it is called 'age_2'.",
    ),
    "same names, one taken": (
        *("age,age,age_2\n34,f,8010\n17,m,4020\n", ("age", "age_3", "age_2")),
        "Column 2 has the name of another; it is called 'age_3'.",
    ),
    "no name": (
        *("age,,zip\n34,f,8010\n17,m,4020\n", ("age", "column_2", "zip")),
        "Column 2 has no name; it is called 'column_2'.",
    ),
    "two lines of header": (
        *("age,sex,zip,,,,\n34,f,8010,1,2,3,4\n", ("age", "sex", "zip", *COLUMNS)),
        "4 columns have no name; they are called 'column_4' to 'column_7': a header of two lines?",
    ),
    "title": (
        *("Patients of 2024\nage,sex,zip\n34,f,8010\n17,m,4020\n", ("age", "sex", "zip")),
        "Lines above the header were left out: 1.",
    ),
    "title of one word": (
        *("Patients\nage,sex,zip\n34,f,8010\n17,m,4020\n", ("age", "sex", "zip")),
        "Lines above the header were left out: 1.",
    ),
    "title from a spreadsheet": (
        *("Patients,,\nexported 1 May,,\n,,\nage,sex,zip\n34,f,8010\n17,m,4020\n",),
        *(("age", "sex", "zip"), "Lines above the header were left out: 2."),
    ),
    "title with a comma over semicolons": (
        *("Graz, 1 May\n\nage;sex;zip\n34;f;8010\n17;m;4020\n", ("age", "sex", "zip")),
        "Lines above the header were left out: 1.",
    ),
}


@pytest.fixture
def write(tmp_path):
    def _write(text):
        path = tmp_path / "table.csv"
        path.write_text(text)
        return path

    return _write


@pytest.mark.parametrize("case", FILES)
def test_everyday_files_are_read_and_it_is_said(write, case):
    text, names, said = FILES[case]
    table = read_table(write(text))
    assert table.column_names == names
    assert case == "two lines of header" or table.frame.rows() == BODY
    if said is None:
        assert table.warnings == ()
    else:
        assert said in table.warnings


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("header", [",age,sex", "age,sex"])  # as pandas and as R write it
def test_a_column_that_numbers_the_rows_is_named_and_said(write, start, header):
    rows = "".join(f"{start + i},{20 + i % 7},f\n" for i in range(30))
    table = read_table(write(f"{header}\n{rows}"))
    assert table.column_names == ("index", "age", "sex")
    assert "Column 1 has no name and numbers the rows; it is called 'index'." in table.warnings


def test_a_row_of_people_never_becomes_the_header(write):
    table = read_table(write("place\nx;y\nz;w\n"))
    assert table.column_names == ("place",)


def test_a_header_of_numbers_is_no_title(write):
    table = read_table(write("Name of town,\nage,sex\n34,f\n17,m\n"))
    assert table.column_names == ("age", "sex")
    one_column = read_table(write("age,\n34,\n17,\n"))
    assert one_column.column_names == ("age",)
    assert one_column.frame["age"].to_list() == ["34", "17"]


def test_the_command_line_reads_them_and_says_so(tmp_path, write):
    rows = "".join(f"{i},{20 + i % 9},{'fm'[i % 2]},{1000 + i % 3},\n" for i in range(60))
    path = write(f"Patients of 2024,,,,\n,age,sex,zip,\n{rows}")
    asked = ["anonymize", str(path), "--quasi", "age,sex,zip", "--identifier", "index", "-k", "5"]
    done = subprocess.run(
        [sys.executable, "-m", "shoal", *asked, "-o", str(tmp_path / "release")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Lines above the header were left out: 1." in done.stdout
    assert "called 'index'" in done.stdout
    published = pl.read_csv(tmp_path / "release" / "data.csv")
    assert published.columns == ["age", "sex", "zip"]
    assert published.height == 60


def test_commas_inside_numbers_below_a_title_do_not_make_a_header_of_a_person(write):
    """Each row has one comma, the header none: the first person would become the header."""
    people = [f"Kanarie {i};{20 + i};{i},50 €" for i in range(9)]
    table = read_table(write("\n".join(["Members of October 2026", "name;age;fee", *people])))
    assert table.column_names == ("name", "age", "fee")
    assert table.n_rows == 9
    assert "Lines above the header were left out: 1." in table.warnings


def written(folder, text, encoding):
    path = folder / "people.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_cyrillic_of_one_byte_is_read_and_said(tmp_path):
    rows = ["Анна;Новгород;врач", "Борис;Самара;водитель", "Вера;Казань;учитель"] * 10
    text = "\n".join(["имя;город;работа", *rows])
    table = read_table(written(tmp_path, text, "cp1251"))
    assert table.column_names == ("имя", "город", "работа")
    assert any("read as CP1251" in said for said in table.warnings)


@pytest.mark.parametrize("word", ["née", "Größe", "coração", "ÉTÉ"])
def test_accents_are_not_taken_for_cyrillic(tmp_path, word):
    table = read_table(written(tmp_path, f"{word},b\n{word},1\n{word},2\n", "cp1252"))
    assert table.column_names[0] == word


@pytest.mark.parametrize(
    ("encoding", "header", "rows"),
    [
        ("cp1250", "jméno;pohlaví;vzdělání", ["Jiří;muž;střední", "Eva;žena;vysokoškolské"]),
        ("cp1250", "imię;płeć;miasto", ["Łukasz;mężczyzna;Łódź", "Małgorzata;kobieta;Gdańsk"]),
        ("cp1250", "név;nem;lakóhely", ["Ödön;férfi;Győr", "László;férfi;Szombathely"]),
        ("cp1253", "όνομα;φύλο;πόλη", ["Γιώργος;άνδρας;Αθήνα", "Μαρία;γυναίκα;Πάτρα"]),
        ("cp1254", "ad;soyad;şehir", ["Ayşe;Yılmaz;İstanbul", "Çağrı;Öztürk;Muğla"]),
        (
            "cp1257",
            "vardas;lytis;gimimo_šalis",
            ["Žydrūnas;vyras;Šiauliai", "Rūta;moteris;Mažeikiai"],
        ),
        ("cp932", "氏名;性別;都道府県", ["田中太郎;男;東京都", "鈴木花子;女;大阪府"]),
        ("gb18030", "姓名;性别;城市", ["王伟;男;北京", "李娜;女;上海"]),
        ("cp949", "성명;성별;도시", ["김철수;남;서울", "이영희;여;부산"]),
        ("koi8-r", "имя;пол;город", ["Иван;муж;Тверь", "Ольга;жен;Самара"]),
    ],
)
def test_legacy_encodings_are_found_by_their_letters_and_said(tmp_path, encoding, header, rows):
    text = "\n".join([header, *rows * 20])
    table = read_table(written(tmp_path, text, encoding))
    assert table.column_names == tuple(header.split(";"))
    assert table.frame.rows()[1] == tuple(rows[1].split(";"))
    assert f"The file was read as {encoding.upper()}, because" in table.warnings[0]


def test_a_few_words_with_accents_are_western(tmp_path):
    """Three letters beyond ASCII would be Hungarian, Thai or Chinese by chance."""
    table = read_table(written(tmp_path, "ville;t\nNîmes;37 °C\nOrléans;38 °C\n", "cp1252"))
    assert table.frame["ville"].to_list() == ["Nîmes", "Orléans"]


def test_signs_inside_words_are_letters_of_another_encoding(tmp_path):
    table = read_table(written(tmp_path, "DZIAŁ;STAŻ;PŁEĆ\nIT;2;M\nHR;3;K\n", "cp1250"))
    assert table.column_names == ("DZIAŁ", "STAŻ", "PŁEĆ")
    table = read_table(written(tmp_path, "m³;cm³;£\n1;2;3\n4;5;6\n", "cp1252"))
    assert table.column_names == ("m³", "cm³", "£")


def test_what_was_guessed_but_does_not_fit_is_refused_with_a_hint(tmp_path):
    path = written(tmp_path, "имя;пол;город\n" + "Иван;муж;Тверь\n" * 20_000, "cp1251")
    path.write_bytes(path.read_bytes() + b"\x98;\x98;\x98\n")
    with pytest.raises(EncodingError) as caught:
        read_table(path)
    assert "encoding=" in caught.value.hint


def test_a_header_that_no_row_fits_is_said(tmp_path):
    text = "a,b,c,d\n" + "1,2\n" * 5
    with pytest.raises(RaggedRowError) as caught:
        read_table(written(tmp_path, text, "utf-8"))
    assert "second line of header" in caught.value.hint
