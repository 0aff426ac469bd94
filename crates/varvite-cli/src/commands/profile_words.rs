//! What a profile counts, in words.

use varvite_profile::{Measure, Measures, Sampling, Slot, heaptrack};

use crate::output::thousands;

/// The measures that a sentence tells about.
pub(super) fn foremost(measures: &Measures) -> Vec<(Slot, &Measure)> {
    match *measures == heaptrack::measures() {
        true => measures
            .iter()
            .filter(|(slot, _)| [heaptrack::CALLS, heaptrack::PEAK_BYTES].contains(slot))
            .collect(),
        false => measures.iter().take(2).collect(),
    }
}

/// That values are estimates.
pub(super) fn estimated(sampling: &Sampling) -> String {
    let Sampling { period, unit } = sampling;
    match period {
        1.. => format!("sampled, once in {} {unit}: its values are estimates", thousands(*period as u64)),
        _ => "sampled: its values are estimates".to_owned(),
    }
}
