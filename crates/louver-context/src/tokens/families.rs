//! Counting in the encodings of all other model families, through the crate `tiktoken`.
//!
//! Their vocabularies would double the size of the program several times over if they lay in it
//! unpacked. They are loaded when first asked for, which takes some tens of milliseconds, once.

use tiktoken::CoreBpe;

use super::{Cuts, Tokens};

/// No vocabulary has a token of more bytes, so a head of few tokens never needs the whole text.
const LONGEST: usize = 1024;

/// One of the encodings that `tiktoken` brings.
pub(super) struct Family(&'static CoreBpe);

impl Family {
    /// Loads the encoding of this name if it is not loaded yet.
    ///
    /// # Panics
    ///
    /// If the crate was built without the vocabulary, which the tests rule out.
    pub(super) fn load(name: &str) -> Self {
        Family(tiktoken::get_encoding(name).expect("every vocabulary is a feature of the build"))
    }

    /// The number of tokens of `text`.
    pub(super) fn count(&self, text: &str) -> Tokens {
        Tokens(u32::try_from(self.0.count(text)).unwrap_or(u32::MAX))
    }

    /// The tokens of `text` dealt out to the stretches between `cuts`.
    pub(super) fn count_at(&self, text: &str, cuts: &[usize]) -> Vec<Tokens> {
        let mut cuts = Cuts::new(cuts);
        for start in self.starts(text) {
            cuts.add(start, 1);
        }
        cuts.counts
    }

    /// The length of a prefix of `text` that has at most `most` tokens, cut between two tokens.
    /// What is cut off can change the tokens before, so the prefix is counted, and shortened until
    /// it fits, by twice as much each time.
    pub(super) fn head(&self, text: &str, most: Tokens) -> usize {
        let within = (most.0 as usize).saturating_mul(LONGEST);
        let text = &text[..text.floor_char_boundary(within)];
        let mut ends: Vec<_> = self.starts(text).collect();
        ends.push(text.len());
        let mut take = ends.len().min(most.0 as usize + 1);
        let mut step = 1;
        while take > 1 {
            let end = text.floor_char_boundary(ends[take - 1]);
            if self.count(&text[..end]) <= most {
                return end;
            }
            take = take.saturating_sub(step);
            step *= 2;
        }
        0
    }

    fn starts(&self, text: &str) -> impl Iterator<Item = usize> {
        self.0.encode(text).into_iter().scan(0, |end, token| {
            let start = *end;
            *end += self.0.decode(&[token]).len();
            Some(start)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Encoding;
    use super::super::samples::Xorshift;
    use super::*;

    fn families() -> impl Iterator<Item = (&'static str, Family)> {
        let shipped = [Encoding::O200k, Encoding::Cl100k];
        let loaded = Encoding::ALL.iter().filter(move |encoding| !shipped.contains(encoding));
        loaded.map(|encoding| (encoding.name(), Family::load(encoding.name())))
    }

    #[test]
    fn every_family_loads_and_has_no_token_longer_than_the_head_allows() {
        for (name, family) in families() {
            assert!(family.count("Hello, 世界!").0 > 1, "{name}");
            let ids = 0..family.0.vocab_size() as u32;
            let longest = ids.map(|id| family.0.decode(&[id]).len()).max();
            assert!(longest <= Some(LONGEST), "{name} has a token of {longest:?} bytes");
        }
    }

    #[test]
    fn what_is_dealt_out_adds_up_and_a_head_never_exceeds() {
        for (name, family) in families() {
            let mut random = Xorshift::new();
            for _ in 0..200 {
                let text = random.text(30);
                let cuts = [text.len() / 3, text.len() / 2, text.len()];
                let dealt: Tokens = family.count_at(&text, &cuts).into_iter().sum();
                assert_eq!(dealt, family.count(&text), "{name} {text:?}");
                let most = Tokens(random.below(20) as u32);
                let head = family.head(&text, most);
                assert!(family.count(&text[..head]) <= most, "{name} {text:?} {most}");
            }
        }
    }

    #[test]
    fn a_head_that_fits_is_the_whole_text() {
        let family = Family::load("llama3");
        let text = "The whole of it.";
        assert_eq!(family.head(text, family.count(text)), text.len());
        assert_eq!(family.head(text, Tokens(2)), "The whole".len());
    }
}
