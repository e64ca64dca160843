"""Values that say by themselves what a column is: sexes, marriages, faiths, illnesses, places."""

from __future__ import annotations

SEXES = """
    m f w d x h male female man woman men women masculine feminine mannlich weiblich divers mann
    frau hombre mujer masculino femenino homme femme masculin feminin maschio femmina uomo donna
    non-binary nonbinary other unknown diverse homem mulher feminino masc fem varon vrouw boy
    girl boys girls junge madchen
"""
RACES = """
    white black asian hispanic latino caucasian african-american africanamerican hispanic/latino
    pacific native indian amer-indian-eskimo asian-pac-islander whitebritish mixed nonwhite
    non-white blackafrican notwhite notblack nothispanic
"""
MARRIAGES = """
    married single divorced widowed separated nevermarried never-married partnered ledig
    verheiratet geschieden verwitwet soltero soltera casado casada viudo viuda divorciado
    divorciada celibataire marie mariee divorce divorcee veuf veuve celibe nubile coniugato
    coniugata vedovo vedova separato married-civ-spouse unmarried solteiro solteira viuvo viuva
    uniaoestavel unionlibre concubin* pacse pacsee conviv* gehuwd ongehuwd gescheiden
    lebenspartner* verpartnert eingetragen* separado separada cohabit*
"""
SCHOOLING = """
    bachelor* master* doctor* phd highschool* graduate* college* somecollege* elementary primary
    secondary tertiary diploma* matura abitur pflichtschule lehre universit* laurea licenza*
    primaria secundaria bachillerato licenciatura licence baccalaureat brevet undergraduate
    postgraduate* associate* hs-grad *grade notgraduate ensinomedio ensino* fundamental*
    superior* tecnic* secundari* primari* postgrad* posgrado maestria doctorado mestrado
    doutorado bac bac+* realschul* hauptschul* gymnasium fachhochschul* berufsschul* diplom*
    analfabet* preparatoria tertiaire secondaire primaire
"""
FAITHS = """
    catholic* protestant* muslim* jewish* christian* hindu* buddhist* orthodox* sunni* shia*
    sikh* atheist* agnostic* islam* rk evang* katholisch* evangelisch* catolic* cattolic*
    catholique* protestante* juif judio ebreo musulman* yazidi mormon* evangelic* espirita*
    catolico catolica
"""
LOVES = """
    straight gay lesbian bisexual heterosexual homosexual heterosexuell homosexuell gay/bisexual
    queer asexual
"""
PARTIES = """
    democrat* republican* dem rep libertarian* green* labour* conservative* spo ovp fpo spd cdu
    afd psoe pp vox liberal*
"""
ILLNESSES = """
    diabetes* asthma* cancer* depress* hypertension* hiv* stroke* influenza flu pneumonia* copd
    arthritis* migraine* epilep* anxiety* schizo* dementia* alzheimer* obesity hepatitis* covid*
    bronchitis* gastritis* gout allerg* alergia* asma krebs diabète* infarct* fracture* cocaine
    heroin marijuana cannabis alcohol opioid* positive negative hipertens* bluthochdruck cancro
    gripe grippe neumonia lungenentzund* migran* artrit* arthrose infart* schlaganfall depressao
    ansied* anemia tubercul* sepsis positivo negativo positif negatif positiv negativ saudavel
    healthy gesund sano sana
"""
HABITS = """
    smoker* nonsmoker* non-smoker* neversmoked neversmoker* formerlysmoked formersmoker* smokes
    never former current ex past formerdrinker* nondrinker* abstainer*
    currentsmoker* exsmoker* ex-smoker* fumador* exfumador* fumante* naofumante* nofumador* fumeur*
    nonfumeur* raucher* nichtraucher* fumatore nonfumatore
"""
SEVERITIES = """
    mild moderate severe critical mildly moderately severely leicht mittelschwer schwer massig
    kritisch leve moderado moderada grave severo severa critico critica leger legere modere moderee
    critique lieve moderato moderata stage* stadium* estadio* stade* stadio* gradei gradeii gradeiii
    asymptomatic symptomatic asintomatic* sintomatic*
"""
FINDINGS = """
    normal abnormal borderline pathological pathologic elevated prediabetic prehypertensive
    unauffallig auffallig pathologisch anormal alterado alterada patologico patologica anormale
    pathologique alterato benign malignant gutartig bosartig benigno maligna maligno benin malin
    detected notdetected undetected reactive nonreactive non-reactive inconclusive reaktiv
    obes* overweight* underweight insufficientweight ubergewicht* untergewicht* sobrepeso bajopeso
    normalweight normalgewicht adipos* surpoids sovrappeso
"""
ENDINGS = """
    alive dead deceased died living survived lebend lebt verstorben gestorben tot vivo viva muerto
    muerta fallecid* vivant vivante decede* mort morte morto deceduto deceduta falecid* obito
    relapse* remission recovered recuperad* genesen geheilt gueri* guarit* curad* cured
    released isolated hospitalized hospitalised hospitalizad*
"""
#: How people stand to an office, a school or a firm, in columns that are called after that.
STANDINGS = """
    activ* inactiv* aktiv* inaktiv* actif* inactif* attiv* inattiv* ativ* inativ* retirad* baja
    alta* egresad* abandon* desert* trancad* evadid* desist* cancel* formad* regular* irregular*
    suspen* pendi* pending* seguimiento followup enrolled withdrawn graduat* drop* completed closed
    open expelled vigente traslad* reserva* renunci* titulad* jubilad* despedid* licenci* ausent*
    cuti lulus aktif keluar stable estable instable reincorpor* injured wounded herid* ferid* bless*
    verletzt* morta muerta morto muerto
"""
RULINGS = """
    guilty notguilty convicted acquitted pleaded* paroled probation prison jail felony misdemeanor
    misdemeanour arrested cited warned citation warning schuldig freigesprochen verurteilt
    freispruch haft bewahrung geldstrafe culpable inocente absuelt* condenad* prision multa
    coupable relaxe* condamn* amende colpevole assolt* condannat* culpad* absolvid* robbery
    burglary theft assault homicide murder fraud drugpossession robo hurto homicidio diebstahl
    raub korperverletzung betrug einbruch vol vols victim* suspect* offender* perpetrator*
    witness* defendant* opfer* tater* beschuldigt* victima* sospechos* agresor* vitima* suspeit*
    temoin* vittim* verdachte* dader*
"""
PASSES = """
    pass fail passed failed distinction bestanden nichtbestanden durchgefallen aprobad* reprobad*
    suspenso sobresaliente reussi* echoue* ajourne* admis promoss* bocciat* aprovad*
"""
DUES = """
    fullypaid paid unpaid chargedoff default defaulted overdue pastdue delinquent late*
    ingraceperiod current pagad* impagad* vencid* moros* bezahlt uberfallig gemahnt impaye* enretard
    pagato inadimplente emdia alcorriente approved denied rejected genehmigt bewilligt abgelehnt
    rechazad* negad* refuse refusee approuve* approvat* rifiutat* recusad* deferido indeferido
"""
VOTES = """
    votedyes votedno leave remain wouldvote* leftwing rightwing farleft farright centreleft
    centreright veryliberal slightlyliberal moderate extremelyliberal extremelyconservative
    veryconservative links rechts mitte izquierda derecha centro gauche droite sinistra destra
    esquerda direita independent* trump biden clinton obama bush macron lepen merkel union*
"""
#: Where in or on a body.
ANATOMY = """
    *lobe *lung* *breast* *kidney* *arm *arms *leg *legs *hand *hands *foot *feet *knee* *hip *hips
    *shoulder* *elbow* *wrist* *ankle* *finger* *toe *toes head *neck *back *chest abdomen* *trunk
    *thigh* *spine* *skull *skin *liver *stomach *colon rectum *bowel* *bladder *throat *nose *mouth
    *tongue *jaw *heart *brain *pelvis *thorax *extremit* *quadrant* lingula* bein* knie *schulter*
    rucken kopf hals brust bauch hufte lunge leber niere* magen darm brazo* pierna* rodilla* hombro*
    espalda cabeza cuello pecho pulmon* higado rinon* estomago bras jambe* genou* epaule* dos tete
    cou poitrine poumon* foie braccio gamba ginocchio spalla schiena testa collo petto polmone*
    fegato braco perna joelho ombro costas cabeca pescoco peito figado
"""
SECTORS = """
    agricult* landwirtschaft* manufactur* industria industrie* bergbau mining construction
    baugewerbe construccion construcao edilizia transport* logisti* retail wholesale handel
    comerci* commerc* hospitality gastronom* hotel* banking finance finanz* insurance
    versicherung* realestate healthcare education government publicadmin* telecom* technology
    informationtechnology energy utilities pharma* automotive aerospace media entertainment
    nonprofit services servicios servicos tecnologia salud educacion saude educacao sanita
    istruzione public private publica privada publico privado offentlich privat publique prive
    pubblica pubblico privata privato openbaar
"""
TRADES = """
    engineer* ingenier* ingenieur* engenheir* ingegner* teacher* maestr* profesor* professor*
    lehrer* enseignant* insegnant* docente* nurse* enfermer* infirmi* krankenpfleg* krankenschwester
    lawyer* abogad* avocat* anwalt* advogad* accountant* contador* contable* comptable*
    buchhalter* doctor*
    medic* arzt* medecin* student* estudiante* etudiant* estudante* retired jubilad* retraite*
    rentner* aposentad* pensionist* unemployed desempleado* arbeitslos* chomeu* desempregad*
    farmer* agricultor* agriculteur* landwirt* driver* fahrer* chauffeur* motorista* clerk*
    secretar* sekretar* manager* gerente* directeur* director* diretor* technician* tecnic*
    techniker* technicien* analyst* analista* developer* entwickler* desenvolved* programador*
    consultant* berater* vendedor* salesman* verkaufer* vendeu* housewife amadecasa hausfrau
    artist* scientist* executive* cashier* cocin* koch cuisini* marketing*
"""
STATES = """
    al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm
    ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc alabama alaska arizona arkansas
    california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa
    kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi
    missouri montana nebraska nevada newhampshire newjersey newmexico newyork northcarolina
    northdakota ohio oklahoma oregon pennsylvania rhodeisland southcarolina southdakota
    tennessee texas utah vermont virginia washington westvirginia wisconsin wyoming pacific
    mountain newengland middleatlantic southatlantic eastnorthcentral westnorthcentral
    eastsouthcentral westsouthcentral northeast northwest southeast southwest midwest
"""
COUNTRIES = """
    austria germany switzerland france italy spain portugal netherlands belgium poland czechia
    hungary slovakia slovenia croatia serbia romania bulgaria greece turkey russia ukraine
    sweden norway denmark finland iceland ireland unitedkingdom england scotland wales
    unitedstates united-states usa us uk canada mexico brazil argentina chile colombia peru
    venezuela cuba jamaica china japan india pakistan bangladesh vietnam thailand malaysia
    singapore indonesia philippines korea taiwan hongkong australia newzealand egypt morocco
    algeria tunisia nigeria kenya ethiopia somalia southafrica syria iraq iran afghanistan
    israel saudiarabia puerto-rico el-salvador guatemala honduras nicaragua haiti
    dominican-republic ecuador osterreich deutschland schweiz frankreich italien spanien turkei
    kroatien ungarn polen rumanien autriche allemagne suisse espagne alemania suiza francia
    italia espana germania svizzera spagna aut deu che fra ita esp prt nld bel pol cze hun gbr
    irl bra arg chn jpn ind aus rus
"""
#: First names that are common where the five languages are spoken; written by hand.
FIRST_NAMES = """
    james mary john patricia robert jennifer michael linda william elizabeth david barbara
    richard susan joseph jessica thomas sarah charles karen christopher nancy daniel lisa
    matthew betty anthony margaret mark sandra donald ashley steven kimberly paul emily andrew
    donna joshua michelle kenneth carol kevin amanda brian melissa george deborah edward
    stephanie ronald rebecca timothy laura jason sharon jeffrey cynthia ryan kathleen jacob amy
    gary angela nicholas shirley eric anna jonathan brenda stephen pamela larry emma justin
    nicole scott helen brandon samantha benjamin katherine samuel christine gregory debra frank
    rachel alexander olivia raymond sophia patrick isabella jack mia dennis ava jerry abigail
    tyler noah liam ethan lucas mason logan oliver henry harry arthur albert fred walter louis
    joe jim tom bill bob mike dave steve tony travis jose juan carlos luis jorge pedro miguel
    antonio manuel francisco javier fernando diego mateo pablo alvaro maria carmen ana isabel
    dolores lucia sofia elena marta paula rosa teresa pilar cristina guadalupe hans peter klaus
    wolfgang jurgen dieter manfred uwe gunter stefan andreas markus florian lukas felix jonas
    maximilian leon tobias sebastian johannes josef franz karl heinz werner ursula monika petra
    sabine renate helga karin brigitte ingrid gisela claudia katharina lena lea hannah julia
    anja birgit jean pierre michel andre philippe rene alain jacques bernard marcel francois
    nicolas julien luc hugo marie jeanne francoise monique catherine nathalie isabelle
    jacqueline anne sylvie martine camille chloe manon ines giuseppe giovanni mario luigi andrea
    marco alessandro matteo lorenzo francesco giulia chiara francesca sara valentina martina
    alessia silvia federica luca roberto paolo stefano mohammed muhammad ahmed ali omar fatima
    aisha ibrahim hassan khaled wei ling
"""
