"""Words of column names for what others may know or look up about a person, by what it is about.

Written like the words in ``_vocabulary.py``.
"""

from __future__ import annotations

WHO = """
    age ages age?? agefbrth mnthborn yearborn *born alter edad eta agegroup agecat age? *alter
    idade leeftijd anosedad jahrgang mage fage hage sex gender geschlecht sexo sexe sesso genero
    genere geslacht *sex *gender male female woman weiblich mannlich hombre mujer race *race
    raceethnicity racegrp ethnic* ethnie ethnicity etnia *ethn? *ethn etn* ethn* rasse raza raca
    cor razza indigen* tribe caste white black asian hispanic latino african* afam afram
    africanam* minority ancestry birth* *birth dob born geburt* nacimiento *nacimiento naissance
    nascita nata nato naci* nac fnac fecnac fechanac nasc dtnasc nascim* datanascimento
    *nascimento geboorte* geboren* yearofbirth *birthday *birthdate *birthyear death* deathdate
    deathyear died deceased fallec* defunc* deces* deced* obito* verstorben* gestorben* suffix
    salutation anrede titel title senior seniorcitizen native nation* nacional* nazional* citizen*
    ciudadania cittadinanza staat* immigrant migrant* foreign* auslander* herkunft origin
    procedencia provenienza provenance language* sprache* idioma langue lingua muerte* morte mort
    tod todes* hisp hispan* cntry ctry dage momage dadage indig* *white *black *land herkunfts*
    eth lang langs yob yod cob mothertongue tongue *sprache lengua lenguas lenguamaterna *taal
    immigra* emigra* brn* minori* *blck *whte *hspn* gndr ethnc* brth* geb gebj* gebm* gebd*
    initials lastinitial firstinitial middleinitial
"""
WHERE = """
    zip* postcode postcodes *postal* plz postleitzahl codigopostal codepostal codpostal postnummer
    fips geoid msa lsoa census tract city *city town village cidade cidades ciudad citta ville
    stadt hometown birthplace wohnort geburtsort ort standort dienstort arbeitsort heimatort
    woonplaats plaats luogo lugar* lugarnacimiento lieu* localid* localit* location* ubicacion
    county region regions regione regiao state states estado estados uf province provincia
    provincie provinz bundesland departement district distrit* distretto bezirk landkreis gemeinde
    gemeente municip* comune commune comarca delegacion deleg* canton barrio bairro colonia
    quartier neighbo* borough* boro boros suburb ward parish area country countries pays pais paese
    land
    homeland residence residen* domicile geograph* geography latitude longitude lat lon lng south
    southern north northern northeast midwest west western nrtheast nrthcen reg inst institution*
    centre center precinct* coordinates urban rural destination distancefromhome smsa cntry
    *ungsort *ungsstadt *ungsland centrosalud* ubigeo* codigoubigeo hospital hospitals siteid
    campus dorm* metro rural* commut* kreis *kreis stadtteil* zona zonas comuna quartier* wijk
    buurt naturalidade camp camps facility facilities rgn dstrct* muni mpio depto
"""
FAMILY = """
    married *married marit* marst* maritl familienstand personenstand civil civilstatus
    estadocivil statocivile etatcivil situationfamiliale estadoconyugal conyug* conjug* matrimon*
    familiale personalstatus relationship household* haushalt* hogar menage famiglia hhsize
    famsize lfam famil? children *kids kids kinder kinderen hijos enfants enfant* nenfants figli
    filhos filhas child child? dependents dependient* dependentes convivientes adults adultos adulti
    adultes erwachsene* infants sibling* *siblings
    geschwister hermanos fratelli freres kids* divorced widowed separated cohab* livewith married?
    divorce* widow* evermarr* sibs nsib* nsibs kidhome teenhome babies preteen* teen teens dep
    deps guardian* partner partners housing homeown* wohnform* marst livingwith marr mar nevmar
    nevermar* relstatus relationshipstatus msp ychild househead* houshead hhhead spouse* conyuge*
    conjuge* epou* ehepart* cohabit* livingarrange* livesalone dependan* singleparent relation
    relations* kinship* parentesc* verwandt* wohn* vivienda* morad* abitaz* logement* dwelling*
    accommodat* housetype nucleofamil* tamanhofamilia kinderzahl huishoud* gezin* mrtl hshld*
    chldrn fmly* relatives* minor minors underage minderjahrig* menoredad mineur*
"""
WORK = """
    filial* sucursal* succursal* zweigstelle* agencia agence branchoffice occupation* occup*
    occupaz* ocup* job* *job jobrole jobtitle posicion posicao posizione profession* profes*
    profiss* beruf* *beruf*
    *tatigkeit* beroep functie poste puesto cargo cargos metier* fonction* funcion* funcao
    mansione mansioni lavoro trabajo* trabalho* travail* empleo oficio employer employment
    *employment employ* employed *employed unemployed arbeitgeber arbeitsverh* empresa*
    entreprise* azienda* workclass class?of?worker worker worktype workinghours totalworkingyears
    yearsatcompany tenure seniority seniority* antiguedad anciennet* anzianita betriebszugehorig*
    department dept dpto depto abteilung departamento servicio reparto industry branche sector
    secteur* settore* setor position rank role rol ruolo team club veteran military retired
    retirement hired hire* embauche einstellung* eintritt* debut enrollment exper berufserf* unem
    unempl* uempl* athlet* experience* erfahrung* division* yearsexperience yearsofexperience
    workexperience totalexperience anosexperiencia wrkstat workstat occ occcode indcode empl wrk?
    empstatus* serviceyears yearsservice yrsservice servicetime serviceperiod dienstjahre occp
    bluecoll* whitecoll* workplace worksite office offices branch company company* shift shifts
    turno* schicht* jornada* contracttype contractterm contrat* vertrag* *vertrag fulltime
    parttime vollzeit* teilzeit* yearsofservice laborforce labourforce workingstatus stelle
    funktion* betrieb* bedrijf* werkgever* afdeling* dienstverband* csp socioprof* incumbent*
    experien* selfemp* selfempl* indust* manufac* manuf construc* trabalha* trabaja* travaille*
    lavora* arbeitet works working werkt directiv* gerent* ocptn* emplymt* prfsn* catlab* socstatus
    aposentad* vacanc* jubilac* pensioner* rentner* gepensioneerd* committee committees ausschuss*
"""
LEARNING = """
    education* *education educ* educa* edu edlev* edcat schooling school *school schid* schoolid*
    schule schulart scuola escuela ecole university college hochschule bildung* schulbildung
    ausbildung* opleiding* *abschluss escolar* escolaridad* estudio* studio etude* nivel?estudios
    diplome degree programme major specialization specialisation graduationyear grade?
    qualification* qualific* qualifik* istruz* instrucc* instruca* formacion formacao titulacion
    carrera carreras curso cursos faculta* facolta* filiere* licenciatura *degree eduyrs yrsed*
    schtyp* schooltype* schultyp* semester* semestre* yrseduc *educ ed ded momed husbed *grad
    collgrad bac abitur matura hgc ged schlt* schgt* studiengang* studienfach faculty fakultat*
    facult* program programs programa* programm cohort* classyear studyyear studenttype klasse
    klassen* klas leerjaar lycee* colegio* universi* escola* turma* laurea* corso corsi diploma*
    studierichting* titul* fieldofstudy schulform* kindergart* preschool* jardin?infan* materna?
    creche* pared parented* edctn* schl* coed graduation* graduac*
    graduat* abschlussjahr diplomation* classof
"""
SEEN = """
    automake automodel autoyear carmake carmodel caryear vehiclemake vehiclemodel vehicleyear
    hobbies height* *height weight *weight tall groesse *groesse grosse *grosse korpergrosse
    gewicht
    *gewicht peso poids taille talla statura estatura altura lengte hair* haarfarbe eye*
    augenfarbe skin* pclass admission* admitted discharg* visit aufnahme* entlassung* ingreso? dht
    stature shoesize complexion tattoo* handed* dominanthand altezza ojos pelo yeux cheveux occhi
    capelli olhos cabelo ogen hght wght
"""
#: What others may know or look up about a person.
FACTS = " ".join((WHO, WHERE, FAMILY, WORK, LEARNING, SEEN))
