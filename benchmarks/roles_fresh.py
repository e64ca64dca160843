"""Public tables that nobody here had looked at; roles were given before anything was proposed.

A few words were added after the first twelve were seen; none after the twelve `UNSEEN`. Two kinds
were left out beforehand: tables whose columns have codes for names (NHANES: ``ALQ101``), and
further copies of tables that are used already.
"""

from __future__ import annotations

from roles_public import PublicTable

R = "vincentarelbundock/Rdatasets: csv/"
FRESH = (
    PublicTable(
        "studentsperf.csv",
        "rashida048/Datasets: StudentsPerformance.csv",
        {
            "Q": "gender; race/ethnicity; parental level of education",
            "SH": "lunch",
            "S": "math score; reading score; writing score",
        },
    ),
    PublicTable(
        "heart.csv",
        "rashida048/Datasets: Heart.csv",
        {
            "I": "index",
            "Q": "Age; Sex",
            "S": "ChestPain; Fbs; RestECG; ExAng; Thal",
            "SQ": "RestBP; Chol; MaxHR; Oldpeak",
            "SH": "Slope; Ca",
            "ST": "AHD",
        },
    ),
    PublicTable(
        "bankchurn.csv",
        "selva86/datasets: Churn_Modelling.csv",
        {
            "I": "RowNumber; CustomerId; Surname",
            "Q": "Geography; Gender; Age",
            "QH": "Tenure",
            "S": "CreditScore; Balance; EstimatedSalary",
            "HS": "HasCrCard",
            "TS": "Exited",
        },
    ),
    PublicTable(
        "youngpeople.csv",
        "Opensourcefordatascience/Data-sets: responses.csv",
        {
            "I": "Participant Number",
            "Q": "Age; Height; Number of siblings; Gender; Education; Village - town",
            "QS": "Weight",
            "QH": "Only child; House - block of flats; Left - right handed",
            "S": "Smoking; Alcohol",
            "SH": """Health; God; Religion; Politics; Criminal damage; Elections; Finances;
                Loneliness; Cheating in school; Mood swings; Hypochondria; Final judgement;
                Happiness in life""",
        },
    ),
    PublicTable(
        "bloodpressure.csv",
        "dsrscientist/dataset1: blood_pressure.csv",
        {"I": "patient", "Q": "sex; agegrp", "SQ": "bp_before; bp_after"},
    ),
    PublicTable(
        "brainsize.csv",
        "dsrscientist/dataset1: brain_size.csv",
        {
            "I": "id",
            "Q": "Gender; Height",
            "QS": "Weight",
            "SQ": "FSIQ; VIQ; PIQ",
            "SQI": "MRI_Count",
        },
    ),
    PublicTable(
        "doctorvisits.csv",
        R + "AER/DoctorVisits.csv",
        {
            "I": "rownames",
            "Q": "gender; age",
            "S": "income; illness; health; nchronic; lchronic",
            "SH": "reduced; private; freepoor; freerepat",
            "SQH": "visits",
        },
    ),
    PublicTable(
        "creditcard.csv",
        R + "AER/CreditCard.csv",
        {
            "I": "rownames",
            "Q": "age; dependents",
            "QH": "owner; selfemp; months",
            "S": "income",
            "SQ": "share; expenditure",
            "SH": "reports",
            "HS": "active",
            "HST": "card",
        },
    ),
    PublicTable(
        "licorice.csv",
        R + "medicaldata/licorice_gargle.csv",
        {
            "I": "rownames",
            "Q": "preOp_gender; preOp_age",
            "SQ": "preOp_calcBMI",
            "SH": "preOp_asa; preOp_mallampati; treat; intraOp_surgerySize",
            "S": """preOp_smoking; preOp_pain; extubation_cough; pacu30min...; pacu90min...;
                postOp4hour...; pod1am...""",
        },
    ),
    PublicTable(
        "transplant.csv",
        R + "openintro/heart_transplant.csv",
        {
            "I": "rownames; id",
            "Q": "acceptyear; age",
            "STQ": "survived",
            "SQ": "survtime",
            "SH": "prior",
            "S": "transplant",
            "SQH": "wait",
        },
    ),
    PublicTable(
        "vocab.csv",
        R + "carData/GSSvocab.csv",
        {
            "I": "rownames",
            "Q": "gender; nativeBorn; ageGroup; educGroup; age; educ",
            "QH": "year",
            "SH": "vocab",
        },
    ),
    PublicTable(
        "bloodstorage.csv",
        R + "medicaldata/blood_storage.csv",
        {
            "I": "rownames",
            "Q": "Age; AA",
            "S": """FamHx; TVol; T.Stage; OrganConfined; PreopTherapy; AnyAdjTherapy;
                AdjRadTherapy""",
            "SQ": "PVol; PreopPSA; TimeToRecurrence",
            "SH": "bGS; BN+; Units; sGS",
            "ST": "Recurrence",
        },
    ),
)

