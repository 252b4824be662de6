//! A question, and what can be read from it before any note is looked at.

use crate::cues;
use crate::embed::{Embeddings, Small};
use crate::glue::{Glue, glue, tells};
use crate::languages::Language;
use crate::lexicon::Lexicon;
use crate::sentences::sentences;
use crate::spelling;
use crate::tasks::{self, Task};
use crate::tongue;
use crate::when::{self, By, Named, Span};
use crate::words::{self, Kind, Term, is_among};
use crate::written;
use jiff::civil::DateTime;

/// What is asked, and from where.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Question {
    /// The words of it.
    pub text: String,
    /// When it is asked. Without it "yesterday" means nothing.
    pub now: Option<DateTime>,
}

/// A question, read.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What notes are searched for.
    pub terms: Vec<AskedTerm>,
    /// What it means.
    pub vector: Small,
    /// What each of its sentences means: a task may ask for several things.
    pub sentences: Vec<Small>,
    /// What must be found as written.
    pub phrases: Vec<String>,
    /// What is likely to be.
    pub(crate) likely: Vec<String>,
    /// The days it names.
    pub spans: Vec<Span>,
    /// Whose words it is after.
    pub about: About,
    /// What an answer would hold.
    pub wants: Wants,
    /// Whether it asks for what is open, or for what is done.
    pub task: Task,
    /// What it says besides that.
    pub(crate) besides_task: String,
    /// Whether it asks for something to be done, and not for what was: then standing wishes matter.
    pub requests: bool,
    /// Whether it is in another language than English, which is all that the vectors know.
    pub(crate) foreign: bool,
    /// When it is asked.
    pub now: Option<DateTime>,
}

impl Asked {
    /// Whether it says nothing but when.
    pub fn is_of_days_alone(&self) -> bool {
        !self.spans.is_empty() && !self.terms.iter().any(AskedTerm::says)
    }

    /// Where days are asked for in words that no note says and no vector knows, the days must do: "Was habe ich letzten
    /// Dienstag gekocht?" over notes in English.
    pub(crate) fn leave_to_days<L: Lexicon>(&mut self, lexicon: &mut L) -> Result<(), L::Error> {
        if self.spans.is_empty() || !self.foreign {
            return Ok(());
        }
        for form in self.terms.iter().filter(|term| term.says()).flat_map(|term| &term.forms) {
            if lexicon.says(form)? {
                return Ok(());
            }
        }
        for term in self.terms.iter_mut().filter(|term| term.says()) {
            (term.asks, term.times) = (true, ASKING_WORTH);
        }
        Ok(())
    }

    /// Whether it says nothing but that it is after what is open, or done.
    pub fn is_of_task_alone(&self) -> bool {
        let says = |term: &AskedTerm| {
            term.says() && !tasks::is_of_asking(&term.surface, &self.besides_task)
        };
        self.task != Task::Neither && !self.terms.iter().any(says)
    }

    /// Whether it says nothing but what must be found as written.
    pub fn is_exact_alone(&self) -> bool {
        let in_phrase = |term: &AskedTerm| {
            self.phrases.iter().any(|phrase| phrase.contains(term.surface.as_str()))
        };
        !self.phrases.is_empty() && self.terms.iter().all(|term| term.asks || in_phrase(term))
    }

    /// It means these days with what it says there: "two weeks before the move". Then these words count as
    /// little as those of a date, for what was said on the days need not speak of the move.
    pub fn means(&mut self, said: &str, spans: impl IntoIterator<Item = Span>) {
        let known = self.spans.len();
        self.spans.extend(spans);
        if self.spans.len() == known {
            return;
        }
        let said = words::fold(said);
        let has = |surface: &str| match surface.is_ascii() {
            true => said.split(|c: char| !c.is_alphanumeric()).any(|word| word == surface),
            false => said.contains(surface),
        };
        for term in self.terms.iter_mut().filter(|term| !term.asks && has(&term.surface)) {
            (term.asks, term.times) = (true, ASKING_WORTH);
        }
    }
}

