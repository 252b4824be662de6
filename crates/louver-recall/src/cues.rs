//! What the words around a question say of it: whose words it is after, what an answer would hold, and
//! whether something is to be done.
//!
//! All of it is read from folded text: lower case, no accents.

use std::ops::Range;

use crate::question::{About, Wants};
use crate::words::{self, after, is_among, padded};

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

/// Words and phrases of questions about what was, or is: the rest ask for something to be done. Words that mean
/// something else in another of the languages ("war", "ai") are not here.
const ABOUT_FACTS: &str = "did didn't didnt was were had have has ago said told mention mentioned mentioning brought last previous previously \
    earlier remind discussed happened went \
    habe hatte hatten hast gesagt erwahnt letzte letzten zuletzt etait etaient avait avais dernier derniere fue fueron dije dijiste \
    dicho ultimo ultima detto avevo disse mencionei heb heeft gezegd laatste";
const ASK_FOR_FACTS: [&str; 9] = [
    "how many",
    "how much",
    "how long",
    "summar",
    "sum up",
    "catch me up",
    "the story of",
    "overview",
    "do you know about",
];
/// What begins so asks for facts where it goes on with something of somebody's: "What does my sister do?"
const ASK_ABOUT: &str = "what is|what s|whats|what are|what does|which is";
const OF_SOMEBODY: &str = "my our his her their";
const BEGIN_ASKING: &str = "when where who who's whos where's when's whose wer wo wann wessen qui quand quien donde cuando chi dove quando quem onde waar wanneer";
/// Where words are not set apart, what asks for something to be done.
const ASK_TO_DO: &str = "请|請|帮我|幫我|给我推|給我推|推荐几|推薦幾|推荐一|推薦一|推荐个|推薦個|推荐点|推荐些|有什么推荐|有什麼推薦|有没有推荐|想做|想给|想給|想请|想請\
    |ください|して|たいんだけど|たいのだけど|たいけど|たいんですが|たいのですが|おすすめは|おすすめある|おすすめの|レシピ\
    |해 줘|해줘|주세요|추천해|추천 좀|싶은데|만들고 싶";

/// Ways to ask for advice, whatever else a question speaks of: "Where should I work?", "How should I list my previous jobs?"
const ASKS_FOR_ADVICE: &str = "should i|i should|should we|we should|shall i|shall we|would you suggest|would you recommend|would you advise\
    |soll ich|sollte ich|ich sollte|sollen wir|sollten wir|devrais je|je devrais|dois je|devrions nous\
    |deberia|deberiamos|dovrei|dovremmo|deveria|deveriamos|moet ik|moeten we|zal ik|zou ik";
/// Not where it is after what was said.
const WAS_SAID: &str = "did said told say mention mentioned mentioning remind reminded discussed decided agreed \
    gesagt erwahnt besprochen hast dit disais dije dijiste dicho detto disse gezegd zei";

/// Whether something is to be done.
pub(crate) fn requests(folded: &str) -> bool {
    // A word of such a script in a message of another says nothing of it.
    if folded.chars().find(|c| c.is_alphanumeric()).is_some_and(words::runs_together) {
        return ASK_TO_DO.split('|').any(|letters| folded.contains(letters));
    }
    let apart = |c: char| !c.is_alphanumeric() && c != '\'';
    let mut words = folded.split(apart).filter(|word| !word.is_empty());
    let first = words.clone().next();
    let padded = padded(folded);
    let advice = ASKS_FOR_ADVICE.split('|').any(|asks| padded.contains(&format!(" {asks} ")));
    if advice && !words.clone().any(|word| is_among(WAS_SAID, word)) {
        return true;
    }
    !(first.is_some_and(|first| is_among(BEGIN_ASKING, first))
        || asks_whether(folded)
        || ends_asking_about_somebody(folded)
        || ASK_FOR_FACTS.iter().any(|phrase| folded.contains(phrase))
        || asks_about_somebody(&padded)
        || words.any(|word| is_among(ABOUT_FACTS, word)))
}

