//! What the words around a question say of it: whose words it is after, what an answer would hold, and
//! whether it goes on with what was said before.
//!
//! All of it is read from folded text: lower case, no accents.

use std::ops::Range;

use crate::question::{About, Wants};
use crate::words::{self, is_among, padded};

/// Phrases that say the same, apart by bars.
pub(crate) struct Cues {
    /// Whole words of languages that set them apart.
    pub(crate) words: &'static str,
    /// Letters of those that do not, or join particles on.
    pub(crate) letters: &'static str,
}

/// Ways to ask what the agent said, besides those of English that are put together from words: English, German,
/// French, Spanish, Italian, Portuguese, Dutch; Chinese, Japanese, Korean.
const YOU_SAID: Cues = Cues {
    words: "your advice|your recommendation|your recommendations|your suggestion|your suggestions|your tip|your tips\
        |was your|were your|your theory|your suspicion|you had an idea|you thought|you guessed|you suspected\
        |according to you|sagtest du\
        |dijiste|recomendaste|sugeriste|aconsejaste|explicaste|propusiste|mencionaste|has dicho|me has|me habias\
        |hai detto|mi hai|m hai|mi avevi|hai consigliato|hai suggerito\
        |voce disse|voce recomendou|voce sugeriu|disseste|me disse\
        |zei je",
    letters: "你推荐|你推薦|你建议|你建議|你说|你說|你告诉|你告訴|你提到|你给我的|你給我的|你给我推|你給我推|你给我列|你給我列\
        |勧めてくれた|すすめてくれた|おすすめしてくれた|おすすめした|教えてくれた|教えてくれてい|言ってくれた|提案してくれた|提案した|あなたが|あなたは\
        |추천해 준|추천해준|추천했|말해 준|말해준|알려 준|알려준",
};

/// What the agent did or has in German, French and Dutch, which asks for its words only beside one of [`HAVING_SAID`]:
/// "Hast du die Nummer vom Klempner?" is after the number.
const YOU_HAVE: &str = "hast du|du hast|du mir|haben sie mir|hattest du|du hattest|as tu|tu as|tu m as|tu m avais|t as|avez vous|vous avez|vous m avez\
    |heb je|je hebt|heeft u|u heeft|je me|had je|je had|voce me|voce tinha";
const HAVING_SAID: &str = "gesagt empfohlen vorgeschlagen geraten abgeraten erwahnt genannt erklart erzahlt geschrieben aufgelistet gemeint gezeigt \
    beschrieben gegeben geantwortet geschickt zusammengestellt formuliert berechnet ubersetzt geplant angeboten erinnert \
    dit recommande recommandes recommandee conseille conseilles conseillee suggere suggeres propose proposes proposee parle mentionne donne donnes donnee explique indique cite \
    ecrit repondu liste decrit montre traduit calcule \
    gezegd aangeraden aanbevolen voorgesteld genoemd uitgelegd verteld geschreven geadviseerd opgesomd beschreven vermeld vertelde zei aanraadde noemde recomendou disse sugeriu falou deu mencionou explicou";

/// Ways to ask when, anywhere in a question.
const WHEN: Cues = Cues {
    words: "when did|when was|what date|what dates|which day|how long ago|what day|which month|which year|what year|what month\
        |wann|quand est|c est quand|c etait quand|cest quand|quelle date|welke dag",
    letters: "什么时候|什麼時候|何时|何時|几号|幾號|哪天|いつ|何日|언제|며칠",
};

/// And at its beginning, where elsewhere the word means "while".
const WHEN_FIRST: &str = "when|quand|cuando|quando|wanneer";

/// Ways to ask for a number.
const HOW_MANY: Cues = Cues {
    words: "how many|how much|how often|what percentage|how long|how old|what time\
        |what temperature|which temperature|how hot|how warm|what dose|welche temperatur|wie heiss|wie warm|quelle temperature|a que temperatura\
        |a che temperatura|welke temperatuur|hoe heet\
        |wie viel|wie viele|wieviel|wieviele|wie lange|wie alt|wie oft|combien|quel age\
        |cuanto|cuanta|cuantos|cuantas|quanto|quanta|quanti|quante|quantos|quantas\
        |hoeveel|hoe lang|hoe oud|hoe vaak|몇",
    letters: "多少|几个|幾個|几次|多久|多大|いくつ|いくら|何人|何回|どのくらい|どれくらい|どれぐらい|どのぐらい|何歳|얼마",
};

/// What parts a day for most people: "after work", "nach dem Essen". In a question about a day it says when.
const PARTS_A_DAY: &str = "work school lunch breakfast dinner supper bedtime noon \
    arbeit feierabend schule essen mittag mittagessen abendessen fruhstuck travail boulot ecole dejeuner diner repas \
    trabajo escuela colegio almuerzo cena desayuno comida comer lavoro scuola pranzo colazione \
    trabalho escola almoco jantar werk lunch ontbijt eten avondeten";
const ON_ONE_SIDE: &str =
    "after before nach vor apres avant despues antes dopo prima depois na voor";
