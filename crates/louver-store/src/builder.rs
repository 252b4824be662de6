//! A workspace's contexts: gathers what one turn may know and hands it to the engine.
//!
//! The builder keeps what it read and counted, so the second turn costs a fraction of the first.

use std::path::Path;
use std::sync::Arc;

use jiff::Zoned;
use louver_context::snapshot::{
    self, Document, Extra, Listing, Now, SkillCard, Snapshot, ToolSchema,
};
use louver_context::source::Source;
use louver_context::{Context, Counter, DoesNotFit, Message, Model, Picture, Profile, Recipe};

use crate::disk::{Folder, ReadError};
use crate::fitting;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::skills::{BuiltIn, Host, Skill, Skills};
use crate::workspace::{self, Workspace};

/// The skills that ship with louver.
pub const BUILT_IN: &[BuiltIn] = &[
    ("cron", include_str!("../skills/cron/SKILL.md")),
    ("github", include_str!("../skills/github/SKILL.md")),
    ("memory", include_str!("../skills/memory/SKILL.md")),
    ("skill-creator", include_str!("../skills/skill-creator/SKILL.md")),
    ("summarize", include_str!("../skills/summarize/SKILL.md")),
    ("tmux", include_str!("../skills/tmux/SKILL.md")),
    ("weather", include_str!("../skills/weather/SKILL.md")),
];

/// Builds the contexts of one workspace.
#[derive(Debug)]
pub struct ContextBuilder {
    workspace: Workspace,
    settings: Settings,
    skills: Skills,
    host: Host,
    counter: Counter,
    cards: Cards,
}

/// What is new in a turn.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// What the person said.
    pub message: String,
    /// The conversation so far. A [`Conversation`](crate::Conversation) has its own and does not look at it.
    pub history: Vec<Arc<Message>>,
    /// Pictures that came with the message.
    pub pictures: Vec<Arc<Picture>>,
    /// Skills to bring in whole.
    pub skills: Vec<String>,
    /// The channel the message came by.
    pub channel: Option<String>,
    /// The chat within that channel.
    pub chat: Option<String>,
    /// The time, if the model is to know it. Daily notes are those of its day and the day before.
    pub now: Option<Zoned>,
    /// The tools on offer.
    pub tools: Arc<[ToolSchema]>,
    /// Layers that the caller made, such as a command's output.
    pub extra: Vec<Extra>,
    /// Notes that may answer the message, best first.
    pub recalled: Vec<snapshot::Note>,
    /// Why there is a turn, when it is not that a person said something.
    pub cause: Option<String>,
    /// Whether the agent is in company ([`crate::Owner::is_company`]). What it remembers of its person stays
    /// out then.
    pub others: bool,
}

impl Turn {
    /// Whether a file may be in the prompt. Some profiles count memory among the instructions, and settings
    /// may put it anywhere.
    fn may_know(&self, path: &str) -> bool {
        !self.others || !workspace::is_private(path)
    }
}

/// A context and what went wrong on the way to it.
#[derive(Debug)]
pub struct Built {
    /// The context.
    pub context: Context,
    /// Files and skills that could not be used as they are. None of them cost the turn.
    pub problems: Vec<Problem>,
}