/// Whether the last clause of a message asks whether something is so, who it is, why, or how much so: "is Ada vegan?", "how
/// strong is my medicine?" What there is may be asked by who wants some.
fn asks_whether(folded: &str) -> bool {
    let said = folded.trim_end();
    let Some(said) = said.strip_suffix(['?', '？']) else { return false };
    let last = said.rsplit([',', '.', '!', ';', '\n']).next().unwrap_or_default();
    let apart = |c: char| !c.is_alphanumeric() && c != '\'';
    let words: Vec<&str> = last.split(apart).filter(|word| !word.is_empty()).collect();
    // "Which films do I like?", but "how do I make a pie?" and "what do I need for a pie?"
    let of_me = words.windows(2).any(|pair| pair[0] == "do" && is_among("i we", pair[1]));
    match words[..] {
        ["which" | "what", ..] if of_me => !words.contains(&"need"),
        [verb, next, ..] if is_among(IS_SO, verb) => !is_among("there it that this", next),
        ["how", _, verb, ..] if is_among(IS_SO, verb) => true,
        [first, ..] => {
            is_among(BEGIN_ASKING, first) || is_among("why warum wieso pourquoi waarom", first)
        }
        [] => false,
    }
}

const IS_SO: &str = "is are am was were does did has";

/// Whether a message ends, after something that it tells, with a question about something of somebody's: "guests are here,
/// what's our wifi password". "What's the best starter" may be after advice.
fn ends_asking_about_somebody(folded: &str) -> bool {
    let said = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = said.rsplit_once([',', '.', '!', ';', '\n']).map(|(_, last)| padded(last));
    last.is_some_and(|last| asks_of_somebody(&last))
}

/// Whether a question, its words with a blank around each, begins like one about something of somebody's, or about the one
/// thing that is so.
fn asks_about_somebody(apart: &str) -> bool {
    asks_of_somebody(apart)
        || ["what is", "what s", "whats"].into_iter().any(|begin| next(apart, begin) == Some("the"))
}

fn asks_of_somebody(apart: &str) -> bool {
    let of_somebody =
        |begin: &str| next(apart, begin).is_some_and(|next| is_among(OF_SOMEBODY, next));
    ASK_ABOUT.split('|').any(of_somebody)
}

/// The word after what a text begins with.
fn next<'a>(apart: &'a str, begin: &str) -> Option<&'a str> {
    after(apart, begin)?.split_whitespace().next()
}

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

/// Words of which messages are made that neither ask nor tell: greetings, thanks, yes and no.
const SMALL_TALK: &str = "that's it's ok okay k yes no yep nope yeah yup sure thanks thank thx you great cool nice good fine perfect awesome hi hello hey morning \
    afternoon evening night bye goodbye please do that it this go on ahead continue stop wait hmm lol right exactly correct agreed done welcome how are \
    is today a lot very much so well then now sounds works for me alright helps helped helpful wonderful brilliant lovely amazing understood noted \
    ja nein danke bitte gut hallo servus tschuss super genau alles klar mach das weiter schon guten morgen abend tag wie geht es dir \
    oui non merci bonjour salut d'accord accord d bien parfait vas y ca va beaucoup bonsoir \
    si gracias hola vale perfecto claro adios buenos dias como estas muchas de nada \
    grazie ciao va bene perfetto buongiorno come stai \
    sim nao obrigado obrigada ola tudo bem bom dia \
    nee bedankt dank je hoi goed prima hoe gaat het goedemorgen \
    好 好的 谢谢 你好 是的 嗯 不 不用 可以 はい いいえ ありがとう ありがとうございます こんにちは 了解 おはよう 네 아니요 감사합니다 안녕하세요 좋아 좋아요 고마워";

/// A message of more words than this says something.
const SHORT_TALK: usize = 8;

/// Whether a message neither asks nor tells anything.
pub(crate) fn is_small_talk(folded: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '\'';
    let mut words = folded.split(|c: char| !inside(c)).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.clone().count() <= SHORT_TALK
        && words.all(|word| is_among(SMALL_TALK, word))
}

