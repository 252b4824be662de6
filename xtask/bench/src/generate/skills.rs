//! One skill: plain, with requirements, with nanobot's metadata, always on, with XML in it.

use crate::generate::words::Words;

/// A skill's name and its SKILL.md. The number decides its kind.
pub(super) fn skill(number: usize, words: &mut Words) -> (String, String) {
    const SUBJECTS: &[&str] =
        &["calendar", "invoice", "translate", "backup", "recipe", "travel", "deploy", "notes"];
    let name = format!("{}-{number:04}", words.pick(SUBJECTS));
    let about = words.paragraph(1 + number % 2);
    let description = format!("Use when {about}").replace('"', "'");
    let more = match number % 10 {
        3 => "\nmetadata: '{\"nanobot\":{\"requires\":{\"bins\":[\"a-program-nobody-has\"]}}}'",
        5 => "\nmetadata:\n  nanobot:\n    requires:\n      env: [A_KEY_NOBODY_SET]",
        7 => "\nlicense: MIT\ncompatibility: any",
        _ => "",
    };
    // A few are always on: more would be a workspace that nobody has.
    let always = if number % 100 == 50 { "\nalways: true" } else { "" };
    let mark = if number % 10 == 8 { " <b>&</b>" } else { "" };
    let body: Vec<String> = (0..4).map(|_| words.paragraph(3)).collect();
    let head =
        format!("---\nname: {name}\ndescription: \"{description}{mark}\"{more}{always}\n---\n");
    (name.clone(), format!("{head}\n# {name}\n\n{}\n", body.join("\n\n")))
}
