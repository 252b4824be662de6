//! Values that can be read and cannot work, each with the line that sets it.

use louver_agent::permit::{PermitConfig, Permits};
use louver_agent::tools::exec::LONGEST;
use louver_context::{Encoding, Profile};

use super::Config;
use crate::error::{Code, Failure};
use crate::wiring::{unknown_encoding, unknown_profile};

/// What is wrong in a file.
#[derive(Default)]
struct Wrong(Vec<(String, &'static str, Failure)>);

impl Wrong {
    fn unless(&mut self, fine: bool, table: &str, key: &'static str, must: &str) {
        if !fine {
            let failure = Failure::new(Code::Workspace, format!("it must be {must}"));
            self.0.push((table.to_owned(), key, failure));
        }
    }

    /// The first, as an error that says where.
    fn first(self, text: &str, path: &str) -> Result<(), Failure> {
        let Some((table, key, failure)) = self.0.into_iter().next() else { return Ok(()) };
        let line = line_of(text, &table, key).map_or_else(String::new, |n| format!(" line {n}"));
        let inside = if table.is_empty() { String::new() } else { format!(" of `{table}`") };
        Err(failure.at(&format!("{path}{line}, `{key}`{inside}")))
    }
}

impl Config {
    /// Stops at a value that cannot work, of those that a workspace may set too.
    pub(super) fn check(&self, text: &str, path: &str) -> Result<(), Failure> {
        const WHOLE: &str = "a whole number above 0";
        let mut wrong = Wrong::default();
        if let Some(name) = self.profile.as_deref().filter(|name| Profile::named(name).is_none()) {
            wrong.0.push((String::new(), "profile", unknown_profile(name)));
        }
        wrong.unless(self.window != Some(0), "", "window", WHOLE);
        wrong.unless(self.reply != Some(0), "", "reply", WHOLE);
        wrong.unless(self.agent.max_iterations != Some(0), "[agent]", "max_iterations", WHOLE);
        let warm = self.agent.temperature.is_none_or(|degree| (0.0..=2.0).contains(&degree));
        wrong.unless(warm, "[agent]", "temperature", "a number from 0 to 2");
        for (name, model) in &self.models {
            let table = format!("[models.\"{name}\"]");
            let unknown = |name: &&str| Encoding::from_name(name).is_none();
            if let Some(name) = model.tokenizer.as_deref().filter(unknown) {
                wrong.0.push((table.clone(), "tokenizer", unknown_encoding(name)));
            }
            wrong.unless(model.window != Some(0), &table, "window", WHOLE);
            wrong.unless(model.reply != Some(0), &table, "reply", WHOLE);
            wrong.unless(model.percent != Some(0), &table, "percent", WHOLE);
            let paid = model.price.iter().flatten().all(|price| *price >= 0.0 && price.is_finite());
            wrong.unless(paid, &table, "price", "three numbers that are 0 or more");
        }
        for layer in &self.layers {
            let table = format!("[[layer]] {}", layer.name);
            wrong.unless(layer.timeout.is_none_or(is_time), &table, "timeout", SECONDS);
        }
        wrong.first(text, path)
    }

    /// The same of what only the person's own file may set.
    pub(super) fn check_own(&self, text: &str, path: &str) -> Result<(), Failure> {
        let mut wrong = Wrong::default();
        for (name, own) in &self.providers {
            let table = format!("[providers.{name}]");
            wrong.unless(own.timeout.is_none_or(is_time), &table, "timeout", SECONDS);
        }
        if let Some(tools) = &self.tools {
            let (exec, web) = (&tools.exec, &tools.web);
            let time = format!("seconds from 1 to {LONGEST}");
            let whole = "a whole number above 0";
            wrong.unless((1..=LONGEST).contains(&exec.timeout), "[tools.exec]", "timeout", &time);
            for (key, number) in [
                ("memory", exec.memory),
                ("file_size", exec.file_size),
                ("processes", exec.processes),
            ] {
                wrong.unless(number > 0, "[tools.exec]", key, whole);
            }
            wrong.unless(web.timeout != Some(0), "[tools.web]", "timeout", whole);
            wrong.unless(web.size != Some(0), "[tools.web]", "size", whole);
        }
        let PermitConfig { allow, ask, deny } = &self.permissions;
        for (key, rules) in [("deny", deny), ("ask", ask), ("allow", allow)] {
            let alone = PermitConfig { allow: rules.clone(), ..PermitConfig::default() };
            if let Err(bad) = Permits::new(&alone) {
                let failure = Failure::new(Code::Usage, bad);
                wrong.0.push(("[permissions]".to_owned(), key, failure));
            }
        }
        wrong.first(text, path)
    }
}

const SECONDS: &str = "a number of seconds above 0, at most 86400";

fn is_time(seconds: f64) -> bool {
    seconds > 0.0 && seconds <= 86_400.0
}

/// The line on which a table sets a key, where it is written in the usual way.
fn line_of(text: &str, table: &str, key: &str) -> Option<usize> {
    let plain = |table: &str| table.replace(['"', '\'', ' '], "");
    let (mut here, table) = (String::new(), plain(table));
    for (n, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let sets = line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
        if here == table && sets {
            return Some(n);
        }
        if line.starts_with('[') && !line.ends_with(',') {
            here = plain(line.split('#').next().unwrap_or_default());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn a_value_that_cannot_work_is_told_with_its_line() {
        for (text, told) in [
            ("\nprofile = \"louvre\"", "line 2, `profile`: unknown profile `louvre`"),
            ("window = 0", "line 1, `window`: it must be a whole number above 0"),
            (
                "[agent]\ntemperature = nan",
                "line 2, `temperature` of `[agent]`: it must be a number",
            ),
            (
                "[agent]\ntemperature = 99",
                "line 2, `temperature` of `[agent]`: it must be a number",
            ),
            ("[models.x]\npercent = 0", "line 2, `percent` of `[models.\"x\"]`: it must be"),
            ("[models.x]\nprice = [-1, 0, 0]", "line 2, `price` of `[models.\"x\"]`: it must be"),
            ("[models.x]\ntokenizer = \"o200k\"", "`[models.\"x\"]`: unknown encoding `o200k`"),
            ("[providers.a]\ntimeout = 0", "line 2, `timeout` of `[providers.a]`: it must be"),
            ("[tools.exec]\nmemory = 0", "line 2, `memory` of `[tools.exec]`: it must be"),
            (
                "[tools.exec]\ntimeout = 601",
                "`timeout` of `[tools.exec]`: it must be seconds from 1",
            ),
            (
                "[permissions]\ndeny = [\"rm -rf\"]",
                "line 2, `deny` of `[permissions]`: `rm -rf` is",
            ),
        ] {
            let config = parse(text, "x.toml").unwrap();
            let checked =
                config.check(text, "x.toml").and_then(|()| config.check_own(text, "x.toml"));
            let error = checked.unwrap_err().to_string();
            assert!(error.starts_with("x.toml line ") && error.contains(told), "{text}: {error}");
        }
    }
}
