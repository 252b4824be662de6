//! What a note of a page is about by where it stands: what two pages say in the same words is said of two things.

use crate::when::is_of_time;
use crate::words::fold;

/// What a page of this name tells of under such a title or heading. Days are no part of it: a diary goes on tomorrow.
pub fn topic(page: &str, heading: &str) -> String {
    let page = page.rsplit_once('.').map_or(page, |(stem, _)| stem);
    let (page, mut about) = (undated(page), undated(heading));
    // A heading that has the name of its page in it says all of it.
    if !page.iter().any(|word| about.contains(word)) {
        about.extend(page);
    }
    about.sort_unstable();
    about.dedup();
    about.join(" ")
}

/// Whether two notes tell of different things. What is of no page may tell of anything.
pub(crate) fn differ(one: &str, two: &str) -> bool {
    !one.is_empty() && !two.is_empty() && one != two
}

/// The words of a name without its day, if it has one: "Flat 1" is not "Flat 2", but "3 May 2026" is a day as any other.
fn undated(name: &str) -> Vec<String> {
    let folded = fold(name);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = |word: &str| is_number(word) && matches!(word.len(), 4 | 8) && word[..2] >= *"19";
    let names_time = |word: &str| !is_number(word) && is_of_time(word);
    let is_dated = words.iter().any(|word| is_year(word))
        || words.iter().any(|word| is_number(word)) && words.iter().any(|word| names_time(word));
    let of_day = |word: &str| is_dated && (is_number(word) || is_of_time(word));
    words.into_iter().filter(|word| !of_day(word)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_tell_of_different_things_and_the_days_of_a_diary_of_one() {
        let same = |one: [&str; 2], two: [&str; 2]| {
            let [one, two] = [one, two].map(|[page, heading]| topic(page, heading));
            !differ(&one, &two)
        };
        assert!(!same(["Anna.md", "Anna"], ["Paul.md", "Paul"]));
        assert!(!same(["Anna.md", "Phone"], ["Paul.md", "Phone"]));
        assert!(!same(["flats.md", "Flat 1"], ["flats.md", "Flat 2"]));
        assert!(!same(["2026-01-01 Rex.md", "Rex"], ["2026-02-01 Bella.md", "Bella"]));
        assert!(same(["2026-05-03.md", "Health"], ["2026-06-04.md", "Health"]));
        assert!(same(["2026-05-03.md", "3 May 2026"], ["20260604.md", "Thursday, 4 June 2026"]));
        assert!(same(["log.md", "3 May"], ["log.md", "7 May"]));
        assert!(same(["costs-2025.md", "Rent"], ["costs-2026.md", "Rent"]));
        // A copy of a page is the same page.
        assert!(same(["Anna.md", "Anna"], ["Anna (copy).md", "Anna"]));
        assert!(same(["Anna.md", "Anna"], ["", ""]));
    }
}
