"""Words of column names in six languages; no accents, lower case. Others are in ``words.toml``.

English, German, Spanish, French, Italian and Portuguese, some Dutch; what others may know stands in
``_known.py``, what people keep to themselves in ``_secrets.py``. A star stands for any letters:
``*nummer`` is the end of a word, ``diagnos*`` its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Columns of people's names, however few people have written them.
PEOPLES_NAMES = """
    *firstname *lastname *surname forename *fullname maidenname *middlename *givenname *familyname
    *vorname *nachname familienname zuname apellido* prenom* cognome bioname namefirst namelast
    namegiven sobrenome* nomecompleto nombrecompleto nomcomplet nomprenom* nominativo achternaam
    voornaam primeronombre geburtsname *geburtsname
    *選手名 *选手名 *球員名 *球员名 *队员名 *患者名 *病人名 *顧客名 *社員名 *従業員名 *職員名
    *会員名 *生徒名 *学生名 *児童名 *参加者名 *担当者名 *候補者名 *議員名 *利用者名 *申請者名
    *受験者名 *騎手名 *教員名 *医師名 *保護者名 *代表者名 *教师名 *医生名 *客户名 *员工名 *会员名
"""
#: Columns that name or reach a person, where they have values enough to do so.
NAMING = """
    nickname *username login benutzername usuario screenname *email mail emails courriel correo
    *phone *phonenumber contactnumber contactno contactnum telephone telefon* mobile handy cellphone
    fax url website homepage ip
    ipaddress macaddress address addresses *streetaddress adresse* anschrift direccion domicilio
    indirizzo street *strasse rue calle hausnummer housenumber ssn svnr socialsecurity*
    sozialversicherung* steuernummer nhsnumber passport* reisepass* pasaporte passeport iban bic
    account accountnumber konto* cuenta license* licence* fuhrerschein* codicefiscale fiscale dni
    nif curp cedula nationalid matricule matricola mrn aktenzeichen folio expediente ticket*
    barcode vin licenseplate kennzeichen imei signature photo token policynumber serial*
    medicalrecord* telemovel celular* movil cellulare gsm correio correoelectronico endereco rua
    via adres woonadres cpf rut rfc nie nss nir rg bsn ahv avs pesel insee seguridadsocial
    steuerid passaport* pasaport* matricula legajo prontuario historiaclinica nhc carnet aadhaar
    rekeningnummer conta contabancaria placa targa alias aliases linkedin mailadresse *documento
    nrodocumento portable cns nis viaf isni orcid gnd wikidata* poliza* polizza* policyno
    versicherungsnummer*
    versichertennummer* password* passwd passwort* haslo contrasen* motdepasse senha
"""
#: Columns of names, unless other words say whose: a product's, a county's, a drug's.
NAMES = "name names nom noms nome nomi nombre nombres namen first last nomes naam"
#: Columns of remarks about a person, however few they are.
REMARKED = """
    comment* remark* bemerkung* anmerkung* notiz* observaci* observations observac* osservazion*
    comentario* remarque* commentaire* annotazion* anotac* opmerking* freetext freitext *anamnese
    obs
"""
#: The same of anything, where they are many: whatever somebody wrote.
REMARKS = """
    note notes *notes nota notas observ* narrative description beschreibung message nachricht
    review feedback
"""
#: Short names of postal codes that are something else, too, unless values look like them.
POSTAL = "cp npa cep cap postal*"
KEYS = """
    id ids *id nr *nr no nbr num number *number nummer *nummer numero* key *key uuid guid pk seq
    seqn sequence kennung kennziffer reference referenz ref identifier identifikator card karte
    tarjeta carte tessera folio case fall caso aktenzahl codigo codice idcode idnum idno
