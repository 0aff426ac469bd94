//! Sums over whole subtrees of calls.

use crate::measure::Counts;
use crate::profile::Profile;

/// For each step, the sum of its own counts and the counts of all its descendants.
///
/// Since steps come after their callers, one pass backwards is enough: linear time, and no recursion.
pub fn inclusive(profile: &Profile) -> Vec<Counts> {
    let mut sums = vec![Counts::default(); profile.steps.len()];
    for site in &profile.sites {
        if let Some(sum) = site.step.and_then(|step| sums.get_mut(step as usize)) {
            *sum += site.counts;
        }
    }
    sum_up(&mut sums, |step| profile.steps[step].parent);
    sums
}

/// Adds the sum of each element to that of its parent, so that each element has the sum of its subtree. One
/// pass backwards is enough, since parents come before their children. A parent that comes later is ignored.
pub(crate) fn sum_up(sums: &mut [Counts], parent: impl Fn(usize) -> Option<u32>) {
    for number in (0..sums.len()).rev() {
        if let Some(parent) = parent(number).filter(|parent| (*parent as usize) < number) {
            let sum = sums[number];
            sums[parent as usize] += sum;
        }
    }
}
