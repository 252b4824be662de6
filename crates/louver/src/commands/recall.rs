//! `louver recall`: what is remembered of something, and why; forgetting.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use jiff::Zoned;
use louver_agent::embeddings::Embedder;
use louver_agent::tools::recall::{self, forgotten, still_has};
use louver_context::layers::recalled::plain;
use louver_context::{Counter, Role, Trust};
use louver_store::Problem;
use louver_store::import;
use louver_store::library::{
    Asking, Fits, Forgotten, Lack, Library, LibraryError, NEWER, Recalled, Reminder, Sense, WhyIn,
    WhyOut, notes_in_view, telling,
};
use louver_store::session::{Mode, Session};
use serde_json::{Value, json};

use super::ask::stdin;
use crate::cli::Shared;
use crate::config::{Config, RecallMode};
use crate::error::{Code, Failure, warn};
use crate::screen::{self, Tone};
use crate::wiring::{self, Opened};
use crate::{assistant, moment, talk};

/// Recall what was said and noted before.
#[derive(Debug, Args)]
#[command(
    after_help = "Folders of Markdown and text are recalled too where your own settings name them:\n  [recall]\n  folders = [\"~/notes\"]"
)]
pub(crate) struct RecallArgs {
    /// A question, or words; `-` reads it from stdin
    #[arg(value_name = "QUESTION")]
    words: Vec<String>,
    /// How many tokens may be spent
    #[arg(long, default_value_t = BUDGET, value_name = "TOKENS")]
    budget: u32,
    /// Say how each note was scored, and why others were left out
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The conversation that asks: what belongs to other people's chats is not looked at, and a question that goes on
    /// ("and when was that?") is read with what was said there before it, as in a turn
    #[arg(long, default_value = "cli:direct", value_name = "KEY")]
    session: String,
    /// The time of the question, for words like `yesterday` [default: now]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// Never recall this note again, such as `cli:direct#412`
    #[arg(long, value_name = "NOTE", conflicts_with = "words")]
    forget: Option<String>,
    /// Let a forgotten note be recalled again
    #[arg(long, value_name = "NOTE", conflicts_with_all = ["words", "forget"])]
    unforget: Option<String>,
    /// List what was forgotten: names and times. What the notes said is kept nowhere, on purpose
    #[arg(long, conflicts_with_all = ["words", "forget", "unforget"])]
    forgotten: bool,
    /// Take out of the index what is in folders that settings no longer name
    #[arg(long, conflicts_with_all = ["words", "forget", "unforget", "forgotten"])]
    tidy: bool,
    /// Others are in the conversation that asks
    #[arg(skip)]
    others: bool,
    /// So many of those that were left out are shown
    #[arg(skip = 20usize)]
    left_out: usize,
}

impl RecallArgs {
    /// What a conversation would be reminded of by a message, and why.
    pub(super) fn explained(question: &str, session: &str, others: bool) -> Self {
        RecallArgs {
            words: vec![question.to_owned()],
            budget: BUDGET,
            explain: true,
            json: false,
            session: session.to_owned(),
            now: None,
            forget: None,
            unforget: None,
            forgotten: false,
            tidy: false,
            others,
            left_out: 5,
        }
    }

    /// What is asked: its words need no quotes around them.
    fn question(&self) -> Result<Option<String>, Failure> {
        Ok(match &self.words[..] {
            [] => None,
            [only] if only == "-" => Some(stdin()?),
            words => Some(words.join(" ")),
        })
    }
}

/// What is spent unless it is said.
const BUDGET: u32 = 2048;

pub(crate) fn run(shared: &Shared, args: &RecallArgs) -> Result<ExitCode, Failure> {
    let mut opened = wiring::open(shared, None)?;
    let config = on(&opened.config);
    let reminder = assistant::reminder(&opened.path, &config, &mut opened.problems)?;
    let Some(shared) = reminder else { return Ok(ExitCode::SUCCESS) };
    let question = args.question()?;
    let sense = sense(&shared, question.as_deref(), &mut opened.problems)?;
    let mut reminder = shared.lock();
    let (known_in, others) = reminder.known_in(&args.session, args.others);
    let taken = reminder.library(&mut screen::reading());
    let (library, problems) = taken.map_err(unusable)?;
    opened.problems.extend(problems);
    warn(&opened.problems);
    if let Some(note) = &args.forget {
        return forget(args, library, named(note)?);
    }
    if let Some(note) = &args.unforget {
        return unforget(args, library, named(note)?);
    }
    if args.forgotten {
        return list_forgotten(args, library);
    }
    if args.tidy {
        return tidy(args, library);
    }
    tell_of_others(&opened.path);
    let Some(question) = &question else {
        let (notes, waiting) = counted(library)?;
        if args.json {
            screen::print(&json!({"can_be_recalled": notes, "waiting": waiting}).to_string())?;
            return Ok(ExitCode::SUCCESS);
        }
        if waiting > 0 {
            let waiting = screen::count(waiting, "note");
            let what = format!(
                "{waiting} of folders that settings do not name now; `louver recall --tidy` takes them out"
            );
            screen::message("note", &what, Tone::Quiet);
        }
        drop(reminder);
        return count(&shared, notes);
    };
    let model = shared.embedder().map(Embedder::model);
    let asked = Asked { question, known_in, others, sense, model };
    ask(args, &opened, &mut reminder, &asked)
}