"""
#: How a name begins that counts things.
COUNTS = "num number no numero nombre anzahl count n total cantidad quantidade qtd nb anz"
PEOPLE = """
    person* patient* subject subj* customer* client* member* user* employe* respondent* donor*
    player* student* pupil* borrower* patron* subscriber* citizen* resident voter* beneficiar*
    applicant* participant* passenger* victim* defendant* offender* inmate* encounter visit case
    loyalty policy card loan account order insured* claimant* worker staff proband* kunde*
    mitglied* fall* versicherte* mitarbeiter* schuler* teilnehmer* bewohner* paciente* cliente*
    empleado* alumn* socio* asegurad* adherent* eleve* usager* salarie* assure* pazient*
    dipendent* utent* assistit* author candidate officer athlete tax funcionari* colaborador*
    collaborat* trabajador* trabalhador* utilisateur* usuari* pessoa* persona estudiant* etudiant*
    aluno* allievo* medewerker* titular* afiliad* prof profs teacher* lehrer* doctor* physician*
    arzt mom mother* manager* suspect* accused witness* seller* buyer* guest* tenant* coach*
    trainer* tutor* instructor* nurse* supervisor* runner* driver* owner* reviewer* interviewer*
    interviewee* sospechos* suspeit* sospett* verdacht* jugador* jogador* giocator* joueur* spieler*
    speler* mieter* inquilin* locatair* gast vendeu* verkaufer* kaufer* agent
    mp senator* deputad* depute* abgeordnet* booking* reservation* reserva buchung* prenotaz*
    appointment* contract transaction* claim application* submission* admission* incident*
"""
#: Words for one person, which are a person's number or code where they are a column's whole name.
#: They stand as they are written, without accents; for those of a study few values are enough.
OF_A_STUDY = """
    subject subj participant particpant patient proband probandin respondent volunteer
    interviewee informant examinee testee panelist subjectcode participantcode
    teilnehmer teilnehmerin versuchsperson vpn vpnr vpcode befragter befragte testperson
    studienteilnehmer sujet participante repondant repondante sujeto encuestado encuestada
    probando informante participante entrevistado entrevistada respondente sujeito voluntario
    voluntaria partecipante soggetto intervistato intervistata rispondente paziente paciente
    deelnemer proefpersoon respondente uczestnik uczestniczka badany badana pacjent pacjentka
    ucastnik ucastnice pacient pacientka deltager deltaker deltagare forsoksperson forsokspersjon
    osallistuja koehenkilo vastaaja potilas resztvevo valaszado paciens participanta
    subiect pacientul sudionik ispitanik ispitanica ucesnik udelezenec anketiranec preiskovanec
    osaleja vastaja dalibnieks respondents dalyvis respondentas tiriamasis pacientas katilimci
    denek peserta responden subjek pasien nguoithamgia benhnhan участник респондент
    испытуемый пациент учасник респондентка пациентка пацієнт участник изследван συμμετεχων
    ασθενης مشارك المشارك مريض المريض مستجيب משתתף נבדק מטופל شرکت‌کننده بیمار pratibhagi mshiriki
    参与者 参加者 受试者 被试 受访者 患者 病人 被験者 回答者 参加者id 참가자 피험자 응답자 환자
    참여자
