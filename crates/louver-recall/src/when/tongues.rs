//! The words for days, weekdays, months and spans, a table for each language. Of English only numbers, units
//! and what joins days is here: its days and months are read by [`super::english`].
//!
//! Words are written without accents and in lower case, as they are compared. Places in a list
//! have a meaning (the first month, the second); `/` parts words that mean the same, `_` joins
//! words of which only the row is one thing.

/// How a language speaks of time.
pub(super) struct Tongue {
    /// Its two letters, as ISO 639-1 has them.
    pub(super) code: &'static str,
    /// The day before yesterday, yesterday, today, tomorrow, the day after.
    pub(super) days: &'static str,
    /// From Monday.
    pub(super) weekdays: &'static str,
    /// From January; with short forms, which only count beside a number.
    pub(super) months: &'static str,
    /// From spring.
    pub(super) seasons: &'static str,
    /// Day, week, month, year, quarter.
    pub(super) units: &'static str,
    pub(super) weekend: &'static str,
    /// As [`super::feasts`] has them; a dash where there is no name for one.
    pub(super) feasts: &'static str,
    /// From one.
    pub(super) numbers: &'static str,
    /// From twenty to a hundred.
    pub(super) tens: &'static str,
    /// "Some", as in "some days ago".
    pub(super) few: &'static str,
    /// Before or after what they are about. "The one before last" is a word in some.
    pub(super) before_last: &'static str,
    pub(super) last: &'static str,
    pub(super) this: &'static str,
    pub(super) next: &'static str,
    /// "Ago" where it stands first ("il y a deux jours"), and where it stands last ("due giorni fa").
    pub(super) ago_first: &'static str,
    pub(super) ago_last: &'static str,
    /// Between day, month and year.
    pub(super) of: &'static str,
    /// What makes a month of a word that could be something else, and a year of a number.
    pub(super) within: &'static str,
    /// What may stand after that: "im Jahr 2023", "en el mes de mayo".
    pub(super) filler: &'static str,
    /// What may stand between such words and a day.
    pub(super) article: &'static str,
    /// Early, mid, late: of a month or a year.
    pub(super) thirds: &'static str,
    /// First, second, third, fourth, last: of the weeks and halves of a month or a year.
    pub(super) ordinals: &'static str,
    pub(super) half: &'static str,
    /// What makes a span of the day that follows.
    pub(super) after: &'static str,
    pub(super) since: &'static str,
    pub(super) before: &'static str,
    pub(super) until: &'static str,
    /// And of two days.
    pub(super) between: &'static str,
    pub(super) and: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    /// What makes a day of a number alone.
    pub(super) on_the: &'static str,
    /// What stands before a weekday that is one day; nothing where it stands by itself.
    pub(super) on: &'static str,
    /// Words of which a question has one that speaks of what was, and of what will be.
    pub(super) past: &'static str,
    pub(super) future: &'static str,
    /// After these a word for a day means a part of the day: "guten Morgen", "por la mañana".
    pub(super) not_after: &'static str,
}

/// Words that mean something else in another language: "Mars", "mayo", "hier". A text that is
/// rather in that language does not speak of days with them.
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("hier", "de nl"),
    ("mai", "it"),
    ("mars", "en"),
    ("mayo", "en"),
    ("mei", "en"),
    ("julio", "en"),
    ("noel", "en"),
    ("natale", "en"),
    ("kerst", "en"),
    ("vigilia", "en es pt"),
    ("reveillon", "en"),
];