/// One word of a question.
#[derive(Clone, PartialEq, Debug)]
pub struct AskedTerm {
    /// Its stems, one for each language it could be in, and those of what it makes with the word beside
    /// it: "cook top" is a "cooktop" where notes have one.
    pub forms: Vec<String>,
    /// As it was written, in lower case.
    pub surface: String,
    /// What it is made of.
    pub kind: Kind,
    /// Whether it is written like a name: with a capital, and not at the start of a sentence.
    pub name: bool,
    /// How often the question says it.
    pub times: f32,
    /// Whether it is one of the words with which people ask. It counts little.
    pub asks: bool,
    /// Whether it is rather where two words meet, or something of words that say nothing, than a word. That
    /// no note says it tells nothing.
    pub loose: bool,
    /// Whether it is no word that the vectors know. If no note says it, it may be misspelt.
    pub strange: bool,
    /// Whether it is the name of days that are asked for: "Christmas". What was then need not say it.
    pub of_days: bool,
    /// Its vector.
    pub vector: Small,
}

impl AskedTerm {
    /// Whether it says what is asked for. What is written as one thing says what its parts say.
    fn says(&self) -> bool {
        !self.asks
            && !self.of_days
            && self.kind != Kind::Whole
            && (!self.loose || tells(&self.surface))
    }
}

/// Whose words a question is after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// What the person who asks said or did: "my", "I".
    Me,
    /// What the agent said: "you suggested", "remind me what you".
    You,
    /// Neither, or both.
    Anyone,
}

/// What an answer would hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wants {
    /// A day or a span.
    Time,
    /// A number.
    Number,
    /// Anything.
    Anything,
}

/// Reads a question. `languages` are those of the notes; the question's own is always among them.
pub fn read(question: &Question, languages: &[Language], table: &Embeddings<'_>) -> Asked {
    let text = words::head(&question.text, 20_000);
    let own = tongue::language(text);
    let mut all = vec![own];
    all.extend(languages.iter().copied().filter(|language| *language != own));
    let lower = words::fold(text);
    let named = when::asked(text, question.now.map(DateTime::date));
    // A date is not found as written: it can be written otherwise.
    let mut undated = words::terms(text, own);
    undated.retain(|term| {
        !named.iter().any(|named| named.place.start < term.end && term.start < named.place.end)
    });
    let mut phrases = words::phrases(text);
    phrases.extend(written::exact(text, &undated));
    Asked {
        terms: terms(text, &all, &named, table),
        vector: Small::from(&table.embed(&told(text))),
        sentences: sentences(text)
            .iter()
            .map(|(from, to)| Small::from(&table.embed(&told(&text[*from..*to]))))
            .collect(),
        phrases,
        likely: written::likely(text, &undated),
        spans: named.into_iter().map(|named| named.span).collect(),
        about: cues::about(&lower),
        wants: cues::wants(&lower),
        task: Task::asked(&lower),
        besides_task: tasks::besides(&lower),
        requests: cues::requests(&lower),
        foreign: !tongue::is_english(text),
        now: question.now,
    }
}

/// A question with more words that say something stands by itself, whatever else is in it.
const LEANING: usize = 3;

/// Whether a question says too little by itself: it has few words, and speaks of what was named before it.
pub fn leans(text: &str) -> bool {
    let text = words::head(text, 2_000);
    let says = |term: &words::Term| {
        !matches!(term.kind, Kind::Stop | Kind::Joined)
            && !is_asking(&words::fold(&text[term.start..term.end]))
    };
    cues::leans(&words::fold(text))
        && words::terms(text, tongue::language(text)).iter().filter(|term| says(term)).count()
            <= LEANING
}

/// Whether a message asks, with or without a question mark: it has a word with which people ask, or asks about
/// who writes it ("my car").
pub fn asks(text: &str) -> bool {
    let text = words::head(text, 2_000);
    text.contains(['?', '？']) || cues::asks(&words::fold(text))
}

/// Whether a message neither asks nor tells anything that could be noted: "ok", "thanks", "17 * 23".
pub fn is_small_talk(text: &str) -> bool {
    let text = words::head(text, 200);
    // A name may be written like such a word: "How is Nice?"
    let named =
        text.split_whitespace().zip(text.split_whitespace().skip(1)).any(|(before, word)| {
            word.starts_with(char::is_uppercase) && !before.ends_with(['.', '!', '?', ','])
        });
    let folded = words::fold(text);
    !named && cues::is_small_talk(&folded) || cues::is_sum(&folded)
}