"""
#: The same of people elsewhere, who are many.
ALONE = """
    person persona personne pessoa persoon osoba personen individual individuo individu individuum
    customer client kunde kundin cliente klant klient asiakas zakaznik ugyfel musteri nasabah
    pelanggan клиент покупатель student studentin estudiante etudiant etudiante estudante studente
    schuler schulerin eleve alumno alumna aluno aluna alunno leerling uczen tanulo ogrenci
    siswa mahasiswa студент ученик pupil employee mitarbeiter mitarbeiterin employe empleado
    dipendente funcionario werknemer medewerker pracownik zamestnanec alkalmazott calisan karyawan
    pegawai сотрудник работник user benutzer nutzer utilisateur usuario utente gebruiker
    uzytkownik uzivatel felhasznalo kullanici pengguna пользователь member mitglied membre miembro
    membro socio czlonek clen uye anggota donor spender donneur donante player
    spieler spielerin joueur jogador jugador giocatore speler zawodnik hrac jatekos oyuncu pemain
    игрок athlete athlet athletin worker applicant bewerber candidat candidato borrower subscriber
    abonne abonnent passenger passagier passager pasajero voter wahler inmate offender defendant
    zak zakyne tenant mieter resident bewohner beneficiary beneficiario begunstigter insured
    policyholder
    versicherter therapist therapeut therapeutin therapeute terapeuta prescriber operator teller
    cashier judge attorney lawyer advisor adviser counselor counsellor caseworker surgeon dentist
    pharmacist midwife officer inspector examiner auditor consultant salesperson seller broker
    medecin medico medecintraitant arzt behandler richter juge juez giudice juiz avocat abogado
    rater interviewer physician nurse teacher lehrer lehrerin enseignant
    客户 顾客 用户 学生 员工 会员 顧客 会員 学籍 社員 利用者 고객 학생 직원 회원 사용자 عميل العميل
    طالب
    الطالب موظف الموظف לקוח סטודנט עובד
"""
#: What is no person though it has a number: goods and offers, competitions, seats.
THINGS = """
    product* produkt* produit* prodott* produt* item items sku article* artikel* articulo* artigo*
    articolo* plan plans tariff* tarif* tarifa* tariffa* taryf* forfait* offer offers offre* oferta*
    offerta* angebot* basket* panier* cesta cestas carrello* warenkorb* koszyk* kosik* package*
    paket* paquete* pacote* pakiet* bundle* competition* comp compet* competic* wettkampf*
    wettbewerb* concours* concorso* konkurs* turnier* tournament* torneo* tournoi* turniej* season*
    saison* temporada* stagione* sezon* event events evento* evenement* veranstaltung* wydarzen*
    match matches seat seats sitz sitzplatz* asiento* poltrona* assento* movie* film* song* album*
    menu menus dish dishes recipe* flight* flug* vuelo* brand* marca* marque* category kategor*
    categor* currency warehouse* campaign* kampagne*
"""
#: When a record was entered or changed, which is nothing of the person.
STAMPED = """
    *createdat *updatedat *modifiedat *insertedat *deletedat *syncedat *loadedat *importedat
    *lastupdate* *lastmodified* *updatetime *createtime *timestampcreated *rowupdated
    aggiornamento dataaggiornamento ultimoaggiornamento modificatoil creatoil inseritoil
    fechaactualizacion ultimaactualizacion actualizadoen creadoen modificadoen fechamodificacion
    fechacarga fecharegistrosistema datamodification datemodif* misajour datemaj derniermaj
    modifiele
    creele datemiseajour aktualisiertam erstelltam geandertam aktualisierung anderungsdatum
    ladedatum importdatum datastand atualizadoem criadoem modificadoem dataatualizacao datacarga
    bijgewerktop aangemaaktop gewijzigdop laatstgewijzigd utworzono zmodyfikowano zaktualizowano
    datautworzenia dataaktualizacji vytvoreno upraveno aktualizovano oprettet opdateret skapad
    uppdaterad opprettet oppdatert luotu paivitetty letrehozva modositva actualizatla creatla
    olusturulmatarihi guncellemetarihi guncellemezamani dibuatpada diubahpada diperbarui ngaytao
    ngaycapnhat создано обновлено изменено датаобновления датасоздания оновлено 创建时间 更新时间
    修改时间 作成日時 更新日時 登録日時 생성일시 수정일시 등록일시