/// Words around a sum.
const AROUND_SUMS: &str = "what what's whats is are of the how much many calculate compute was ist sind von wie viel wieviel combien font fait cuanto es de \
    quanto fa di e quanto hoeveel is van x plus minus times mal fois por per keer divided by geteilt durch divise par dividido entre diviso gedeeld door \
    percent prozent";

/// Whether a message asks for a sum of numbers that it gives ("what's 17 * 23"): no note has that.
pub(crate) fn is_sum(folded: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut reckons = false;
    for (at, sign) in folded.match_indices(['*', '×', '+', '÷', '^', '%', '=']) {
        let (before, after) = (folded[..at].trim_end(), folded[at + sign.len()..].trim_start());
        reckons |= before.ends_with(is_digit) && (sign == "%" || after.starts_with(is_digit));
    }
    let words = || {
        folded.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
    };
    let is_number = |word: &&str| word.chars().all(is_digit);
    let said = words().skip_while(|word| !is_number(word));
    reckons |= said.clone().any(|word| is_among(SIGNS, word)) && said.filter(is_number).count() > 1;
    reckons && words().all(|word| is_number(&word) || is_among(AROUND_SUMS, word))
}

/// Signs of sums, in words.
const SIGNS: &str =
    "x times plus minus divided mal geteilt fois divise por dividido per diviso keer gedeeld";

/// How people ask what a clock or a calendar shows.
const CLOCK: &str = "what time is it|how late is it|what s the time|what is the time|whats the time|what day is it|which day is it|what date is it|what s the date|what is the date\
    |what s today s date|what is today s date|wie spat ist es|wie viel uhr ist es|wieviel uhr ist es|welcher tag ist|welches datum ist|welches datum haben wir\
    |quelle heure est il|il est quelle heure|quel jour sommes nous|on est quel jour|que hora es|que dia es|che ora e|che ore sono|che giorno e\
    |que horas sao|que dia e|hoe laat is het|welke dag is het|现在几点|现在几点了|几点了|今天几号|今天星期几|今何時|今は何時|何時ですか|今日は何日|지금 몇 시야|몇 시야|오늘 며칠이야";
const RIGHT_NOW: &str = "now right today jetzt gerade heute maintenant aujourd hui ahora hoy adesso oggi agora hoje nu vandaag";

/// Whether a message asks what time or day it is: no note has that.
pub(crate) fn is_clock(folded: &str) -> bool {
    let apart = padded(folded);
    CLOCK.split('|').any(|asks| {
        after(&apart, asks)
            .is_some_and(|rest| rest.split_whitespace().all(|word| is_among(RIGHT_NOW, word)))
    })
}

/// Words that begin a question when a question mark ends it: those with which people ask,
const BEGIN_QUESTIONS: &str = "what what's whats which who who's whos whose whom when when's where where's wheres why how how's hows \
    was wer wen wem wessen wo woher wohin wann warum wieso weshalb wie welche welcher welches welchen welchem \
    que qu'est quoi qui quand ou pourquoi comment quel quelle quels quelles combien \
    quien quienes donde adonde cuando cual cuales cuanto cuanta cuantos cuantas \
    cosa che chi dove quando perche come quale quali quanto quanta quanti quante dov'e cos'e qual \
    quem onde quais quantos quantas porque \
    wat waar wanneer waarom hoe welk hoeveel wiens";
/// and verbs.
const VERBS_BEGIN: &str = "do does did is are were has have had can could will would should am don't isn't didn't \
    ist sind war waren hat habe haben hatte kann konnen soll est es son tiene hay tengo ha hai sono posso tenho zijn heb heeft kan";
/// and what goes on from the question before: "and the one of Ada?"
const GO_ON: &str = "and und et y e en";
/// Without a question mark many begin something that is told ("When I fly I sit in front", "Was at the
/// notary", "Come spring"). These do not,
const ONLY_BEGIN_QUESTIONS: &str = "what's whats which who's whos whose when's where's wheres how's hows \
    welche welcher welches qu'est dov'e cos'e";
/// nor do any of the first before one of these.
const GO_ON_ASKING: &str = "is are was were do does did has have had can could will would should much many old far often \
    ist sind war waren hat heisst kostet viel viele est sont coute es esta son cuesta e sono costa fica custa heet kost veel";