/// The words of a text that say something. Those of a date count little where it was understood.
fn terms(
    text: &str,
    languages: &[Language],
    named: &[Named],
    table: &Embeddings<'_>,
) -> Vec<AskedTerm> {
    let mut found: Vec<AskedTerm> = Vec::new();
    let mut time = 0;
    let dated = !named.is_empty();
    let foreign = dated && !tongue::is_english(text);
    let all = words::terms(text, languages[0]);
    let joints = joints(text, &all, languages);
    let mut passed = 0;
    for (at, term) in all.iter().enumerate() {
        if term.kind == Kind::Stop || term.kind == Kind::Joined && !stands_alone(&all[at..]) {
            continue;
        }
        while joints.get(passed).is_some_and(|joint| joint.end <= term.start) {
            passed += 1;
        }
        let around = joints[passed..].iter().take_while(|joint| joint.start <= term.start);
        let joined = around.filter(|joint| joint.end >= term.end).flat_map(|joint| &joint.forms);
        let surface = words::fold(&text[term.start..term.end]);
        let glue = glue(&surface);
        let in_place = |named: &Named| named.place.start < term.end && term.start < named.place.end;
        let here = named.iter().find(|named| in_place(named));
        let of_days = here.is_some_and(|named| named.by == By::Name);
        let is_of_time = match here {
            Some(named) => named.by == By::Date,
            None if !dated => false,
            None => {
                when::is_of_time(&surface)
                    || is_among(BESIDE_DAYS, &surface)
                    || cues::is_time_of_day(text, term.start..term.end, &surface)
            }
        };
        // In scripts that run together what follows a day overlaps with it.
        let asks = is_asking(&surface)
            || glue == Glue::All
            || is_of_time
            || term.start < time
            || foreign && asks_what_was(&surface);
        if is_of_time {
            time = term.end;
        }
        let times = if asks { ASKING_WORTH } else { 1.0 };
        if let Some(known) = found.iter_mut().find(|known| known.forms[0] == term.text) {
            known.times += times;
            joined.for_each(|form| add(&mut known.forms, form.clone()));
            continue;
        }
        let mut forms = vec![term.text.clone()];
        if !matches!(term.kind, Kind::Whole | Kind::Joined) {
            let word = words::lower(&text[term.start..term.end]);
            stems(&word, &languages[1..]).for_each(|form| add(&mut forms, form));
        }
        joined.for_each(|form| add(&mut forms, form.clone()));
        let vector = vector(&surface, languages[0], table);
        let name = is_name(text, term.start);
        // "To-do" may be a word, and "est-ce" says nothing.
        let loose = glue == Glue::Part || term.kind == Kind::Joined;
        let kind = term.kind;
        let strange = !asks && is_strange(&surface, &term.text, languages[0], table);
        found.push(AskedTerm {
            forms,
            surface,
            kind,
            name,
            times,
            asks,
            loose,
            strange,
            of_days,
            vector,
        });
    }
    found
}

/// In another language than English the vectors mostly know how a word is spelt. What is near by that counts less
/// than the word itself.
const SPELT_ALIKE: f32 = 0.8;

fn vector(word: &str, language: Language, table: &Embeddings<'_>) -> Small {
    let mut vector = Small::from(&table.embed(word));
    if language != Language::ENGLISH && table.pieces(word).len() > 1 {
        vector.scale *= SPELT_ALIKE;
    }
    vector
}

fn add(forms: &mut Vec<String>, form: String) {
    if !forms.contains(&form) {
        forms.push(form);
    }
}

fn stems(word: &str, languages: &[Language]) -> impl Iterator<Item = String> {
    languages.iter().map(move |language| words::fold(&language.stem(word)))
}

/// Words that others write as one, and where they stand.
struct Joint {
    start: usize,
    end: usize,
    /// The one word, in each language.
    forms: Vec<String>,
}

/// What words of a question are when they are written as one: those with hyphens between them, and every
/// two with a blank. Whoever has only the one word must not seem to lack its parts, so it becomes a form
/// of each and not a term beside them.
fn joints(text: &str, terms: &[Term], languages: &[Language]) -> Vec<Joint> {
    let mut found = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        let (start, mut end) = (term.start, term.end);
        let mut forms = Vec::new();
        if term.kind == Kind::Joined {
            forms.push(term.text.clone());
        } else if let Some(next) = terms.get(at + 1).filter(|next| can_join(text, term, next)) {
            end = next.end;
        } else {
            continue;
        }
        let word = words::lower(&text[start..end]);
        let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        match word.contains(|letter: char| letter.is_ascii_digit()) {
            true => add(&mut forms, words::fold(&word)),
            false => stems(&word, languages).for_each(|form| add(&mut forms, form)),
        }
        found.push(Joint { start, end, forms });
    }
    found
}