const SMALL: &str = "the my our der dem den die meiner le la l les mon ma de du des el del mi il lo do da o a meu het mijn";
const PARTS_A_DAY_IN_LETTERS: [&str; 14] = [
    "下班后",
    "下班後",
    "下班之后",
    "放学后",
    "放學後",
    "午饭后",
    "晚饭后",
    "仕事の後",
    "仕事後",
    "仕事終わり",
    "放課後",
    "퇴근 후",
    "퇴근하고",
    "방과 후",
];

/// Words for what was spoken of before. Those that mean something else as often ("there", "das", "lo") are not here.
const SPOKEN_OF: Cues = Cues {
    words: "it|its|that|those|these|they|them|their|he|him|his|she|her|hers\
        |er|ihn|ihm|dessen|deren|davon|damit|dafur|dort|dabei\
        |elle|elles|lui|eux|celui|celle|ceux|celles|ca|cela\
        |ella|ellos|ellas|eso|aquello|lui|lei|loro|quello|quella|quelli\
        |ele|ela|eles|elas|isso|aquilo|dele|dela|hij|hem|haar|hun|ervan|daarvan",
    letters: "它|他|她|那个|那個|这个|這個|那里|那裡|その|それ|あの|あれ|そこ|彼|그것|그거|그는|그녀|거기|그 사람",
};

/// What goes on with what was said before.
const GOES_ON: &str = "and|what about|how about|which one|und|was ist mit|et|y|e|ed|que tal";

/// And in letters.
const GOES_ON_IN_LETTERS: [&str; 8] =
    ["那么", "那麼", "那", "还有", "還有", "じゃあ", "では", "그럼"];

impl Cues {
    /// Whether a text has one of them, its words with a blank around each.
    pub(crate) fn are_in(&self, apart: &str) -> bool {
        self.words.split('|').any(|words| apart.contains(&format!(" {words} ")))
            || !apart.is_ascii() && self.letters.split('|').any(|letters| apart.contains(letters))
    }
}

/// Words with which the agent is said to have said something.
const SAID: &str = "said told suggested recommended mentioned gave provided listed advised explained remind shared wrote \
    proposed outlined";
const YOU: &str = "you your";
const ME: &str = "i my me mine i'm i've we our us \
    ich mein meine meinen meinem meiner mir mich wir unser unsere \
    je j'ai mon ma mes moi nous notre nos yo mi mis nosotros io mio mia miei noi eu meu minha meus minhas ik mijn wij onze";

/// Whether a word of a text says at what time of a day something was, by what most days are parted by.
pub(crate) fn is_time_of_day(text: &str, place: Range<usize>, surface: &str) -> bool {
    if surface.starts_with(words::runs_together) {
        let said = |letters: &&str| {
            text.match_indices(*letters)
                .any(|(at, said)| at < place.end && place.start < at + said.len())
        };
        return PARTS_A_DAY_IN_LETTERS.iter().any(said);
    }
    let before = words::fold(
        &text[text.floor_char_boundary(place.start.saturating_sub(CLOSE))..place.start],
    );
    let mut before = before.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let side = before.find(|word| !is_among(SMALL, word));
    is_among(PARTS_A_DAY, surface) && side.is_some_and(|side| is_among(ON_ONE_SIDE, side))
}

/// What says on which side stands this close, in bytes.
const CLOSE: usize = 32;

/// Whether it speaks of something that was named before it.
pub(crate) fn leans(folded: &str) -> bool {
    let apart = padded(folded);
    let begins = |with: &str| apart.starts_with(&format!(" {with} "));
    SPOKEN_OF.are_in(&apart)
        || GOES_ON.split('|').any(begins)
        || GOES_ON_IN_LETTERS.iter().any(|letters| folded.trim_start().starts_with(letters))
}

/// Whose words it is after.
pub(crate) fn about(folded: &str) -> About {
    let words = || folded.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let any = |set: &str| words().any(|word| !word.is_empty() && is_among(set, word));
    // "What would you suggest" asks for something new; "did you suggest" for something said.
    let did =
        folded.contains("did you ") || folded.contains("have you ") || folded.contains("had you ");
    let apart = padded(folded);
    let you_have = || YOU_HAVE.split('|').any(|words| apart.contains(&format!(" {words} ")));
    let said = any(YOU) && any(SAID) || any(HAVING_SAID) && you_have();
    if did || said || YOU_SAID.are_in(&apart) {
        About::You
    } else if any(ME) {
        About::Me
    } else {
        About::Anyone
    }
}

/// What an answer would hold.
pub(crate) fn wants(folded: &str) -> Wants {
    let apart = padded(folded);
    let first = apart.split_whitespace().next().unwrap_or_default();
    let when = WHEN_FIRST.split('|').any(|word| word == first) && !begins_with_a_clause(folded);
    if when || WHEN.are_in(&apart) {
        Wants::Time
    } else if HOW_MANY.are_in(&apart) {
        Wants::Number
    } else {
        Wants::Anything
    }
}

