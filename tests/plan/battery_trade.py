"""Made-up tables of trade and schools: staff, customers, passengers, pupils, players."""

from __future__ import annotations

from battery import Drawn, table
from made_up import Columns


@table
def staff() -> Drawn:
    c = Columns(5, 1470)
    return {
        "EmployeeNumber": ("I", c.keys(1, 2)),
        "Age": ("Q", c.ages(18, 60)),
        "Attrition": ("TH", c.pick("Yes|No", [0.16, 0.84])),
        "Department": ("Q", c.pick("Sales|Research & Development|Human Resources")),
        "EducationField": ("Q", c.pick("Life Sciences|Medical|Marketing|Other")),
        "Gender": ("Q", c.pick("Male|Female")),
        "JobRole": (
            "Q",
            c.pick("Sales Executive|Research Scientist|Manager|Laboratory Technician"),
        ),
        "JobSatisfaction": ("H", c.whole(1, 4)),
        "EnvironmentSatisfaction": ("H", c.whole(1, 4)),
        "WorkLifeBalance": ("HS", c.whole(1, 4)),
        "MaritalStatus": ("Q", c.pick("Married|Single|Divorced")),
        "MonthlyIncome": ("SQ", c.amounts(5200)),
        "OverTime": ("H", c.pick("Yes|No")),
        "StandardHours": ("H", c.pick("80")),
        "YearsAtCompany": ("QH", c.counts(6)),
    }


@table
def passengers() -> Drawn:
    c = Columns(6, 600)
    return {
        "PassengerId": ("I", c.keys(892)),
        "Name": ("I", c.full("{1}, Mr. {0}")),
        "Sex": ("Q", c.pick("male|female")),
        "Age": ("Q", c.holes(c.ages(1, 75), 0.2)),
        "SibSp": ("QH", c.counts(0.5)),
        "Pclass": ("QH", c.whole(1, 3)),
        "Ticket": ("I", c.digits("A/5 #####")),
        "Fare": ("QI", c.amounts(14, 4)),
        "Cabin": ("QI", c.holes(c.digits("@##"), 0.7)),
        "Embarked": ("QH", c.pick("S|C|Q")),
        "Survived": ("TSH", c.pick("0|1")),
    }


@table
def pupils() -> Drawn:
    c = Columns(7, 395)
    return {
        "school": ("Q", c.pick("GP|MS")),
        "sex": ("Q", c.pick("F|M")),
        "age": ("Q", c.whole(15, 22)),
        "address": ("QH", c.pick("U|R")),
        "Mjob": ("QH", c.pick("teacher|health|services|at_home|other")),
        "guardian": ("QH", c.pick("mother|father|other")),
        "studytime": ("H", c.whole(1, 4)),
        "internet": ("H", c.pick("yes|no")),
        "health": ("S", c.whole(1, 5)),
        "absences": ("SH", c.counts(5)),
        "G3": ("SHT", c.whole(0, 20)),
    }


@table
def bank_customers() -> Drawn:
    c = Columns(13, 1000)
    return {
        "RowNumber": ("I", c.keys()),
        "CustomerId": ("I", c.digits("156#####")),
        "Surname": ("I", c.last()),
        "CreditScore": ("SQ", c.whole(350, 850)),
        "Geography": ("Q", c.pick("France|Spain|Germany")),
        "Gender": ("Q", c.pick("Female|Male")),
        "Age": ("Q", c.ages(18, 92)),
        "Tenure": ("QH", c.whole(0, 10)),
        "Balance": ("SQ", c.amounts(76000, 2)),
        "NumOfProducts": ("H", c.whole(1, 4)),
        "HasCrCard": ("H", c.pick("0|1")),
        "EstimatedSalary": ("SQ", c.amounts(100000, 2)),
        "iban": ("I", c.digits("DE## 3704 0044 0532 #### ##")),
        "Exited": ("TH", c.pick("0|1", [0.8, 0.2])),
    }