/// Two words that are longer together are hardly ever one.
const LONGEST_JOINT: usize = 20;

/// Whether two words could be one that was taken apart: "cook top", "log in".
fn can_join(text: &str, one: &Term, other: &Term) -> bool {
    let between = text.get(one.end..other.start).unwrap_or_default();
    let is_plain = |term: &Term| text[term.start..term.end].chars().all(char::is_alphanumeric);
    let has_letter = |term: &Term| text[term.start..term.end].contains(char::is_alphabetic);
    // "A part" is not "apart", and one "is" is in every question.
    let says = one.kind == Kind::Word
        && (other.kind == Kind::Word || other.kind == Kind::Stop && other.end - other.start > 1);
    says && between == " "
        && other.end - one.start <= LONGEST_JOINT
        && (has_letter(one) || has_letter(other))
        && is_plain(one)
        && is_plain(other)
}

/// Whether what could be one word has no part that says something: "to-do".
fn stands_alone(terms: &[Term]) -> bool {
    let parts = terms[1..].iter().take_while(|part| part.start < terms[0].end);
    parts.filter(|part| part.kind != Kind::Joined).all(|part| part.kind == Kind::Stop)
}

/// The vectors know English. In other languages many words are near to others that they do not know.
const STRANGE_ELSEWHERE: usize = 7;

fn is_strange(word: &str, stem: &str, language: Language, table: &Embeddings<'_>) -> bool {
    let english = language == Language::ENGLISH && word.is_ascii();
    let shortest = if english { spelling::SHORTEST } else { STRANGE_ELSEWHERE };
    let is_known = |word: &str| table.pieces(word).len() == 1;
    word.chars().count() >= shortest
        && word.chars().all(char::is_alphabetic)
        && !is_known(word)
        && !is_known(stem)
}

pub(crate) fn is_name(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '\'', '“']);
    text[start..].starts_with(char::is_uppercase)
        && !before.is_empty()
        && !before.ends_with(['.', '?', '!', ':', '\n'])
}

/// Words with which people ask. In a note they mean little, and they are rare enough there to
/// outweigh what is asked for.
const ASKING: &str = "list order mention mentioned mentioning summary summarize summarise summarized overview comprehensive \
    complete detailed clear brief provide explain describe discuss discussed discussing talk talked conversation conversations chat chats \
    discussion discussions question remind remember recall previous previously earlier brought bring aspect aspects different various item \
    items throughout across happen happened happening walk walked wondering curious follow followed one two three four five six seven eight nine ten many ever total \
    passiert geschehen gemacht getan unternommen erlebt fait faites passe passee hice hicimos hizo paso ocurrio sucedio \
    fatto successo fiz fizemos aconteceu gedaan gebeurd gebeurde 发生 做了 干了";

/// Words with which people of other languages than English ask what was on a day. Beside the topic of a question
/// without one they may say something: "das Los", "the deed".
const WHAT_WAS: &str = "los hab gab gabs getrieben erzahl erzahle sag zeig machte machten tat \
    quoi eu avons avions dis raconte faisais faisait faisions arrive produit \
    hecho estuve estuvimos estaba haciendo hacia haciamos hubo dime cuentame hemos ocurrido sucedido \
    cosa cos abbiamo facevo facevamo facendo stavo stato stata dimmi raccontami accaduto feci \
    houve estava estive fazendo fazia feito diga diz conte \
    deed deden doen vertel zeg \
    告诉 告訴 무슨 있었 었어 했더 더라 했는 는지 알려 줘 뭘";

/// Whether a word only helps to ask what was on a day, in whatever language: a short question often does not
/// tell which it is in.
fn asks_what_was(surface: &str) -> bool {
    let says_nothing = |part: &str| {
        let stops = |code: &&str| Language::from_code(code).is_some_and(|one| one.is_stop(part));
        ["de", "fr", "es", "it", "pt", "nl"].iter().any(stops) || is_among(WHAT_WAS, part)
    };
    surface.split(['\'', '’']).all(says_nothing)
}