/// Whether what stands before a comma only says on what occasion, and the question comes after it: "When I travel, what
/// should I pack?"
pub(crate) fn begins_with_a_clause(folded: &str) -> bool {
    let Some((clause, rest)) = folded.split_once(", ") else { return false };
    let asks =
        rest.split(|c: char| !c.is_alphanumeric() && c != '\'').find(|word| !word.is_empty());
    let verb = clause.split_whitespace().nth(1).unwrap_or_default();
    asks.is_some_and(|word| is_among(ASKS_AFTER, word)) && !is_among(ASKS_WHEN, verb)
}

/// What a question begins with that comes after such a clause.
const ASKS_AFTER: &str = "what which who where how why what's can could should would do does did is are am \
    que quel quelle qui ou comment pourquoi cual quien donde como che cosa quale chi dove come perche qual quem onde wat welke wie waar hoe waarom";
/// What follows a word that asks when.
const ASKS_WHEN: &str = "did do does is are was were will would has have had can could should am est sont etait a es son fue ha e era foi is was";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn what_the_agent_said_is_asked_for_in_ten_languages() {
        for text in [
            "Which dish did you recommend?",
            "Remind me what you told me about Caribbean food.",
            "What was your advice on buying a cello?",
            "What was your guess about the noise?",
            "You had an idea for her birthday.",
            "Was hast du mir damals empfohlen?",
            "Quel vin m'as-tu conseillé ? Tu m'as dit un nom.",
            "¿Qué restaurante me recomendaste?",
            "Che libro mi hai consigliato?",
            "Que livro você me recomendou?",
            "Welk boek heb je aangeraden?",
            "你推荐的餐厅叫什么？",
            "勧めてくれた本の名前は？",
            "추천해 준 식당 이름이 뭐였지?",
        ] {
            assert_eq!(about(&fold(text)), About::You, "{text}");
        }
        for (text, after) in [
            ("What would you suggest for my kitchen?", About::Me),
            ("What's your guess about the noise?", About::Anyone),
            ("Wo ist mein Schlüssel?", About::Me),
            ("Où est ma clé ?", About::Me),
            ("Where is the key?", About::Anyone),
            ("钥匙在哪里？", About::Anyone),
            ("Hast du die Nummer von der Hausverwaltung?", About::Anyone),
            ("Kannst du mir sagen, wann der Elternabend ist?", About::Me),
            ("Tu as le numéro du plombier ?", About::Anyone),
            ("Heb je het nummer van de loodgieter?", About::Me),
            ("オートロックの番号教えてくれる?", About::Anyone),
        ] {
            assert_eq!(about(&fold(text)), after, "{text}");
        }
    }

    #[test]
    fn a_question_that_goes_on_with_another_is_known_in_ten_languages() {
        for text in [
            "How much was it a night?",
            "And in 2023?",
            "What do her children like?",
            "Wie heißt er?",
            "Und am Sonntag?",
            "Combien coûte celui de Marie ?",
            "¿Y el domingo?",
            "Quanto costa quello rosso?",
            "Quanto custou isso?",
            "Hoe oud is hij?",
            "它多少钱？",
            "それはいくら？",
            "그거 얼마였지?",
        ] {
            assert!(leans(&fold(text)), "{text}");
        }
        for text in [
            "Where is the spare key?",
            "Wo ist der Schlüssel?",
            "Où est la clé ?",
            "钥匙在哪里？",
            "Is there a key?",
        ] {
            assert!(!leans(&fold(text)), "{text}");
        }
    }

    #[test]
    fn times_and_numbers_are_asked_for_in_ten_languages() {
        for text in [
            "When did Anna move?",
            "And when was that?",
            "Wann ist Anna umgezogen?",
            "Quand Anna a-t-elle déménagé ?",
            "¿Cuándo se mudó Anna?",
            "Quando si è trasferita Anna?",
            "Quando a Anna se mudou?",
            "Wanneer is Anna verhuisd?",
            "安娜什么时候搬家的？",
            "アンナはいつ引っ越した？",
            "안나는 언제 이사했어?",
        ] {
            assert_eq!(wants(&fold(text)), Wants::Time, "{text}");
        }
        for text in [
            "How many cats are there?",
            "Wie viele Katzen hat Anna?",
            "Combien de chats a Anna ?",
            "¿Cuántos gatos tiene Anna?",
            "Quanti gatti ha Anna?",
            "Quantos gatos a Anna tem?",
            "Hoeveel katten heeft Anna?",
            "安娜有几个孩子？",
            "猫は何匹、いくつ？",
            "고양이가 몇 마리야?",
        ] {
            assert_eq!(wants(&fold(text)), Wants::Number, "{text}");
        }
        assert_eq!(wants(&fold("Was macht Anna, wenn es regnet?")), Wants::Anything);
        for text in [
            "When I travel, what should I pack?",
            "When building a shed, which screws are best?",
            "Quand je voyage, que dois-je emporter ?",
        ] {
            assert_eq!(wants(&fold(text)), Wants::Anything, "{text}");
        }
        assert_eq!(wants(&fold("When is the meeting, what room?")), Wants::Time);
        assert_eq!(wants(&fold("When did I move, and what did it cost?")), Wants::Time);
        assert_eq!(wants(&fold("Dile a Ben cuando llegues.")), Wants::Anything);
    }
}
