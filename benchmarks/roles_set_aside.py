"""Public tables that were set aside: roles were written down before any proposal was looked at.

They were looked at in three rounds, and rules were bettered after each. What was found at the first
look, before a rule had seen the table, stands in the results as ``first_look``.
"""

from __future__ import annotations

from roles_public import PublicTable

#: Set aside first.
FIRST = (
    PublicTable(
        "flying.csv",
        "fivethirtyeight/data: flying-etiquette-survey/flying-etiquette.csv",
        {
            "I": "RespondentID",
            "Q": "Gender; Age; Education; Location (Census Region); How tall are you?",
            "QH": "Do you have any children under 18?; How often do you travel by plane?",
            "SQ": "Household Income",
            "HS": "Have you ever smoked a cigarette in an airplane bathroom...",
        },
    ),
    PublicTable(
        "masculinity.csv",
        "fivethirtyeight/data: masculinity-survey/raw-responses.csv",
        {
            "I": "index",
            "Q": """StartDate; EndDate; q0024; q0028; q0029; q0030; q0035; race2; racethn4; educ3;
                educ4; age3""",
            "QIS": "weight",
            "QH": "q0009; kids; q0025_0001; q0025_0002; q0025_0003; q0036",
            "S": "q0026; orientation",
            "SQ": "q0034",
        },
    ),
    PublicTable(
        "killings.csv",
        "fivethirtyeight/data: police-killings/police_killings.csv",
        {
            "I": "name; streetaddress",
            "Q": """age; gender; raceethnicity; month; day; city; state; latitude; longitude;
                state_fp; county_fp; tract_ce; geo_id; county_id; namelsad""",
            "QIS": """lawenforcementagency; pop; share_white; share_black; share_hispanic; p_income;
                h_income; county_income; comp_income; pov; urate; college""",
            "SH": "cause; armed",
            "HQ": "county_bucket; nat_bucket",
        },
    ),
    PublicTable(
        "candidates.csv",
        "fivethirtyeight/data: primary-candidates-2018/dem_candidates.csv",
        {
            "I": "Candidate",
            "Q": "State; District; Race; Race Primary Election Date",
            "QI": "Primary %",
            "QH": "Veteran?; Office Type; Partisan Lean; STEM?",
            "S": "LGBTQ?",
        },
    ),
    PublicTable(
        "lahman.csv",
        "vincentarelbundock/Rdatasets: csv/Lahman/People.csv",
        {
            "I": "rownames; playerID; nameFirst; nameLast; nameGiven; bbrefID; retroID",
            "Q": """birthYear; birthMonth; birthDay; birthCity; birthCountry; birthState; deathYear;
                deathMonth; deathDay; deathCountry; deathState; deathCity; weight; height; debut;
                finalGame; deathDate; birthDate""",
            "HQ": "bats; throws",
        },
    ),
    PublicTable(
        "nhefs.csv",
        "vincentarelbundock/Rdatasets: csv/causaldata/nhefs.csv",
        {
            "I": "rownames; seqn; id",
            "Q": "sex; age; race; marital; school; education; birthplace; ht; wt71",
            "QSI": "wt82_71",
            "QH": "older; active; exercise; wt82",
            "QSH": "death; yrdth; modth; dadth",
            "S": """asthma; bronch; tb; hepatitis; diabetes; tumor; polio; colitis; pepticulcer;
                nervousbreak""",
            "SQ": "income",
            "SH": """sbp; dbp; hf; hbp; chroniccough; hayfever; alcoholpy; alcoholfreq; alcoholtype;
                alcoholhowmuch; pica; headache; otherpain; weakheart; allergies; nerves; lackpep;
                hbpmed; boweltrouble; wtloss; infection; birthcontrol; pregnancies; cholesterol;
                smokeintensity; smkintensity82_71; smokeyrs; qsmk""",
        },
    ),
    PublicTable(
        "aids.csv",
        "vincentarelbundock/Rdatasets: csv/MASS/Aids2.csv",
        {
            "I": "rownames",
            "Q": "state; sex; age",
            "QS": "diag; death",
            "SH": "status; T.categ",
        },
    ),
    PublicTable(
        "hmda.csv",
        "vincentarelbundock/Rdatasets: csv/AER/HMDA.csv",
        {
            "I": "rownames",
            "QS": "pirat; hirat; lvrat",
            "QH": "afam; single; hschool; selfemp",
            "SH": "chist; mhist; phist; insurance",
            "TSH": "deny",
        },
    ),
    PublicTable(
        "psid.csv",
        "vincentarelbundock/Rdatasets: csv/AER/PSID1976.csv",
        {
            "I": "rownames",
            "Q": "age; education; hours; hhours; city",
            "QH": """youngkids; oldkids; hage; heducation; meducation; feducation; experience;
                college; hcollege""",
            "SQ": "wage; repwage; hwage; fincome",
            "HT": "participation",
        },
    ),
    PublicTable(
        "hotel.csv",
        "vincentarelbundock/Rdatasets: csv/bayesrules/hotel_bookings.csv",
        {
            "I": "rownames",
            "Q": "country; reservation_status_date; lead_time; agent",
            "QH": """arrival_date_year; arrival_date_month; arrival_date_week_number; babies;
                adults; arrival_date_day_of_month; company; stays_in_weekend_nights; hotel;
                stays_in_week_nights; children""",
            "QS": "average_daily_rate",
            "HT": "is_canceled",
        },
    ),
    PublicTable(
        "salaries.csv",
        "aiplanethub/Datasets: IT_Salary_Survey_EU_18-20/Survey_2020.csv",
        {
            "IQ": "Timestamp",
            "Q": "Age; Gender; City; Position; Seniority level",
            "QH": """Total years of experience; Years of experience in Germany; Employment status;
                Company size; Company type; Main language at work; Сontract duration;
                Number of vacation days""",
            "QIS": """Your main technology / programming language;
                Other technologies/programming languages you use often""",
            "SQ": """Yearly brutto salary (without bonus and stocks) in EUR;
                Yearly bonus + stocks in EUR;
                Annual brutto salary...;
                Annual bonus+stocks...""",
            "HS": """Have you lost your job due to the coronavirus outbreak?;
                Have you received additional...""",
        },
    ),
    PublicTable(
        "loans.csv",
        "aiplanethub/Datasets: Loan_Data/loan_train.csv",
        {
            "I": "index; Loan_ID",
            "Q": "Gender; Married; Education; Property_Area",
            "QH": "Dependents; Self_Employed",
            "SQ": "ApplicantIncome; CoapplicantIncome; LoanAmount",
            "S": "Credit_History",
            "TSH": "Loan_Status",
        },
    ),
    PublicTable(
        "bank.csv",
        "aiplanethub/Datasets: bank_marketing_data/training_set_label.csv",
        {
            "Q": "age; job; marital; education",
            "SQ": "balance",
            "SH": "loan; housing",
            "STH": "default",
            "QH": "day; month; duration; pdays",
            "HT": "subscribe",
        },
    ),
    PublicTable(
        "mall.csv",
        "aiplanethub/Datasets: Mall_Customers.csv",
        {
            "I": "CustomerID",
            "Q": "Genre; Age",
            "SQ": "Annual Income (k$)",
            "HSQ": "Spending Score (1-100)",
        },
    ),
    PublicTable(
        "graduates.csv",
        "aiplanethub/Datasets: eng_grad_emp_salary/training_set_label.csv",
        {
            "I": "ID",
            "Q": """Gender; DOB; CollegeID; Degree; Specialization; CollegeCityID; CollegeState;
                GraduationYear; 10board; 12board; 12graduation""",
            "QIS": "10percentage; 12percentage; collegeGPA",
            "QH": "CollegeTier; CollegeCityTier",
            "ST": "Salary",
            "HS": """conscientiousness; agreeableness; extraversion; nueroticism;
                openess_to_experience""",
        },
    ),
    PublicTable(
        "liver.csv",
        "aiplanethub/Datasets: liver_patient.csv",
        {
            "Q": "Age; Gender",
            "QS": """Total_Bilirubin; Direct_Bilirubin; Alkaline_Phosphotase;
                Alamine_Aminotransferase; Aspartate_Aminotransferase; Albumin_and_Globulin_Ratio""",
            "ST": "liver_disease",
        },
    ),
    PublicTable(
        "credit.csv",
        "aiplanethub/Datasets: credit_risk/training_set_labels.csv",
        {
            "Q": "age; personal_status; job; employment",
            "QH": "housing; residence_since; foreign_worker; num_dependents; own_telephone",
            "SQ": "credit_amount",
            "S": "credit_history",
            "SH": "checking_status; savings_status; existing_credits; property_magnitude",
            "TSH": "class",
        },
    ),
    PublicTable(
        "halloffame.csv",
        "vincentarelbundock/Rdatasets: csv/Lahman/HallOfFame.csv",
        {"I": "rownames; playerID", "QH": "yearID; category; votes; needed_note"},
    ),
    PublicTable(
        "heartfailure.csv",
        "vincentarelbundock/Rdatasets: csv/CardioDataSets/heartfailure_df.csv",
        {"I": "rownames; id", "QIS": "t0; t1", "SH": "treatment", "HT": "event"},
    ),
    PublicTable(
        "travel.csv",
        "aiplanethub/Datasets: travel_insurance/Training_set_label.csv",
        {
            "Q": "Gender; Age; Destination",
            "QH": "Duration; Agency; Product Name",
            "HS": "Net Sales; Commision (in value)",
            "TH": "Claim",
        },
    ),
)