impl ContextBuilder {
    /// Opens a workspace with the default settings.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Ok(ContextBuilder::new(Folder::open(path)?, Settings::default()))
    }

    /// A builder for a folder that is open already.
    pub fn new(folder: Folder, settings: Settings) -> Self {
        let built_in = if settings.built_in_skills { BUILT_IN } else { &[] };
        ContextBuilder {
            workspace: Workspace::new(folder),
            skills: Skills::new(built_in, None),
            host: Host::current(),
            counter: Counter::new(settings.model.counting),
            cards: Cards::default(),
            settings,
        }
    }

    /// What contexts are made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Goes on with what is known of its model now, which counts as before.
    pub fn know(&mut self, model: Model) {
        self.settings.model = model;
    }

    /// The workspace.
    pub fn workspace(&mut self) -> &mut Workspace {
        &mut self.workspace
    }

    /// Names that configuration sets, for skills that require one (`requires.config`).
    pub fn configured(&mut self, names: impl IntoIterator<Item = String>) {
        self.host.config.extend(names);
    }

    /// The skills of the workspace, and what is wrong with others.
    pub fn skills(&mut self) -> (Arc<[Arc<Skill>]>, Arc<[Problem]>) {
        self.skills.find(self.workspace.folder(), &self.host)
    }

    /// How contexts are made. It borrows the counter, so that a caller can go on adding messages.
    pub fn recipe(&self) -> Recipe<'_> {
        Recipe {
            profile: &self.settings.profile,
            model: &self.settings.model,
            counter: &self.counter,
            rules: self.settings.rules,
            rounds: self.settings.rounds,
        }
    }

    /// The context of one turn.
    pub fn context(&mut self, turn: &Turn) -> Result<Built, DoesNotFit> {
        let (snapshot, problems) = self.snapshot(turn);
        let context = self.recipe().build(&snapshot)?;
        Ok(Built { context, problems })
    }

    /// The context of a turn that begins a conversation: where not all skills and tools have room, those
    /// that fit it are chosen, as [`crate::Conversation`] does for each epoch.
    pub fn first(&mut self, turn: &Turn) -> Result<Built, DoesNotFit> {
        let (mut snapshot, problems) = self.snapshot(turn);
        fitting::choose(&self.recipe(), &mut snapshot);
        let context = self.recipe().build(&snapshot)?;
        Ok(Built { context, problems })
    }

    /// Everything one turn may know. Files and skills that cannot be read are problems.
    pub fn snapshot(&mut self, turn: &Turn) -> (Snapshot, Vec<Problem>) {
        let mut problems = Vec::new();
        let (skills, odd) = self.skills();
        problems.extend(odd.iter().cloned());
        let identity = self.identity(turn, &mut problems);
        let instructions = self.instructions(turn, &mut problems);
        let (mut extra, mut withheld) = self.extra_files(turn, &mut problems);
        extra.extend(turn.extra.iter().cloned());
        let daily = match &turn.now {
            Some(now) if !turn.others => {
                let days = workspace::days_in_prompt(&self.settings.profile, now.date());
                self.workspace.daily_notes(days, &mut problems)
            }
            _ => Vec::new(),
        };
        let memory = match turn.others {
            true => None,
            false => self.workspace.memory(&mut problems),
        };
        let documents = identity.iter().chain(&instructions).chain(&memory).chain(&daily);
        withheld.extend(documents.flat_map(|document| self.workspace.withheld(document)));
        let snapshot = Snapshot {
            withheld,
            host: self.host_facts(),
            identity,
            instructions,
            memory,
            daily,
            skills: self.cards.of(&skills),
            named_skills: turn.skills.clone(),
            tools: turn.tools.clone(),
            extra,
            history: turn.history.clone(),
            now: turn.now.as_ref().map(now),
            recalled: turn.recalled.clone(),
            channel: turn.channel.clone(),
            chat: turn.chat.clone(),
            message: turn.message.as_str().into(),
            pictures: turn.pictures.clone(),
            ..Snapshot::default()
        };
        (snapshot, problems)
    }

    fn profile(&self) -> &Profile {
        &self.settings.profile
    }

    fn identity(&mut self, turn: &Turn, problems: &mut Vec<Problem>) -> Option<Document> {
        let configured = self.settings.identity.clone();
        let path = configured.or_else(|| self.profile().identity.map(str::to_owned))?;
        if !turn.may_know(&path) {
            return None;
        }
        let document = self.workspace.document(&path, problems)?;
        (!document.text.trim().is_empty()).then_some(document)
    }

    fn instructions(&mut self, turn: &Turn, problems: &mut Vec<Problem>) -> Vec<Document> {
        let files: Vec<String> = match &self.settings.instructions {
            Some(files) => files.clone(),
            None => self.profile().files.iter().map(|file| (*file).to_owned()).collect(),
        };
        // The first run's file is for the first run: it goes once anything was said here.
        let first_run = turn.history.is_empty() && self.workspace.is_new();
        let due =
            |file: &&String| (*file != workspace::BOOTSTRAP || first_run) && turn.may_know(file);
        let paths = files.iter().filter(due).map(String::as_str);
        self.workspace.documents(paths, problems)
    }

    fn extra_files(
        &mut self,
        turn: &Turn,
        problems: &mut Vec<Problem>,
    ) -> (Vec<Extra>, Vec<Source>) {
        let (mut extras, mut withheld) = (Vec::new(), Vec::new());
        for extra in self.settings.extra.iter().filter(|extra| turn.may_know(&extra.path)) {
            let Some(document) = self.workspace.document(&extra.path, problems) else {
                continue;
            };
            withheld.extend(self.workspace.withheld(&document));
            let to = u32::try_from(document.text.lines().count().max(1)).unwrap_or(u32::MAX);
            extras.push(Extra {
                name: extra.name.clone(),
                place: extra.place,
                trust: extra.trust,
                cap: extra.cap,
                source: Source::File { path: document.path, from: 1, to },
                text: document.text,
            });
        }
        (extras, withheld)
    }

    fn host_facts(&self) -> snapshot::Host {
        snapshot::Host {
            system: match std::env::consts::OS {
                "macos" => "macOS".to_owned(),
                "windows" => "Windows".to_owned(),
                "linux" => "Linux".to_owned(),
                other => other.to_owned(),
            },
            machine: std::env::consts::ARCH.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            workspace: self.workspace.path(),
            model: self.settings.model.name.to_string(),
        }
    }
}

/// A moment as the engine wants it.
fn now(moment: &Zoned) -> Now {
    const DAYS: [&str; 7] =
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let weekday = DAYS[moment.weekday().to_monday_zero_offset() as usize % 7];
    let minute = moment.strftime("%Y-%m-%d %H:%M").to_string();
    Now { minute, weekday, zone: moment.strftime("%Z").to_string() }
}

/// Skills in the engine's form, made again only when the skills changed.
#[derive(Debug, Default)]
struct Cards {
    of: Option<Arc<[Arc<Skill>]>>,
    cards: Arc<[Arc<SkillCard>]>,
}

impl Cards {
    fn of(&mut self, skills: &Arc<[Arc<Skill>]>) -> Arc<[Arc<SkillCard>]> {
        if !self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, skills)) {
            self.cards = skills.iter().map(|skill| Arc::new(card(skill))).collect();
            self.of = Some(skills.clone());
        }
        self.cards.clone()
    }
}

fn card(skill: &Skill) -> SkillCard {
    // A folder may be called anything; a name with a line break would forge a line of the list.
    let one_line = |text: &str| text.replace(|c: char| c.is_control(), " ");
    SkillCard {
        name: one_line(&skill.name).into(),
        description: skill.description.as_str().into(),
        location: one_line(&skill.path).into(),
        body: skill.body.clone(),
        body_line: skill.body_line,
        always: skill.always,
        missing: skill.missing_text().into(),
        hidden: skill.hidden,
        listing: Listing::default(),
    }
}