@table
def credit() -> Drawn:
    c = Columns(14, 1000)
    return {
        "checking_status": ("SH", c.pick("<0|0<=X<200|no checking")),
        "duration_months": ("H", c.pick("6|12|18|24|36|48")),
        "credit_history": ("S", c.pick("existing paid|critical|delayed previously|all paid")),
        "purpose": ("H", c.pick("radio/tv|new car|furniture|business")),
        "credit_amount": ("SQ", c.amounts(3000)),
        "employment": ("Q", c.pick("unemployed|<1|1<=X<4|>=7")),
        "personal_status": ("Q", c.pick("male single|female divorced|male married")),
        "age": ("Q", c.ages(19, 75)),
        "housing": ("QH", c.pick("own|rent|for free")),
        "job": ("Q", c.pick("skilled|unskilled resident|management")),
        "foreign_worker": ("QH", c.pick("yes|no", [0.95, 0.05])),
        "class": ("TH", c.pick("good|bad", [0.7, 0.3])),
    }


@table
def students() -> Drawn:
    c = Columns(15, 600)
    return {
        "student_id": ("I", c.digits("S20####")),
        "email": ("I", c.emails()),
        "birth_year": ("Q", c.whole(1994, 2005)),
        "gender": ("Q", c.pick("f|m|x", [0.5, 0.48, 0.02])),
        "nationality": ("Q", c.pick("AT|DE|IT|TR|CN|US")),
        "programme": ("Q", c.pick("Computer Science|Biology|Law|Medicine|History")),
        "semester": ("QH", c.whole(1, 12)),
        "gpa": ("SH", [round(v, 1) for v in c.measures(2.5, 0.6, 1)]),
        "disability": ("S", c.pick("no|yes", [0.95, 0.05])),
        "course_rating": ("H", c.whole(1, 5)),
    }


@table
def telecom_churn() -> Drawn:
    c = Columns(17, 1200)
    services = (
        "OnlineSecurity OnlineBackup TechSupport StreamingTV StreamingMovies DeviceProtection"
    )
    return {
        "customerID": ("I", c.digits("####-@@@@@")),
        "phone": ("I", c.digits("(555) ###-####")),
        "gender": ("Q", c.pick("Male|Female")),
        "SeniorCitizen": ("Q", c.pick("0|1", [0.84, 0.16])),
        "Dependents": ("QH", c.pick("Yes|No")),
        "tenure": ("QH", c.whole(0, 72)),
        **{name: ("H", c.pick("Yes|No|No internet service")) for name in services.split()},
        "Contract": ("H", c.pick("Month-to-month|One year|Two year")),
        "PaymentMethod": ("H", c.pick("Electronic check|Mailed check|Credit card")),
        "MonthlyCharges": ("SQ", c.measures(65, 20, 2)),
        "TotalCharges": ("SQ", c.amounts(1400, 2)),
        "last_login_ip": ("I", c.digits("10.2##.1##.##")),
        "Churn": ("TH", c.pick("Yes|No", [0.27, 0.73])),
    }


@table
def frequent_flyers() -> Drawn:
    c = Columns(18, 900)
    return {
        "loyalty_number": ("I", c.digits("48####")),
        "province": ("Q", c.pick("Ontario|Quebec|Alberta|Manitoba")),
        "postal_code": ("Q", c.digits("M#@ #@#")),
        "gender": ("Q", c.pick("Male|Female")),
        "education": ("Q", c.pick("Bachelor|College|Doctor|Master")),
        "salary": ("SQ", c.amounts(79000)),
        "marital_status": ("Q", c.pick("Married|Single|Divorced")),
        "loyalty_card": ("H", c.pick("Star|Nova|Aurora")),
        "enrollment_date": ("Q", c.dates("2012-01-01", "2018-12-31")),
        "passport_no": ("I", c.digits("@@#######")),
        "meal_preference": ("HS", c.pick("standard|vegetarian|halal|kosher")),
        "flights_last_year": ("H", c.counts(6)),
    }