UNSEEN = (
    PublicTable(
        "smoking.csv",
        R + "openintro/smoking.csv",
        {
            "I": "rownames",
            "Q": """gender; age; marital_status; highest_qualification; nationality; ethnicity;
                region""",
            "S": "gross_income; smoke",
            "SH": "amt_weekends; amt_weekdays; type",
        },
    ),
    PublicTable(
        "cps.csv",
        R + "AER/CPS1985.csv",
        {
            "I": "rownames",
            "Q": """education; age; ethnicity; region; gender; occupation; sector; married""",
            "QH": "experience",
            "S": "wage",
            "SQ": "union",
        },
    ),
    PublicTable(
        "bankwages.csv",
        R + "AER/BankWages.csv",
        {"I": "rownames", "Q": "job; education; gender; minority"},
    ),
    PublicTable(
        "pima.csv",
        R + "MASS/Pima.te.csv",
        {
            "I": "rownames",
            "Q": "age",
            "S": "npreg",
            "SQ": "glu; bp; bmi",
            "SQH": "skin; ped",
            "ST": "type",
        },
    ),
    PublicTable(
        "hands.csv",
        R + "MASS/survey.csv",
        {
            "I": "rownames",
            "Q": "Sex; Height; Age",
            "QH": "Wr.Hnd; NW.Hnd; W.Hnd",
            "S": "Smoke",
            "SQ": "Pulse",
        },
    ),
    PublicTable(
        "firstyear.csv",
        R + "Stat2Data/FirstYearGPA.csv",
        {
            "I": "rownames",
            "Q": "Male; White",
            "SQ": "GPA; HSGPA; SATV; SATM",
            "QSH": "FirstGen",
        },
    ),
    PublicTable(
        "gsoep.csv",
        R + "AER/GSOEP9402.csv",
        {
            "I": "rownames",
            "Q": "school; birthyear; gender; kids; state; marital; meducation; memployment",
            "QH": "parity; size; year",
            "S": "income",
        },
    ),
    PublicTable(
        "teachers.csv",
        R + "openintro/teacher.csv",
        {
            "I": "rownames; id",
            "Q": "degree",
            "QH": "fte; years",
            "SQ": "base; fica; retirement; total",
        },
    ),
    PublicTable(
        "coma.csv",
        R + "carData/Wong.csv",
        {
            "I": "rownames; id",
            "Q": "sex; age",
            "QSH": "days",
            "SQH": "duration",
            "SQ": "piq; viq",
        },
    ),
    PublicTable(
        "steak.csv",
        "fivethirtyeight/data: steak-survey/steak-risk-survey.csv",
        {
            "I": "RespondentID",
            "Q": "Gender; Age; Education; Location (Census Region)",
            "S": """Do you ever smoke cigarettes?; Do you ever drink alcohol?;
                Have you ever cheated on your significant other?""",
            "SH": "Do you ever gamble?; Do you ever drive above the speed limit?",
            "SQ": "Household Income",
        },
    ),
    PublicTable(
        "weather.csv",
        "fivethirtyeight/data: weather-check/weather-check.csv",
        {
            "I": "RespondentID",
            "Q": "Age; What is your gender?; US Region",
            "SQ": """How much total combined money did all members of your HOUSEHOLD earn last
                year?""",
            "HIQ": "A specific website or app (please provide the answer)",
        },
    ),
    PublicTable(
        "ads.csv",
        "dsrscientist/dataset1: Social_Network_Ads.csv",
        {"I": "User ID", "Q": "Gender; Age", "S": "EstimatedSalary", "TH": "Purchased"},
    ),
)
