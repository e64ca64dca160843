"""Words of column names for what people keep to themselves, by what it is about.

English, German, Spanish, French, Italian and Portuguese, some Dutch; written like the words in
``_vocabulary.py``: no accents, lower case, a star for any letters. German puts words together, so
that its words have stars on both sides.
"""

from __future__ import annotations

ILLNESS = """
    dm ill sick sickness* hypo* hyper* goit* thyro* *itis *osis *algia *ectomy *uria *pnea disease*
    *disease diagnos* *diagnos* diag diag? icd* cid?? cie?? condition *condition* illness*
    *illness symptom* sintom* *krank* enferm* maladi* malatt* doenca* ziekte* aandoening* padecim*
    afec?cion* affection* patolog* patholog* morbid* morbil* comorb* komorb* antecedent*
    vorerkrank* anamnes* health* gesundheit* salud sante salute saude gezondheid* hiv* vih sida
    aids cancer* *cancer cancro krebs* tumor* tumour* tumeur* neoplas* carcinom* karzinom*
    leuk?emi* leucemi* lymphom* linfom* melanom* malign* benign* nodul* metasta* biops* histolog*
    radiolog* allerg* alergi* stroke* schlaganfall* ictus avc hypertens* hipertens* hyperton*
    hyperten* htn diabet* *diabet* asthm* asma heart* herz* coraz?on coeur cuore cardia* kardi*
    cardio* angina* infarct* infart* chd cad chf cvd ckd copd epoc bpco epilep* parkinson*
    alzheimer* dement* obes* adipos* arthrit* artrit* arthros* migra?in* fractur* fraktur*
    syphilis sifilis herpes hepatit* tb tuberc* bronch* bronqu* pneum* neumon* polio colitis
    colit* *ulcer ulcer* septic* sepsis *edema covid* corona* influenza grip?pe gripe infec*
    infek* infez* *infct an?emia* kidney* niere* rinon* liver* leber* lung* thyroid* tiroid*
    prostat* genetic* genet* chronic* chronisch* cronic* *chronic* *chronisch* fever* fieber*
    fiebre febre fievre febbre cough* husten toux tosse pain schmerz* *schmerz* dolor* douleur*
    dolore dor nausea* vomit* headache* fatigue dyspn* seizure* lesion* injur* verletz* herida*
    blessure* ferit* trauma* accident* unfall* *unfall* disorder* syndrom* sindrom* storung*
    *storung* trastorno* trouble* disturb* disab* *behinder* *behindert* handicap* discapac*
    disabil* deficienc* deficiencia* minusval* wheelchair deaf* blind* hearing* physlim*
    limitation* depress* depres* anxi* ansied* ansia angst* mental* psych* psic* psiq* suicid*
    selbstmord* estres stress* burnout insom?n* bipolar adhd autis* ptsd nervousbreak* phq? gad?
    mmse cesd* bdi hads relapse* remission* recur recurr* recid?v* rezidiv* prognos* complicat*
    komplikation* complicac* complicanz* stadium estadio* organ organs organconf* familyhistory*
    famhx medicalhistory* mortality bmi imc glucose* cholester* sterbe* *risk risk riesgo* rischio
    risque* *risiko* risco* fbs chol immun* inmun* scler* skler* frail* gebrechl* badh* poorhealth
    *health *hlth* hlth* *gesund* *infection* *disorder* *syndrom* amnes* consciousness coma
    concuss* *eclamp* gonor* clamid* chlamyd* uti anomal* congenital* malform* stillb* hernia*
    varic* thromb* tromb* embol* an?eurysm* arr?h?ythm* arritm* fibrill* isch?aem* ischem* isquem*
    h?aemorrh* hemorr* bleed* blutung* sangrad* cirr?h* fibros* ascit* hepato* spleno* jaundice*
    icter* renal* nephro* nefro* dyslip* dislip* metabol* glauco* cataract* catarat* retino*
    psoria* eczem* ekzem* dermat* rash* prurit* wound* wunde* osteop* rheum* reum* lupus scolio*
    neurolog* paraly* *plegia palsy tremor* dizz* vertig* schwindel* syncop* sincop* swelling*
    weakness wtloss weightloss appetite diarr* durchfall constip* reflux* malaria* dengue zika
    ebola cholera colera typh* measles masern mumps varicel* flu hpv sarcoid* sickle* thalass*
    thal talas* hemophil* celiac* crohn* ibs gerd mgus myelom* sarcom* gliom* adenom* polyp* cyst*
    karno* ecog gleason tnm nyha killip apache* charlson* barthel* edss moca panss hamd madrs
    wellbeing* wohlbefind* bienestar benessere bemestar lonel* einsam* soledad solitude mood*
    stimmung* panic* panik* phobi* fobia* ocd anorex* bulim* selfharm* selbstverletz* vital
    vitalstatus comorbid* hospice palliat* nodes nodos grossess* severity schweregrad* gravedad
    gravite gravita seizures convuls* genotyp* genom* snp allel* mutation* brca apoe karyot*
    biometr* fingerprint* fingerabdruck* huella* empreinte* impront* dna adn eatingdisorder* dx*
    stai* mbi* cdr updrs psqi isi whoqol* rses dass* ghq* hdrs ymrs bprs imps* qchat asd
    developmental* behavioural* behavioral* verhaltens* schizo* psycho* bipol* oocyt* embryo*
    sperm* follic* foll?ik* testost* progest* estrad* ostrad* estrog* ostrog* fsh afc ecog* *risks
    psyt apnea apnoe* overweight ubergewicht* sobrepeso surpoids sovrappeso pneumo* injured
    *injury verletzt* historial* bodymass* aphi aplo *bps estupefac* nachsorge* stage stages
    cancerstage tumou?rstage diseasestage anx isolation* isolamento* soledad* adverse* *adverse
    doodsoorzaak todesursache* causeofdeath deathcause causamuerte causaobito causedeces
    causadecesso waist* circumferen* *umfang bodyfat her2 vitamin* cortisol* klacht* invalide*
    invalidit* invalidez* *opathy *pathie *patia *emia *aemia *amie *plasia *trophy *sclerosis
    *rrhea *carcinoma *sarcoma *lymphoma *glioma *adenoma *blastoma mutant* mutat* snp* haplotyp*
    larynx* retin* dgns* cncr*
"""
CARE = """
    presc* meds hormon* steroid* medicat* medicament* *medikament* medicaz* medicac* medicin*
    *arznei* farmac* pharma* *drug* drug* remedio* pastilla* pilule* treatment* tratam* trattam*
    traitem* *behandl* therap* *therap* terap* procedure? procedim* prozedur* insulin* vaccin*
    vacun* vacin* *impf* surg* cirug* cirurg* chirurg* operation* operac* operaz* transplant*
    traspl* dialys* dialis* chemo* quimio* radiother* radioter* intubat* ventilat* icu uci
    prescri* rezept* receta* ordonnance* medical* clinical* clinisch* klinisch* befund* *befund*
    hospitali* urgenc* triage triaje motivo* motif* anlass blood* *blut* sangre sangu* *sangre
    sang groupesanguin grupors rh insurance* krankenkasse* *versicherung* mutuelle* seguro*
    assurances assurancemaladie assicuraz* convenio* prevision* previsao obrasocial medicaid
    medicare hosp readmi* rehosp* reingreso* readmis* docvis* drvis* doctorvisit* arztbesuch*
    dose* dosis dosage* pill pills tablet inject* injekt* inyecc* cat?heter* katheter* implant*
    pacemaker* schrittmacher* marcapaso* prosthe* protes* stent* cabg pci ptca resect* amput*
    anticoag* aspirin* statin* beta?block* bloqueador* diuret* antibio* antidepr* anti?inf*
    cortico* corticost* analges* opiat* morphin* metformin* met?h?adon* heparin* warfarin*
    an?esthe* anest* rehab* physio* fisio* kine* pflegegrad* pflegestufe* carelevel* psychother*
    lengthofstay icustay notaufnahme* chemio* bestrahl* radiat* radiaz* radiac* vaxx* immuniz* rx
    tx* trt treated inpatient* outpatient* los lengthstay verweildauer ligduur sejour* dureesejour
    internac* internam* degenz* counsel* behandel* medicijn* medikation* wirkstoff* operatie*
    posolog* dosagg* dosering* bloed* hartslag survivaltime survtime trtmt*
"""
INTIMATE = """
    meno menopaus* menarche* pregnan* *preg *schwanger* embaraz* gross?esse gravid* gestation*
    gestac* enceinte* incinta parto partos accouch* miscarr* abort* contracep* anticonce* condom
    condoms menstru* fertil* apgar std sti hpv sexual* sexuel* sexual?orient* orientation
    sexualorientation orientac* orientaz* lgbt* npartner* abuse* abus* violence* violent* violenc*
    violenz*
    gewalt* bully* mobbing harass* acoso assault* victimi* ces?area* caesar* kaiserschnitt*
    ces?areo parity paridad paridade breastf* stillen lactan* allait* ivf infertil* steril*
    birthcontrol verhut* virgin* sexpartner* intercourse affair* infidel* extramar* rape raped
    molest* gender?ident* genderidentity transgender* maltrat* misshandl* prenat* antenat*
    schwangersch* vorsorge fertility gestaz* zwanger* gestante* birthweight trimester bwght* lbw
    vlbw incest*
"""
HABITS = """
    marij* mariju* addict* adicc* sucht* alcohol* *alkohol* alcool* alcol* drinker drinking drinks
    trink* bebe bebid* bevande smok* *smoke* raucher* *raucher* rauch* fum* tabac* tabaq* tabag*
    tobacco* tabak* tabaco* cigar* zigarette* vap? vaping droge* drogen* droga* cannabis cocain*
    cocaine marijuana heroin opioid* overdose* substance* sustanc* gambl* drink* *drink alco
    *alcoh* beer bier cerveza biere birra wine wein cig cigs packyr* packyear* pack?years nicot*
    nikot* ecig* vape* weed grass amphet* ecstasy mdma lsd crack binge* sueno* schlaf* sommeil
    sonno slaap* intox* drunk* dui dwi
    casino* glucksspiel* spielsucht* apuesta* ludopat* smk smok tob alc cigarr* estupefac*
    betaubungs* packs sleep* roker* smkr* smkng* alchl*
"""
MONEY = """
    salary *salary salar* salai* *gehalt* *lohn lohn* sueldo* stipend* loon ordenado* vencimento*
    renda renta rente renten* rendimento* *vergutung* *entgelt* bezuge nomina honorario* honorare
    brutto* bruttojahr* nettol* nettoe* retribu* paga pagas income* *income *inc ingreso ingresos
    *einkommen* revenu* reddit* wage *wage wages earning* earn? pay remuner* compensat* pension*
    bonus bonific* premium* prime primes charges cost? costs costo* coste* cout* kosten* *kosten
    spesa spese balance saldo kontostand debt* *schulden* deuda* dette* divida* debit* debito*
    moros* impago* creditscore credithistory creditamount credit_amount credit* credito* *kredit*
    darlehen* loan* loanamount prestamo* emprestim* emprunt* mutuo capital* wealth vermogen*
    patrimon* saving* erspar* ahorro* epargne* risparmi* poupanc* mortgage* hypothek* hipotec*
    hypothec* fico asset* liabilit* claim claims *claim claim? claimamount bill *bill
    billingamount factura* fattur* rechnung* totalpayment* monthlypayment* paymentamount payments
    amountpaid totalpaid overdraft arrears alimony *amount amt *amt amt? *betrag* importe montant*
    monto*
    importo steuerschuld impuest* expense* expenditure* *ausgaben* gasto* depense* donat* spende*
    delinq* delinquen* bankrupt* insolven* income? emi emis budget* networth* overdraw* *incom* inc
    hinc*
    hhinc* faminc* lnwage lwage *earnings re7? payrate payscale hourlyrate dailyrate monthlyrate
    comision* provision* commission* stockoption* homevalue housevalue propertyvalue rentpaid
    miete* alquiler* loyer* affitto aluguel creditlimit limitbal installment* instal?ment* cuota*
    mensualit* dti utilization revolv* pastdue* overdue atraso* inadimpl* impay* chargeoff* taxes
    taxable* steuerlast* steuerklasse* steuern impot* imposta imposte imposto* dividend*
    inversion* portfolio einlage* totalspent* gastado afford* financ* finanz* socioecon* wealth*
    net?worth payhike salhike *hike augment* aumento* gehaltserh* lending garnish* pfandung*
    embargo* investment* invested amountspent cash crypto* brokerage* assets wealthindex
    retirementacc* accts loans *loan *debt deposits termdeposit inkomen* schuld schulden lening*
    huur huurprijs uitgav* solde soldes despesa* prestit* totalspend amountspend taxpaid schaden*
    pramie* zahlungsverzug* slry* incm* dlq* late latefee* latepay* overduedays
    spend* *spend spent *spent purchases gross lngross lnnet
"""
WELFARE = """
    approve* rejected reject rejection* refusal* denial* denied declined refused abgelehnt bewilligt
    rechazad* refuse*
    poverty pobreza armut* welfare sozialhilfe *sozial* benefit* beihilfe* sozialleistung*
    allowance* subsid* foodstamp* snap freelun* scholarship* beca becas bolsa* bourse* borse*
    stipendium* homeless* obdachlos* evict* foreclos* desplazad* refugee* refugi* fluchtling*
    asylum* asil* ssi tanf afdc publicassist* assistance lunch freelunch wohngeld burgergeld
    arbeitslosengeld* grundsicherung kindergeld rsa chomage* bolsafamilia auxilio* subsidy*
    shelter* foster* orphan* waise* asylbew* undocument* aufenthalt* visastatus poor pobre*
    pauvre* deprivation* ses ui unemploymentben* jobless* nse estrato* socialclass socioeconomic*
"""
LAW = """
    juv* fel misd crime* crimen* criminal* conviction* convict* offense offence *offence felony
    felon* misdemean* charge charge? chargedesc chargedegree verdict* sentence* sentenc* arrest*
    detenid* *straf* vorstraf* verurteil* urteil* delito* delit* reato* condan* conden* penal*
    pena recid* *recid prior? priors* persecut* verfolg* guilt* culpab* inculp* prison* prision*
    carcel* jail* bail parole probation gang* haft* warrant* multa* amende* infraccion*
    infraction* custody haft untersuchungshaft crim* delinc* violat* verstoss* vergehen bussgeld*
    fines citation* weapon* waffe* arme arma armas gun owngun armed lawsuit* litig* klage*
    gericht* tribunal* juzgado* judg?ment* judgement plea acquit* freispruch* incarc* timeserved
    tserved detention* detain* deport* abschieb* rearrest* reoffend* ruckfall* robbery theft
    diebstahl burglary einbruch homicid* murder* mord terror* juven* jugendstraf* verdacht* accus*
    anklage* beschuldig* imputad* misconduct* fehlverhalten parol* paro bewahrung* condicional
    offen?es tortur* mistreat* misshand* interrogat* disappear* fraud* frode* betrug* kidnap*
    accused* penalcode* opfer* threat* reincid* recidiv* court courts suspected victimiz* arrests
    narr*
    avgsen fta conviction? charges delikt* misdrij* veroorde* condamn* fight fights pruegel* rina*
    pelea*
"""
BELIEFS = """
    religi* belief* glaube* konfession* confession* creencia* croyance* credo church* iglesia*
    worship* pray* gebet faith* political* politisch* politic* politiq* party partei* *partei*
    partido* partito* vote* voted voting voto votos votacion* ideolog* union unions gewerkschaft*
    *gewerkschaft* sindic* syndic* relig* konfess* denomin* god gott dios dieu dio deus kirche*
    kirchen* eglise* chiesa igreja mosque* partyid partyident* polit* polview* pol?views lrscale
    linksrechts* ideology liberal conservative democrat* republican* brexit* election* eleccion*
    election? elezion* eleic* wahlabsicht* wahlverhalten wahlbeteil* turnout referend* approval*
    trust* vertrauen* confianza* confianca* confiance* fiducia* attitud* actitud* atitude* prejud*
    vorurteil* racis* sexis* discrim* diskrim* samesex gaymarriage tradeunion* unionmember*
    betriebsrat* activis* atheis* leftrightscale dem democrat republican geloof* partij* vakbond*
    sindacat* stemgedrag wahlentscheid* rlgn*
"""
ACHIEVEMENT = """
    exam* examen* esame* klausur* noten *snote *zeugnis* punteggio* puntaje* puntuac* calific*
    classific* moyenne* promedio* durchschnitt* nota notas voti result? *result results resultat*
    resultado* risultat* *ergebnis* absence* absent* ausenc* ausent* assenz* inasist* diaslicencia
    diasbaja diasreposo joursarret fehltage
    fehlzeit* *fehltage *krankenstand* sickleave sickday* sancion* sanction* suspension* suspended
    expelled abmahnung* terminat* dismiss* despid* licenciement* licenziam* *kundigung* iq fsiq
    viq piq *score *scores gpa cgpa sgpa marks *marks sat? gre gmat toefl ielts tests testscore*
    pretest posttest quiz* midterm* homework* assignment* coursework prufung* beurteil* *leistung*
    schulnote* notendurch* zensur* aprobad* reprobad* suspenso* rendimiento* desempen* rendiment*
    appraisal* kpi disciplin* attendance* anwesenheit* asistencia* assiduit* frequenza tardy
    truan* dropout* abbrecher* deserc* evas?ao repetid* failures failed passed bestanden aptitud*
    intellig* cognit* kognit* afqt asvab lsat mcat extrav* introv* neurot* agreeab* narciss*
    impuls* aggress* anger selfesteem* self?esteem personlichk* satv satm satq mathscore readk
    gpa* psat* actm arit* arith* success* erfolg* exito reussite repeatgr* *score? perf
    performancescore termreason* plcmt* coursesuccess disciplinar* disziplinar* exitreason*
    leavereason* leavingreason* intenttoleave quitreason* cijfer* eindcijfer* gemiddelde verzuim*
    falta faltas punktzahl* finalgrade notefinale mediafinal warnings attention* memory* verbal*
    recall* vocab* reactiontime* gedachtnis* aproveit* aprovech* cijf* temperament* behav*
    comportam* conducta*
"""
#: What is about body and mind.
HEALTH = " ".join((ILLNESS, CARE, INTIMATE, HABITS))
#: What people keep to themselves.
SECRETS = " ".join((ILLNESS, CARE, INTIMATE, HABITS, MONEY, WELFARE, LAW, BELIEFS, ACHIEVEMENT))
#: What is measured of people: kept to themselves, but too exact to be published as it is.
MEASURED = """
    h?emoglobin* hemoglob* hba?c hgb hct creatinin* kreatinin* creatin* platelet* plaquet* wbc rbc
    leuko* leuco* lymph* linfo* serum* ldl hdl *hdl *ldl triglycer* triglic* troponin* bilirubin*
    albumin* ferritin* crp psa tsh ecg *ecg ekg systolic* diastolic* systolisch diastolisch
    sistol* diastol* sbp dbp *bp bloodpressure blutdruck* tension? tensionart* presion* pression*
    pressao pressure puls pulse pulso pouls heartrate freqcard* saturac* saturat* spo2 oxygen*
    sattigung* temperature* temperatur* temperatura* glukose glucos* glucem* glyc?emi* glicemi*
    glicose gluc? sugar zucker azucar colester* colest* sodium potassium calcium natrium kalium
    urea bun lactat* laktat* egfr gfr fev? fvc cd4* viral* viremi* mch mchc mcv rdw esr ggt ldh
    bpm vo2* hrv hrvms *hrv rmssd sdnn fcmax fcrep* hrmax hrrest maxhr resthr creat alb crt alanin*
    alat asat gpt whitebloodcell* redbloodcell* lipase amylas* bnp
    procalc*
"""
