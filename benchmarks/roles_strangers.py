"""Public tables that nobody here had looked at, taken after words were added for every subject.

Roles were given from the header, the number of values and three of them, before anything was
proposed; where a name says nothing at all, the harmless role is accepted beside the right one.
Rules were mended after the first were seen, not between `SETTLED` and its score.
"""

from __future__ import annotations

from roles_public import PublicTable

R = "vincentarelbundock/Rdatasets: csv/"

STRANGERS = (
    PublicTable(
        "asd_risks.csv",
        R + "NeuroDataSets/ASD_risks_tbl_df.csv",
        {
            "I": "rownames; CASE_NO_PATIENT'S",
            "Q": "Age_Years; Sex; Ethnicity",
            "S": """Social_Responsiveness_Scale; Qchat_10_Score; Speech Delay/Language Disorder;
                Learning disorder; Genetic_Disorders; Depression; Social/Behavioural Issues;
                Global developmental delay/intellectual disability; Childhood Autism Rating Scale;
                Anxiety_disorder; Jaundice; Family_mem_with_ASD""",
            "ST": "ASD_traits",
            "SH": "A1...; A2; A3; A4; A5; A6; A7; A8; A9",
        },
    ),
    PublicTable(
        "oasis_long.csv",
        R + "NeuroDataSets/OASIS_long_tbl_df.csv",
        {
            "I": "rownames; Subject ID; MRI ID",
            "S": "Group; MMSE; CDR",
            "Q": "M/F; Age; EDUC",
            "QS": "SES",
            "HQ": "MR Delay; Hand",
            "SQH": "eTIV; nWBV; ASF",
        },
    ),
    PublicTable(
        "concussions.csv",
        R + "NeuroDataSets/nfl_concussions_tbl_df.csv",
        {
            "I": "rownames; ID; Player",
            "Q": "Team; Game; Date; Position; Opposing Team",
            "QH": "Season; Week of Injury",
            "S": "Pre-Season Injury?; Unknown Injury?; Reported Injury Type; Weeks Injured",
            "SQH": "Games Missed; Play Time After Injury; Average Playtime Before Injury",
            "HQ": "Total Snaps",
        },
    ),
    PublicTable(
        "ischemic.csv",
        R + "modeldata/ischemic_stroke.csv",
        {
            "I": "rownames",
            "Q": "age; male",
            "S": """smoking_history; atrial_fibrillation; coronary_artery_disease;
                diabetes_history; hypercholesterolemia_history; hypertension_history;
                nascet_scale""",
            "ST": "stroke",
        },
        rest="HQS",
    ),
    PublicTable(
        "credit_es.csv",
        R + "modeldata/credit_data.csv",
        {
            "I": "rownames",
            "Q": "Seniority; Age; Marital; Job",
            "QH": "Home",
            "S": "Records; Expenses; Income; Assets; Debt; Amount",
            "ST": "Status",
            "HQS": "Price",
        },
    ),
    PublicTable(
        "pretrial.csv",
        R + "crimedatasets/NCAdata_tbl_df.csv",
        {
            "I": "rownames",
            "Q": "Sex; White; Age",
            "QH": "SexWhite",
            "S": "PendingCharge...; NCorNon...; Violent...; NonViolent...; Prior...",
            "SH": "Staff_ReleaseRecommendation; D",
            "TSH": "Z; Y",
        },
    ),
    PublicTable(
        "indo.csv",
        R + "medicaldata/indo_rct.csv",
        {
            "I": "rownames; id",
            "Q": "age; gender",
            "QH": "site",
            "S": "risk; sod; pep; recpanc; bleed",
            "ST": "outcome",
            "H": "train",
            "HS": "rx; status",
        },
        rest="SH",
    ),
    PublicTable(
        "gestation.csv",
        R + "mosaicData/Gestation.csv",
        {
            "I": "rownames; id",
            "Q": "date; race; age; ed; ht; drace; dage; ded; dht; marital",
            "QS": "wt; wt.1; dwt",
            "S": "inc; smoke",
            "SH": "time; number",
            "SQ": "gestation",
            "SQH": "parity",
            "HQTS": "plurality; outcome; sex",
        },
    ),
    PublicTable(
        "fertility.csv",
        R + "Stat2Data/Fertility.csv",
        {"I": "rownames", "Q": "Age", "SH": "MaxDailyGn"},
        rest="SQ",
    ),
    PublicTable(
        "placement.csv",
        R + "Stat2Data/MathPlacement.csv",
        {
            "I": "rownames; Student",
            "Q": "Gender",
            "S": "PSATM; SATM; ACTM; GPAadj; PlcmtScore; Grade",
            "ST": "CourseSuccess",
            "SQH": "Rank",
            "QH": "Size",
            "HQ": "Course",
            "HS": "Recommends; RecTaken; TooHigh; TooLow",
        },
    ),
    PublicTable(
        "reddit.csv",
        R + "openintro/reddit_finance.csv",
        {
            "I": "rownames",
            "Q": """race_eth; gender; age; edu; rel_status; children; country; industry; employer;
                role""",
            "QH": "ft_status; pt_status; gig_status; ne_status; edu_status; housing; retire_age",
            "S": "political",
            "SQ": """home_value; brokerage_accts_tax; retirement_accts_tax; cash; invst_accts;
                spec_crypto; invst_prop_bus_own; student_loans; mortgage; auto_loan;
                credit_personal_loan; medical_debt; invst_prop_bus_own_debt; other_debt;
                2020_gross_inc""",
            "SQH": "other_val; 2020_...",
            "SH": "num_incomes; pan_...; fin_indy; fin_indy_lvl",
            "HQS": """fin_indy_num; fin_indy_pct; retire_invst_num; tgt_sf_wthdrw_rt;
                max_retire_sup; retire_exp; whn_fin_indy_num; stp_whn_fin_indy""",
        },
    ),
    PublicTable(
        "evals.csv",
        R + "openintro/evals.csv",
        {
            "I": "rownames; prof_id",
            "IQ": "course_id",
            "Q": "rank; ethnicity; gender; language; age",
            "SQ": "score",
            "HQ": "cls_students; cls_perc_eval; cls_did_eval",
            "HSQ": "bty_...",
        },
    ),
    PublicTable(
        "pupils_nl.csv",
        R + "mlmRev/bdf.csv",
        {
            "I": "rownames; pupilNR",
            "Q": "schoolNR; sex; Minority",
            "QH": "classNR; classsiz; groupsiz",
            "S": "IQ.verb; IQ.perf; aritPRET; aritPOST; langPRET; langPOST",
            "SH": "repeatgr",
            "SQ": "ses; IQ.ver.cen",
            "QSH": "denomina",
            "HS": "aritdiff",
            "HQS": "avg.IQ.ver.cen; grpSiz.cen",
        },
    ),
    PublicTable(
        "prenatal.csv",
        R + "mlmRev/guPrenat.csv",
        {
            "I": "rownames; kid; mom",
            "Q": "cluster; childAge; motherAge; indig; momEd; husEd; husEmpl",
            "QH": "birthOrd",
            "SH": "prenat",
            "HS": "toilet",
            "HQ": "pcInd81; ssDist",
        },
    ),
    PublicTable(
        "schizophrenia.csv",
        R + "lme4/schizophrenia.csv",
        {"I": "rownames; id", "S": "imps79; imps79b; imps79o", "SH": "TxDrug"},
    ),
    PublicTable(
        "benefits.csv",
        R + "Ecdat/Benefits.csv",
        {
            "I": "rownames",
            "Q": "state; age; sex; married; nwhite; school12",
            "QH": "tenure; smsa; dkids; dykids; head; bluecol",
            "SQH": "joblost",
            "S": "ui",
            "HQ": "rr; stateur; statemb; yrdispl",
        },
    ),
    PublicTable(
        "crime1.csv",
        R + "wooldridge/crime1.csv",
        {
            "I": "rownames",
            "Q": "black; hispan; born60",
            "S": "narr86; nfarr86; nparr86; pcnv; avgsen; tottime; ptime86",
            "SQ": "inc86; inc86sq",
            "QSH": "qemp86; durat",
            "SH": "pcnvsq; pt86sq",
        },
    ),
    PublicTable(
        "sleep75.csv",
        R + "wooldridge/sleep75.csv",
        {
            "I": "rownames; case",
            "Q": "age; black; educ; male; marr; agesq",
            "QH": """smsa; exper; yngkid; yrsmarr; clerical; construc; selfe; south; inlf;
                spwrk75""",
            "S": "gdhlth; union; prot",
            "SQ": "earns74; lhrwage; lothinc; spsepay; hrwage",
        },
        rest="HQS",
    ),
    PublicTable(
        "vote92.csv",
        R + "pscl/vote92.csv",
        {
            "I": "rownames",
            "S": "vote; dem; rep",
            "Q": "female",
            "SH": "persfinance",
            "HS": "natlecon; clintondis; bushdis; perotdis",
        },
    ),
    PublicTable(
        "nlswork.csv",
        R + "sampleSelection/nlswork.csv",
        {
            "I": "rownames; idcode",
            "Q": "birth_yr; age; race; msp; nev_mar; grade; collgrad; ind_code; occ_code",
            "QH": "not_smsa; c_city; south; tenure; hours; ttl_exp",
            "S": "union",
            "SQ": "ln_wage",
            "SQH": "wks_ue",
            "HQ": "wks_work; year",
        },
    ),
    PublicTable(
        "childcancer.csv",
        R + "OncoDataSets/ChildCancer_df.csv",
        {
            "I": "rownames",
            "QHI": "X; U; V",
            "S": "ICCGroup",
            "ST": "Status",
            "SQ": "SurvTime",
            "Q": "Residence; Sex",
        },
    ),
    PublicTable(
        "suspected.csv",
        R + "OncoDataSets/SuspectedCancer_df.csv",
        {
            "I": "rownames",
            "Q": "age",
            "S": "comorbidity",
            "SQ": "haemoglobin; albumin; alaninetrans; whitebloodcell; bilirubin; calcium",
        },
    ),
    PublicTable(
        "ces11.csv",
        R + "carData/CES11.csv",
        {
            "I": "rownames; id",
            "Q": "province; gender; education",
            "QH": "urban; population",
            "HQ": "weight",
            "S": "abortion",
            "HS": "importance",
        },
    ),
    PublicTable(
        "hrdataset.csv",
        "jakoborel/hr-analysis: HRDataset_v14.csv",
        {
            "I": "Employee_Name; EmpID",
            "IQ": "ManagerName",
            "QI": "ManagerID",
            "Q": """MarriedID; MaritalStatusID; GenderID; DeptID; PositionID; Position; State; Zip;
                DOB; Age; Sex; MaritalDesc; CitizenDesc; HispanicLatino; RaceDesc; DateofHire;
                DateofTermination; Department""",
            "QH": "NumYearsWorked; LastPerformanceReview_Date",
            "QHS": "EmpStatusID; EmploymentStatus; FromDiversityJobFairID",
            "S": "PerfScoreID; Salary; PerformanceScore; TermReason; Absences",
            "SH": "DaysLateLast30; EmpSatisfaction",
            "TSH": "Termd",
            "HSQ": "EngagementSurvey",
        },
    ),
    PublicTable(
        "studentmental.csv",
        "elviraac/Dataset-1-Student-Mental-Health: Student Mental health.csv",
        {
            "QI": "Timestamp",
            "Q": "Choose your gender; Age; What is your course?; Marital status",
            "QH": "Your current year of Study",
            "S": """What is your CGPA?; Do you have Depression?; Do you have Anxiety?;
                Do you have Panic attack?; Did you seek any specialist for a treatment?""",
        },
    ),
    PublicTable(
        "obesity.csv",
        "aarthi62/OBESSITY-PREDICTION---DATA-SET: ObesityDataSet_raw_and_data_sinthetic.csv",
        {
            "Q": "Age; Gender; Height",
            "QS": "Weight",
            "S": "family_history_with_overweight; SMOKE",
            "ST": "NObeyesdad",
            "HS": "CALC",
            "HQ": "FCVC; NCP; CH2O; FAF; TUE",
        },
    ),
    PublicTable(
        "sleephealth.csv",
        "Anshitagithub/sleepanalysis: Sleep_health_and_lifestyle_dataset.csv",
        {
            "I": "Person ID",
            "Q": "Sex; Age; Occupation",
            "S": "Stress Level; BMI Category; Blood Pressure; Heart Rate",
            "ST": "Sleep Disorder",
            "HSQ": "Sleep Duration; Quality of Sleep; Physical Activity Level; Daily Steps",
        },
    ),
    PublicTable(
        "alumnos_pe.csv",
        "alfredocu321/archivos-CSV: base de datos alumnos.csv",
        {"I": "APELLIDOS Y NOMBRES", "Q": "CARRERA", "S": "NOTA"},
    ),
    PublicTable(
        "alumnos_ar.csv",
        "marianof2000/datasets: datos_alumnos.csv",
        {
            "I": "Legajo; DNI; Nombre; Apellido",
            "Q": "Edad; Nacionalidad; Carrera",
            "S": "Matemáticas; Ciencias; Lenguaje",
        },
    ),
    PublicTable(
        "carrard.csv",
        "Srayoshi-Mirza/DataSets: Data Carrard et al. 2022 MedTeach.csv",
        {
            "I": "id",
            "Q": "age; sex",
            "QH": "year; glang; job",
            "HQ": "stud_h",
            "S": "health; psyt",
            "SQ": "cesd; stai_t; mbi_ex; mbi_cy; mbi_ea",
            "HSQ": "jspe; qcae_cog; qcae_aff; amsp; erec_mean",
        },
    ),
    PublicTable(
        "techsurvey.csv",
        "Srayoshi-Mirza/DataSets: survey.csv",
        {
            "I": "comments",
            "QI": "Timestamp",
            "Q": "Age; Gender; Country; state",
            "QH": "self_employed; no_employees",
            "S": "family_history; treatment",
            "SH": """work_interfere; seek_help; mental_health_consequence;
                phys_health_consequence; mental_health_interview; phys_health_interview;
                mental_vs_physical""",
            "HS": """benefits; care_options; wellness_program; anonymity; leave; coworkers;
                supervisor; obs_consequence""",
        },
    ),
)

