"""The last gate: what would be published is held once more against the shapes of identifiers.

Vocabularies end somewhere, and every fresh table brings words that are in none of them. Whatever a
column is called, and in whatever language: values that look like keys, like names of people, like
ways to reach them, or like something that somebody wrote are not published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shoal.table._kinds import Guess
from shoal.table.recognizing._facts import BY_NAME, DATE, KEPT_BY_VALUE
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._identifiers import (
    BELONGS,
    TICKED,
    common_names,
    is_key,
    named_characters,
)
from shoal.table.recognizing._look import SINGLES_OUT, Look, split_name, tokens
from shoal.table.recognizing._secrets import MONEY, SECRETS
from shoal.table.recognizing._vocabulary import (
    BESIDE_AN_ADDRESS,
    IN_AN_ADDRESS,
    NAMING,
    PEOPLE,
    PEOPLES_NAMES,
    REMARKS,
    STREETS,
    any_of,
)
from shoal.table.recognizing._vocabulary import (
    KEYS as OF_KEYS,
)
from shoal.table.recognizing._vocabulary import (
    NAMES as OF_NAMES,
)

PUBLISHED = ("other", "sensitive", "target")
REACHED = r"(?i)[^@\s]+@[^@\s]+\.[a-z]{2,}|https?://|\bwww\."
SOME = 0.2  # of the distinct values: those that reach somebody
KEYLIKE = r"^(?:[A-Za-z]{0,6}[-./_ #:]?){0,3}\d[\dA-Za-z./_ #:-]*$"
WHOLE_NAME = r"^\p{Lu}[\p{Ll}.'’-]+( \p{Lu}[\p{Ll}.'’-]*)+$"
SCORES = r"^\d{1,3} ?[/:–-] ?\d{1,3}([ ,;]+\(?\d{1,3} ?[/:–-] ?\d{1,3}\)?)*$"  # of matches
NAMES_OF, WHO_WORK = "name names nom nome nombre nama", "*er *or *ist *ian *eur *ador *atore"
DIGITS = r"^(\D*\d){5,}\D*$"  # of a key; a code of an illness has fewer
TIME = r"^\d{1,2}[:.]\d{2}([:.]\d{2})?( ?[AaPp]\.?[Mm])?$"
FIGURE = r"^-?\d+[.,]\d+$|^-?\d{1,3}([.,]\d{3})+$"
LONG_NUMBER = r"^\d{8,}(\.0)?$"
EARNED = "wage* *wage salar* income* pay *amount price* cost* balance*"  # sorted, as it may be
NAMED = 0.4  # of the values, which hold a common name
MOST = 0.9  # of the distinct values
SPREAD = 0.05  # distinct values, of the rows that have one
FEWEST = 5  # distinct values of a column of names, or of remarks among what is kept
LONG = 4  # words of a text that holds numbers of something, too
NOTES = "note notes *note *notes notas comment* remark* narrative feedback message*"
WRITTEN = 5  # words of a remark; of what nothing is known two are enough
SENTENCE = 6  # words of a value that is one
ENDED = r"[.!?…。！？][\"'”’)\]]*\s*$"
ENDING = 0.5  # of the distinct values
TELLING = 12  # words of a value: nobody chooses that from a list
CODES = r"^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?([;,| ]+[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?)*$"
OPTIONS = 8  # distinct sentences; fewer may have been offered to choose from
#: Who kept a record: entered, changed, approved or wrote it.
DONE_BY = bare("""
    *createdby *modifiedby *updatedby *changedby *editedby *enteredby *addedby *insertedby
    *deletedby *recordedby *loggedby *closedby *approvedby *reviewedby *signedby *writtenby
    *preparedby *reportedby *assignedby *verifiedby *checkedby *collectedby *interviewedby
    *treatedby *seenby *handledby *processedby *authori?edby *submittedby *requestedby
    *completedby *performedby *examinedby *assessedby registradopor creadopor modificadopor
    actualizadopor ingresadopor atendidopor usuarioregistro usuariocreacion usuariomodif*
    usuarioalta criadopor atualizadopor alteradopor cadastradopor usuariocadastro atendidopelo
    creepar saisipar modifiepar enregistrepar utilisateurcreation erstelltvon bearbeitetvon
    geandertvon erfasstvon angelegtvon aufgenommenvon creatoda modificatoda inseritoda
    registratoda aangemaaktdoor gewijzigddoor ingevoerddoor utworzonyprzez dodanyprzez
    zmodyfikowanyprzez wprowadzil* vytvoril* upravil* skapadav andradav oprettetaf endretav
    kaydeden* olusturan guncelleyen girisyapan dibuatoleh diinputoleh diubaholeh nguoitao
    nguoinhap nguoicapnhat создал* изменил* внес* *创建人 *修改人 *录入人 *操作员 *填报人 *更新者
    *登録者 *作成者 *入力者 *担当者 *등록자 *수정자 *작성자 *입력자 bearbeiter* sachbearbeiter*
    erfasser* encuestador* entrevistador* digitador* capturista* enqueteur* intervistator*
    rilevator* ankieter* enumerator* datacollector petugas* adjuster*
    *审核人 *审批人 *批准人 *复核人 *审查人 *检查人 *经办人 *经手人 *申请人 *负责人 *责任人 *联系人
    *操作人 *处理人 *登记人 *记录人 *提交人 *采集人 *填写人 *填表人 *制单人 *跟进人 *更新人 *签字人
    *调查员 *录入员 *审核员 *业务员 *負責人 *聯絡人 *聯繫人 *申請人 *經辦人 *承辦人 *審核人 *覆核人
    *填表者 *担当 *責任者 *承認者 *確認者 *申請者 *審査者 *記入者 *報告者 *作業者 *処理者 *検査者
    *編集者 *変更者 *調査員 *담당 *담당자 *승인자 *신청자 *처리자 *확인자 *검토자 *책임자
    *작업자 *결재자
    *접수자 *조사자 *조사원 *변경자 *보고자