@table
def sports_players() -> Drawn:
    c = Columns(19, 1100)
    return {
        "playerID": (
            "I",
            [
                f"{b[:5].lower()}{a[:2].lower()}{n:02}"
                for a, b, n in zip(c.first(), c.last(), c.keys(), strict=True)
            ],
        ),
        "nameFirst": ("I", c.first()),
        "nameLast": ("I", c.last()),
        "birthYear": ("Q", c.whole(1900, 2000)),
        "birthCountry": (
            "Q",
            c.pick("USA|D.R.|Venezuela|Cuba|CAN", [0.85, 0.06, 0.04, 0.03, 0.02]),
        ),
        "birthCity": ("Q", c.last()),
        "height": ("Q", [round(v) for v in c.measures(72, 2, 0)]),
        "weight": ("Q", [round(v) for v in c.measures(185, 18, 0)]),
        "bats": ("H", c.pick("R|L|B")),
        "throws": ("H", c.pick("R|L")),
        "debut": ("Q", c.dates("1920-04-01", "2020-09-30")),
        "wikipedia": (
            "I",
            [f"https://en.example.org/wiki/{n.replace(' ', '_')}" for n in c.full()],
        ),
    }


@table
def french_staff() -> Drawn:
    c = Columns(24, 600, "fr")
    return {
        "matricule": ("I", c.digits("M#####")),
        "nom": ("I", c.last()),
        "prenom": ("I", c.first()),
        "courriel": ("I", c.emails()),
        "date_naissance": ("Q", c.dates("1958-01-01", "2001-12-31", "%d/%m/%Y")),
        "sexe": ("Q", c.pick("F|H")),
        "code_postal": ("Q", c.digits("750##")),
        "ville": ("Q", c.pick("Paris|Lyon|Lille|Nantes")),
        "situation_familiale": ("Q", c.pick("célibataire|marié|divorcé")),
        "poste": ("Q", c.pick("comptable|ingénieur|assistante|technicien")),
        "salaire": ("SQ", c.amounts(36000)),
        "date_embauche": ("Q", c.dates("1985-01-01", "2022-12-31", "%d/%m/%Y")),
        "arret_maladie": ("S", c.counts(2)),
        "satisfaction": ("HS", c.whole(1, 5)),
        "teletravail": ("H", c.pick("oui|non")),
    }


@table
def web_accounts() -> Drawn:
    c = Columns(27, 1500)
    return {
        "user_uuid": ("I", c.digits("########-####-4###-9###-############")),
        "username": ("I", [f"{a.lower()}{n}" for a, n in zip(c.first(), c.keys(), strict=True)]),
        "mail": ("I", c.emails()),
        "ip": ("I", c.digits("192.168.#.1##")),
        "signup": ("QI", c.times("2019-01-01", "2023-12-31")),
        "country": ("Q", c.pick("US|DE|FR|BR|IN")),
        "birth": ("Q", c.dates("1950-01-01", "2008-12-31")),
        "newsletter": ("H", c.pick("true|false")),
        "plan": ("H", c.pick("free|pro|team")),
        "logins": ("HQ", c.counts(40)),
        "avatar_url": ("I", [f"http://cdn.example.com/{n}.png" for n in c.digits("######")]),
        "theme": ("H", c.pick("dark|light")),
    }


@table
def columns_without_names() -> Drawn:
    """Only the values say what they are."""
    c = Columns(30, 900)
    return {
        "V1": ("I", c.digits("########")),
        "V2": ("I", c.full()),
        "V3": ("I", c.emails()),
        "V4": ("I", c.digits("+1 (555) ###-####")),
        "V5": ("Q", c.dates("1940-01-01", "2003-12-31")),
        "V6": ("Q", c.pick("male|female")),
        "V7": ("Q", c.pick("single|married|divorced|widowed")),
        "V8": ("Q", c.pick("Austria|Germany|Italy|France|Poland")),
        "V9": ("S", c.pick("none|diabetes|asthma|depression")),
        "V10": ("S", c.pick("Catholic|Muslim|Jewish|Protestant|other")),
        "V11": ("SQ", c.pick("$10,000 - $19,999|$20,000 - $49,999|$50,000 and more")),
        "V12": ("Q", c.pick("18-29|30-44|45-60|65+")),
        "V13": ("QI", c.streets()),
        "V14": ("I", c.notes()),
        "V15": ("HS", c.pick("yes|no")),
        "V16": ("HS", c.whole(1, 7)),
        "V17": ("HS", c.pick("red|green|blue|yellow")),
    }