/// Whether a message has a word with which people ask, or asks about who writes it.
pub(crate) fn asks(folded: &str) -> bool {
    let mut words = folded.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| is_among(BEGIN_QUESTIONS, word)) || about(folded) == About::Me
}

/// What ends a clause.
pub(crate) const CLAUSE_ENDS: [char; 12] =
    ['.', '!', '?', '？', '。', '！', '\n', ',', ';', '；', '，', '、'];

/// A question of more bytes than this tells something besides.
const LONGEST_QUESTION: usize = 120;

/// Whether a message does no more than ask. What stands beside a question in it may tell something, unless that asks, too.
pub(crate) fn only_asks(text: &str) -> bool {
    let apart = |c: char| c == ':' || CLAUSE_ENDS.contains(&c);
    let mut clauses =
        text.trim().split_inclusive(apart).filter(|clause| clause.contains(char::is_alphanumeric));
    text.trim().len() <= LONGEST_QUESTION
        && clauses.next().is_some_and(clause_asks)
        && clauses.all(clause_asks)
}

/// Whether a word joins a clause on to the one before.
pub(crate) fn goes_on(word: &str) -> bool {
    word == "&" || is_among(GO_ON, &words::fold(word))
}

/// A clause without the word that joins it on.
pub(crate) fn without_and(clause: &str) -> &str {
    let clause = clause.trim();
    let rest = clause.split_once(' ').filter(|(first, _)| goes_on(first));
    rest.map_or(clause, |(_, rest)| rest)
}

/// Whether a clause asks to be told something: "tell me the code of the museum please".
pub(crate) fn asks_to_be_told(clause: &str) -> bool {
    let apart = padded(&words::fold(clause));
    TELL_ME.split('|').any(|asks| after(&apart, asks).is_some())
}

const TELL_ME: &str = "tell me|remind me|sag mir|sag mal|erinnere mich|dis moi|rappelle moi|dime|recuerdame|dimmi|ricordami|diz me|me diz|me diga\
    |lembra me|zeg me|vertel me";

/// Whether a word, folded, is one with which questions begin.
pub(crate) fn begins_to_ask(word: &str) -> bool {
    is_among(BEGIN_QUESTIONS, word)
}

