"""Public tables fetched after rules were mended on those of ``roles_careful.py``; looked at once.

Roles were given as there, before anything was proposed. Passed over were tables of fewer than
twenty people or of firms, files with line ends of old machines, and one that repeats another.
"""

from __future__ import annotations

from roles_public import PublicTable

R = "vincentarelbundock/Rdatasets: csv/"
ANONYMIZER = "GaryFernandoYM/Anonimizador: data/"

AGAIN = (
    PublicTable(
        "CHAIN.csv",
        R + "mi/CHAIN.csv",
        {
            "I": "rownames",
            "Q": "age",
            "SQ": "log_virus; healthy",
            "S": "income; mental; damage; treatment",
        },
    ),
    PublicTable(
        "nlsyV.csv",
        R + "mi/nlsyV.csv",
        {
            "I": "rownames",
            "Q": "b.marr; momage; momed; momrace",
            "QH": "first",
            "S": "ppvtr.36",
            "SQ": "income",
        },
    ),
    PublicTable(
        "jobless.csv",
        R + "camerondata/jobless.csv",
        {
            "I": "rownames",
            "Q": """tenure; houshead; married; female; child; ychild; nonwhite; age; schlt12;
                schgt12; smsa; bluecoll; midatl; encen; wncen; southatl; escen; wscen; mountain;
                pacific""",
            "QH": "mining; constr; transp; trade; fire; services; pubadmin",
            "QSH": "spell",
            "S": "ui",
            "SQ": "logwage",
            "SHQ": "reprate",
            "HSQ": "disrate; slack; abolpos; explose",
            "HS": "censor1; censor2; censor3; censor4",
            "HQ": "stateur",
        },
    ),
    PublicTable(
        "medpar.csv",
        R + "COUNT/medpar.csv",
        {
            "I": "rownames",
            "Q": "white; age80; provnum",
            "QHS": "los; hmo",
            "SQ": "died",
            "SH": "type; type1; type2; type3",
        },
    ),
    PublicTable(
        "azpro.csv",
        R + "COUNT/azpro.csv",
        {
            "I": "rownames",
            "Q": "sex; age75",
            "QH": "hospital",
            "QHS": "los",
            "S": "procedure",
            "SHQ": "admit",
        },
    ),
    PublicTable(
        "jobs.csv",
        R + "mediation/jobs.csv",
        {
            "I": "rownames",
            "Q": "sex; age; occp; marital; nonwhite; educ",
            "QHS": "work1",
            "S": "econ_hard; depress1; depress2; income",
            "SH": "job_seek; job_dich; job_disc",
            "HS": "treat; comply; control",
        },
    ),
    PublicTable(
        "framing.csv",
        R + "mediation/framing.csv",
        {
            "I": "rownames",
            "Q": "age; educ; gender",
            "S": "anx; income",
            "SH": "emo; p_harm; english; immigr",
            "HS": "anti_info; cong_mesg",
            "HQ": "eth",
        },
    ),
    PublicTable(
        "AutoBi.csv",
        R + "insuranceData/AutoBi.csv",
        {
            "I": "rownames; CASENUM",
            "Q": "CLMSEX; MARITAL; CLMAGE",
            "SQ": "LOSS",
            "HS": "ATTORNEY; CLMINSUR; SEATBELT",
        },
    ),
    PublicTable(
        "ae.csv",
        R + "pharmaversesdtm/ae.csv",
        {
            "I": "rownames; USUBJID",
            "Q": "AEDTC; AESTDTC; AEENDTC",
            "QHS": "AESTDY; AEENDY",
            "S": "AEBODSYS; AESOC; AESEV; AEOUT; AESDISAB; AESDTH; AESHOSP; AESLIFE",
            "SQ": "AETERM; AELLT; AEDECOD; AEHLT; AEHLGT",
            "SH": "AESER; AEREL; AESCAN",
            "HS": "AESCONG; AESOD",
            "HIQ": "AESEQ; AESPID",
        },
    ),
    PublicTable(
        "dm.csv",
        R + "pharmaversesdtm/dm.csv",
        {
            "I": "rownames; USUBJID; SUBJID",
            "Q": """RFSTDTC; RFENDTC; RFXSTDTC; RFXENDTC; RFPENDTC; SITEID; BRTHDTC; AGE; SEX;
                RACE; ETHNIC; DMDTC""",
            "QH": "RFICDTC; COUNTRY",
            "QS": "DTHDTC",
            "SQH": "DTHFL",
            "HS": "ARMCD; ARM; ACTARMCD; ACTARM; ARMNRS",
            "HQ": "DMDY",
        },
    ),
    PublicTable(
        "ebmt3.csv",
        R + "mstate/ebmt3.csv",
        {
            "I": "rownames; id",
            "Q": "age",
            "S": "prstat; rfsstat; dissub",
            "SH": "drmatch; tcd",
            "SQH": "prtime; rfstime",
        },
    ),
    PublicTable(
        "pulse_of_the_nation.csv",
        R + "bayesrules/pulse_of_the_nation.csv",
        {
            "I": "rownames",
            "Q": "age; education",
            "S": "income; party; trump_approval",
            "HS": """climate_change; science_is_honest; vaccines_are_safe; ghosts;
                fed_sci_budget""",
            "HQ": "books",
        },
    ),
    PublicTable(
        "reported_heights.csv",
        R + "dslabs/reported_heights.csv",
        {"I": "rownames", "Q": "sex; height", "QI": "time_stamp"},
    ),
    PublicTable(
        "CNES.csv",
        R + "sem/CNES.csv",
        {"I": "rownames", "SH": "MBSA2; MBSA7; MBSA8; MBSA9"},
    ),
    PublicTable(
        "wages_panel.csv",
        R + "HLMdiag/wages.csv",
        {
            "I": "rownames; id",
            "Q": "exper; ged; black; hispanic; hgc",
            "QH": "postexp; hgc.9",
            "SQ": "lnw",
            "HQ": "uerate; ue.7; ue.centert1; ue.mean; ue.person.cen; ue1",
        },
    ),
    PublicTable(
        "nassCDS.csv",
        R + "DAAG/nassCDS.csv",
        {
            "I": "rownames; caseid",
            "Q": "sex; ageOFocc",
            "QH": "yearVeh",
            "S": "injSeverity",
            "SQ": "dead",
            "HSQ": "dvcat",
            "HS": "seatbelt",
            "HQ": "weight; yearacc; occRole",
        },
    ),
    PublicTable(
        "SLID.csv",
        R + "carData/SLID.csv",
        {"I": "rownames", "Q": "education; age; sex; language", "SQ": "wages"},
    ),
    PublicTable(
        "bwght.csv",
        R + "wooldridge/bwght.csv",
        {
            "I": "rownames",
            "Q": "fatheduc; motheduc; male; white",
            "S": "cigs; packs",
            "SQ": "faminc; lfaminc; bwght; lbwght; bwghtlbs",
            "SQH": "parity",
            "HQ": "cigtax; cigprice",
        },
    ),
    PublicTable(
        "acs12.csv",
        R + "openintro/acs12.csv",
        {
            "I": "rownames",
            "Q": "employment; race; age; gender; citizen; lang; married; edu; birth_qrtr",
            "QH": "hrs_work; time_to_work",
            "S": "income; disability",
        },
    ),
    PublicTable(
        "climbers_sub.csv",
        R + "bayesrules/climbers_sub.csv",
        {
            "I": "rownames; member_id",
            "Q": "peak_id; peak_name; sex; age; citizenship; expedition_role",
            "QI": "expedition_id",
            "QH": "year; season; hired; highpoint_metres",
            "S": "death_cause; injured; injury_type",
            "SQ": "died",
            "SQH": "death_height_metres; injury_height_metres",
            "HQT": "success",
            "HSQ": "oxygen_used",
            "HQ": "solo; count; height_metres; first_ascent_year",
        },
    ),
    PublicTable(
        "survivalists.csv",
        R + "alone/survivalists.csv",
        {
            "I": "rownames; id; name; first_name; last_name",
            "Q": "age; gender; city; state; country",
            "QI": "team; profession",
            "QHS": "result; days_lasted",
            "S": "medically_evacuated",
            "SI": "reason_tapped_out",
            "SH": "reason_category",
            "HQ": "version; season; episode_tapped; day_linked_up",
        },
    ),
    PublicTable(
        "absenteeism_tbl_df.csv",
        R + "educationR/absenteeism_tbl_df.csv",
        {"I": "rownames", "Q": "eth; sex; age", "S": "lrn; days"},
    ),
    PublicTable(
        "ahd.csv",
        R + "HLMdiag/ahd.csv",
        {"I": "rownames; subject", "SH": "treatment", "SQ": "sbvalue; baseline"},
    ),
    PublicTable(
        "kidney_disease.csv",
        "RforOperations2022/HW2_meghnas: kidney_disease.csv",
        {
            "I": "id",
            "Q": "age",
            "SQ": """Blood_sugar; bu; sc; Sodium; pot; Hemoglobin; packed_cell_volume;
                white_blood_cells; red_blood_cells""",
            "ST": "CKD_Diagnosis",
        },
        rest="S",
    ),
    PublicTable(
        "pacientes_alvdg.csv",
        "alvdg/abandonment-study: data/pacientes.csv",
        {
            "I": "paciente_id",
            "Q": "edad; genero; fecha_inicio; fecha_ultima",
            "QI": "terapeuta",
            "QHS": "dias_desde_ultima",
            "S": "tipo_terapia; motivo",
            "SHQ": "n_sesiones; alta",
            "SHT": "abandono",
            "SH": "compromiso_bajo",
            "HSQ": "precio_sesion",
        },
    ),
    PublicTable(
        "xAPI-Edu-Data.csv",
        "nasirayub12/XAPI-StudentPerformanceDataset: xAPI-Edu-Data.csv",
        {
            "Q": "gender; NationalITy; PlaceofBirth; StageID; GradeID",
            "QH": "SectionID; Topic; Semester; Relation",
            "S": "StudentAbsenceDays",
            "ST": "Class",
            "HSQ": "raisedhands; VisITedResources; AnnouncementsView; Discussion",
        },
    ),
    PublicTable(
        "employes.csv",
        "remichenouri/moka-care-analytics: data/employes.csv",
        {"I": "employe_id; nom; prenom", "Q": "date_embauche", "QIH": "client_id"},
    ),
    PublicTable(
        "sessions.csv",
        "remichenouri/moka-care-analytics: data/sessions.csv",
        {"I": "session_id; employe_id", "Q": "date", "SH": "type", "HSQ": "duree_min"},
    ),
    PublicTable(
        "Impact_of_Remote_Work_on_Mental_Health.csv",
        "JeremyBentley/Remote-Work-and-Mental-Health: "
        "Resources/Impact_of_Remote_Work_on_Mental_Health.csv",
        {
            "I": "Employee_ID",
            "Q": "Age; Gender; Job_Role; Industry; Years_of_Experience; Region",
            "QH": "Work_Location; Hours_Worked_Per_Week",
            "S": "Stress_Level; Mental_Health_Condition; Social_Isolation_Rating; Sleep_Quality",
            "SH": "Productivity_Change",
            "HS": """Work_Life_Balance_Rating; Access_to_Mental_Health_Resources;
                Satisfaction_with_Remote_Work; Company_Support_for_Remote_Work;
                Physical_Activity""",
        },
    ),
    PublicTable(
        "INFRACTORES.csv",
        ANONYMIZER + "INFRACTORES.csv",
        {
            "I": "Numero; Infractor; DocumentoIdentidad; tituloHab; Resolucion",
            "Q": "FechaResolucion; AmbitoInfraccion",
            "HQS": "OrganoSancionador",
        },
    ),
    PublicTable(
        "bigdata_sintetico_300_completo.csv",
        ANONYMIZER + "bigdata_sintetico_300_completo.csv",
        {
            "I": """nombre; nombre_completo; apellido_paterno; apellidos_completos;
                documento_identidad; ruc; pasaporte; telefono_fijo; telefono_celular;
                correo_electronico; direccion_completa; direccion_ip; numero_tarjeta; iban""",
            "Q": """genero; raza_etnia; nivel_educativo_padres; fecha_nacimiento; departamento;
                provincia; distrito; codigo_ubigeo; edad; fecha_formato_patron""",
            "QI": "latitud; longitud; ocupacion",
            "S": "religion; orientacion_sexual; discapacidad",
            "SQ": "monto_transaccion",
        },
    ),
    PublicTable(
        "pacientes_salud.csv",
        ANONYMIZER + "pacientes_salud.csv",
        {
            "I": "nombre; apellido; correo; telefono",
            "Q": "edad; centro_salud",
            "S": "diagnóstico; tratamiento",
        },
    ),
    PublicTable(
        "estudiantes.csv",
        ANONYMIZER + "estudiantes.csv",
        {"I": "nombre; apellido; correo", "Q": "carrera; edad", "SQ": "nota"},
    ),
    PublicTable(
        "umfrage.csv",
        "dominik-voss/EthikWebsite: public/data/umfrage.csv",
        {
            "Q": "geschlecht; studiengang; alter; semester",
            "QH": "status; nationalitaet",
            "QHS": "bereich",
            "SH": "entscheidung; f17_bucket",
            "H": "rank_...",
        },
        rest="HS",
    ),
)