#: Fetched after the rules were mended on those above: five languages, clinics, staff, students.
SETTLED = (
    PublicTable(
        "sanitario_it.csv",
        "Ale-Pic/SQL_Sanitario_Ale-Pic: pazienti.csv",
        {
            "I": "index; ID",
            "Q": "Età; Sesso; Settore_lavorativo",
            "S": "Fumatore; Patologie_croniche",
            "SQ": "Costo_per_accesso; ISEE",
            "SH": "Numero_accessi",
        },
    ),
    PublicTable(
        "etudiants_fr.csv",
        "johannvig/Student-data-analyse: etudiants.csv",
        {"I": "NumEtu", "Q": "Naissance; Bac", "HQS": "ParcSup", "SQH": "Portfolio"},
        rest="SQ",
    ),
    PublicTable(
        "patienten_de.csv",
        "elnurahad/Medical-Tourism-Data-Analysis: patienten.csv",
        {
            "I": "Patienten_ID; Vorname; Nachname",
            "Q": """Herkunftsland; Alter_bei_Anmeldung; Geschlecht; Anmeldedatum; Familienstand;
                Bildungsgrad; Berufsstatus""",
            "QH": "Sprache",
            "S": "Familienanamnese",
            "SH": "Vorherige_Behandlung_Deutschland; Versicherungstyp",
        },
    ),
    PublicTable(
        "behandlung_de.csv",
        "elnurahad/Medical-Tourism-Data-Analysis: behandlungsverlaeufe.csv",
        {
            "I": "Behandlungs_ID; Patienten_ID",
            "QI": "Mitarbeiter_ID",
            "Q": "Anfragedatum; Beratungsdatum; Behandlungsdatum; Abschlussdatum; Behandlungsort",
            "SQ": "Leistungs_ID; Leistungskosten_EUR; Gesamtkosten_EUR; Zusatzkosten_EUR",
            "SQH": "Dolmetscherkosten_EUR; Transportkosten_EUR; Unterkunftskosten_EUR",
            "S": "Komplikationen",
            "SH": "Nachsorge_erforderlich",
            "HS": "Status; Patientenzufriedenheit",
            "HQ": "Begleitungstage; Dolmetscherstunden",
        },
    ),
    PublicTable(
        "infarto_es.csv",
        "JBLOZ/heart-attack: encuesta.csv",
        {
            "QI": "Marca temporal",
            "Q": "Edad:; Sexo:; Rango de estatura...",
            "QS": "Rango de peso...",
            "S": """Frecuencia cardiaca...; Diabetes...; Colesterol...; Hipertensión...;
                Historial familiar...; Ansiedad...; Estrés...; Nivel de ánimos...;
                Consumo de alcohol...; Frecuencia de consumo...""",
            "HS": """Actividad física...; Consumo de grasas...; Bebidas azucaradas...;
                Uso de sal...; Calidad de dieta...""",
        },
    ),
    PublicTable(
        "depression_ng.csv",
        "Victor-Thrive/Depression-and-acdemic-performance: data/survey.csv",
        {
            "I": "index; email",
            "Q": "age; gender; college; department; level; status",
            "S": "religion; G.P.A; stress_level",
            "SQ": "stress_score",
            "SH": "C.G.P",
            "QH": "sponsor",
        },
        rest="HS",
    ),
    PublicTable(
        "natal_it.csv",
        "jole3624/Natal-Monitor: pazienti.csv",
        {"I": "ID_Paziente", "Q": "Regione; Eta_Madre; Cittadinanza"},
    ),
    PublicTable(
        "nascita_it.csv",
        "jole3624/Natal-Monitor: eventi_nascita.csv",
        {
            "I": "ID_Parto; ID_Paziente",
            "Q": "Data_Parto; Sesso",
            "QH": "Anno_Parto; Mese_Parto",
            "QS": "Peso",
            "S": "Tipo_Parto; Apgar",
            "SQ": "Settimane_Gestazione",
        },
    ),
    PublicTable(
        "clientes_pt.csv",
        "DevPedroLimaB/data_processing: clientes.csv",
        {"I": "id; nome; cnpj_cpf; endereco; email", "Q": "cidade; estado", "HQ": "tipo_cliente"},
    ),
    PublicTable(
        "engagement.csv",
        "SamP722/workforce-engagement-metrics: data/survey.csv",
        {
            "I": "employee_id",
            "QH": "date",
            "S": "intent_to_leave",
            "HS": "aware; desire; knowledge; ability; reinforcement; enps",
        },
    ),
    PublicTable(
        "cardio_train.csv",
        "EddyEtesin/Cardio-Train: cardio_train.csv",
        {
            "I": "id",
            "Q": "age_days; age_years; gender; height",
            "QS": "weight",
            "SQ": "ap_hi; ap_lo",
            "S": "cholesterol; gluc; smoke; alco",
            "ST": "cardio",
            "HS": "active",
        },
    ),
    PublicTable(
        "absenteeism.csv",
        "Dr-Madeeh/HR-Analytics-using-Python-Book: Absenteeism_at_work.csv",
        {
            "I": "ID",
            "Q": "Distance from Residence to Work; Age; Education; Height",
            "QH": "Service time; Son; Pet; Transportation expense",
            "QS": "Weight",
            "S": """Reason for absence; Disciplinary failure; Social drinker; Social smoker;
                Body mass index; Absenteeism time in hours""",
            "HQ": "Month of absence; Work load Average/day",
            "HQS": "Hit target; Day of the week; Seasons",
        },
    ),
    PublicTable(
        "employee_reviews.csv",
        "Dr-Madeeh/HR-Analytics-using-Python-Book: employee_reviews.csv",
        {
            "I": "id; review_summary",
            "Q": "department; role; age",
            "S": "salary_sar_monthly; manager_rating_1_5; promotion_recommendation",
            "SQ": "peer_rating_1_5",
            "HSQ": "engagement_1_5",
        },
    ),
    PublicTable(
        "benefits_metrics.csv",
        "Dr-Madeeh/HR-Analytics-using-Python-Book: benefits_metrics.csv",
        {
            "SQ": "CompaRatio; TotalBenefitsCost; PayEquityRatio",
            "SH": "BenefitsParticipation",
            "HQ": "OvertimeHours",
        },
    ),
    PublicTable(
        "performance_metrics.csv",
        "Dr-Madeeh/HR-Analytics-using-Python-Book: Performance_metrics.csv",
        {
            "S": "PerformanceRating; AbsenteeismDays",
            "SQ": "GoalAchievementRate; PresenteeismScore; RevenuePerEmployee",
        },
    ),
    PublicTable(
        "turnover_metrics.csv",
        "Dr-Madeeh/HR-Analytics-using-Python-Book: turnover_metrics.csv",
        {
            "Q": "TenureYears",
            "S": "ExitReason",
            "SQTH": "TurnoverStatus; TurnoverType; RetentionStatus",
        },
    ),
    PublicTable(
        "workforce.csv",
        "Dr-Madeeh/HR-Analytics-using-Python-Book: Workforce Demographics.csv",
        {"Q": "Age; Gender; ServiceYears; Education; Nationality"},
    ),
    PublicTable(
        "healthcare.csv",
        "Marcelah09/Healthcare: healthcare_dataset.csv",
        {
            "I": "Name",
            "IQ": "Doctor",
            "QI": "Hospital",
            "Q": "Age; Gender; Date of Admission; Discharge Date",
            "QH": "Room Number",
            "S": "Blood Type; Medical Condition; Medication; Test Results",
            "SQ": "Billing Amount",
            "SH": "Insurance Provider; Admission Type",
        },
    ),
    PublicTable(
        "grades_pk.csv",
        "dsrscientist/dataset4: Grades.csv",
        {"I": "Seat No.", "SQ": "CGPA"},
        rest="S",
    ),
    PublicTable(
        "professors.csv",
        "dsrscientist/dataset3: Salaries.csv",
        {"Q": "rank; discipline; sex", "QH": "yrs.since.phd; yrs.service", "SQ": "salary"},
    ),
    PublicTable(
        "ere_pt.csv",
        "Wesley-M/cc-students-ere-perceptions: data/survey.csv",
        {
            "QI": "Carimbo de data/hora",
            "Q": "Qual a sua idade ?; Gênero; Em que período você entrou na faculdade ?",
        },
        rest="HSQ",
    ),
)