"""
#: Parts of an address that only an address has, as the whole name of a column.
IN_AN_ADDRESS = """
    apt aptno apartment apartmentno apartmentnumber unitno unitnumber suite suiteno suitenumber
    flatno flatnumber houseno housenumber housenum doorno doornumber streetnumber streetno
    buildingno buildingnumber hausnr hausnummer turnr turnummer wohnungsnr wohnungsnummer topnr
    stiege appartement numappartement numerorue numrue numvoie numerovoie apartamento
    numerocasa numcasa numeroexterior numerointerior numext numint nroexterior nrointerior
    numeropuerta numpuerta apto numeroapartamento numeroendereco civico numerocivico nrcivico
    ncivico scala huisnr huisnummer huisletter toevoeging huisnummertoevoeging nrdomu numerdomu
    nrmieszkania numermieszkania nrlokalu numerlokalu cislopopisne cisloorientacni cisladomu
    cislodomu cislobytu hazszam ajto nrcasa nrapartament bloc kucnibroj hisnastevilka номердома
    квартира номерквартиры кв дом будинок daireno kapino disnapno ickapino husnr husnummer
    lejlighed leilighet lagenhet lagenhetsnr talonnumero asunto norumah nomorrumah sonha
    门牌号 房号 室号 房间号 番地 部屋番号 号室 동호수 호수
"""
#: The same beside an address; elsewhere they are parts of much else.
BESIDE_AN_ADDRESS = """
    unit flat floor door building block staircase lot tur top stock stockwerk etage
    batiment porte escalier piso puerta planta portal bloque escalera manzana lote porta andar
    bloco lote piano interno edificio palazzina verdieping deur pietro lokal mieszkanie klatka dum
    byt patro vchod emelet lepcsohaz scara etaj vhod kat daire kapi blok bina opgang sal dor
    trapphus vaning porras kerros lantai tang подъезд этаж корпус строение 楼 单元 栋 层 동 호 층
"""
#: How words end that stand for somebody who does something, and such words for things.
WHO_DO = "*ateur *atrice *ador *adora *edor *edora *atore *ator"
THAT_DO = "ordinateur* indica* genera* calcul* elevator* separat* denominator* comput* separad*"
#: Of whom or of where a table is that is about health.
PATIENTS = """
    patient* pacient* pazient* hospital* clinic* klinik* krankenhaus* spital ospedal* hopital
    ziekenhuis
"""
#: Of whom a table is that is about marks.
PUPILS = """
    student* pupil* schuler* alumn* etudiant* eleve* aluno* studente studenti estudiant*
    estudante* leerling* grades marks noten notas exam* exams avaliac* evaluac* evaluat* beurteil*
    appraisal*
"""
AGE = "age ages alter edad eta idade leeftijd"
#: Parts of words for ages, where numbers are ages, too; and words that only end or begin like them.
AGE_PARTS = "age* *age alter *alter alters* edad* idade* leeftijd*"
NO_AGES = """
    *wage *mileage average* *average *percentage *usage *coverage *stage *dosage *damage *package
    *message *page *image *language *marriage *voltage *storage *mortgage *advantage *village
    *garage *postage *acreage *leverage *rrhage *passage *baggage *luggage *beverage *sewage
    *massage *linkage *lineage *heritage *vintage *shortage *cottage *drainage *footage *manage
    *frage *fragen
    agent* agenc* agend* agree* agreg* aggre* ageing*
"""
#: Whether somebody lives: an outcome where it has few answers, a day where it has many.
FATES = """
    death* *death died dead deceased decease* *fallec* *defunc* deces* deced* obito* *verstorben*
    *gestorben* muert* *morte morto morta mort morts tod todesfall overleden overlijden alive lebt
    lebend* vivo viva vivant* survived surviv* uberleb* dth dthfl fatal fatality letal
"""
#: Words for a state of somebody that are words for a place, too.
STATUSES = "estado estatus statut stato zustand situacao situacion situation"
#: Who somebody is, which may be asked with as many answers as an opinion.
PERSONAL = """
    sex gender sexo sexe sesso geschlecht race ethnic* education educ edu degree region state
    marital* bildung* estudios etudes istruzione escolar* estado region* bundesland provinc*
    schooling class occup* job beruf* household* children kids city town size
"""
PLACES = "address adresse anschrift direccion indirizzo domicilio endereco adres"
STREETS = f"{PLACES} street* *street strasse* *strasse rue calle via rua ulica straat *straat"
CLASSES = "class y eligible eligibility"  # targets if they stand alone
#: What does not change from one row of a person to the next.
LASTING = """
    sex gender geschlecht sexo sexe sesso race raceethnicity ethnic* birth* *birth dob born geburt*
    *nacimiento *naissance *nascita birthday *name vorname nachname