pub(super) const TONGUES: &[Tongue] = &[
    Tongue {
        code: "de",
        days: "vorgestern gestern heute morgen ubermorgen/uebermorgen",
        weekdays: "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
        months: "januar/janner/jan februar/feber/feb marz/maerz/mrz april/apr mai juni/jun juli/jul august/aug \
                 september/sept/sep oktober/okt november/nov dezember/dez",
        seasons: "fruhling/fruhjahr sommer herbst winter",
        units: "tag/tage/tagen woche/wochen monat/monate/monaten/monats jahr/jahre/jahren/jahres quartal/quartale/quartalen/quartals",
        weekend: "wochenende/wochenenden",
        feasts: "weihnachten/weihnachtstage/weihnachtstagen/weihnachtsfeiertagen heiligabend/heiligen_abend \
                 ersten_weihnachtstag/ersten_weihnachtsfeiertag zweiten_weihnachtstag/zweiten_weihnachtsfeiertag - \
                 silvester/silvesterabend neujahr/neujahrstag ostern/osterwochenende/ostertagen karwoche karfreitag \
                 ostersonntag ostermontag erste_quartal/ersten_quartal/erstes_quartal \
                 zweite_quartal/zweiten_quartal/zweites_quartal dritte_quartal/dritten_quartal/drittes_quartal \
                 vierte_quartal/vierten_quartal/viertes_quartal",
        numbers: "ein/eine/einem/einer/einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn",
        tens: "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert",
        few: "ein_paar/einigen/wenigen",
        before_last: "vorletzte/vorletzten/vorletzter/vorletztes/vorletztem",
        last: "letzte/letzten/letzter/letztes/letztem/vergangene/vergangenen/vergangener/vergangenes/vorige/vorigen/voriger/voriges",
        this: "diese/diesen/dieser/dieses/diesem",
        next: "nachste/nachsten/nachster/nachstes/nachstem/kommende/kommenden/kommender/kommendes",
        ago_first: "vor",
        ago_last: "",
        of: "des",
        within: "im/in/seit/ab/bis/vom",
        filler: "jahr/jahre/jahres/monat/monats",
        article: "dem/den/der/die/das/des/zum/am/ubers",
        thirds: "anfang/beginn mitte ende",
        ordinals: "erste/ersten/erster/erstes zweite/zweiten/zweiter/zweites dritte/dritten/dritter/drittes \
                   vierte/vierten/vierter/viertes letzte/letzten/letzter/letztes",
        half: "halfte",
        after: "nach",
        since: "seit/ab",
        before: "vor",
        until: "bis",
        between: "zwischen",
        and: "und",
        from: "von/vom",
        to: "bis",
        on_the: "am",
        on: "am/seit/nach",
        past: "war waren hatte hatten wurde wurden gab ging gemacht gesagt passiert gewesen",
        future: "werde wird",
        not_after: "am/guten/heute/gestern/jeden/diesen/der/den/eines/ubermorgen",
    },
    Tongue {
        code: "fr",
        days: "avant_hier hier aujourd_hui demain apres_demain",
        weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
        months: "janvier/janv fevrier/fevr mars avril/avr mai juin juillet/juil aout septembre/sept octobre/oct novembre/nov \
                 decembre/dec",
        seasons: "printemps ete automne hiver",
        units: "jour/jours semaine/semaines mois an/ans/annee/annees trimestre/trimestres",
        weekend: "week_end/weekend/week_ends/weekends",
        feasts: "noel/fetes_de_noel veille_de_noel/reveillon_de_noel jour_de_noel lendemain_de_noel - \
                 saint_sylvestre/reveillon/reveillon_du_nouvel_an nouvel_an/jour_de_l_an paques/week_end_de_paques \
                 semaine_sainte vendredi_saint dimanche_de_paques lundi_de_paques premier_trimestre \
                 deuxieme_trimestre/second_trimestre troisieme_trimestre quatrieme_trimestre",
        numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
        tens: "vingt trente quarante cinquante soixante septante huitante nonante cent",
        few: "quelques",
        before_last: "avant_dernier/avant_derniere",
        last: "dernier/derniere/derniers/dernieres/passe/passee",
        this: "ce/cet/cette",
        next: "prochain/prochaine/prochains/prochaines",
        ago_first: "il_y_a/y_a",
        ago_last: "",
        of: "de/du/d",
        within: "en/dans/depuis/des/jusqu_en/mois_de",
        filler: "l/an/annee/mois/de/d/du",
        article: "le/la/l/les/au/jour/jours",
        thirds: "debut mi/milieu fin",
        ordinals: "premier/premiere deuxieme/second/seconde troisieme quatrieme dernier/derniere",
        half: "moitie/quinzaine",
        after: "apres",
        since: "depuis/des/a_partir_de/a_partir_du",
        before: "avant",
        until: "jusqu_a/jusqu_au/jusqu_en",
        between: "entre",
        and: "et",
        from: "du/de",
        to: "au/a/jusqu_au/jusqu_a",
        on_the: "le",
        on: "",
        past: "etais etait etaient avais avait passe",
        future: "vais va sera serai ferai",
        not_after: "",
    },
    Tongue {
        code: "es",
        days: "anteayer/antier/antes_de_ayer ayer/anoche hoy manana pasado_manana",
        weekdays: "lunes martes miercoles jueves viernes sabado domingo",
        months: "enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/setiembre/sept/sep \
                 octubre/oct noviembre/nov diciembre/dic",
        seasons: "primavera verano otono invierno",
        units: "dia/dias semana/semanas mes/meses ano/anos trimestre/trimestres",
        weekend: "fin_de_semana/fines_de_semana/finde",
        feasts: "navidad/navidades nochebuena/noche_buena dia_de_navidad - - nochevieja/noche_vieja/fin_de_ano ano_nuevo \
                 pascua/pascuas semana_santa viernes_santo domingo_de_pascua/domingo_de_resurreccion lunes_de_pascua \
                 primer_trimestre segundo_trimestre tercer_trimestre cuarto_trimestre",
        numbers: "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
        tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento",
        few: "un_par_de/unos/unas/algunos/algunas/unos_pocos/unas_pocas",
        before_last: "antepasado/antepasada/penultimo/penultima",
        last: "pasado/pasada/pasados/pasadas/ultimo/ultima/ultimos/ultimas",
        this: "este/esta/estos/estas",
        next: "proximo/proxima/proximos/proximas/que_viene",
        ago_first: "hace",
        ago_last: "atras",
        of: "de/del",
        within: "en/dentro_de/desde/hasta/durante",
        filler: "el/ano/mes/de/del",
        article: "el/la/los/las/dia/dias/lo",
        thirds: "principios/principio/inicios/inicio/comienzos/comienzo mediados finales/final/fines",
        ordinals: "primer/primera segundo/segunda tercer/tercera cuarto/cuarta ultimo/ultima",
        half: "mitad/quincena",
        after: "despues_de/despues_del/tras",
        since: "desde/a_partir_de/a_partir_del",
        before: "antes_de/antes_del",
        until: "hasta",
        between: "entre",
        and: "y/e",
        from: "de/del/desde",
        to: "a/al/hasta",
        on_the: "el/el_dia/dia",
        on: "el",
        past: "hice hizo hicimos fui fue dije dijo paso estaba estuve tenia",
        future: "voy va vamos sera hare",
        not_after: "la/esta/cada/una/las",
    },
    Tongue {
        code: "it",
        days: "l_altro_ieri/altro_ieri/ieri_l_altro/avantieri ieri oggi domani dopodomani",
        weekdays: "lunedi martedi mercoledi giovedi venerdi sabato domenica",
        months: "gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set \
                 ottobre/ott novembre/nov dicembre/dic",
        seasons: "primavera estate autunno inverno",
        units: "giorno/giorni settimana/settimane mese/mesi anno/anni trimestre/trimestri",
        weekend: "fine_settimana/weekend/week_end",
        feasts: "natale vigilia_di_natale/vigilia giorno_di_natale santo_stefano capodanno \
                 san_silvestro/vigilia_di_capodanno primo_dell_anno/giorno_di_capodanno pasqua settimana_santa \
                 venerdi_santo domenica_di_pasqua pasquetta/lunedi_di_pasqua primo_trimestre secondo_trimestre \
                 terzo_trimestre quarto_trimestre",
        numbers: "un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici",
        tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento",
        few: "un_paio_di/alcuni/alcune/qualche/pochi/poche",
        before_last: "penultimo/penultima",
        last: "scorso/scorsa/scorsi/scorse/passato/passata/ultimo/ultima/ultimi/ultime",
        this: "questo/questa/quest/questi/queste",
        next: "prossimo/prossima/prossimi/prossime",
        ago_first: "",
        ago_last: "fa",
        of: "del/di/della/dell",
        within: "in/tra/fra/a/ad/nel/dal/da/fino_a/durante",
        filler: "mese/anno/di/l/del/dell",
        article: "il/lo/l/la/i/gli/giorno/giorni/nel",
        thirds: "inizio/inizi meta fine",
        ordinals: "primo/prima secondo/seconda terzo/terza quarto/quarta ultimo/ultima",
        half: "meta",
        after: "dopo",
        since: "da/dal/dall/a_partire_da/a_partire_dal",
        before: "prima_di/prima_del/prima_dell",
        until: "fino_a/fino_al/fino_all",
        between: "tra/fra",
        and: "e/ed",
        from: "da/dal/dall",
        to: "a/ad/al/all/fino_a/fino_al",
        on_the: "il/il_giorno",
        on: "",
        past: "ero era fatto detto successo stato",
        future: "saro sara faro",
        not_after: "",
    },
    Tongue {
        code: "pt",
        days: "anteontem/antes_de_ontem ontem hoje amanha depois_de_amanha",
        weekdays: "segunda_feira/segunda terca_feira/terca quarta_feira/quarta quinta_feira/quinta sexta_feira/sexta sabado domingo",
        months: "janeiro/jan fevereiro/fev marco/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out \
                 novembro/nov dezembro/dez",
        seasons: "primavera verao outono inverno",
        units: "dia/dias semana/semanas mes/meses ano/anos trimestre/trimestres",
        weekend: "fim_de_semana/fins_de_semana/final_de_semana/finais_de_semana",
        feasts: "no_natal/pelo_natal/do_natal vespera_de_natal/noite_de_natal dia_de_natal - reveillon \
                 vespera_de_ano_novo ano_novo/dia_de_ano_novo pascoa semana_santa sexta_feira_santa/sexta_santa \
                 domingo_de_pascoa segunda_feira_de_pascoa primeiro_trimestre segundo_trimestre terceiro_trimestre \
                 quarto_trimestre",
        numbers: "um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze",
        tens: "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento",
        few: "um_par_de/alguns/algumas/uns/umas/poucos/poucas",
        before_last: "retrasado/retrasada/penultimo/penultima",
        last: "passado/passada/passados/passadas/ultimo/ultima/ultimos/ultimas",
        this: "este/esta/neste/nesta/deste/desta/esse/essa/nesse/nessa",
        next: "proximo/proxima/proximos/proximas/que_vem",
        ago_first: "ha/faz",
        ago_last: "atras",
        of: "de/do/da",
        within: "em/daqui_a/desde/ate/durante",
        filler: "o/ano/mes/de/do",
        article: "o/a/os/as/dia/dias/no/na",
        thirds: "inicio/inicios/comeco/comecos/principio/principios meados fim/final/fins/finais",
        ordinals: "primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta ultimo/ultima",
        half: "metade/quinzena",
        after: "depois_de/depois_do/depois_da/apos",
        since: "desde/a_partir_de/a_partir_do",
        before: "antes_de/antes_do/antes_da",
        until: "ate",
        between: "entre",
        and: "e",
        from: "de/do/desde",
        to: "a/ao/ate",
        on_the: "dia/no_dia/o_dia",
        on: "na/no",
        past: "fiz fez fui foi disse estava aconteceu tinha",
        future: "vou vai vamos sera farei",
        not_after: "",
    },
    Tongue {
        code: "nl",
        days: "eergisteren gisteren/gisteravond/gistermiddag/gisterochtend/gistermorgen vandaag/vanavond/vanmorgen/vanochtend/vanmiddag morgen overmorgen",
        weekdays: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        months: "januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sept/sep oktober/okt \
                 november/nov december/dec",
        seasons: "lente/voorjaar zomer herfst/najaar winter",
        units: "dag/dagen week/weken maand/maanden jaar/jaren kwartaal/kwartalen",
        weekend: "weekend/weekeinde/weekends/weekenden",
        feasts: "kerst/kerstmis/kerstdagen kerstavond eerste_kerstdag tweede_kerstdag oud_en_nieuw \
                 oudejaarsavond/oudejaarsdag/oudjaar nieuwjaar/nieuwjaarsdag pasen/paasweekend goede_week goede_vrijdag \
                 eerste_paasdag/paaszondag tweede_paasdag/paasmaandag eerste_kwartaal tweede_kwartaal derde_kwartaal \
                 vierde_kwartaal",
        numbers: "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien",
        tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd",
        few: "een_paar/enkele/enige",
        before_last: "voorlaatste/voorvorige/voorvorig",
        last: "vorige/vorig/afgelopen/laatste",
        this: "deze/dit",
        next: "volgende/volgend/komende/komend/aanstaande",
        ago_first: "",
        ago_last: "geleden",
        of: "van",
        within: "in/over/sinds/vanaf/tot",
        filler: "het/jaar/de/maand",
        article: "de/het",
        thirds: "begin medio/half/midden eind/einde",
        ordinals: "eerste tweede derde vierde laatste",
        half: "helft",
        after: "na",
        since: "sinds/vanaf",
        before: "voor",
        until: "tot/tot_en_met",
        between: "tussen",
        and: "en",
        from: "van",
        to: "tot/tot_en_met",
        on_the: "de/op_de",
        on: "",
        past: "was waren had hadden deed deden gedaan gezegd gebeurd",
        future: "zal zullen ga gaan",
        not_after: "de/goede/elke/iedere/deze/s/in",
    },
    Tongue {
        code: "en",
        days: "",
        weekdays: "",
        months: "",
        seasons: "spring summer fall/autumn winter",
        units: "day/days week/weeks month/months year/years quarter/quarters",
        weekend: "weekend",
        feasts: "christmas/xmas christmas_eve christmas_day boxing_day new_year_s \
                 new_year_s_eve/new_years_eve/new_year_eve new_year_s_day/new_years_day easter holy_week good_friday \
                 easter_sunday easter_monday first_quarter/q1 second_quarter/q2 third_quarter/q3 fourth_quarter/q4",
        numbers: "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
                  eighteen nineteen",
        tens: "twenty thirty forty fifty sixty seventy eighty ninety hundred",
        few: "",
        before_last: "",
        last: "",
        this: "",
        next: "",
        ago_first: "",
        ago_last: "",
        of: "of",
        within: "",
        filler: "",
        article: "the",
        thirds: "early/beginning/start mid/middle late/end",
        ordinals: "first second third fourth last",
        half: "half",
        after: "after",
        since: "since",
        before: "before",
        until: "until/till",
        between: "between",
        and: "and",
        from: "from",
        to: "to/until/till/through/thru",
        on_the: "on_the",
        on: "on/since/after",
        past: "did was were had said told went came happened",
        future: "will shall ll",
        not_after: "",
    },
];