/// Words that stand beside days.
const BESIDE_DAYS: &str = "last past previous next ago back early late mid between after since beginning start middle end before until \
    letzte letzten letzter letztes vergangene vergangenen nachste nachsten vorletzte vorletzten vorigen anfang mitte ende zwischen seit nach \
    dernier derniere derniers dernieres passe passee prochain prochaine debut fin milieu entre depuis apres il y a \
    pasado pasada pasados proximo proxima hace principios finales mediados desde despues \
    scorso scorsa prossimo prossima inizio fine meta tra dopo passado passada comeco depois \
    vorige afgelopen geleden begin eind tussen sinds";

/// What such a word counts.
const ASKING_WORTH: f32 = 0.05;

fn is_asking(word: &str) -> bool {
    is_among(ASKING, word)
}

/// How telling a term is that `with` of so many notes say: the rarer, the more.
pub fn rarity(term: &AskedTerm, with: u64, notes: usize) -> f32 {
    if term.loose && with == 0 {
        return 0.0;
    }
    let all = notes as f32;
    let with = (with as f32).min(all);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln() * term.times.sqrt()
}

/// The question without the words with which it asks, for its vector.
fn told(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        if !is_asking(&words::fold(word.trim_matches(|c: char| !c.is_alphanumeric()))) {
            told.push_str(word);
        }
    }
    if told.trim().is_empty() { text.to_owned() } else { told }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::shipped;
    use jiff::civil::date;

    fn of_days_alone(text: &str) -> bool {
        let now = Some(date(2023, 5, 10).at(12, 0, 0, 0));
        let asked = read(&Question { text: text.into(), now }, &[], &shipped());
        asked.is_of_days_alone()
    }

    /// Ten ways to ask for a day in each language.
    #[test]
    fn a_question_that_says_nothing_but_when_is_known_in_ten_languages() {
        for text in [
            "What did I do yesterday?",
            "What happened last Tuesday?",
            "What did I do on Tuesday?",
            "Was war am Dienstag los?",
            "周二我做了什么？",
            "火曜日に何をしましたか？",
            "화요일에 뭐 했어?",
            "what happened last week",
            "What have I been up to since Monday last week?",
            "What did we do between 3 and 9 March?",
            "Tell me what happened on 7 March.",
            "What was I doing at the end of March?",
            "What did I do at the weekend?",
            "What happened on 12/03/2023?",
            "Can you tell me what I did the day before yesterday?",
            "Was habe ich gestern gemacht?",
            "Was war gestern los?",
            "Was ist letzte Woche passiert?",
            "Was habe ich letzten Dienstag gemacht?",
            "Was haben wir am Wochenende unternommen?",
            "Was habe ich zwischen dem 3. und dem 9. März gemacht?",
            "Was war Anfang März?",
            "Was habe ich vorgestern getan?",
            "Was hab ich am 7. März so gemacht?",
            "Erzähl mir, was am 7. März passiert ist.",
            "Qu'est-ce que j'ai fait hier ?",
            "Qu'ai-je fait mardi dernier ?",
            "Que s'est-il passé la semaine dernière ?",
            "Qu'est-ce qui s'est passé hier ?",
            "J'ai fait quoi hier ?",
            "Qu'est-ce qu'on a fait le week-end dernier ?",
            "Qu'est-ce que j'ai fait entre le 3 et le 9 mars ?",
            "Qu'avons-nous fait début mars ?",
            "Qu'est-ce qu'il y a eu avant-hier ?",
            "Dis-moi ce que j'ai fait le 7 mars.",
            "¿Qué hice ayer?",
            "¿Qué pasó el martes pasado?",
            "¿Qué he hecho hoy?",
            "¿Qué hicimos el fin de semana?",
            "¿Qué hice entre el 3 y el 9 de marzo?",
            "¿Qué estuve haciendo la semana pasada?",
            "¿Qué hubo anteayer?",
            "¿Qué me pasó a principios de marzo?",
            "Dime qué hice el 7 de marzo.",
            "¿Qué ocurrió hace dos semanas?",
            "Cosa ho fatto ieri?",
            "Che cosa ho fatto il 7 marzo?",
            "Cos'è successo martedì scorso?",
            "Cosa abbiamo fatto lo scorso fine settimana?",
            "Cosa ho fatto tra il 3 e il 9 marzo?",
            "Che è successo la settimana scorsa?",
            "Cosa ho fatto all'inizio di marzo?",
            "Cosa facevo due settimane fa?",
            "Dimmi cosa ho fatto l'altro ieri.",
            "Cosa c'è stato ieri?",
            "O que eu fiz ontem?",
            "Que fiz ontem?",
            "O que aconteceu na semana passada?",
            "O que fizemos no fim de semana?",
            "O que fiz entre 3 e 9 de março?",
            "O que é que eu fiz na terça passada?",
            "O que houve anteontem?",
            "O que eu estava fazendo há duas semanas?",
            "Me diga o que eu fiz em 7 de março.",
            "O que fiz no início de março?",
            "Wat heb ik gisteren gedaan?",
            "Wat deed ik gisteren?",
            "Wat is er vorige week gebeurd?",
            "Wat gebeurde er afgelopen dinsdag?",
            "Wat hebben we in het weekend gedaan?",
            "Wat heb ik tussen 3 en 9 maart gedaan?",
            "Wat was er eergisteren?",
            "Wat heb ik begin maart gedaan?",
            "Vertel me wat ik op 7 maart heb gedaan.",
            "Wat was ik twee weken geleden aan het doen?",
            "昨天我做了什么？",
            "我昨天干了什么？",
            "昨天发生了什么事？",
            "上周二我做了什么？",
            "3月12日做了什么",
            "上周末我们做了什么？",
            "3月5日到9日我做了什么？",
            "三月初发生了什么？",
            "前天我都做了些什么？",
            "告诉我上个月发生了什么。",
            "昨日何をした？",
            "昨日は何をしましたか？",
            "先週何があった？",
            "先週末は何をした？",
            "先週の火曜日に何をしましたか？",
            "3月5日から9日まで何をしていた？",
            "3月初めに何があった？",
            "一昨日何をしたっけ？",
            "昨日何がありましたか？",
            "二週間前に私は何をしていましたか？",
            "어제 뭐 했어?",
            "어제 나는 무엇을 했지?",
            "지난주에 무슨 일이 있었어?",
            "지난주 화요일에 뭐 했어?",
            "지난 주말에 뭐 했어?",
            "3월 5일부터 9일까지 뭐 했어?",
            "3월 초에 무슨 일이 있었지?",
            "그저께 뭐 했더라?",
            "어제 내가 뭐 했는지 알려 줘.",
            "2주 전에 뭘 했나요?",
            // By what most days are parted by.
            "What did I do yesterday after work?",
            "What did I do after work yesterday?",
            "What happened on Tuesday before lunch?",
            "Was habe ich gestern nach der Arbeit gemacht?",
            "Qu'est-ce que j'ai fait hier après le travail ?",
            "¿Qué hice ayer después del trabajo?",
            "Cosa ho fatto ieri dopo il lavoro?",
            "O que eu fiz ontem depois do trabalho?",
            "Wat heb ik gisteren na het werk gedaan?",
            "昨天下班后我做了什么？",
            "昨日仕事の後何をした？",
            "어제 퇴근 후 뭐 했어?",
        ] {
            assert!(of_days_alone(text), "{text}");
        }
    }

    #[test]
    fn a_question_that_says_what_as_well_as_when_is_not() {
        for text in [
            "What did I eat yesterday?",
            "What did Anna do yesterday?",
            "Was habe ich gestern gekauft?",
            "Was hat Anna gestern gemacht?",
            "Qu'est-ce que j'ai mangé hier ?",
            "¿Qué compré ayer?",
            "Cosa ho comprato ieri?",
            "O que comprei ontem?",
            "Wat heb ik gisteren gekocht?",
            "昨天我买了什么？",
            "昨天安娜做了什么？",
            "昨日何を買った？",
            "昨日アンナは何をした？",
            "어제 뭐 샀어?",
            "What did I do?",
            "What did I do at work yesterday?",
            "What did I tell you yesterday about the work on the shed?",
            "Was habe ich gestern in der Arbeit gemacht?",
            "What did I do after work?",
            "Who is April Okonkwo?",
            // What is on each Tuesday is on the next.
            "What do I have on Tuesday?",
            "Was habe ich am Dienstag?",
            "周二有什么事？",
        ] {
            assert!(!of_days_alone(text), "{text}");
        }
    }
}
