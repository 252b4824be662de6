//! Bringing scores of different kinds to one scale: that of the candidates at hand.

/// Each value as a share of the largest.
pub fn of_best(mut values: Vec<f32>) -> Vec<f32> {
    let most = values.iter().copied().fold(0.0, f32::max);
    if most > 0.0 {
        values.iter_mut().for_each(|value| *value /= most);
    }
    values
}

/// The smallest becomes 0, the largest 1. When all are equal they say nothing, and all become 0.
pub fn among(mut values: Vec<f32>) -> Vec<f32> {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let spread = if most > least { most - least } else { f32::INFINITY };
    values.iter_mut().for_each(|value| *value = (*value - least) / spread);
    values
}

/// The values of those that only ask, at most as large as the largest of the others. Who asked the same before is
/// as like the question as can be, and tells nothing: beside that, all that tell something would be alike.
pub fn capped(mut values: Vec<f32>, asks: &[bool]) -> Vec<f32> {
    let told = values.iter().zip(asks).filter(|(_, asks)| !**asks);
    let most = told.map(|(value, _)| *value).fold(f32::NEG_INFINITY, f32::max);
    if most > f32::NEG_INFINITY {
        values.iter_mut().for_each(|value| *value = value.min(most));
    }
    values
}

/// Where one note is a hundred times as long as the others, a line through all of them would go
/// through it, and nothing would be left of what it says. So length counts up to some seven times the
/// middle one (a logarithm of two), and gives no more than this for each step of the logarithm.
const STEEPEST: f32 = 0.12;
const LONGEST: f32 = 2.0;

/// What is left of each value when the part that goes with length is taken out.
///
/// The nearest of many words is nearer than the nearest of few, whatever they say. How much so
/// depends on the question and the notes, so it is fitted to them (least squares).
pub fn without_length(mut values: Vec<f32>, logs: &[f32]) -> Vec<f32> {
    let most = middle(logs) + LONGEST;
    let logs: Vec<f32> = logs.iter().map(|log| log.min(most)).collect();
    let count = values.len().max(1) as f32;
    let (mean, mean_log) = (values.iter().sum::<f32>() / count, logs.iter().sum::<f32>() / count);
    let (mut together, mut alone) = (0.0, 0.0);
    for (value, log) in values.iter().zip(&logs) {
        together += (value - mean) * (log - mean_log);
        alone += (log - mean_log) * (log - mean_log);
    }
    let slope = if alone > 0.0 { (together / alone).clamp(0.0, STEEPEST) } else { 0.0 };
    values.iter_mut().zip(&logs).for_each(|(value, log)| *value -= mean + slope * (log - mean_log));
    values
}

/// With fewer than so many that have both, it cannot be told how one measure compares with the other.
const COMPARABLE: usize = 8;

/// Whether enough have the better measure.
pub fn are_enough(better: &[Option<f32>]) -> bool {
    let have = better.iter().flatten().count();
    have >= COMPARABLE.min(better.len()) && have > 0
}

/// A better measure in the place of the usual one, where it is there.
///
/// The rest are brought to its scale: a value stays as many standard deviations above or below the
/// mean as it was, both taken over those that have both. So a note is neither favoured nor held back
/// for want of the better measure. Where too few have both, the usual measure serves for all.
pub fn in_place_of(usual: Vec<f32>, better: &[Option<f32>]) -> Vec<f32> {
    if !are_enough(better) {
        return usual;
    }
    let both: Vec<(f32, f32)> =
        usual.iter().zip(better).filter_map(|(usual, better)| Some((*usual, (*better)?))).collect();
    let (mean, spread) = mean_and_spread(both.iter().map(|(usual, _)| *usual));
    let (better_mean, better_spread) = mean_and_spread(both.iter().map(|(_, better)| *better));
    let slope = if spread > 0.0 { better_spread / spread } else { 0.0 };
    let moved = |(usual, better): (f32, &Option<f32>)| {
        better.unwrap_or_else(|| better_mean + slope * (usual - mean))
    };
    usual.into_iter().zip(better).map(moved).collect()
}

fn mean_and_spread(values: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let count = values.clone().count().max(1) as f32;
    let mean = values.clone().sum::<f32>() / count;
    (mean, (values.map(|value| (value - mean) * (value - mean)).sum::<f32>() / count).sqrt())
}

fn middle(values: &[f32]) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_brought_to_the_scale_of_those_at_hand() {
        assert_eq!(of_best(vec![1.0, 4.0]), [0.25, 1.0]);
        assert_eq!(among(vec![1.0, 3.0, 2.0]), [0.0, 1.0, 0.5]);
        assert_eq!(among(vec![2.0, 2.0]), [0.0, 0.0]);
        assert!(among(Vec::new()).is_empty());
    }

    #[test]
    fn what_goes_with_length_is_taken_out() {
        let left = without_length(vec![0.5, 0.53, 0.56], &[0.0, 1.0, 2.0]);
        assert!(left.iter().all(|value| value.abs() < 1e-6), "{left:?}");
    }

    #[test]
    fn a_better_measure_takes_the_place_of_the_usual_one() {
        let usual = vec![0.1, 0.2, 0.3];
        assert_eq!(in_place_of(usual.clone(), &[None; 3]), usual);
        assert_eq!(in_place_of(usual, &[Some(0.9), Some(0.7), Some(0.8)]), [0.9, 0.7, 0.8]);
    }

    #[test]
    fn what_has_only_the_usual_measure_stays_as_far_from_the_others() {
        // The better measure is the usual one, doubled and moved up.
        let usual: Vec<f32> = (0..12).map(|n| n as f32 / 10.0).collect();
        let mut better: Vec<Option<f32>> = usual.iter().map(|x| Some(x * 2.0 + 5.0)).collect();
        (better[3], better[11]) = (None, None);
        let moved = in_place_of(usual.clone(), &better);
        assert_eq!(moved.len(), usual.len());
        for (moved, usual) in moved.iter().zip(&usual) {
            assert!((moved - (usual * 2.0 + 5.0)).abs() < 1e-5, "{moved}, {usual}");
        }
    }

    #[test]
    fn with_few_that_have_both_the_usual_measure_serves_for_all() {
        let usual = vec![0.5; 20];
        let mut better = vec![None; 20];
        better[..7].fill(Some(0.75));
        assert_eq!(in_place_of(usual.clone(), &better), usual);
        better[7] = Some(0.75);
        assert_eq!(in_place_of(usual, &better), [0.75; 20]);
    }

    #[test]
    fn one_long_note_keeps_what_it_says() {
        let left = without_length(vec![0.3, 0.3, 0.3, 1.0], &[1.0, 1.0, 1.0, 7.0]);
        assert!(left[3] > left[0] + 0.2, "{left:?}");
    }
}
