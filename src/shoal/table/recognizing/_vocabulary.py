"""Words of column names, in English, German, Spanish, French and Italian; no accents, lower case.

A star stands for any letters: ``*nummer`` is the end of a word, ``diagnos*`` its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Columns of people's names, however few people have written them.
PEOPLES_NAMES = """
    *firstname *lastname *surname forename *fullname maidenname *middlename *givenname
    *familyname *vorname *nachname familienname zuname apellido* prenom* cognome bioname
    namefirst namelast namegiven
"""
#: Columns that name or reach a person, where they have values enough to do so.
NAMING = """
    nickname *username login benutzername usuario screenname *email mail emails courriel correo
    *phone *phonenumber telephone telefon* mobile handy cellphone fax url website homepage ip
    ipaddress macaddress address addresses *streetaddress adresse* anschrift direccion domicilio
    indirizzo street *strasse rue calle hausnummer housenumber ssn svnr socialsecurity*
    sozialversicherung* steuernummer nhsnumber passport* reisepass* pasaporte passeport iban bic
    account accountnumber konto* cuenta license* licence* fuhrerschein* codicefiscale fiscale
    dni nif curp cedula nationalid matricule matricola mrn aktenzeichen folio expediente ticket*
    barcode vin licenseplate kennzeichen imei signature photo token policynumber serial*
    medicalrecord*
"""
#: Columns of names, unless other words say whose: a product's, a county's, a drug's.
NAMES = "name names nom noms nome nomi nombre nombres namen first last"
#: Columns of remarks: whatever somebody wrote.
REMARKS = """
    comment* note notes *notes remark* bemerkung* anmerkung* notiz* observacion* comentario*
    remarque* commentaire* osservazion* annotazion* freetext freitext anamnese *anamnese
    narrative description beschreibung message nachricht review feedback
"""
KEYS = """
    id ids *id nr *nr no nbr num number *number nummer *nummer numero* key *key uuid guid pk
    seq seqn sequence kennung kennziffer reference referenz ref
    identifier identifikator card karte tarjeta carte tessera folio case fall caso aktenzahl
"""
#: How a name begins that counts things.
COUNTS = "num number no numero nombre anzahl count n total"
PEOPLE = """
    person* patient* subject subj* customer* client* member* user* employee* respondent* donor*
    player* student* pupil* borrower* patron* subscriber* citizen* resident voter* beneficiar*
    applicant* participant* passenger* victim* defendant* offender* inmate* encounter visit case
    loyalty policy card loan account order insured* claimant* worker staff proband* kunde*
    mitglied* fall* versicherte* mitarbeiter* schuler* teilnehmer* bewohner* paciente* cliente*
    empleado* alumn* socio* asegurad* adherent* eleve* usager* salarie* assure* pazient*
    dipendent* utent* assistit* author candidate officer athlete tax
"""
AGE = "age ages alter edad eta"
PLACES = "address adresse anschrift direccion indirizzo domicilio"
CLASSES = "class label y"  # targets if they stand alone
#: What does not change from one row of a person to the next.
LASTING = """
    sex gender geschlecht sexo sexe sesso race raceethnicity ethnic* birth* *birth dob born geburt*
    *nacimiento *naissance *nascita birthday *name vorname nachname
"""
#: What others may know or look up about a person.
FACTS = """
    age ages alter edad eta agegroup agecat age? *alter sex gender geschlecht sexo sexe sesso
    genero race *race raceethnicity ethnic* ethnie ethnicity etnia *ethn? *ethn rasse zip*
    postcode *postal* plz postleitzahl codigopostal codepostal cap fips city town village *city
    county region regions state states province provincia provinz bundesland departement
    district bezirk gemeinde municip* comune commune ciudad ville stadt wohnort geburtsort ort
    delegacion barrio quartier neighbo* country countries pays pais paese land nation* herkunft
    staat* citizen* ciudadania cittadinanza seniorcitizen senior native location* residence
    residen* geograph* geography area latitude longitude lat lon lng coordinates census tract
    birth* *birth dob born geburt* nacimiento *nacimiento naissance nascita nata nato naci*
    yearofbirth suffix salutation anrede deleg* *birthday *birthdate *birthyear deathdate
    deathyear married *married familienstand civil civilstatus estadocivil statocivile familiale
    education* *education educ* schid* schoolid* bildung* schulbildung *abschluss
    escolar* estudio* studio etude*
    diplome degree school scuola escuela ecole schule university college hochschule programme
    major specialization specialisation graduationyear occupation* job* *job profession* beruf*
    poste employer employment arbeitgeber empleo oficio workclass worker worktype department
    abteilung departamento servicio reparto jobrole position industry branche sector rank grade?
    seniority household* haushalt* hogar menage famiglia children *kids kids kinder hijos
    enfants figli dependents child child? famsize lfam famil? language* sprache* idioma
    langue lingua relationship height
    *height weight *weight tall groesse grosse gewicht peso poids taille statura altura veteran
    military pclass class?of?worker personalstatus admission* discharg* admitted visit hired
    hire* embauche einstellung* eintritt* aufnahme* entlassung* ingreso? debut enrollment
    workinghours totalworkingyears yearsatcompany distancefromhome schooling qualification* edu
    male female woman weiblich mannlich hombre mujer white black asian hispanic latino employed
    unemployed *employed employ* retired retirement death* died deceased geoid msa ward parish
    canton suburb lsoa origin destination titel title role ancestry immigrant migrant* foreign*
    auslander* hometown birthplace homeland tribe caste borough* team club mage fage hage marit*
    minority *employment urban rural sibling* *siblings geschwister hermanos fratelli freres
    hair* eye* skin* augenfarbe haarfarbe *school african*
