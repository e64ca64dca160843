"""Public tables fetched after unknown columns were kept, by what a table is about; looked at once.

Roles were given from the header, the number of values, three of them and what is known of the data,
before anything was proposed; files keep the names under which they were found. Passed over were
files without a header, tables used before under another name, and one of 172 columns, which would
have been a third of all.
"""

from __future__ import annotations

from roles_public import PublicTable

R = "vincentarelbundock/Rdatasets: csv/"
TUBERCULOSIS = "AritaBerisha/SIMTB_Data_Preprocessing_Visualization: data/"

CAREFUL = (
    PublicTable(
        "mgus2.csv",
        R + "survival/mgus2.csv",
        {
            "I": "rownames; id",
            "Q": "age; sex",
            "QH": "dxyr",
            "SQ": "hgb; creat; mspike; death",
            "S": "pstat",
            "HQS": "ptime; futime",
        },
    ),
    PublicTable(
        "nafld1.csv",
        R + "survival/nafld1.csv",
        {
            "I": "rownames; id; case.id",
            "Q": "age; male; height",
            "QS": "weight",
            "SQ": "bmi",
            "ST": "status",
            "HQS": "futime",
        },
    ),
    PublicTable(
        "flchain.csv",
        R + "survival/flchain.csv",
        {
            "I": "rownames",
            "Q": "age; sex",
            "HQ": "sample.yr",
            "SQ": "kappa; lambda; creatinine; death",
            "SH": "flc.grp",
            "S": "mgus; chapter",
            "HQS": "futime",
        },
    ),
    PublicTable(
        "veteran.csv",
        R + "survival/veteran.csv",
        {
            "I": "rownames",
            "Q": "age",
            "S": "celltype; karno",
            "ST": "status",
            "SH": "prior",
            "SQH": "diagtime",
            "HS": "trt",
            "HQS": "time",
        },
    ),
    PublicTable(
        "pharmacoSmoking.csv",
        R + "asaur/pharmacoSmoking.csv",
        {
            "I": "rownames; id",
            "Q": "age; gender; race; employment; ageGroup2; ageGroup4",
            "S": "levelSmoking; priorAttempts; longestNoSmoke",
            "SQ": "yearsSmoking",
            "ST": "relapse",
            "SHQ": "ttr",
            "HS": "grp",
        },
    ),
    PublicTable(
        "cytomegalovirus.csv",
        R + "medicaldata/cytomegalovirus.csv",
        {
            "I": "rownames; ID",
            "Q": "age; sex; race",
            "S": """diagnosis; diagnosis.type; prior.radiation; prior.chemo; prior.transplant;
                recipient.cmv; cmv; agvhd; cgvhd""",
            "SH": "donor.cmv; aKIRs; TBI.dose",
            "SQH": """time.to.transplant; TNC.dose; CD34.dose; CD3.dose; CD8.dose; time.to.cmv;
                time.to.agvhd; time.to.cgvhd""",
            "HS": "C1/C2",
            "HQS": "donor.sex",
        },
    ),
    PublicTable(
        "supraclavicular.csv",
        R + "medicaldata/supraclavicular.csv",
        {
            "I": "rownames; subject",
            "Q": "age; gender",
            "SQ": "bmi",
            "S": "fentanyl; alfentanil; midazolam; opioid_total; vps_rest; vps_movement",
            "SHQ": "onset_sensory; onset_first_sensory; onset_motor; med_duration",
            "HS": "group; nerve_block_censor; med_censor",
        },
    ),
    PublicTable(
        "gpa2.csv",
        R + "wooldridge/gpa2.csv",
        {
            "I": "rownames",
            "Q": "athlete; female; white; black",
            "S": "sat",
            "SQ": "colgpa; hsrank; hsperc",
            "SHQ": "verbmath",
            "HQS": "tothrs",
            "HQ": "hsize; hsizesq",
        },
    ),
    PublicTable(
        "loanapp.csv",
        R + "wooldridge/loanapp.csv",
        {
            "I": "rownames",
            "Q": "suffolk; married; dep; self; black; hispan; male; white",
            "QH": "emp; yjob; sch",
            "S": "mortg; cons; pubrec; mortperf; mortlat1; mortlat2; chist",
            "ST": "action; reject; approve",
            "SQ": "loanamt; appinc; atotinc; cototinc; hexp; liq; netw",
            "SQH": "hrat; obrat; lines; other",
            "SH": "gdlin; mortno; thick",
            "HQS": "price; apr; loanprc",
            "HQ": "occ; msa; unit; unem",
            "HS": "rep; gift; cosign; unver",
        },
    ),
    PublicTable(
        "recid.csv",
        R + "wooldridge/recid.csv",
        {
            "I": "rownames",
            "Q": "black; married; age; educ",
            "S": "alcohol; drugs; felon; property; person; priors; rules; tserved",
            "SH": "super; workprg",
            "SQH": "durat; ldurat",
            "HST": "cens",
        },
    ),
    PublicTable(
        "wage2.csv",
        R + "wooldridge/wage2.csv",
        {
            "I": "rownames",
            "Q": "educ; exper; tenure; age; married; black; south; urban; sibs; meduc; feduc",
            "QH": "hours; brthord",
            "S": "IQ; KWW",
            "SQ": "wage; lwage",
        },
    ),
    PublicTable(
        "smoke.csv",
        R + "wooldridge/smoke.csv",
        {
            "I": "rownames",
            "Q": "educ; white; age; agesq",
            "S": "income; cigs",
            "SQ": "lincome",
            "HQ": "cigpric; lcigpric",
            "H": "restaurn",
        },
    ),
    PublicTable(
        "happiness.csv",
        R + "wooldridge/happiness.csv",
        {
            "I": "rownames",
            "Q": """workstat; divorce; widowed; educ; reg16; region; babies; preteen; teens; black;
                female; blackfemale""",
            "QH": "mothfath16",
            "QHS": "prestige",
            "QS": "unem10",
            "S": "income; attend; occattend; regattend; gwbush04; gwbush00",
            "SH": "happy; vhappy; owngun",
            "HS": "tvhours",
        },
    ),
    PublicTable(
        "WVS.csv",
        R + "carData/WVS.csv",
        {"I": "rownames", "Q": "degree; country; age; gender", "S": "religion", "SH": "poverty"},
    ),
    PublicTable(
        "BEPS.csv",
        R + "carData/BEPS.csv",
        {
            "I": "rownames",
            "Q": "age; gender",
            "ST": "vote",
            "SH": "Blair; Hague; Kennedy; Europe",
            "HS": "economic.cond.national; economic.cond.household; political.knowledge",
        },
    ),
    PublicTable(
        "ESS9GB.csv",
        R + "stevedata/ESS9GB.csv",
        {
            "I": "rownames; idno",
            "Q": "region; agea; female; eduyrs",
            "QH": "cntry; brncntr; stintrvw; endintrvw",
            "QS": "uempla",
            "S": "hinctnta; lrscale",
            "SH": "imbgeco; imueclt; imwbcnt; immigsent",
        },
    ),
    PublicTable(
        "gss2010.csv",
        R + "openintro/gss2010.csv",
        {
            "I": "rownames",
            "Q": "degree",
            "QH": "hrs1",
            "S": "mntlhlth",
            "SH": "grass",
            "HQ": "hrsrelax",
        },
    ),
    PublicTable(
        "NLSY.csv",
        R + "heplots/NLSY.csv",
        {"I": "rownames", "Q": "educ", "S": "math; read; antisoc; hyperact", "SQ": "income"},
    ),
    PublicTable(
        "Default.csv",
        R + "ISLR/Default.csv",
        {"I": "rownames", "Q": "student", "ST": "default", "SQ": "balance; income"},
    ),
    PublicTable(
        "mlc_churn.csv",
        R + "modeldata/mlc_churn.csv",
        {
            "I": "rownames",
            "Q": "state; area_code",
            "TSH": "churn",
            "HQ": "account_length; number_vmail_messages",
            "HQS": "total_...",
        },
    ),
    PublicTable(
        "rx_adsl.csv",
        R + "gt/rx_adsl.csv",
        {
            "I": "rownames; USUBJID",
            "Q": "AGE; AAGEGR1; SEX; ETHNIC",
            "SQ": "BLBMI",
            "SHT": "EVNTFL",
            "HS": "TRTA; TRTAN; SCRFREAS",
        },
    ),
    PublicTable(
        "Inmate_tbl_df.csv",
        R + "crimedatasets/Inmate_tbl_df.csv",
        {"I": "rownames", "Q": "race", "S": "drug"},
    ),
    PublicTable(
        "sat.act.csv",
        R + "psych/sat.act.csv",
        {"I": "rownames", "Q": "gender; education; age", "S": "ACT; SATV; SATQ"},
    ),
    PublicTable(
        "hsb2.csv",
        R + "openintro/hsb2.csv",
        {
            "I": "rownames; id",
            "Q": "gender; race; schtyp",
            "QS": "ses",
            "QH": "prog",
            "S": "read; write; math; science; socst",
        },
    ),
    PublicTable(
        "scottish_CVD_df.csv",
        R + "CardioDataSets/scottish_CVD_df.csv",
        {
            "I": "rownames; id",
            "Q": "age; sex; area",
            "QS": "sc",
            "QHS": "carstair",
            "S": "cvddef; smoke",
        },
    ),
    PublicTable(
        "tourette_ADHD_df.csv",
        R + "NeuroDataSets/tourette_ADHD_df.csv",
        {"I": "rownames", "S": "group", "SQH": "accuracy"},
    ),
    PublicTable(
        "NCCTGLungCancer_df.csv",
        R + "OncoDataSets/NCCTGLungCancer_df.csv",
        {
            "I": "rownames",
            "Q": "age; sex",
            "QH": "inst",
            "S": "ph.ecog; ph.karno; pat.karno",
            "ST": "status",
            "SQ": "wt.loss",
            "SQH": "meal.cal",
            "HQS": "time",
        },
    ),
    PublicTable(
        "fertil2.csv",
        R + "wooldridge/fertil2.csv",
        {
            "I": "rownames",
            "Q": """mnthborn; yearborn; age; educ; heduc; children; agefm; urban; evermarr; agesq;
                urb_educ; monthfm; yearfm""",
            "QS": "ceb; agefbrth",
            "QH": "educ0; frsthalf",
            "S": "knowmeth; usemeth; spirit; protest; catholic",
            "SH": "idlnchld",
            "HQ": "electric; radio; tv; bicycle",
        },
    ),
    PublicTable(
        "patients.csv",
        TUBERCULOSIS + "patients.csv",
        {"I": "ID", "Q": "CountyID; Age; Gender", "QI": "RegistrationDate"},
    ),
    PublicTable(
        "cases.csv",
        TUBERCULOSIS + "cases.csv",
        {
            "I": "ID; PatientID",
            "Q": "TreatementDate",
            "QI": "RegistrationDate",
            "S": "RiskFactors",
            "SH": "Class",
            "SHQ": "Placement",
        },
    ),
    PublicTable(
        "caramelle_dipendenti.csv",
        "feurbano/corso_postgres: caramelle_dipendenti.csv",
        {"I": "dipendente_id", "QH": "data"},
    ),
    PublicTable(
        "marketing.csv",
        "Glaydson7/visualizacao_de_dados: marketing.csv",
        {
            "I": "ID",
            "Q": "Year_Birth; Education; Marital_Status; Kidhome; Teenhome; Country; Dt_Customer",
            "S": "Income",
            "HQ": "Recency; Num...",
            "HSQ": "Mnt...",
            "HT": "Response",
            "HS": "Complain",
        },
    ),
)
