"""Roles that a careful steward gives the columns of public tables, written before any was proposed.

The tables themselves are never part of this repository: `fetched` names the file that
`benchmarks/roles.py --tables FOLDER` looks for, `source` where it is found. Letters are those of
`tests.plan.battery`: the first counts, the others are accepted as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class PublicTable:
    """A table somebody else published, and the roles of its columns."""

    fetched: str
    source: str
    roles: dict[str, str] = field(repr=False)  # letters -> names, separated by "; "
    rest: str = "H"

    def role_of(self, name: str) -> str:
        """Look up the letters of a column; a name that ends in ... stands for all that begin so.

        How many blanks stand in a name, and around it, says nothing.
        """
        name = " ".join(name.split())
        for letters, names in self.roles.items():
            for one in map(str.strip, " ".join(names.split()).split("; ")):
                begun = one.endswith("...") and name.startswith(one.removesuffix("..."))
                if begun or name == one:
                    return letters
        return self.rest


#: Looked at while the proposals were developed.
DEVELOPED = (
    PublicTable(
        "compas.csv",
        "propublica/compas-analysis: compas-scores-two-years.csv",
        {
            "I": "id; name; first; last; c_case_number; r_case_number; vr_case_number",
            "Q": """compas_screening_date; sex; dob; age; age_cat; race; c_jail_in; c_jail_out;
                c_offense_date; c_arrest_date; r_offense_date; r_jail_in; r_jail_out;
                vr_offense_date; screening_date; v_screening_date; in_custody; out_custody""",
            "S": """c_charge_degree; c_charge_desc; r_charge_degree; r_charge_desc;
                vr_charge_degree; vr_charge_desc""",
            "ST": "is_recid; is_violent_recid; two_year_recid",
            "SQ": "juv_fel_count; juv_misd_count; juv_other_count; priors_count; priors_count_2",
            "HS": "decile_score; decile_score_2; score_text; v_decile_score; v_score_text; event",
            "HQ": "days_b_screening_arrest; c_days_from_compas; r_days_from_arrest; start; end",
        },
    ),
    PublicTable(
        "attrition.csv",
        "tanviakedar/IBM-HR-analytics-attrition",
        {
            "I": "EmployeeNumber",
            "Q": """Age; Department; DistanceFromHome; Education; EducationField; Gender; JobLevel;
                JobRole; MaritalStatus; TotalWorkingYears; YearsAtCompany; gender""",
            "QH": """BusinessTravel; NumCompaniesWorked; YearsInCurrentRole; YearsWithCurrManager;
                YearsSinceLastPromotion; TotalWorkingHours; StockOptionLevel""",
            "SQ": "DailyRate; MonthlyIncome; MonthlyRate",
            "SH": "HourlyRate; PercentSalaryHike; PerformanceRating",
            "TH": "Attrition; Attrition_2",
        },
    ),
    PublicTable(
        "shootings.csv",
        "washingtonpost/data-police-shootings: v2/fatal-police-shootings-data.csv",
        {
            "I": "id; name",
            "Q": "date; city; county; state; latitude; longitude; age; gender; race",
            "QIS": "agency_ids",
            "S": "was_mental_illness_related",
            "SH": "armed_with; threat_type; flee_status",
        },
    ),
    PublicTable(
        "churn.csv",
        "aiplanethub/Datasets: WA_Fn-UseC_-Telco-Customer-Churn.csv",
        {
            "I": "customerID",
            "Q": "gender; SeniorCitizen",
            "QH": "Partner; Dependents; tenure",
            "SQ": "MonthlyCharges; TotalCharges",
            "TH": "Churn",
        },
    ),
    PublicTable(
        "stroke.csv",
        "SudheenaMisra/Datasets: healthcare-dataset-stroke-data.csv",
        {
            "I": "id",
            "Q": "gender; age; ever_married; work_type; Residence_type",
            "S": "hypertension; heart_disease",
            "SQ": "avg_glucose_level; bmi",
            "SH": "smoking_status",
        },
    ),
    PublicTable(
        "congress.csv",
        "fivethirtyeight/data: congress-age/congress-terms.csv",
        {
            "I": "bioguide; firstname; middlename; lastname",
            "IQ": "suffix",
            "Q": "birthday; state; age; termstart; chamber; congress",
            "SQ": "party",
        },
    ),
    PublicTable(
        "comma.csv",
        "fivethirtyeight/data: comma-survey/comma-survey.csv",
        {
            "I": "RespondentID",
            "Q": "Gender; Age; Education; Location (Census Region)",
            "SQ": "Household Income",
        },
    ),
    PublicTable(
        "titanic.csv",
        "datasciencedojo/datasets: titanic.csv",
        {
            "I": "PassengerId; Name; Ticket",
            "Q": "Sex; Age; Pclass",
            "QI": "Cabin; Fare",
            "QH": "SibSp; Parch; Embarked",
            "TSH": "Survived",
        },
    ),
    PublicTable(
        "students.csv",
        "jordipereiragude/dataforcourses: student-mat.csv",
        {"Q": "escuela; sexo; edad", "SHT": "nota"},
    ),
    PublicTable(
        "pupils.csv",
        "abhishah1608/DataSetRepository: student-mat.csv",
        {
            "Q": "school; sex; age; address",
            "QH": """famsize; Pstatus; Medu; Fedu; Mjob; Fjob; guardian; traveltime""",
            "S": "health",
            "SH": "Dalc; Walc; romantic; failures; absences; G1; G2",
            "SHT": "G3",
        },
    ),
    PublicTable(
        "diabetic.csv",
        "leninanthony/uasb_analytics: diabetic_data.csv",
        {
            "I": "encounter_id; patient_nbr",
            "Q": "race; gender; age; weight",
            "QH": """admission_type_id; discharge_disposition_id; admission_source_id;
                time_in_hospital; payer_code; medical_specialty""",
            "S": "diag_1; diag_2; diag_3",
            "SH": """metformin; repaglinide; nateglinide; chlorpropamide; glimepiride;
                acetohexamide; glipizide; glyburide; tolbutamide; pioglitazone; rosiglitazone;
                acarbose; miglitol; troglitazone; tolazamide; examide; citoglipton; insulin;
                glyburide-metformin; glipizide-metformin; glimepiride-pioglitazone;
                metformin-rosiglitazone; metformin-pioglitazone; max_glu_serum; A1Cresult;
                diabetesMed; num_procedures; num_medications; num_lab_procedures;
                number_outpatient; number_emergency; number_inpatient; number_diagnoses""",
            "TSH": "readmitted",
        },
    ),
    PublicTable(
        "guarderias.csv",
        "leninanthony/uasb_analytics: Dataset_Guarderias_2015.csv",
        {
            "I": "folio",
            "Q": "edad; sexo; escolar; deleg; Delegacion",
            "QI": "id_guard; guard",
            "QH": """parent; InscritosDiciembre2014; TipoGuard; fecha_d; fecha_m; fecha_a; hr_ini_h;
                hr_ini_m; hr_fin_h; hr_fin_m; esq; total_a; sala""",
            "HS": "vacunas; lactm1; lactm2; lactm3; nutricion; enfllegada",
        },
    ),
    PublicTable(
        "adult.csv",
        "UCI Adult: adult.data, with a line of names above",
        {
            "Q": """age; workclass; education; education-num; marital-status; occupation;
                relationship; race; sex; native-country""",
            "QH": "hours-per-week",
            "QIS": "fnlwgt",
            "SH": "capital-gain; capital-loss",
            "ST": "income",
        },
    ),
    PublicTable(
        "insurance.csv",
        "stedy/Machine-Learning-with-R-datasets: insurance.csv",
        {"Q": "age; sex; region; children", "SQ": "bmi; charges", "SH": "smoker"},
    ),
)