/// How many notes can be recalled, and how many wait for their folder.
fn counted(library: &mut Library) -> Result<(u64, u64), Failure> {
    let waiting = library.waiting().map_err(unusable)?;
    // Another process may have taken them out meanwhile.
    Ok((library.len().map_err(unusable)?.saturating_sub(waiting), waiting))
}

/// Says that conversations of another program are no notes until they are taken over.
fn tell_of_others(workspace: &Path) {
    let others = import::not_taken_over(workspace) as u64;
    if others > 0 {
        let others = screen::count(others, "conversation");
        let what = format!(
            "{others} of another program cannot be recalled before `louver import` takes it over"
        );
        screen::message("note", &what, Tone::Quiet);
    }
}

/// A question, and what is known of it beforehand.
struct Asked<'a> {
    question: &'a str,
    /// The conversation whose notes may be known, and whether only those may.
    known_in: &'a str,
    others: bool,
    sense: Option<Sense>,
    /// The sentence model that settings name.
    model: Option<&'a str>,
}

/// What the question means to the sentence model, where settings name one.
fn sense(
    shared: &recall::Shared,
    question: Option<&str>,
    problems: &mut Vec<Problem>,
) -> Result<Option<Sense>, Failure> {
    let (Some(_), Some(question)) = (shared.embedder(), question) else { return Ok(None) };
    let sense = assistant::runtime()?.block_on(shared.sense(question));
    problems.extend(shared.complaint());
    Ok(sense)
}