#: Set aside second.
SECOND = (
    PublicTable(
        "covidtests.csv",
        "vincentarelbundock/Rdatasets: csv/medicaldata/covid_testing.csv",
        {
            "I": "rownames; subject_id; fake_first_name; fake_last_name",
            "Q": "gender; age",
            "QH": "clinic_name; pan_day; demo_group; patient_class; payor_group",
            "S": "result",
            "SH": "ct_result; test_id",
        },
    ),
    PublicTable(
        "help.csv",
        "vincentarelbundock/Rdatasets: csv/mosaicData/HELPrct.csv",
        {
            "I": "rownames; id",
            "Q": "age; female; sex; racegrp",
            "QSI": "daysanysub; dayslink; mcs; pcs; i2; max_drinks",
            "S": "substance; homeless; drugrisk; sexrisk",
            "SH": """anysubstatus; anysub; cesd; d1; e2b; g1b; i1; indtot; satreat; treat;
                avg_drinks; hospitalizations; linkstatus; link; pss_fr""",
        },
    ),
    PublicTable(
        "marriage.csv",
        "vincentarelbundock/Rdatasets: csv/mosaicData/Marriage.csv",
        {
            "I": "rownames; bookpageID",
            "Q": "appdate; ceremonydate; dob; age; race; dayOfBirth",
            "QH": "officialTitle; person; prevcount; prevconc; hs; college; sign; delay",
        },
    ),
    PublicTable(
        "murders.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/london_murders.csv",
        {"I": "rownames; forename", "Q": "age; date; borough", "QH": "year"},
    ),
    PublicTable(
        "force.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/mn_police_use_of_force.csv",
        {
            "I": "rownames",
            "Q": "response_datetime; race; sex; age; neighborhood",
            "QH": "precinct",
            "S": "primary_offense; subject_injury",
            "HSQ": "problem; force_type; force_type_action; type_resistance",
        },
    ),
    PublicTable(
        "lending.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/loans_full_schema.csv",
        {
            "I": "rownames",
            "Q": "emp_title; state",
            "QH": "emp_length; homeownership; issue_month",
            "SQ": """annual_income; debt_to_income; annual_income_joint; debt_to_income_joint;
                total_credit_limit; total_credit_utilized; total_collection_amount_ever;
                installment; balance; paid_total; paid_principal; paid_interest""",
            "S": "public_record_bankrupt; loan_amount",
            "SH": """delinq_2y; months_since_last_delinq; earliest_credit_line; inquiries_last_12m;
                total_credit_lines; open_credit_lines; num_collections_last_12m;
                num_historical_failed_to_pay; months_since_90d_late; current_accounts_delinq;
                current_installment_accounts; accounts_opened_24m; total_debit_limit;
                months_since_last_credit_inquiry; num_active_debit_accounts; tax_liens; loan_status;
                account_never_delinq_percent; verified_income; verification_income_joint;
                num_cc_carrying_balance; num_accounts_120d_past_due; num_accounts_30d_past_due;
                loan_purpose; grade; sub_grade; paid_late_fees""",
        },
    ),
    PublicTable(
        "resume.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/resume.csv",
        {
            "I": "rownames; firstname",
            "Q": "race; gender",
            "QI": "job_ad_id",
            "QH": """job_city; job_industry; job_type; years_college; college_degree; military;
                years_experience; job_ownership; worked_during_school; volunteer;
                employment_holes""",
            "HT": "received_callback",
        },
    ),
    PublicTable(
        "births.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/births14.csv",
        {
            "I": "rownames",
            "Q": "fage; mage; sex; marital; whitemom",
            "QS": "weight",
            "SH": "habit; premie; lowbirthweight; gained; mature",
        },
    ),
    PublicTable(
        "nba.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/nba_players_19.csv",
        {
            "I": "rownames; first_name; last_name",
            "Q": "team; team_abbr; position; height",
            "QI": "number",
        },
    ),
    PublicTable(
        "yrbss.csv",
        "vincentarelbundock/Rdatasets: csv/openintro/yrbss_samp.csv",
        {"I": "rownames", "Q": "age; gender; grade; hispanic; race; height; weight"},
    ),
    PublicTable(
        "streptb.csv",
        "vincentarelbundock/Rdatasets: csv/medicaldata/strep_tb.csv",
        {
            "I": "rownames; patient_id",
            "Q": "gender",
            "S": "baseline_condition",
            "SH": """baseline_temp; baseline_esr; baseline_cavitation; strep_resistance;
                radiologic_6m; rad_num""",
            "HT": "improved",
        },
    ),
    PublicTable(
        "employees.csv",
        "abhishah1608/DataSetRepository: details_emp.csv",
        {
            "I": "empId; name; MobileNo; email; Sin no",
            "Q": "gender; Job Title; employee_residence",
            "QH": "experience_level; employment_type; Company_size; Working Year",
            "SQ": "Salary_USD",
        },
    ),
    PublicTable(
        "suspensions.csv",
        "fivethirtyeight/data: nfl-suspensions/nfl-suspensions-data.csv",
        {"I": "name; source", "Q": "team", "QH": "year; games", "S": "category", "SQI": "desc."},
    ),
    PublicTable(
        "treatment.csv",
        "aiplanethub/Datasets: patient_treat_class/training_set_label.csv",
        {"Q": "AGE; SEX"},
    ),
)

