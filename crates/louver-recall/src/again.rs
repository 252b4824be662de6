//! What was answered when the same was asked before.

/// Whether an earlier question is the same, by how much of this one it covers and how near it is: 0 to 1.
pub(crate) fn again((cover, cosine): (f32, f32)) -> f32 {
    let [covers, near] = SAME_QUESTION.map(|[from, to]| (from, to - from));
    let share = |value: f32, (from, width): (f32, f32)| ((value - from) / width).clamp(0.0, 1.0);
    share(cover, covers) * share(cosine, near)
}

/// From the first number on a question begins to be the same as another, and from the second on it is: by what it
/// covers, and by what it means.
const SAME_QUESTION: [[f32; 2]; 2] = [[0.7, 1.0], [0.4, 0.7]];

/// Which of the candidates ask what may be the same, with the credit of each for the question's words and whether it
/// only asks. What was answered to them may share no word with the question, and is looked at too.
pub fn asked_before(candidates: &[(f32, bool)]) -> impl Iterator<Item = usize> {
    let most = candidates.iter().map(|(words, _)| *words).fold(0.0, f32::max);
    let alike = move |(_, (words, asks)): &(usize, &(f32, bool))| {
        *asks && *words > 0.0 && *words >= ALIKE * most
    };
    candidates.iter().enumerate().filter(alike).map(|(at, _)| at)
}

const ALIKE: f32 = 0.8;
