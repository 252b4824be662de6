//! Words with which people ask, and which say nothing of what is asked for.

use super::About;
use crate::languages::Language;
use crate::words::{self, is_among};

/// Words with which people ask. In a note they mean little, and they are rare enough there to
/// outweigh what is asked for.
const ASKING: &str = "list order mention mentioned mentioning summary summarize summarise summarized overview comprehensive \
    complete detailed clear brief provide explain describe discuss discussed discussing talk talked conversation conversations chat chats \
    discussion discussions question remind remember recall previous previously earlier brought bring aspect aspects different various item \
    items throughout across happen happened happening walk walked wondering curious follow followed one two three four five six seven eight nine ten many ever total name called again everyone everybody sum story joke mean means \
    bedeutet signifie significa betekent \
    passiert geschehen gemacht getan unternommen erlebt fait faites passe passee hice hicimos hizo paso ocurrio sucedio \
    fatto successo fiz fizemos aconteceu gedaan gebeurd gebeurde 发生 做了 干了";

/// Words with which people of other languages than English ask what was on a day. Beside the topic of a question
/// without one they may say something: "das Los", "the deed".
const WHAT_WAS: &str = "los hab gab gabs getrieben erzahl erzahle sag zeig machte machten tat geschrieben aufgeschrieben notiert getroffen gefragt \
    termin termine vorhabe geplant steht stehen ansteht rendez vous rdv prevu prevus citas planes appuntamenti compromissos afspraken 约 預定 安排 予定 \
    quoi eu avons avions dis raconte faisais faisait faisions arrive produit ecrit rencontre \
    hecho estuve estuvimos estaba haciendo hacia haciamos hubo dime cuentame hemos ocurrido sucedido escribi escrito anote anotado \
    cosa cos abbiamo facevo facevamo facendo stavo stato stata dimmi raccontami accaduto feci scritto annotato incontrato \
    houve estava estive fazendo fazia feito diga diz conte escrevi anotei encontrei \
    deed deden doen vertel zeg geschreven opgeschreven genoteerd ontmoet \
    告诉 告訴 무슨 있었 었어 했더 더라 했는 는지 알려 줘 뭘";

/// Whether a word only helps to ask what was on a day, in whatever language: a short question often does not
/// tell which it is in.
pub(super) fn asks_what_was(surface: &str) -> bool {
    let says_nothing = |part: &str| {
        let stops = |code: &&str| Language::from_code(code).is_some_and(|one| one.is_stop(part));
        ["de", "fr", "es", "it", "pt", "nl"].iter().any(stops) || is_among(WHAT_WAS, part)
    };
    surface.split(['\'', '’']).all(says_nothing)
}

/// English words with which people ask what is on a day. Beside a topic they may say something: "due", "planned".
const WHAT_IS: &str = "happens due ask asked asking say says said saying told write wrote writing written note noted notes down \
    meet met meeting meetings planned scheduled appointments plans";

/// Whether a word only helps to ask what is on the days that are named besides.
pub(super) fn asks_what_is(surface: &str) -> bool {
    is_among(WHAT_IS, surface)
}

/// English words for what somebody says to another. Who asks what the agent said does not ask for them.
const SAY: &str = "say says said saying tell told suggest suggested suggesting suggestion suggestions recommend recommended \
    recommending recommendation recommendations advise advised advising advice propose proposed tip tips according";

/// How one asks what something is and not what was: "How do tides work?", "Explain how a heat pump works."
const HOW_IT_WORKS: &str = "how do|how does|explain how|wie|comment|como|come|hoe";
const WORKS: &str = "work works function functions funktioniert funktionieren fonctionne fonctionnent funciona funcionan funziona funzionano funcionam werkt werken";

const SOMEBODY: &str =
    "i we you he she they ich wir er sie je nous il elle yo nosotros io noi eu nos ik wij";

/// Whether a word, with which a sentence ends, only asks how something works.
pub(super) fn asks_how_it_works(sentence: &str, surface: &str) -> bool {
    is_among(WORKS, surface) && {
        let apart = words::padded(&words::fold(sentence));
        let what = HOW_IT_WORKS.split('|').find_map(|how| words::after(&apart, how));
        // "How do I get to work?"
        let somebody = |what: &str| what.split_whitespace().any(|word| is_among(SOMEBODY, word));
        what.is_some_and(|what| what.trim_end().ends_with(surface) && !somebody(what))
    }
}

/// Whether a word only says that something was said.
pub(super) fn says(surface: &str) -> bool {
    is_among(SAY, surface)
}

/// Words that stand beside days.
const BESIDE_DAYS: &str = "last past previous next ago back early late mid between after since beginning start middle end before until \
    letzte letzten letzter letztes vergangene vergangenen nachste nachsten vorletzte vorletzten vorigen anfang mitte ende zwischen seit nach \
    dernier derniere derniers dernieres passe passee prochain prochaine debut fin milieu entre depuis apres il y a \
    pasado pasada pasados proximo proxima hace principios finales mediados desde despues \
    scorso scorsa prossimo prossima inizio fine meta tra dopo passado passada comeco depois \
    vorige afgelopen geleden begin eind tussen sinds";

/// Whether a word stands beside days.
pub(super) fn is_beside_days(word: &str) -> bool {
    is_among(BESIDE_DAYS, word)
}

/// Whether it is a word with which people ask.
pub(super) fn is_asking(word: &str) -> bool {
    is_among(ASKING, word)
}

/// The question without the words with which it asks, for its vector.
pub(super) fn told(text: &str, about: About) -> String {
    let mut told = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let plain = words::fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
        let only_asks = is_asking(&plain) || about == About::You && says(&plain);
        if !only_asks {
            told.push_str(word);
        }
    }
    if told.trim().is_empty() { text.to_owned() } else { told }
}
