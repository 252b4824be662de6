//! A session's key as the name of a folder.
//!
//! A key is whatever a channel calls its chat. The name keeps the readable part of it and adds a
//! hash of all of it, so that it is safe on every file system, whether or not it tells `A` from
//! `a`. Names only locate: the key itself is the first thing in the log, and that decides.

use xxhash_rust::xxh3::xxh3_64;

/// So much of a key is readable in its folder's name.
const READABLE: usize = 40;

/// The folder's name for a key. `attempt` is above zero only when another key has the name.
pub(super) fn folder_name(key: &str, attempt: u32) -> String {
    let mut slug = String::with_capacity(READABLE);
    for c in key.chars() {
        let c = match c {
            'a'..='z' | '0'..='9' => c,
            'A'..='Z' => c.to_ascii_lowercase(),
            _ => '_',
        };
        if slug.len() < READABLE && !(c == '_' && slug.ends_with('_')) {
            slug.push(c);
        }
    }
    if slug.is_empty() {
        slug.push('_');
    }
    let hash = xxh3_64(key.as_bytes());
    match attempt {
        0 => format!("{slug}-{hash:016x}"),
        n => format!("{slug}-{hash:016x}-{n}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_can_be_read() {
        assert_eq!(folder_name("telegram:1234", 0), "telegram_1234-85613821080d729f");
        assert_eq!(folder_name("telegram:1234", 2), "telegram_1234-85613821080d729f-2");
        assert_eq!(folder_name("", 0), "_-2d06800538d394c2");
    }

    #[test]
    fn nasty_keys_have_names_of_their_own_on_any_disk() {
        let long = "x".repeat(10_000);
        let longer = "x".repeat(10_001);
        let nasty = [
            "",
            " ",
            ".",
            "..",
            "/",
            "//",
            "../../etc/passwd",
            "a/b",
            "a\\b",
            "a:b",
            "a_b",
            "a b",
            "A:B",
            "A:b",
            "a:B",
            "CON",
            "con",
            "NUL.txt",
            "-rf",
            "a\0b",
            "a\nb",
            "é",
            "e\u{301}",
            "É",
            "🦀",
            "🦀🦀",
            "ﬁ",
            "fi",
            "İ",
            "i̇",
            "ß",
            "ss",
            "SS",
            "a.",
            "a ",
            "a",
            &long,
            &longer,
            "a-1",
            "~",
            "$(rm)",
            "%2e%2e",
            "\u{202e}a",
            "telegram:1",
            "telegram:01",
        ];
        let names: HashSet<String> =
            nasty.iter().map(|key| folder_name(key, 0).to_lowercase()).collect();
        assert_eq!(names.len(), nasty.len());
    }

    proptest! {
        #[test]
        fn a_name_is_safe(key in any::<String>()) {
            let name = folder_name(&key, 0);
            prop_assert!(name.len() <= READABLE + 17 && !name.starts_with('-'));
            prop_assert!(name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-')));
        }
    }
}
