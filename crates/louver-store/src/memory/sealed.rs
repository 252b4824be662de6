//! One record as one line of JSON with a hash over it.
//!
//! `{"v":1,"e":"version",…,"c":"<16 digits>"}`: `c` covers every byte before it, so that a line
//! that was torn or changed anywhere is known to be bad, and only that line is.

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

/// What every line begins with: the version of the format.
pub(super) const HEAD: &str = "{\"v\":1,";
const MARK: &[u8] = b",\"c\":\"";
/// The mark, sixteen digits, a quote and a bracket.
const SEAL: usize = MARK.len() + 16 + 2;

/// The record's line, with its line end.
pub(super) fn seal(record: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let json = serde_json::to_string(record)?;
    let fields = json.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let mut line = format!("{HEAD}{}", fields.unwrap_or_default()).into_bytes();
    let hash = xxh3_64(&line);
    line.extend_from_slice(MARK);
    line.extend_from_slice(format!("{hash:016x}\"}}\n").as_bytes());
    Ok(line)
}

/// The record in a line without its line end, when the line is as it was written.
pub(super) fn unseal<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let (body, seal) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let hash = seal.strip_prefix(MARK)?.strip_suffix(b"\"}")?;
    if hash != format!("{:016x}", xxh3_64(body)).as_bytes() {
        return None;
    }
    serde_json::from_slice(line).ok()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        text: String,
    }

    #[test]
    fn flipping_any_bit_of_a_line_is_noticed() {
        let note = Note { text: "a\n\"b\"".into() };
        let line = seal(&note).unwrap();
        assert_eq!(line.last(), Some(&b'\n'));
        let line = &line[..line.len() - 1];
        assert_eq!(unseal::<Note>(line), Some(note));
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut bad = line.to_vec();
                bad[at] ^= 1 << bit;
                assert_eq!(unseal::<Note>(&bad), None, "byte {at}");
            }
            assert_eq!(unseal::<Note>(&line[..at]), None);
        }
    }
}
