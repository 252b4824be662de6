//! The command line: what can be asked for, and with which options.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, Resettable};
use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use louver_context::profile::PROFILES;

use crate::commands;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  something failed; the message says what
  2  the command line, or a rule in the settings, was not understood
  3  the request does not fit into the model's window
  4  no workspace, or its settings cannot be read
  5  a check found something to mend

Data goes to stdout, messages to stderr. NO_COLOR is respected.
Settings: $XDG_CONFIG_HOME/louver/config.toml, then louver.toml in the workspace, then LOUVER_*, then options.";

/// Shows and builds what a language model sees.
#[derive(Debug, Parser)]
#[command(name = "louver", version, about, after_help = EXIT_CODES, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What was typed, or the end of the program with a word about why it cannot be understood.
    pub(crate) fn read() -> Cli {
        let mut command = without_empty(Cli::command());
        let matches = command.try_get_matches_from_mut(std::env::args_os());
        let matches = matches.unwrap_or_else(|error| by_variable(error, &command).exit());
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// A variable that is set to nothing counts as unset.
fn without_empty(command: clap::Command) -> clap::Command {
    let is_empty = |arg: &clap::Arg| {
        let value = arg.get_env().and_then(std::env::var_os);
        value.is_some_and(|value| value.is_empty())
    };
    let unset = |arg: clap::Arg| match is_empty(&arg) {
        true => arg.env(Resettable::Reset),
        false => arg,
    };
    command.mut_args(unset).mut_subcommands(without_empty)
}

/// An error about a value, which names the variable where that is where it came from.
fn by_variable(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let (named, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let below = command.get_subcommands().flat_map(clap::Command::get_arguments);
    let mut all = command.get_arguments().chain(below);
    let option = named.split(' ').next().unwrap_or_default();
    let is = |arg: &&clap::Arg| arg.get_long().is_some_and(|long| option == format!("--{long}"));
    let variable = all.find(is).and_then(|arg| arg.get_env());
    let variable = variable.map(|variable| variable.to_string_lossy().into_owned());
    let typed = std::env::args().any(|arg| arg.starts_with(option));
    let set = |variable: &String| !typed && std::env::var(variable).is_ok_and(|set| set == value);
    if let Some(variable) = variable.filter(set) {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    error
}

/// What every command understands.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Shared {
    /// The agent's folder [default: ~/.louver/workspace]
    #[arg(long, short = 'w', global = true, env = "LOUVER_WORKSPACE", value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
    /// Which layers, in which form
    #[arg(long, global = true, env = "LOUVER_PROFILE", value_name = "NAME", value_parser = profiles())]
    pub(crate) profile: Option<String>,
    /// The model to count for [default: gpt-4o]
    #[arg(long, short = 'm', global = true, env = "LOUVER_MODEL", value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// How many tokens the model holds, in place of what is known of it
    #[arg(long, global = true, env = "LOUVER_WINDOW", value_name = "TOKENS")]
    pub(crate) window: Option<u32>,
    /// How many tokens to keep free for the reply
    #[arg(long, global = true, env = "LOUVER_REPLY", value_name = "TOKENS")]
    pub(crate) reply: Option<u32>,
    /// Leave out the skills that ship with louver
    #[arg(long, global = true)]
    pub(crate) no_builtin_skills: bool,
}

fn profiles() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| &*profile.name))
}

/// The commands, a file each in `commands/`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a workspace from templates; never overwrites a file
    Init(commands::init::InitArgs),
    /// Talk with your agent
    Chat(commands::chat::ChatArgs),
    /// Ask once, and print the answer
    Ask(commands::ask::AskArgs),
    /// Show the context a message would be sent with: where each part comes from and what it costs
    Show(commands::show::ShowArgs),
    /// Count the tokens of files or of stdin
    Count(commands::count::CountArgs),
    /// List, show and check skills
    Skills(commands::skills::SkillsArgs),
    /// List, show, search, append, export, repair and fork conversations
    Sessions(commands::sessions::SessionsArgs),
    /// What the agent remembers, how it came to, and how to take it back
    Memory(commands::memory::MemoryArgs),
    /// Recall what was said and noted before, and why
    Recall(commands::recall::RecallArgs),
    /// Take over conversations, memory and scheduled work from nanobot or OpenClaw
    Import(commands::import::ImportArgs),
    /// List models: what they hold, how they are counted, what they cost
    Models(commands::models::ModelsArgs),
    /// Run one tool by hand, as the agent would
    Tool(commands::tool::ToolArgs),
    /// Check the workspace, its settings and what they cost
    Doctor(commands::doctor::DoctorArgs),
    /// Print a completion script for a shell
    Completions(commands::completions::CompletionsArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn no_two_arguments_share_a_name() {
        super::Cli::command().debug_assert();
    }
}
