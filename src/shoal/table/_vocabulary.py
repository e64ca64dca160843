"""Words and formats of dirty tables: what stands for missing, units, and how dates are written."""

from __future__ import annotations

_MISSING = """? ?? - -- --- . .. * #n/a n/a n.a. n.a na nan null nil none missing unknown unk
    unspecified undefined undisclosed refused k.a. k.a unbekannt fehlt entfällt n.v. n.b. inconnu
    inconnue n.d. s/o desconocido desconocida sconosciuto sconosciuta desconhecido onbekend okänd
    ukendt ukjent nieznany neznámé ns/nc s/d"""
_SEVERAL = (
    *("keine angabe", "not available", "not applicable", "not known", "no data", "sin dato"),
    *("sin datos", "no consta", "no aplica", "non renseigné", "não informado"),
)
_REFUSED = ("prefer not to say", "prefer not to answer", "don't know", "weiß nicht", "no answer")
_UNITS = """cm mm m km kg g mg lb lbs in ft oz l ml % € $ £ eur usd chf y yr yrs year years a jahre
    jahr ans años mo months monate weeks days tage h hrs hours std min s sec °c °f kcal bpm mmhg"""

#: Texts for "no value" in several languages, in lower case.
MISSING_WORDS = frozenset((*_MISSING.split(), *_SEVERAL, *_REFUSED))
#: The same where values are words: some of them may mean "nothing of it".
MISSING_NAMES = MISSING_WORDS - {"none", "nil", "*", "refused", *_REFUSED}
#: Numbers for "no value", where all other numbers are far away.
MISSING_CODES = (
    *("-1", "-7", "-8", "-9", "-77", "-88", "-99", "-999", "-9999"),
    *("99", "999", "9999", "99999"),
)
UNITS = frozenset(_UNITS.split())
DATES = (
    *("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"),
    *("%d.%m.%y", "%m/%d/%y", "%d/%m/%y", "%d-%m-%y", "%d %b %Y", "%d-%b-%Y", "%b %d, %Y"),
    *("%d %B %Y", "%B %d, %Y"),
    *("%Y.%m.%d", "%Y.%m.%d.", "%Y. %m. %d", "%Y. %m. %d.", "%Y年%m月%d日"),
    *("%d.%m.%Y.", "%d. %m. %Y", "%d. %m. %Y."),
)
TIMES = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
