//! `louver chat`: a conversation in the terminal.

mod line;
mod slash;

use std::process::ExitCode;

use clap::Args;
use louver_agent::agent::Inbound;
use tokio::task::JoinHandle;

use self::line::{Heard, Lines};
use self::slash::Next;
use crate::assistant::{self, AgentArgs, Hired};
use crate::cli::Shared;
use crate::error::{Failure, warn};
use crate::screen::{self, Tone};
use crate::talk::{self, Shown};
use crate::{gather, remember, took};

/// Talk with your agent.
#[derive(Debug, Args)]
pub(crate) struct ChatArgs {
    #[command(flatten)]
    pub(super) agent: AgentArgs,
    /// The conversation to go on with
    #[arg(long, short = 's', default_value = "cli:direct", value_name = "KEY")]
    session: String,
    /// Skills to bring in whole with the first message
    #[arg(long = "skill", value_name = "NAME")]
    skills: Vec<String>,
}

/// A conversation that is going on.
pub(super) struct Chat<'a> {
    shared: Shared,
    args: &'a ChatArgs,
    session: String,
    hired: Hired,
    skills: Vec<String>,
    /// What the last turn took.
    status: Option<String>,
    /// Memory that is being made.
    memory: Option<JoinHandle<String>>,
}

pub(crate) fn run(shared: &Shared, args: &ChatArgs) -> Result<ExitCode, Failure> {
    assistant::check_skills(shared, &args.skills)?;
    assistant::runtime()?.block_on(async {
        let hired = assistant::hire(shared, &args.agent)?;
        warn(&hired.problems);
        let mut chat = Chat {
            shared: shared.clone(),
            args,
            session: args.session.clone(),
            hired,
            skills: args.skills.clone(),
            status: None,
            memory: None,
        };
        chat.greet();
        let mut lines = Lines::open(&chat.hired.path, chat.is_in_company());
        let gone = chat.go(&mut lines).await;
        chat.leave().await;
        gone?;
        Ok(ExitCode::SUCCESS)
    })
}

impl Chat<'_> {
    fn greet(&self) {
        let brain = self.hired.agent.brain();
        let (model, place) = (&brain.model.name, brain.endpoint.place());
        let text = format!("{model} at {place}; session {}; /help, Ctrl-D to leave", self.session);
        screen::message("louver", &text, Tone::Quiet);
    }

    /// Line by line, until the person leaves.
    async fn go(&mut self, lines: &mut Lines) -> Result<(), Failure> {
        loop {
            let agent = self.hired.agent.clone();
            let mut memory = self.memory.take();
            let heard = lines.next(&agent, &mut memory).await;
            self.memory = memory;
            match heard {
                Heard::Said(text) if text.trim().is_empty() => {}
                Heard::Said(text) => match slash::of(&text) {
                    Some(command) => match self.command(command).await {
                        Next::Go => {}
                        Next::Leave => return Ok(()),
                    },
                    None => self.say(text).await?,
                },
                Heard::Report(inbound) => self.turn(*inbound).await?,
                Heard::Note(note) => screen::message("note", &note, Tone::Quiet),
                Heard::Interrupted => {
                    screen::message("note", "Ctrl-D or /quit leaves", Tone::Quiet)
                }
                Heard::End => return Ok(()),
            }
        }
    }

    /// A command, which Ctrl-C stops: making memory asks a model, and may take its time.
    async fn command(&mut self, command: slash::Typed<'_>) -> Next {
        tokio::select! {
            next = command.run(self) => next,
            _ = tokio::signal::ctrl_c() => {
                screen::message("note", "stopped; nothing changed", Tone::Quiet);
                Next::Go
            }
        }
    }

    /// Something the person said.
    async fn say(&mut self, text: String) -> Result<(), Failure> {
        let mut problems = Vec::new();
        let extra = gather::commands(&self.hired.config.layers, &self.hired.path, &mut problems);
        warn(&problems);
        let inbound = Inbound {
            extra,
            skills: std::mem::take(&mut self.skills),
            others: self.args.agent.others,
            ..Inbound::said(&self.session, text)
        };
        self.turn(inbound).await
    }

    /// One turn. What goes wrong in it ends the turn, not the chat, unless answers cannot be shown.
    async fn turn(&mut self, inbound: Inbound) -> Result<(), Failure> {
        match talk::turn(&self.hired.agent, inbound, Shown::Live).await? {
            Ok(outcome) => {
                if let Some(why) = outcome.end.explained() {
                    screen::message("note", &why, Tone::Odd);
                }
                if outcome.asked == 0 {
                    return Ok(());
                }
                let status = took::status(&self.hired.agent.brain().model.name, &outcome);
                screen::message("used", &status, Tone::Quiet);
                self.status = Some(status);
                self.remember().await;
            }
            Err(failed) => drop(talk::failure(failed).report()),
        }
        Ok(())
    }

    /// Makes memory of older messages in the background, when there are too many.
    async fn remember(&mut self) {
        if self.is_remembering() {
            return;
        }
        // One that was made during the turn is told first.
        self.remembered().await;
        let (agent, path) = (self.hired.agent.clone(), self.hired.path.clone());
        let (session, others) = (self.session.clone(), self.args.agent.others);
        self.memory = Some(tokio::spawn(async move {
            remember::when_due(&agent, &path, &session, others).await.unwrap_or_default()
        }));
    }

    /// Whether others see what is on the screen, or it is their session.
    fn is_in_company(&self) -> bool {
        self.hired.agent.is_company(&self.session, self.args.agent.others)
    }

    /// Whether memory is being made in the background.
    fn is_remembering(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| !memory.is_finished())
    }

    /// Tells what became of memory that was made in the background, when it is made.
    async fn remembered(&mut self) {
        let Some(memory) = &mut self.memory else { return };
        let told = memory.await.unwrap_or_default();
        self.memory = None;
        if !told.is_empty() {
            screen::message("note", &told, Tone::Quiet);
        }
    }

    /// Waits for memory that is being made; leaving would throw it away.
    async fn leave(&mut self) {
        let text = "finishing what is being remembered; Ctrl-C skips it";
        tokio::select! {
            () = remember::patiently(self.remembered(), text) => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    }
}