""")
ONE_BY_ONE = 0.9  # of the steps from row to row
KEYS = Guess("identifier", "Its values are long codes or numbers that few share, as keys are.")
NAMES = Guess("identifier", "Many of its values hold a common name of people.")
WAYS = Guess("identifier", "Some of its values are e-mail addresses or addresses of pages.")
RECORDS = Guess("identifier", "Its whole numbers count the rows, as record numbers do.")
SAYS_SO = Guess("identifier", "Its name says that it names or reaches a person.")
SENTENCES = Guess("drop", "Its values are sentences, which may say anything about anybody.")
WHO_DID = Guess("identifier", "Its name says that it tells who did something.")
PART = Guess("drop", "Its name is that of a part of an address: an apartment or a house.")
NUMBERED = "It numbers those whom {!r} names."
REMARK = Guess("drop", "Its values hardly repeat and are words, as if somebody wrote them.")
ROWS, SPELLED = 300, 0.6  # looked at; the share of them in which a value is spelled again
LETTERS = 3  # of a word that is looked for in another
SHARED = 0.5  # of the distinct values, which hold a name of another column
ADDRESSED = frozenset(bare(IN_AN_ADDRESS).lower().split())
ADDRESSED_BESIDE = frozenset(bare(BESIDE_AN_ADDRESS).lower().split())
#: How reasons begin for columns of nothing but names.
NAMED_BY = (
    "It is spelled again",
    "Its name says that it holds",
    "Many of its values hold a common",
)


def guard(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Take back what would be published and looks like an identifier.

    >>> import polars as pl
    >>> from shoal.table._cells import Distinct
    >>> cells = Distinct.of(pl.Series([f"PPL-TC {n:05}/08" for n in range(30)]))
    >>> looks = {"ruling": Look("ruling", "nominal", cells)}
    >>> print(guard(looks, {"ruling": Guess("sensitive", "Its name.")})["ruling"])
    identifier (Its values are long codes or numbers that few share, as keys are.)
    """
    kept = {name: _found(looks[name], guess) or guess for name, guess in guesses.items()}
    kept |= dict.fromkeys(_parts_of_addresses(looks, kept), PART)
    kept |= {n: Guess("identifier", NUMBERED.format(by)) for n, by in _numbers(looks, kept)}
    return _without_spelled_again(looks, kept)


