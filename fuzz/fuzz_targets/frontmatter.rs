//! Any text has a frontmatter or none, and a body that is a part of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use louver_store::frontmatter;

fuzz_target!(|text: &str| {
    let found = frontmatter::split("SKILL.md", text);
    assert!(text.is_char_boundary(found.body), "the body begins at {} in {text:?}", found.body);
    let lines = text[..found.body].matches('\n').count() + 1;
    assert!(found.body_line as usize <= lines + 1, "line {} of {lines}", found.body_line);
    for key in found.keys.keys() {
        // A key written in some odd YAML way may not be found again, but looking never fails.
        let _ = frontmatter::written(text, key);
    }
});