"""
#: The same in questions that a person was asked: whatever else is said, they ask for this.
ASKED = """
    diagnos* disease* illness* disorder* condition* medicat* medicine* depress* anxiety mental*
    suicid* hiv* cancer pregnan* schwanger* disab* abuse* abused income salary religi* church pray
    sexual* orientation drug* drugs alcohol* drink smok* vote voted voting arrest* convict*
    treatment* symptom* therap* krank* krankheit* behinder* beschwerden medikament* einkommen
    rauchen alkohol* gewahlt glauben maladie* malade* handicap* enceinte revenu* traitement*
    cheat* sleep* sueno dormi* schlaf* schlaft sommeil sonno voter votez voteri* votaria* votare*
    wahlen elector* election* eleccion* elezion* eleic* inscrit fumez alcool enfermedad* discapac*
    embaraz* ingresos salario fuma votado medicament*
    malattia* malattie incinta reddito fumi beve votato farmaci cigarr* tabac* tabak* ansied*
    estres depres* padec* sintom* angst* drogen* droga* drogas sucht* ansia stress* gehalt*
    schulden* deuda* dette* debit* verdien* religion* health
"""
#: What others may know, in questions: these words hardly stand in questions about anything else.
ASKED_FACTS = """
    gender sex ethnicity ethnic race nationality citizenship marital married sibling* siblings
    postcode zip zipcode occupation profession employment degree education eyes eye hair height
    born birth* geschlecht geboren geburt* familienstand kinder geschwister postleitzahl wohnort
    beruf* *verhaltnis abschluss schulabschluss staatsangehor* sexe genre naissance nationalite
    enfants freres codepostal metier diplome genero sexo nacimiento nacionalidad hermanos hijos
    postal profesion ocupacion estudios titulacion escolaridad sesso nascita nazionalita figli
    fratelli professione istruzione nascimento nacionalidade filhos irmaos profissao escolaridade
    personas viven hogar household* haushalt* foyer domicilio pessoas moram
    geslacht geboorte* kinderen beroep opleiding faculdade facultad universidad universidade
"""
#: Numbered questions about who somebody is, as questionnaires call them; ``dem`` is a party.
DEMOGRAPHIC = r"(?i)^\s*dem(o|og)?[_ .]?\d{1,2}\s*$"
#: Stems of numbered names that say nothing; others name what a scale measures.
QUESTIONS = """
    item* question* frage* pregunta* domanda* pergunta* vraag* pytanie* soru* answer* response*
    resp* quest* ques* fraga* sporgsmal* sporsmal* kysymy* otazk* kerdes* intrebar* pitanj* vopros*
    вопрос* питання въпрос* ερωτηση* klausim* kusimus* pertanyaan* soal spm spg
"""
NUMBERED = f"""
    {QUESTIONS} var* col* field* year* wave* month* week* day* time* visit*
"""
#: Instruments that ask how people are, as they stand in the names of their questions.
INSTRUMENTS = """
    mbi mbi? uwes uwes? phq phq? gad gad? bdi bdi? hads cesd dass dass?? pss pss?? swls who5 stai
    rses psqi isi ghq ghq?? scl?? pcl pcl5 panas sf36 sf12 eq5d olbi cbi audit epds gds mspss