"""
#: What people keep to themselves.
SECRETS = """
    disease* *disease diagnos* *diagnos* diag diag? icd* condition *condition* illness* *illness
    symptom* medicat* medicament* medikament* medicine droge* treatment* therap* procedure? hiv*
    aids cancer *cancer tumor* tumour* krebs allerg* stroke hypertension* diabet* asthma heart*
    depress* anxiety mental* psych* suicid* disab* behinder* handicap* discapac* invalid*
    pregnan* schwanger* embaraz* gross?esse health* gesundheit* salud sante salute krankheit*
    krank* erkrank* enfermedad* maladie* malattia* sintoma* covid* infection* infekt*
    vorerkrankung* anamnes* blood* bmi glucose* cholesterol* hepatit* tb tuberc* bronch* polio
    colitis *ulcer nervousbreak* genetic* addict* alcohol* smok* raucher fum* tabac* salary
    *salary salar* gehalt* lohn lohne sueldo salaire* stipendio *income income* einkommen*
    ingreso ingresos revenu* reddit* wage *wage wages charges cost? costs kosten balance saldo
    kontostand debt* schulden deuda* dette* debit* creditscore credithistory creditamount
    credit_amount loanamount capital* wealth vermogen patrimon* bonus religi* belief* glaube
    konfession* confession* creencia* croyance* political* politisch* politic* party partei
    partido partito orientation sexualorientation lgbt* union gewerkschaft* sindic* syndic* juv*
    fel misd crime* criminal* conviction* offense offence *offence felony misdemean* charge
    charge? chargedesc chargedegree verdict* sentence* arrest* straf* delito* delit* reato*
    condan* recid* *recid prior? priors* persecut* violence* abuse* asylum* verfolg* earning*
    pay remunerat* compensat* pension* loan* credit* copd angina* insulin* vaccin* impfung*
    surg* operation* infarct* epilep* parkinson* alzheimer* dementia* obes* arthrit* migraine*
    fracture* syphilis herpes contracep* abort* miscarr* guilt* prison* jail* bail parole
    probation vote* voting ideolog* fever* cough* pain schmerz* dolor medical* clinical* injur*
    verletz* overdose* poverty welfare sozialhilfe bankrupt* insolven* drug* *result results
    resultat* resultado* risultat* befund* ergebnis* substance* homeless* obdachlos* sexual*
    physlim* limitation* freelun* delinq* delinquen* chronic* chronisch* accident* unfall*
    lesion* nodul* biops* metasta* histolog* patholog* radiolog* chemo* radiother* transplant*
    dialys* an?emia* kidney* niere* liver* leber* lung* thyroid* prostat* menopaus* menstru*
    fertil* gravid* gestation* apgar std sti hpv seizure* psychos* bipolar adhd autis* ptsd trauma*
    stress* insomnia smoker* tobacco* tabak* tabaco* cigar* zigarette* vap? vaping drinking drinks
    alkohol* alcool* rauch* fumador* fumeur* drogen* droga* cannabis cocaine marijuana heroin
    opioid* nausea vomit* headache* kopfschmerz* fatigue dyspn* comorbid* komorbid* icu intubat*
    ventilat* phq? gad? mmse cesd* bdi hads wheelchair deaf* blind* hearing* disorder* syndrom*
    storung* trastorno*
    trouble* disturb* cholester* glukose glucosa glycemi* glicemi* sugar zucker pregnant* enceinte
    incinta embarazada saving* erspar* ahorro* epargne* risparmi* mortgage* hypothek* hipotec*
    fico asset* liabilit* benefit* beihilfe* sozialleistung* allowance* subsid* foodstamp* snap
    medicaid medicare insurance* krankenkasse* krankenversicherung* mutuelle seguromedico
    assicurazion* premium* claim claims *claim claim? claimamount bill *bill billingamount
    totalpayment* monthlypayment* paymentamount payments amountpaid totalpaid
    overdraft arrears evict* foreclos* alimony *amount betrag* importe montant importo
    steuerschuld expense* expenditure*
    ausgaben gastos depense* spese convict* felon* warrant* inculp* gang* haft* strafe* church*
    worship* pray* gebet faith* exam* examen* esame* klausur*
    noten zeugnis* punteggio* calificacion* moyenne*
    absence* absent* fehltage fehlzeit*
    krankenstand* sickleave sickday* discipl* suspension* suspended expelled abmahnung* terminat*
    dismiss* kundigung* bully* harass* assault* victimi* donat* spende* sterbe* mortality prognos*
    complicat* komplikation* complicac* relapse* remission* recurr* rezidiv* *stage stadium
    *chronic* *chronisch* fbs chol familyhistory* famhx medicalhistory* organ*