def _parts_of_addresses(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> list[str]:
    """Name what would be published of an address, such as the number of an apartment."""
    beside = any(look.named(STREETS) for look in looks.values())
    parts = ADDRESSED | (ADDRESSED_BESIDE if beside else frozenset())
    found = (n for n, guess in guesses.items() if guess.choice in PUBLISHED)
    plain = (n for n in found if not looks[n].is_binary and looks[n].size > 2)
    return [n for n in plain if "".join(split_name(looks[n].name)) in parts]


def _numbers(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> Iterator[tuple[str, str]]:
    """Yield numbers that are called like names, but for that: ``Nr1`` beside ``Name1``."""
    naming = (n for n, g in guesses.items() if g.choice == "identifier")
    named = {_without(looks[n], OF_NAMES): n for n in naming if looks[n].named(OF_NAMES)}
    for name in (n for n, guess in guesses.items() if guess == BELONGS):
        rest = _without(looks[name], OF_KEYS)
        if rest and rest in named:
            yield name, named[rest]


def _without(look: Look, vocabulary: str) -> tuple[str, ...]:
    """Return the words of a name that are not in a vocabulary."""
    words = look.words[: len(look.words) - (len(look.words) > 1)]
    return tuple(word for word in words if not any_of(vocabulary, [word]))


def _without_spelled_again(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess]
) -> dict[str, Guess]:
    """Drop words that e-mail addresses of the same rows are made of, and names known from those.

    So names are known in every language: ``Vardas`` has what ``El. paštas`` begins with, and a
    doctor may be called like a patient.
    """
    reached = [n for n, look in looks.items() if look.like(r"^[^@\s]+@[^@\s]+$") >= MOST]
    found = dict(guesses)
    for name in _in_words(looks, found):
        by = next((n for n in reached if _is_spelled_in(looks[name], looks[n])), None)
        if by is not None:
            found[name] = Guess("identifier", f"It is spelled again in {by!r}, as names are.")
    naming = [n for n, guess in found.items() if guess.reason.startswith(NAMED_BY)]
    known = {word: n for n in naming for word in tokens(looks[n].sample) if len(word) >= LETTERS}
    for name in _in_words(looks, found) if known else ():
        if found[name] == BY_NAME:
            continue  # towns and employers are called like people
        values = [tokens([text]) for text in looks[name].sample]
        told = [known[next(filter(known.__contains__, v))] for v in values if known.keys() & v]
        if len(told) > SHARED * len(values):
            by = max(sorted({*told}), key=told.count)
            found[name] = Guess("identifier", f"Its values hold names that stand in {by!r}, too.")
    return found


def _in_words(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> list[str]:
    """Name the columns of several short texts without digits that are not left out already."""
    return [
        name
        for name, guess in guesses.items()
        if guess.choice not in ("identifier", "person", "drop")
        and looks[name].kind == "nominal"
        and looks[name].size >= FEWEST
        and looks[name].words_each <= LONG
        and looks[name].like(r"\d") <= SOME
    ]


def _is_spelled_in(look: Look, naming: Look) -> bool:
    """Whether most values stand, word for word, in the other column of their row."""
    step = max(1, look.distinct.n_rows // ROWS)
    both = zip(_texts(look, step), _texts(naming, step), strict=True)
    pairs = [(tokens([said]), "".join(tokens([name.split("@")[0]]))) for said, name in both]
    told = [(words, name) for words, name in pairs if words and name]
    again = sum(any(len(w) >= LETTERS and w in name for w in words) for words, name in told)
    return len(told) >= FEWEST and again >= SPELLED * len(told)


def _texts(look: Look, step: int) -> list[str]:
    """Take the cells of some rows; a missing one is empty."""
    texts = [*look.distinct.texts.to_list(), ""]
    return [texts[code] for code in look.distinct.codes[::step][:ROWS].tolist()]


def _found(look: Look, guess: Guess) -> Guess | None:
    if not look.size or look.kind == "date" or look.is_binary or guess.reason in KEPT_BY_VALUE:
        return None
    if guess.choice in (*PUBLISHED, "quasi_identifier") and _says_who_did(look):
        return WHO_DID
    if guess.choice not in PUBLISHED:
        return None
    if look.like(REACHED) >= SOME:
        return WAYS
    if look.kind == "numeric":
        return _among_numbers(look)
    if _is_named(look, guess):
        return SAYS_SO
    if _are_keys(look):
        return KEYS
    several = look.size >= FEWEST and look.like(r"\d") < SOME
    several &= not (look.is_question and look.are_chosen)
    if several and (common_names(look) > NAMED or named_characters(look)):
        return NAMES
    if guess == TICKED:
        return None
    if _are_sentences(look):
        return SENTENCES
    return REMARK if _is_written(look, guess) else None


def _says_who_did(look: Look) -> bool:
    """Whether it is called after those who did something; one of two numbers is a yes or no."""
    return look.named(DONE_BY) and (look.size > 2 or (look.kind == "nominal" and look.varies))


def _among_numbers(look: Look) -> Guess | None:
    """Whole numbers that are keys, though amounts of money may be as long."""
    if _counts_rows(look) and not look.named(EARNED):
        return RECORDS
    long = look.like(LONG_NUMBER) >= MOST and not look.named(MONEY)
    return KEYS if long and _few_share(look) else None


def _counts_rows(look: Look) -> bool:
    return look.runs and look.steps_of_one >= ONE_BY_ONE and look.size >= FEWEST


def _are_keys(look: Look) -> bool:
    """Whether most values are codes with many digits, which are not dates."""
    no_keys = max(look.like(DATE), look.like(TIME), look.like(FIGURE))
    no_keys = max(no_keys, look.like(SCORES) if look.named(SECRETS) else 0)
    if look.size < FEWEST or no_keys > SOME or not _few_share(look):
        return False
    return look.like(KEYLIKE) >= MOST and look.like(DIGITS) >= MOST


def _few_share(look: Look) -> bool:
    return look.nearly_unique or look.size >= SPREAD * look.filled


def _is_named(look: Look, guess: Guess) -> bool:
    """Whether a column of few values is called after names or ways to reach people."""
    if look.is_question or look.size < 2 or guess.choice != "other":
        return False
    keyed = look.like(r"\d") >= MOST or look.nearly_unique
    persons_key = is_key(look) and look.named(PEOPLE) and look.size > 2 and keyed
    reaches = look.named(NAMING) and look.nearly_unique
    called = any_of(NAMES_OF, look.words[-2:-1]) and any_of(WHO_WORK, look.words[:-2])
    called &= look.like(WHOLE_NAME) >= MOST
    return look.named(PEOPLES_NAMES) or persons_key or reaches or called


def _are_sentences(look: Look) -> bool:
    """Whether several values are sentences, however often each of them is repeated.

    Answers to a question may be as long: somebody thought of them before people were asked.
    """
    if look.kind != "nominal" or look.is_question or look.size < OPTIONS:
        return False
    if look.words_each < SENTENCE:
        return False
    return look.words_each >= TELLING or look.like(ENDED) >= ENDING


def _is_written(look: Look, guess: Guess) -> bool:
    """Whether values are words that somebody wrote, however few people have any."""
    if look.kind != "nominal" or not look.varies:
        return False
    if look.named(SECRETS) and max(look.like(CODES), look.like(SCORES)) >= MOST:
        return False
    if any_of(NOTES, look.words) and look.words_each >= 2:
        return True
    if look.told_apart <= SINGLES_OUT:
        return False
    if look.named(REMARKS) and not look.named(SECRETS):
        return look.nearly_unique
    if look.words_each >= LONG and look.like(r"\d") > 0.5 and look.size >= FEWEST:
        return True
    fewest, words = (2, 2) if guess.choice == "other" else (FEWEST, WRITTEN)
    return look.nearly_unique and look.size >= fewest and look.words_each >= words
