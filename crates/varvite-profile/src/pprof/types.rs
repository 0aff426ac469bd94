//! Converts between pprof's and Varvite's names of measures.
//!
//! For heaptrack's four measures, Varvite writes type names that other programs also use in pprof's format.
//! But a file with exactly these four types was written by Varvite.

use crate::heaptrack;
use crate::measure::{Kind, Measures};

/// The types and units for heaptrack's measures, in the order of the measures.
const OF_HEAPTRACK: [(&str, &str); 4] = [
    ("alloc_objects", "count"),
    ("temporary_objects", "count"),
    ("leaked_space", "bytes"),
    ("peak_space", "bytes"),
];
/// Other types of pprof, their units, and Varvite's names for these measures.
const OTHERS: [(&str, &str, &str); 2] = [("cpu", "nanoseconds", "time_ns"), ("samples", "count", "samples")];
/// Types of pprof that measure memory although their unit is not bytes.
const OF_MEMORY: [&str; 6] =
    ["alloc_objects", "inuse_objects", "allocations", "objects", "temporary_objects", "frees"];

/// For each of these measures, its type and unit in pprof.
pub(crate) fn types_of(measures: &Measures) -> Vec<(String, String)> {
    if *measures == heaptrack::measures() {
        return OF_HEAPTRACK.map(|(kind, unit)| (kind.to_owned(), unit.to_owned())).to_vec();
    }
    let type_of = |name: &str| {
        OTHERS.iter().find(|(.., ours)| *ours == name).map_or(name, |(kind, ..)| *kind).to_owned()
    };
    measures.iter().map(|(_, it)| (type_of(it.name()), it.unit().to_owned())).collect()
}

/// The measures for these types and units of pprof, and the kind of the profile.
pub(super) fn measures_of(types: &[(&str, &str)]) -> (Measures, Kind) {
    if types == OF_HEAPTRACK {
        return (heaptrack::measures(), Kind::Heap);
    }
    let is_of_memory = |(kind, unit): &(&str, &str)| unit.ends_with("bytes") || OF_MEMORY.contains(kind);
    let kind = if types.iter().any(is_of_memory) { Kind::Heap } else { Kind::Cpu };
    let named: Vec<(String, &str)> = types.iter().map(|(kind, unit)| (name_of(kind, unit), *unit)).collect();
    let named: Vec<(&str, &str)> = named.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
    (Measures::of(&named), kind)
}

fn name_of(kind: &str, unit: &str) -> String {
    match OTHERS.iter().find(|it| (it.0, it.1) == (kind, unit)) {
        Some((.., ours)) => (*ours).to_owned(),
        None => kind.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_become_measures_and_the_same_types_again() {
        for (types, names, kind) in [
            (&[("samples", "count"), ("cpu", "nanoseconds")][..], &["samples", "time_ns"][..], Kind::Cpu),
            (&OF_HEAPTRACK, &["calls", "temporary", "leaked_bytes", "peak_bytes"], Kind::Heap),
            (
                &[("inuse_objects", "count"), ("inuse_space", "bytes")],
                &["inuse_objects", "inuse_space"],
                Kind::Heap,
            ),
            (&[("contentions", "count"), ("delay", "nanoseconds")], &["contentions", "delay"], Kind::Cpu),
            (&[("cpu", "milliseconds")], &["cpu"], Kind::Cpu),
            (&[], &[], Kind::Cpu),
        ] {
            let (measures, found) = measures_of(types);
            assert_eq!((measures.names().collect::<Vec<_>>().as_slice(), found), (names, kind));
            let again = types_of(&measures);
            let again: Vec<(&str, &str)> =
                again.iter().map(|(kind, unit)| (kind.as_str(), unit.as_str())).collect();
            assert_eq!(again, types);
        }
    }
}