"""
#: What is measured of people: kept to themselves, but too exact to be published as it is.
MEASURED = """
    h?emoglobin* hba?c creatinin* kreatinin* platelet* wbc rbc leuko* leuco* lymph* serum* ldl hdl
    triglycer* troponin* bilirubin* albumin* ferritin crp psa tsh ecg *ecg ekg systolic diastolic
    systolisch diastolisch *bp bloodpressure blutdruck* tension? pressure pulse puls heartrate
    gpa cgpa marks *marks *score *scores sat? gre gmat toefl ielts iq
"""
#: The same in questions that a person was asked: whatever else is said, they ask for this.
ASKED = """
    diagnos* disease* illness* disorder* condition* medicat* medicine* depress* anxiety mental*
    suicid* hiv* cancer pregnan* schwanger* disab* abuse* abused income salary religi* church pray
    sexual* orientation drug* drugs alcohol* drink smok* vote voted voting arrest* convict*
    treatment* symptom* therap* krank* krankheit* behinder* beschwerden medikament* einkommen
    rauchen alkohol* gewahlt glauben maladie* malade* handicap* enceinte revenu* traitement*
    cheat* fumez alcool enfermedad* discapac* embaraz* ingresos salario fuma votado medicament*
    malattia* malattie incinta reddito fumi beve votato farmaci
"""
#: How a question begins that is asked of a person; no accents, lower case.
TO_A_PERSON = (
    r"^(have|do|does|did|are|were|has|how|what|which|if)\b.*\b(you|your)\b"
    r"|^(haben|hatten|sind|waren|nehmen|leiden|rauchen|trinken|wie|was)\b.*\b(sie|ihr|ihre)\b"
    r"|\b(avez|etes|prenez|souffrez|fumez|buvez|votre|vos)\b"
    r"|\b(usted|tiene|toma|sufre|padece|su|sus)\b|\b(lei|suo|sua|soffre|assume)\b"
)
TARGETS = """
    target label class outcome y readmitted churn default exited attrition survived ziel
    objetivo cible bersaglio decision deny subscribe fraud defaulted churned
"""
#: Answers to questions: how content, how good, how often.
OPINIONS = """
    satisf* *satisf* zufrieden* rating* bewert* valoracion evaluation* opinion* meinung* recom*
    empfehl* recommend* involvement balance* performance preference* endorsed* importan* agree*
    wunsch* *wunsch likert score? source precision
"""

_PATTERNS: dict[str, re.Pattern[str]] = {}


def any_of(vocabulary: str, words: Iterable[str]) -> bool:
    """Tell whether one of the words is in a vocabulary.

    >>> any_of(KEYS, ["fallnummer"]), any_of(KEYS, ["summer"])
    (True, False)
    """
    if vocabulary not in _PATTERNS:
        stars = (re.escape(w).replace(r"\*", ".*").replace(r"\?", ".?") for w in vocabulary.split())
        _PATTERNS[vocabulary] = re.compile("|".join(f"(?:{word})" for word in stars))
    return any(_PATTERNS[vocabulary].fullmatch(word) for word in words)
