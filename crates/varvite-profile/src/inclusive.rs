//! Sums over whole subtrees of calls.

use crate::profile::{Counts, Profile};

/// For each step what it and all that it called, directly or not, come to.
///
/// One pass backwards, as steps come behind their callers: linear, no recursion.
pub fn inclusive(profile: &Profile) -> Vec<Counts> {
    let mut sums = vec![Counts::default(); profile.steps.len()];
    for site in &profile.sites {
        if let Some(sum) = site.step.and_then(|step| sums.get_mut(step as usize)) {
            *sum += site.counts;
        }
    }
    for (number, step) in profile.steps.iter().enumerate().rev() {
        if let Some(parent) = step.parent.filter(|parent| (*parent as usize) < number) {
            let sum = sums[number];
            sums[parent as usize] += sum;
        }
    }
    sums
}