#: Set aside third.
THIRD = (
    PublicTable(
        "cardholders.csv",
        "vincentarelbundock/Rdatasets: csv/ISLR/Credit.csv",
        {
            "I": "rownames; ID",
            "Q": "Age; Education; Gender; Married; Ethnicity",
            "QH": "Student",
            "SQ": "Income; Limit; Rating; Balance",
        },
    ),
    PublicTable(
        "wages.csv",
        "vincentarelbundock/Rdatasets: csv/ISLR/Wage.csv",
        {
            "I": "rownames",
            "Q": "age; maritl; race; education; jobclass",
            "QH": "year; region",
            "S": "health",
            "SQ": "logwage; wage",
            "HS": "health_ins",
        },
    ),
    PublicTable(
        "suicide.csv",
        "vincentarelbundock/Rdatasets: csv/Stat2Data/SuicideChina.csv",
        {
            "I": "rownames; Person_ID",
            "Q": "Sex; Age; Education; Occupation; Urban",
            "QH": "Year; Month",
            "S": "method",
            "SHQ": "Hospitalised; Died",
        },
    ),
    PublicTable(
        "icu.csv",
        "vincentarelbundock/Rdatasets: csv/Stat2Data/ICU.csv",
        {
            "I": "rownames; ID",
            "Q": "Age; AgeGroup; Sex",
            "QS": "SysBP; Pulse",
            "S": "Infection",
            "HST": "Survive; Emergency",
        },
    ),
    PublicTable(
        "std.csv",
        "vincentarelbundock/Rdatasets: csv/KMsurv/std.csv",
        {
            "I": "rownames; obs",
            "Q": "race; marital; age; yschool",
            "QSI": "time",
            "S": "iinfct; npartner; rinfct",
            "SH": """os12m; os30d; rs12m; rs30d; abdpain; discharge; dysuria; condom; itch; lesion;
                rash; lymph; vagina; dchexam; abnode""",
        },
    ),
    PublicTable(
        "visits.csv",
        "vincentarelbundock/Rdatasets: csv/AER/NMES1988.csv",
        {
            "I": "rownames",
            "Q": "region; age; afam; gender; married; school",
            "QH": "employed",
            "S": "health; chronic",
            "SQ": "income",
            "HS": """visits; nvisits; ovisits; novisits; emergency; hospital; adl; insurance;
                medicaid""",
        },
    ),
    PublicTable(
        "starwars.csv",
        "vincentarelbundock/Rdatasets: csv/dplyr/starwars.csv",
        {
            "I": "rownames; name",
            "Q": """height; mass; hair_color; skin_color; eye_color; birth_year; sex; gender;
                homeworld; species""",
        },
    ),
    PublicTable(
        "hr.csv",
        "aiplanethub/Datasets: HR_analysis.csv",
        {
            "QH": "time_spend_company",
            "S": "salary",
            "HS": "last_evaluation; Work_accident; satisfaction_level",
            "HT": "left",
        },
    ),
    PublicTable(
        "ricci.csv",
        "vincentarelbundock/Rdatasets: csv/Stat2Data/Ricci.csv",
        {"I": "rownames", "Q": "Race; Position", "QIS": "Oral; Written; Combine"},
    ),
    PublicTable(
        "equity.csv",
        "SudheenaMisra/Datasets: Police Equity.csv",
        {
            "I": "OFFICER_ID; SUBJECT_ID; LOCATION_FULL_STREET_ADDRESS_OR_INTERSECTION",
            "Q": """INCIDENT_DATE; INCIDENT_TIME; OFFICER_GENDER; OFFICER_RACE; OFFICER_HIRE_DATE;
                SUBJECT_RACE; SUBJECT_GENDER; REPORTING_AREA; BEAT; LOCATION_LATITUDE;
                LOCATION_LONGITUDE; LOCATION_DISTRICT""",
            "QI": "UOF_NUMBER; STREET_NUMBER; STREET_NAME",
            "QH": """OFFICER_YEARS_ON_FORCE; SECTOR; DIVISION; LOCATION_CITY; LOCATION_STATE;
                STREET_DIRECTION; STREET_TYPE""",
            "S": "SUBJECT_OFFENSE; SUBJECT_INJURY_TYPE; SUBJECT_WAS_ARRESTED",
            "SH": """OFFICER_INJURY; OFFICER_INJURY_TYPE; OFFICER_HOSPITALIZATION; SUBJECT_INJURY;
                SUBJECT_DESCRIPTION; INCIDENT_REASON; REASON_FOR_FORCE""",
            "HSQ": "FORCE_EFFECTIVE; TYPE_OF_FORCE_USED...",
        },
    ),
)
