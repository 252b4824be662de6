//! How notes are read, as one number: an index that was made by another way of reading is made again.

use std::collections::BTreeSet;

use louver_recall::embed::Embeddings;
use louver_recall::note::{Note, Voice};
use louver_recall::reading::{self, Found};
use louver_recall::table::Table;
use xxhash_rust::xxh3::xxh3_64;

/// What [`fingerprint`] gives for the vectors in the binary. To take it at every start would cost more than all
/// the rest of opening an index; a test takes it, so nobody has to remember to change it.
const SHIPPED: i64 = 1_086_900_301_287_088_995;

/// A number that changes when notes are read differently: other words, other vectors, other dates.
pub(super) fn of(table: &Table) -> i64 {
    match table.is_shipped() {
        true => SHIPPED,
        false => fingerprint(&table.embeddings()),
    }
}

/// It is taken from what comes out for a few texts.
fn fingerprint(table: &Embeddings<'_>) -> i64 {
    let read: String = probed(table).map(|(terms, found)| format!("{terms:?}{found:?}")).collect();
    xxh3_64(read.as_bytes()) as i64
}

/// What comes out for those texts: their terms with their spellings, and what is found in them.
fn probed(table: &Embeddings<'_>) -> impl Iterator<Item = (BTreeSet<(String, String)>, Found)> {
    PROBES.iter().map(|(voice, text)| {
        let at = Some(jiff::civil::date(2024, 2, 29).at(12, 0, 0, 0));
        let (text, who, voice) = ((*text).to_owned(), "Anna".to_owned(), *voice);
        let note = Note { text, who, voice, at, ..Note::default() };
        let mut terms = BTreeSet::new();
        let found = reading::read(&note, table, |term, spelling| {
            terms.insert((term.to_owned(), spelling.to_owned()));
            xxh3_64(term.as_bytes()) as u32
        });
        (terms, found)
    })
}

const PROBES: &[(Voice, &str)] = &[
    (Voice::Person, "Dentist in three weeks, quotes: 1,865 2,450, the rest dans quinze jours"),
    (Voice::Person, "三个星期后搬家，圣诞节在上海！クリスマスは？"),
    (Voice::Person, "我搬家了！新地址是什么？"),
    (
        Voice::Other,
        "# Plans\nYesterday she was running to the libraries; we meet again on 7 May 2023, on 24.12.25, in two weeks, or last Tuesday. Don't panic!",
    ),
    (
        Voice::Other,
        "deploy: calls getUserName() in src/main.rs with max_retry_count = 3, see https://example.org/a?b=1 (v0.6.2).",
    ),
    (
        Voice::Other,
        "Ich habe den Schlüssel auf dem Tisch gelassen. Où est la gare et quand part le train ? ¿Dónde están las llaves?",
    ),
    (
        Voice::Other,
        "vor zwei Wochen, il y a 3 jours, el martes pasado, un mese fa, em maio de 2024, vorige week, 7.5.2023; 去年三月, 先週の火曜日, 2주 전.",
    ),
    (
        Voice::Other,
        "Где я оставил ключи от машины? 我喜欢猫，昨天买了三只。 私は猫が好きです。 나는 고양이를 좋아한다. Ünïcode naïve façade ﬁne",
    ),
    (
        Voice::Other,
        "The Wi-Fi costs 1,865 euros a year; call +31 6 5510 9382, and pay to DE89 3704 0044 0532 0130 00. The cook-top is well-known.",
    ),
    (Voice::Other, "The choir meets on Wednesdays at 7 pm."),
    (Voice::Other, "- [ ] Book the van for the move"),
    (Voice::Other, "- [x] Cancel the lease"),
    (Voice::Person, "Where did we leave the keys of the car?"),
    (Voice::Person, "From now on, always answer me in short sentences, please."),
    (
        Voice::Person,
        "The login fails when two people register at once.\n```python\ndb.commit()\n```\nWhy is that so?",
    ),
    (Voice::Person, "And the ones of the bike?"),
    (Voice::Person, "What's the code of the gate, and when do they come?"),
    (Voice::Person, "No calls before nine please, I swim."),
    (Voice::Agent, "You left them on the table, I think."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_that_of_this_way_of_reading() {
        let now = fingerprint(&Table::shipped().embeddings());
        assert_eq!(SHIPPED, now, "notes are read differently now: SHIPPED must say so");
    }

    #[test]
    fn the_probes_have_one_of_everything_that_is_read() {
        let found: Vec<_> = probed(&Table::shipped().embeddings()).collect();
        let any =
            |has: fn(&reading::Reading) -> bool| found.iter().any(|(_, found)| has(&found.reading));
        assert!(any(|reading| reading.only_asks) && any(|reading| reading.standing));
        assert!(any(|reading| reading.asks) && any(|reading| reading.heading.is_some()));
        let has =
            |term: &str| found.iter().any(|(terms, _)| terms.iter().any(|(own, _)| own == term));
        for term in ["1865", "wifi", "cooktop", "de89370400440532013000"] {
            assert!(has(term), "{term}: {found:?}");
        }
    }
}