"""
#: How people feel, as they were asked to say it of themselves.
FEELINGS = (
    r"\b(i|we) (often |always |never |sometimes )?feel\b"
    r"|\bi (am|have been) (afraid|worried|nervous|sad)\b"
    r"|\b(me siento|siento que|me preocupa|me sinto|sinto que|me sens|je ressens|mi sento)\b"
    r"|\b(ich fuhle|ik voel|czuje sie|jag kanner|jeg foler|osjecam|hissediyorum|saya merasa)\b"
    r"|чувствую"
)
#: How a question begins that is asked of a person; no accents, lower case.
TO_A_PERSON = (
    r"^(have|do|does|did|are|were|has|how|what|which|where|when|if)\b.*\b(you|your)\b"
    r"|^(haben|hatten|sind|waren|nehmen|leiden|rauchen|trinken|wie|was)\b.*\b(sie|ihr|ihre)\b"
    r"|\b(du|dich|dir|dein|deine|deiner|deinem|deinen|hast|bist)\b"
    r"|\b(vous|avez|etes|prenez|souffrez|fumez|buvez|votre|vos)\b"
    r"|\b(usted|tiene|toma|sufre|padece|consume|su|sus|que frecuencia|tu|tus|tienes)\b"
    r"|\b(lei|suo|sua|soffre|assume|voce|seu|tem|sofre|tuo|tua)\b|\b(jouw|uw)\b"
)
TARGETS = """
    target label class outcome y readmitted churn default exited attrition survived ziel
    objetivo cible bersaglio decision deny subscribe fraud defaulted churned eligible eligibility
"""
#: What of a day is told: the month of an absence is no absence.
CALENDAR = """
    year month week weekday day quarter season date jahr monat woche wochentag tag quartal datum ano
    mes semana dia fecha annee mois semaine jour anno mese settimana giorno data
"""
#: How data were gathered, not what they are about.
ARRANGED = """
    yr yrs jahr* ano anos annee* anno anni month* monat* mes meses mois mese mesi week* woche*
    semana* semaine* settiman* day days tag tage dia dias jour* giorn* quarter* quartal* trimestre
    hour* stunde* hora* heure* ora date datum fecha season* saison* jahreszeit* wave* welle* round
    edition version* form batch sample* stichprobe* muestra* strat* weighting wgt pweight psu
    cluster* interview* mode channel* kanal canal* device* gerat* dispositivo* browser* platform*
    source* quelle* fuente* fonte* product* produkt* produit* prodott* item* artikel articulo*
    brand* marke* marca* colou?r* farbe* quantity qty menge cantidad quantite quantidade unit
    units store* shop* filial* tienda* negozio loja category kategorie categor* vehicle* car cars
    auto coche voiture macchina carro censor* cens dataset split fold train study studie estudio
    order sequence precision unnamed contact* campaign* kampagne* year* *year *jahr enum
    tax* price* arm arms event events radio tv television bicycle* fridge* electric* plan plans
    ittfl randfl saffl fasfl
"""
#: What is taught at school: a number in such a column is a mark.
TAUGHT = """
    mat mat? phy phy? phi phi? hg hg? svt eps pjok read reading write writing lesen schreiben
    lectura escritura lettura leitura math* matemat*
    mathe* science* ciencia* sciences scienz* naturwiss* physi?s physik physique fisica chem*
    quimica chimi* biolog* history historia geschichte histoire storia lenguaje language lengua
    literatur* litterature letteratura deutsch francais* frances italiano english englisch ingles
    anglais inglese espanol portugues geograf* geograph* sport* turnen kunst art arte musik music*
    musica informatik* informatica computing econom* statisti* algebra calculus
"""
#: Answers to questions: how content, how good, how often.
OPINIONS = """
    satisf* *satisf* zufrieden* rating* bewert* valoracion evaluation* opinion* meinung* recom*
    empfehl* recommend* involvement balance* performance preference* endorsed* importan* agree*
    wunsch* *wunsch likert source precision evaluac* avalia* valutaz* recomend* raccomand*
    preferenc* importanc*
"""

#: Opinions about a person at work or at school, which others must not read.
TAKEN_AMISS = """
    performance* leistung* evaluat* evaluac* evaluaz* avalia* beurteil* appraisal* manager* peer*
    boss supervisor* vorgesetz* jefe* capo chef* kolleg* colleague* teacher* lehrer* promotion*
    employee* mitarbeiter* emplead* staff
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
