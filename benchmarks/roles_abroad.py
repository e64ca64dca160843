"""Public tables in several languages that nobody here had looked at, and of illnesses.

Taken after the words of six languages had been sorted into classes; roles were given, from the
header and three rows, before anything was proposed.
"""

from __future__ import annotations

from roles_public import PublicTable

R = "vincentarelbundock/Rdatasets: csv/"

ABROAD = (
    PublicTable(
        "employes_futurisys.csv",
        "CelPri/ML_Futurisys: employes.csv",
        {
            "I": "employee_id",
            "Q": "age; statut_marital; departement; poste",
            "QH": """annee_experience_totale; annees_dans_l_entreprise;
                annees_dans_le_poste_actuel; annes_sous_responsable_actuel""",
            "SQ": "revenu_mensuel",
            "SH": """note_evaluation_precedente; note_evaluation_actuelle;
                augementation_salaire_precedente""",
            "HS": """satisfaction_employee_environnement; satisfaction_employee_nature_travail;
                satisfaction_employee_equipe; satisfaction_employee_equilibre_pro_perso""",
            "HQ": "heure_supplementaires; frequence_deplacement",
        },
    ),
    PublicTable(
        "pacientes_hospital.csv",
        "InfoFelipe/analisedadoshospital: pacientes.csv",
        {"I": "nome_paciente", "Q": "genero; data_nascimento"},
    ),
    PublicTable(
        "synthea.csv",
        "Aaradhana5/medical_datasets: patients.csv",
        {
            "I": "Id; FIRST; LAST; MAIDEN; ADDRESS",
            "Q": """BIRTHDATE__; DEATH_DATE; MARITAL status; race; ETHNICITY; gender; BIRTH PLACE;
                CITY name; COUNTY; ZIP CODE""",
            "QI": "LAT; LON",
            "QH": "PREFIX; SUFFIX; STATE",
        },
    ),
    PublicTable(
        "employes_rh.csv",
        "Massamba07/projet-rh-powerbi: employes.csv",
        {
            "I": "EmployeID; Nom",
            "Q": "Sexe; Âge; Poste; BU; DateEmbauche; DateDépart",
            "SQ": "Salaire",
            "HSQ": "Statut",
        },
    ),
    PublicTable(
        "salaires.csv",
        "RemiVander/brief_salaire: employes.csv",
        {
            "I": "Nom",
            "Q": "Filiale; Poste",
            "SQ": "Taux horaire; Salaire",
            "HQ": "Heures/semaine; Heures contrat",
        },
    ),
    PublicTable(
        "churn_pt.csv",
        "TerezaBoada/Estatistica: churn.csv",
        {
            "I": "ID",
            "Q": "idade; sexo; estado_civil; n_filhos",
            "SQ": "salario",
            "HQ": "londdist; International; local; carro",
            "TH": "churn",
        },
    ),
    PublicTable(
        "stroke_nhs.csv",
        R + "MLDataR/stroke_classification.csv",
        {
            "I": "rownames; pat_id",
            "Q": "gender; age",
            "QH": "urban_residence",
            "S": "hypertension; heart_disease; smokes",
            "SH": "work_related_stress",
            "SQ": "avg_glucose_level; bmi",
            "ST": "stroke",
        },
    ),
    PublicTable(
        "thyroid.csv",
        R + "MLDataR/thyroid_disease.csv",
        {
            "I": "rownames",
            "Q": "patient_age; patient_gender",
            "S": """presc_thyroxine; presc_anthyroid_meds; sick; pregnant; thyroid_surgery;
                radioactive_iodine_therapyI131; lithium; goitre; tumor; hypopituitarism;
                psych_condition""",
            "SH": "queried_why_on_thyroxine; query_hypothyroid; query_hyperthyroid",
            "ST": "ThryroidClass",
            "SQH": """TSH_reading; T3_reading; T4_reading; thyrox_util_rate_T4U_reading;
                FTI_reading""",
            "HS": "TSH_measured; T3_measured; T4_measured; thyrox_util...; FTI_measured",
            "HQ": "ref_src",
        },
    ),
    PublicTable(
        "prediabetes.csv",
        R + "MLDataR/PreDiabetes.csv",
        {
            "I": "rownames",
            "Q": "Age; Sex",
            "QH": "IMD_Decile",
            "QS": "Age_PreDiabetes; Age_Diabetes",
            "SQ": "BMI; HbA1C",
            "SQH": "Time_Pre_To_Diabetes",
            "SH": "PreDiabetes_Checks_Before_Diabetes",
        },
    ),
    PublicTable(
        "acs.csv",
        R + "CardioDataSets/acs_patients_df.csv",
        {
            "I": "rownames",
            "Q": "age; sex; height; weight",
            "S": "cardiogenicShock; Dx; obesity; DM; HBP; smoking",
            "SQ": "BMI; EF",
            "SQH": "TC; LDLC; HDLC; TG",
            "HS": "entry",
        },
    ),
    PublicTable(
        "healthinsurance.csv",
        R + "AER/HealthInsurance.csv",
        {
            "I": "rownames",
            "Q": "age; gender; married; family; region; ethnicity; education",
            "QH": "selfemp",
            "S": "health; limit",
            "SH": "insurance",
        },
    ),
    PublicTable(
        "smokeban.csv",
        R + "AER/SmokeBan.csv",
        {"I": "rownames", "Q": "age; education; afam; hispanic; gender", "S": "smoker"},
    ),
    PublicTable(
        "btheb.csv",
        R + "HSAUR/BtheB.csv",
        {
            "I": "rownames",
            "S": "drug",
            "SH": "length; treatment",
            "SQ": "bdi.pre; bdi.2m; bdi.4m; bdi.6m; bdi.8m",
        },
    ),
    PublicTable(
        "youthrisk.csv",
        R + "Stat2Data/YouthRisk2009.csv",
        {
            "I": "rownames",
            "Q": "Age",
            "S": "SmokeLife; SmokeDaily; MarijuaEver",
            "HS": "Sleep; Sleep7",
        },
    ),
    PublicTable(
        "rotterdam.csv",
        R + "OncoDataSets/RotterdamBreastCancer_df.csv",
        {
            "I": "rownames; pid",
            "Q": "age",
            "QH": "year",
            "S": "meno; chemo; hormon",
            "SH": "size; grade; nodes",
            "SQH": "pgr; er",
            "SQ": "rtime; dtime",
            "SQT": "recur; death",
        },
    ),
    PublicTable(
        "autism.csv",
        R + "HLMdiag/autism.csv",
        {
            "I": "rownames; childid",
            "Q": "gender; race; age2",
            "S": "bestest2",
            "SH": "sicdegp",
            "SQH": "vsae",
        },
    ),
)

