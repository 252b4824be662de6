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
    fn one_long_note_keeps_what_it_says() {
        let left = without_length(vec![0.3, 0.3, 0.3, 1.0], &[1.0, 1.0, 1.0, 7.0]);
        assert!(left[3] > left[0] + 0.2, "{left:?}");
    }
}