/// Takes out the notes of folders that are no longer named.
fn tidy(args: &RecallArgs, library: &mut Library) -> Result<ExitCode, Failure> {
    let done = library.remove_waiting(&mut screen::reading()).map_err(unusable)?;
    screen::print(&match args.json {
        true => json!({"taken_out": done.removed}).to_string(),
        false => format!("{} taken out", screen::count(done.removed, "note")),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// How many notes there are. Those that the sentence model has not read are given to it.
fn count(shared: &recall::Shared, notes: u64) -> Result<ExitCode, Failure> {
    screen::print(&format!("{} can be recalled", screen::count(notes, "note")))?;
    let Some(embedder) = shared.embedder() else { return Ok(ExitCode::SUCCESS) };
    let (model, kept_as) = (embedder.model(), embedder.kept_as());
    let before = shared.lock().as_it_is().and_then(|library| library.sensed(&kept_as));
    let before = before.map_err(unusable)? as usize;
    let show = |done: usize| screen::progress("embedding", done, notes as usize);
    // In round numbers: that is when progress is shown.
    let progress = |done: usize| show((before + done) / 100 * 100);
    let runtime = assistant::runtime()?;
    // It may give other vectors than it did.
    let now = runtime.block_on(embedder.try_out());
    let _ = now.map(|numbers| shared.compare(numbers));
    let embedded = runtime.block_on(shared.embed_notes(progress));
    warn(shared.complaint().as_slice());
    show(notes as usize);
    let sensed = shared.lock().as_it_is().and_then(|library| library.sensed(&kept_as));
    let sensed = screen::number(sensed.map_err(unusable)?);
    screen::print(&format!("{sensed} of them have a sentence vector of `{model}`"))?;
    match embedded {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) => {
            let failure = Failure::new(Code::Failed, &error);
            Err(error.hint().into_iter().fold(failure, Failure::hint))
        }
    }
}

/// `louver recall` works also where turns are not reminded.
fn on(config: &Config) -> Config {
    let mut config = config.clone();
    config.recall.mode = Some(RecallMode::Demand);
    config
}

fn unusable(error: LibraryError) -> Failure {
    Failure::new(Code::Failed, &error).hint(error.hint())
}

/// The name of a note as it was copied, perhaps with the brackets that it stands in.
fn named(note: &str) -> Result<&str, Failure> {
    let name = note.trim().trim_start_matches('[').trim_end_matches(']');
    match name.is_empty() {
        true => Err(Failure::new(Code::Usage, "which note? no name was given")
            .hint("`louver recall QUESTION` shows notes with their names")),
        false => Ok(name),
    }
}

fn forget(args: &RecallArgs, library: &mut Library, note: &str) -> Result<ExitCode, Failure> {
    let name = library.name_of(note).map_err(unusable)?.unwrap_or_else(|| note.to_owned());
    if library.forget(&name).map_err(unusable)?.is_none() {
        if let Some(name) = library.was_forgotten(note).map_err(unusable)? {
            screen::print(&match args.json {
                true => json!({"forgotten": name, "already": true}).to_string(),
                false => format!("`{}` was forgotten already", talk::plain_line(&name)),
            })?;
            return Ok(ExitCode::SUCCESS);
        }
        return Err(Failure::new(Code::Failed, format!("there is no note `{note}`"))
            .hint("`louver recall QUESTION` shows notes with their names"));
    }
    let still = library.still_has(&name).map_err(unusable)?;
    screen::print(&match args.json {
        true => {
            let source = still_has(&name).1;
            let others: Vec<&String> = still.iter().filter(|name| *name != source).collect();
            json!({"forgotten": name, "still_in": source, "also_in": others}).to_string()
        }
        false => talk::plain_line(&forgotten(&name, &still)),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn unforget(args: &RecallArgs, library: &mut Library, note: &str) -> Result<ExitCode, Failure> {
    let name = library.was_forgotten(note).map_err(unusable)?;
    let note = name.as_deref().unwrap_or(note);
    let Some(left) = library.remember_again(note).map_err(unusable)? else {
        return Err(Failure::new(Code::Failed, format!("`{note}` was not forgotten"))
            .hint("`louver recall --forgotten` lists what was"));
    };
    let shown = talk::plain_line(note);
    let others = match left {
        0 => String::new(),
        left => {
            format!("; still forgotten under that name: {}", screen::count(left as u64, "note"))
        }
    };
    screen::print(&match args.json {
        true => json!({"can_be_recalled": note, "still_forgotten": left}).to_string(),
        false => format!("`{shown}` can be recalled again{others}"),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn list_forgotten(args: &RecallArgs, library: &Library) -> Result<ExitCode, Failure> {
    let all = library.forgotten().map_err(unusable)?;
    if args.json {
        let note = |note: &Forgotten| json!({"note": note.place, "at": note.at});
        let all: Vec<Value> = all.iter().map(note).collect();
        screen::print(&json!(all).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    for note in all {
        let at = moment::parse(&note.at).map(|at| at.strftime("%Y-%m-%d %H:%M").to_string());
        let at = at.unwrap_or(note.at);
        screen::print(&format!("{at}  {}", talk::plain_line(&note.place)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn ask(
    args: &RecallArgs,
    opened: &Opened,
    reminder: &mut Reminder,
    asked: &Asked<'_>,
) -> Result<ExitCode, Failure> {
    let now = args.now.as_deref().map_or_else(|| Ok(Zoned::now()), moment::parse)?;
    let counter = Counter::new(opened.builder.settings().model.counting);
    let session = Session::open(&opened.path, &args.session, Mode::Read);
    let view = session.map_or_else(|_| Vec::new(), |(session, _)| session.view().0.messages);
    let library = reminder.as_it_is().map_err(unusable)?;
    let before = library.said_before(&args.session, &view, asked.question).map_err(unusable)?;
    // What a question goes on with is no answer to it.
    let last = view.iter().rposition(|entry| entry.message.role == Role::User);
    let in_view = match last.filter(|_| before.is_some()) {
        Some(last) => notes_in_view(&opened.path, &args.session, &view[last..]),
        None => HashSet::new(),
    };
    let asking = Asking {
        text: asked.question,
        before: before.as_deref(),
        now: Some(now.datetime()),
        budget: args.budget,
        session: asked.known_in,
        others: asked.others,
        in_view: &in_view,
        shown: &[],
    };
    let count = |text: &str| counter.count(text).0;
    let (recalled, problem) =
        reminder.recall(&asking, asked.sense.as_ref(), &count).map_err(unusable)?;
    warn(problem.as_slice());
    let library = reminder.as_it_is().map_err(unusable)?;
    let mut text = match args.json {
        true => as_json(&recalled, args, library)?,
        false => as_text(args, &recalled, library)?,
    };
    if let (Some(model), true) = (asked.model, args.explain && !args.json) {
        text.push_str(&by_model(model, &recalled));
    }
    if !text.is_empty() {
        screen::print_wrapped(&text)?;
    }
    if recalled.taken.is_empty() && !args.json {
        let notes = screen::count(counted(library)?.0, "note");
        let text = match recalled.fits {
            // Of most notes nobody there may know.
            Fits::No if asked.others => {
                format!("nothing that may be known in `{}` fits", talk::plain_line(&args.session))
            }
            Fits::No => format!("nothing fits among {notes}"),
            _ if recalled.room < args.budget => {
                let room = screen::count(recalled.room, "token");
                format!("no note that fits has room in the {room} that are spent at these odds")
            }
            _ => {
                let budget = screen::count(args.budget, "token");
                format!("no note that fits has room in {budget}; see `--budget`")
            }
        };
        screen::message("note", &text, Tone::Quiet);
    }
    Ok(ExitCode::SUCCESS)
}

/// So much is shown of what each says that was left out.
const BEGINNING: usize = 80;

fn as_text(
    args: &RecallArgs,
    recalled: &Recalled,
    library: &mut Library,
) -> Result<String, Failure> {
    let mut text = String::new();
    for taken in &recalled.taken {
        let day = if taken.day.is_empty() { String::new() } else { format!("{} · ", taken.day) };
        let rest = if taken.whole { "" } else { " […]" };
        let said = plain(&talk::plain(taken.text.trim_end())).into_owned();
        let older = if taken.newer.is_some() { NEWER } else { "" };
        // Files may be called anything.
        let head = talk::plain_line(&format!("{day}{} {}", taken.place, taken.who));
        let _ = writeln!(text, "[{head}] {said}{rest}{older}");
        if args.explain {
            let why = match &taken.why {
                WhyIn::Worth => String::new(),
                other => format!(", {}", why_in(other)),
            };
            let newer =
                taken.newer.as_ref().map_or(String::new(), |newer| format!(", newer: {newer}"));
            let whys = talk::plain_line(&format!("{why}{newer}"));
            let _ = writeln!(
                text,
                "    rank {}, score {:.2}, {} tokens{whys}: {}",
                taken.rank,
                taken.score,
                taken.tokens,
                parts(&taken.parts, taken.sense)
            );
        }
    }
    if args.explain {
        let _ = writeln!(text, "\n{}", spent(recalled, args.budget));
        for left in recalled.left.iter().take(args.left_out) {
            let said = library.get(&left.place).map_err(unusable)?;
            let said = said.map_or_else(String::new, |note| talk::plain_line(&note.text));
            let _ = writeln!(
                text,
                "[{}] {}\n    rank {}, score {:.2}: {} ({})",
                talk::plain_line(&left.place),
                screen::clip(&plain(&said), BEGINNING),
                left.rank,
                left.score,
                talk::plain_line(&why_out(&left.why, recalled, args.budget)),
                parts(&left.parts, left.sense)
            );
        }
        if recalled.left.len() > args.left_out {
            let _ = writeln!(text, "and {} more", recalled.left.len() - args.left_out);
        }
    }
    Ok(text)
}

fn parts(parts: &louver_store::library::Parts, sense: Option<f32>) -> String {
    let named = telling(parts).into_iter().map(|(name, value)| format!("{name} {value:.2}"));
    let sense = sense.map(|sense| format!("sentence cosine {sense:.2}"));
    named.chain(sense).collect::<Vec<_>>().join(", ")
}

/// How many of the notes that were ranked the sentence model has read.
fn by_model(model: &str, recalled: &Recalled) -> String {
    let taken = recalled.taken.iter().filter(|taken| !matches!(taken.why, WhyIn::Before(_)));
    let senses: Vec<bool> = taken
        .map(|taken| taken.sense.is_some())
        .chain(recalled.left.iter().map(|left| left.sense.is_some()))
        .collect();
    let (read, all) = (senses.iter().filter(|read| **read).count(), senses.len());
    let more = match read < all {
        true => "; `louver recall` without a question has the others read",
        false => "",
    };
    format!("\nmeaning by `{model}` for {read} of {all} notes{more}\n")
}

fn why_in(why: &WhyIn) -> String {
    match why {
        WhyIn::Worth => "worth its tokens".to_owned(),
        WhyIn::Before(note) => format!("to understand {note}"),
        WhyIn::Newer(note) => format!("newer than {note}"),
    }
}

/// What was spent, of what may be, and what decided that.
fn spent(recalled: &Recalled, budget: u32) -> String {
    let odds = match recalled.odds {
        odds if odds.is_finite() => format!("{odds:.1}"),
        odds if odds > 0.0 => "certain".to_owned(),
        _ => "none".to_owned(),
    };
    let fits = fits(recalled.fits);
    let Recalled { tokens, chosen, room, .. } = recalled;
    let room =
        if *room < budget { format!("{room}, of a budget of {budget}") } else { room.to_string() };
    let lines = if tokens == chosen { String::new() } else { format!(" ({tokens} in a prompt)") };
    format!("fits: {fits} (odds {odds}); {chosen} tokens spent{lines} of {room}; left out:")
}

fn fits(fits: Fits) -> &'static str {
    match fits {
        Fits::Well => "well",
        Fits::Perhaps => "perhaps",
        Fits::No => "no",
    }
}

fn why_out(why: &WhyOut, recalled: &Recalled, budget: u32) -> String {
    let lacks = |what: &Lack| match what {
        Lack::Day => "it is not of the days that are asked for",
        Lack::Box => "it has not the box that is asked for",
        Lack::Phrase => "it does not have what is asked for as it is written",
    };
    match why {
        WhyOut::Room => {
            let others =
                if recalled.taken.is_empty() { "" } else { ", and others were worth more" };
            match recalled.room {
                room if room < budget => {
                    format!("no more than {room} tokens are spent at these odds{others}")
                }
                _ => {
                    let budget = screen::count(budget, "token");
                    format!("it has no room in {budget}{others}")
                }
            }
        }
        WhyOut::Same(note) => format!("{note} says the same"),
        WhyOut::InView => "it is in view already".to_owned(),
        WhyOut::Floor(needs) => format!("it does not fit well enough: it needs {needs:.2}"),
        WhyOut::Lacks(what) => lacks(what).to_owned(),
        WhyOut::Nothing => "nothing fits".to_owned(),
    }
}

/// How near the sentence model finds a note, where it was asked.
fn add_sense(note: &mut Value, sense: Option<f32>) {
    if let Some(sense) = sense {
        note["sense"] = json!(sense);
    }
}

/// Who wrote a note, as settings name it.
fn trust(library: &mut Library, place: &str) -> Result<Option<Trust>, Failure> {
    let note = library.get(place).map_err(unusable)?;
    Ok(note.map(|note| note.trust))
}

fn as_json(
    recalled: &Recalled,
    args: &RecallArgs,
    library: &mut Library,
) -> Result<String, Failure> {
    let parts = |parts: &louver_store::library::Parts| -> Value {
        parts.named().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    };
    let notes: Vec<Value> = recalled
        .taken
        .iter()
        .map(|taken| {
            let mut note = json!({
                "note": taken.place,
                "trust": trust(library, &taken.place)?,
                "source": taken.source,
                "day": taken.day,
                "at": taken.at.map(|at| at.strftime("%Y-%m-%dT%H:%M:%S").to_string()),
                "who": taken.who,
                "text": taken.text,
                "whole": taken.whole,
                "tokens": taken.tokens,
                "rank": taken.rank,
                "score": taken.score,
                "why": why_in(&taken.why),
                "parts": parts(&taken.parts),
                "newer": taken.newer,
            });
            add_sense(&mut note, taken.sense);
            Ok(note)
        })
        .collect::<Result<_, Failure>>()?;
    let left: Vec<Value> = recalled
        .left
        .iter()
        .map(|left| {
            let mut note = json!({
                "note": left.place,
                "rank": left.rank,
                "score": left.score,
                "why": why_out(&left.why, recalled, args.budget),
                "parts": parts(&left.parts),
            });
            add_sense(&mut note, left.sense);
            if args.explain {
                let said = library.get(&left.place).map_err(unusable)?;
                note["text"] = json!(said.map(|note| note.text));
            }
            Ok(note)
        })
        .collect::<Result<_, Failure>>()?;
    let all = json!({
        "notes": notes,
        "left_out": left,
        "tokens": recalled.tokens,
        "spent": recalled.chosen,
        "may_spend": recalled.room,
        "fits": fits(recalled.fits),
        // Where there surely is something, or nothing, it is no number.
        "odds": recalled.odds.is_finite().then_some(recalled.odds),
    });
    Ok(serde_json::to_string_pretty(&all).unwrap_or_default())
}