fn clause_asks(clause: &str) -> bool {
    let folded = words::fold(clause.trim_end_matches(|c: char| c.is_ascii_punctuation()));
    let apart = folded.split(|c: char| c.is_whitespace() || c == '¿');
    let mut words = apart.filter(|word| !word.is_empty());
    let (Some(first), second) = (words.next(), words.next()) else { return false };
    let begins = begins_to_ask(first);
    if clause.trim_end().ends_with(['?', '？']) {
        return begins
            || is_among(VERBS_BEGIN, first)
            || is_among(GO_ON, first)
            || first.starts_with(words::runs_together);
    }
    is_among(ONLY_BEGIN_QUESTIONS, first)
        || begins && second.is_some_and(|second| is_among(GO_ON_ASKING, second))
}

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
    fn what_a_clock_shows_is_asked_of_no_note() {
        for text in [
            "What time is it?",
            "what's the time right now",
            "What day is it today?",
            "Wie spät ist es?",
            "Quelle heure est-il maintenant ?",
            "¿Qué hora es?",
            "现在几点？",
        ] {
            assert!(is_clock(&fold(text)), "{text}");
        }
        for text in ["What time is it on for?", "What time is the dentist?", "What day is best?"] {
            assert!(!is_clock(&fold(text)), "{text}");
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
    fn what_is_to_be_done_is_told_from_what_was() {
        for text in [
            "Write a letter to Anna.",
            "What are some errors that a server may answer with?",
            "What does a good letter need?",
            "Where do you think I should work on my essay?",
            "How should I list my previous jobs?",
            "How do I make a plum cake?",
            "What do I need for a plum cake?",
            "Is there a nice place for lunch?",
            "Ada is here on Friday, any ideas?",
            "Wo sollte ich am besten parken?",
            "Translate 猫 for Anna.",
            "Joris is here for dinner, what's the best starter?",
            "Schreib Anna einen Brief über den Krieg.",
            "Écris une lettre à Anna.",
            "Escribe una carta a Anna.",
            "Scrivi una lettera ad Anna.",
            "Escreve uma carta à Anna.",
            "Schrijf Anna een brief.",
            "请给安娜写一封信。",
            "アンナに手紙を書いてください。",
            "안나에게 편지를 써 주세요.",
        ] {
            assert!(requests(&fold(text)), "{text}");
        }
        for text in [
            "What did Anna say last week?",
            "Where did you say I should park?",
            "whats the name of Anna's cat",
            "What's my gate code?",
            "What's our broadband company called?",
            "guests are here, what's our wifi password",
            "What does my sister's husband do for a living?",
            "is Ada vegan?",
            "How strong is my ramipril at the moment?",
            "I locked myself out, who can let me in?",
            "Why is the left flipper wrong?",
            "which films do I like?",
            "What went wrong with the house?",
            "Sum up how the purchase went.",
            "Who's the man from the bank?",
            "Wo wohnt Anna?",
            "Was hatte Anna gesagt?",
            "Qui est Anna ?",
            "¿Dónde vive Anna?",
            "Dove abita Anna?",
            "Onde mora a Anna?",
            "Waar woont Anna?",
            "安娜住在哪里？",
            "アンナの家はどこ？",
            "안나는 어디 살아?",
        ] {
            assert!(!requests(&fold(text)), "{text}");
        }
    }

    #[test]
    fn small_talk_is_told_from_what_says_something() {
        for text in [
            "ok",
            "Yes, please do that!",
            "How are you today?",
            "Thanks, that helps!",
            "Danke, alles klar",
            "好的",
            "네",
        ] {
            assert!(is_small_talk(&fold(text)), "{text}");
        }
        for text in ["", "?", "ok, and the invoice", "Is Miso well?", "Where is it?", "好的猫"] {
            assert!(!is_small_talk(&fold(text)), "{text}");
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

    #[test]
    fn a_sum_is_told_from_what_has_numbers() {
        for text in [
            "what's 17 * 23?",
            "17*23",
            "What is 17% of 2340",
            "12,5 + 3 =",
            "how much is 3×4",
            "what is 17 times 23",
            "How much is 17 x 23?",
            "wie viel ist 84 geteilt durch 7",
        ] {
            assert!(is_sum(&fold(text)), "{text}");
        }
        for text in [
            "17",
            "+31 655 109 382",
            "who is +4777641905",
            "17% of what Ada earns",
            "2026-03-05",
            "a+b",
            "how much is 5",
            "is it 5 or 7?",
            "",
        ] {
            assert!(!is_sum(&fold(text)), "{text}");
        }
    }

    #[test]
    fn a_message_that_only_asks_is_told_from_one_that_tells() {
        for text in [
            "Where is the spare key?",
            "which bus to sintra",
            "where is the spare key",
            "wo ist der schlüssel",
            "what's the gate code again?",
            "and Ada's phone number?",
            "Is Ada a vegetarian?",
            "Wo ist der Schlüssel?",
            "¿Dónde está la llave?",
            "钥匙在哪里？",
            "鍵はどこ？",
            "what's the alarm code of the cabin now, and when do I fly?",
            "Where is it? And who has the key?",
        ] {
            assert!(only_asks(text), "{text}");
        }
        for text in [
            "",
            "Ada is a vegetarian.",
            "My sister comes on Friday, where could we eat?",
            "I moved to Graz. What is there to see?",
            "Is it me",
            "When I fly I always take an aisle seat near the front",
            "Was at the notary with Jonas and signed the deed",
            "Was at the notary, who was there?",
            "What's left is the deed, and the lawyer has it",
            "Come spring I swap the tyres at the garage",
            "How I cook risotto is with white wine",
            "Porque llueve vamos en coche",
            "Es ist kalt heute",
            "Hat viel geregnet",
            "The gate code is 7719.",
            "Can you remind me of the rent: 900?",
            "钥匙在桌子上。",
            "我搬家了！新地址是什么？",
        ] {
            assert!(!only_asks(text), "{text}");
        }
    }
}