#: Taken after rules were mended on those above; no rule was changed between them and the score.
AFTERWARDS = (
    PublicTable(
        "diabetes_es.csv",
        "Grubi-2/Diabetes: pacientes.csv",
        {
            "I": "nombre",
            "Q": "sexo; edad; Residencia; Education",
            "QS": "Año_Diagnostico",
            "QST": "muerte",
            "S": "tipo_diabete; familiares_diabeticos",
            "SH": "area_media",
            "HQI": "cabina",
            "HQ": "sala; turno",
        },
    ),
    PublicTable(
        "empleados_es.csv",
        "No-Country-simulation/S03-26-Equipo-46-Business-Intelligence: data/empleados.csv",
        {
            "I": "id_empleado; nombre_completo",
            "Q": "fecha_inicio; genero; edad; etnia; fecha_renuncia",
            "S": "discapacidad",
            "TS": "attrition",
        },
    ),
    PublicTable(
        "pacientes_ec.csv",
        "KAII-KILLER/Tesis: pacientes.csv",
        {
            "I": "id",
            "IQ": "direccion",
            "Q": "nacimiento; genero; provincia_id; ciudad; registro",
        },
    ),
    PublicTable(
        "hi.csv",
        R + "Ecdat/HI.csv",
        {
            "I": "rownames",
            "Q": "education; race; hispanic; region; kidslt6; kids618",
            "QH": "experience",
            "QIH": "wght",
            "SH": "hhi; whi; hhi2",
            "SQ": "husby",
            "HQ": "whrswk",
        },
    ),
    PublicTable(
        "cervical.csv",
        R + "OncoDataSets/CervicalCancer_df.csv",
        {
            "I": "rownames",
            "S": """hpv16; hpv1845; hpvother; naked_via; smart_via; combined_via; histology;
                cytology""",
            "ST": "CIN2plus",
            "SH": "treatment",
        },
    ),
    PublicTable(
        "dementia.csv",
        R + "NeuroDataSets/dementia_df.csv",
        {"I": "rownames", "Q": "age; sex", "QH": "study", "SQ": "demscore"},
    ),
    PublicTable(
        "infert.csv",
        R + "MedDataSets/infert_df.csv",
        {
            "I": "rownames",
            "Q": "education; age",
            "S": "induced; spontaneous",
            "ST": "case",
            "SH": "parity",
            "HQ": "stratum; pooled.stratum",
        },
    ),
    PublicTable(
        "mdvis.csv",
        R + "COUNT/mdvis.csv",
        {
            "I": "rownames",
            "Q": "age; educ; agegrp",
            "QH": "educ1; educ2; educ3; age1; age2; age3",
            "S": "badh",
            "SH": "numvisit",
            "SQ": "loginc",
        },
    ),
    PublicTable(
        "lalonde.csv",
        R + "MatchIt/lalonde.csv",
        {
            "I": "rownames",
            "Q": "age; educ; race; married; nodegree",
            "SQ": "re74; re75; re78",
            "HS": "treat",
        },
    ),
    PublicTable(
        "bwages.csv",
        R + "Ecdat/Bwages.csv",
        {"I": "rownames", "Q": "educ; sex", "QH": "exper", "SQ": "wage"},
    ),
    PublicTable(
        "creditrisk.csv",
        R + "Stat2Data/CreditRisk.csv",
        {"I": "rownames", "Q": "Age; Sex", "S": "DaysDrink", "ST": "Overdrawn"},
    ),
    PublicTable(
        "socsupport.csv",
        R + "DAAG/socsupport.csv",
        {
            "I": "rownames",
            "Q": "gender; age; country; marital; employment",
            "QH": "livewith; firstyr; enrolment",
            "SQ": "BDI",
        },
        rest="HSQ",
    ),
    PublicTable(
        "longstayers.csv",
        R + "MLDataR/long_stayers.csv",
        {
            "I": "rownames",
            "Q": "age; admit_date",
            "S": "mental_health_care; frailty_index",
            "SH": "care.home.referral; medicallysafe; hcop; periods_of_previous_care",
            "TS": "stranded.label",
        },
    ),
    PublicTable(
        "adhd.csv",
        R + "NeuroDataSets/ADHD_df.csv",
        {"I": "rownames", "S": "group"},
        rest="SH",
    ),
)
