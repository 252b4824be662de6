//! The words for days, weekdays, months and spans, a table for each language.
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
    /// Day, week, month, year.
    pub(super) units: &'static str,
    /// From one.
    pub(super) numbers: &'static str,
    /// "Some", as in "some days ago".
    pub(super) few: &'static str,
    /// Before or after what they are about.
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
];

pub(super) const TONGUES: &[Tongue] = &[
    Tongue {
        code: "de",
        days: "vorgestern gestern heute morgen ubermorgen/uebermorgen",
        weekdays: "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
        months: "januar/janner/jan februar/feber/feb marz/maerz/mrz april/apr mai juni/jun juli/jul august/aug \
                 september/sept/sep oktober/okt november/nov dezember/dez",
        units: "tag/tage/tagen woche/wochen monat/monate/monaten/monats jahr/jahre/jahren/jahres",
        numbers: "ein/eine/einem/einer/einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
        few: "ein_paar/einigen/wenigen",
        last: "letzte/letzten/letzter/letztes/letztem/vergangene/vergangenen/vergangener/vergangenes/vorige/vorigen/voriger/voriges",
        this: "diese/diesen/dieser/dieses/diesem",
        next: "nachste/nachsten/nachster/nachstes/nachstem/kommende/kommenden/kommender/kommendes",
        ago_first: "vor",
        ago_last: "",
        of: "des",
        within: "im/in/seit/ab/bis/anfang/mitte/ende/vom",
        filler: "jahr/jahre/monat/anfang/mitte/ende",
        not_after: "am/guten/heute/gestern/jeden/diesen/der/den/eines/ubermorgen",
    },
    Tongue {
        code: "fr",
        days: "avant_hier hier aujourd_hui demain apres_demain",
        weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
        months: "janvier/janv fevrier/fevr mars avril/avr mai juin juillet/juil aout septembre/sept octobre/oct novembre/nov \
                 decembre/dec",
        units: "jour/jours semaine/semaines mois an/ans/annee/annees",
        numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
        few: "quelques",
        last: "dernier/derniere/derniers/dernieres/passe/passee",
        this: "ce/cet/cette",
        next: "prochain/prochaine/prochains/prochaines",
        ago_first: "il_y_a/y_a",
        ago_last: "",
        of: "",
        within: "en/depuis/debut/fin/mi/des/jusqu_en/mois_de",
        filler: "l/an/annee/mois/de/d",
        not_after: "",
    },
    Tongue {
        code: "es",
        days: "anteayer/antier/antes_de_ayer ayer/anoche hoy manana pasado_manana",
        weekdays: "lunes martes miercoles jueves viernes sabado domingo",
        months: "enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/setiembre/sept/sep \
                 octubre/oct noviembre/nov diciembre/dic",
        units: "dia/dias semana/semanas mes/meses ano/anos",
        numbers: "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        few: "unos/unas/algunos/algunas/unos_pocos/unas_pocas",
        last: "pasado/pasada/pasados/pasadas/ultimo/ultima/ultimos/ultimas",
        this: "este/esta/estos/estas",
        next: "proximo/proxima/proximos/proximas/que_viene",
        ago_first: "hace",
        ago_last: "atras",
        of: "de/del",
        within: "en/desde/hasta/durante/principios_de/finales_de/mediados_de",
        filler: "el/ano/mes/de",
        not_after: "la/esta/cada/una/las",
    },
    Tongue {
        code: "it",
        days: "l_altro_ieri/altro_ieri/avantieri ieri oggi domani dopodomani",
        weekdays: "lunedi martedi mercoledi giovedi venerdi sabato domenica",
        months: "gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set \
                 ottobre/ott novembre/nov dicembre/dic",
        units: "giorno/giorni settimana/settimane mese/mesi anno/anni",
        numbers: "un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici",
        few: "alcuni/alcune/qualche/pochi/poche",
        last: "scorso/scorsa/scorsi/scorse/passato/passata/ultimo/ultima/ultimi/ultime",
        this: "questo/questa/quest/questi/queste",
        next: "prossimo/prossima/prossimi/prossime",
        ago_first: "",
        ago_last: "fa",
        of: "del/di",
        within: "in/a/ad/nel/dal/da/fino_a/durante/inizio/fine/meta",
        filler: "mese/anno/di/l/inizio/fine/meta",
        not_after: "",
    },
    Tongue {
        code: "pt",
        days: "anteontem/antes_de_ontem ontem hoje amanha depois_de_amanha",
        weekdays: "segunda_feira/segunda terca_feira/terca quarta_feira/quarta quinta_feira/quinta sexta_feira/sexta sabado domingo",
        months: "janeiro/jan fevereiro/fev marco/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out \
                 novembro/nov dezembro/dez",
        units: "dia/dias semana/semanas mes/meses ano/anos",
        numbers: "um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze",
        few: "alguns/algumas/uns/umas/poucos/poucas",
        last: "passado/passada/passados/passadas/ultimo/ultima/ultimos/ultimas",
        this: "este/esta/neste/nesta/deste/desta/esse/essa/nesse/nessa",
        next: "proximo/proxima/proximos/proximas/que_vem",
        ago_first: "ha/faz",
        ago_last: "atras",
        of: "de/do",
        within: "em/desde/ate/durante/inicio_de/fim_de/final_de",
        filler: "o/ano/mes/de",
        not_after: "",
    },
    Tongue {
        code: "nl",
        days: "eergisteren gisteren vandaag morgen overmorgen",
        weekdays: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        months: "januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sept/sep oktober/okt \
                 november/nov december/dec",
        units: "dag/dagen week/weken maand/maanden jaar/jaren",
        numbers: "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
        few: "een_paar/enkele/enige",
        last: "vorige/vorig/afgelopen/laatste",
        this: "deze/dit",
        next: "volgende/volgend/komende/komend/aanstaande",
        ago_first: "",
        ago_last: "geleden",
        of: "",
        within: "in/sinds/vanaf/tot/begin/medio/half/eind",
        filler: "het/jaar/de/maand",
        not_after: "de/goede/elke/iedere/deze/s/in",
    },
];
