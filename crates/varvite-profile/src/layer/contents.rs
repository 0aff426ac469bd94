//! The nodes, edges and values of a layer, as a diff.

use std::collections::BTreeMap;

use varvite::change::{Diff, NewNode, PropertyOwner};
use varvite::{Cardinality, ValueType};

use super::join::Join;
use super::moments;
use super::names::Names;
use super::sums::{CodeSums, Sums};
use super::tree::{CallTree, NONE};
use crate::profile::{Counts, Profile};

/// Values of a profile itself, by the end of their name.
const TOTALS: [&str; 7] = [
    "TOTAL_CALLS",
    "TOTAL_TEMPORARY",
    "TOTAL_PEAK_BYTES",
    "TOTAL_LEAKED_BYTES",
    "SUPPRESSED_BYTES",
    "RUNTIME_MS",
    "PEAK_RESIDENT_BYTES",
];
const TEXTS: [&str; 8] = ["TOOL", "VERSION", "COMMAND", "SOURCE", "MODULE", "FUNCTION", "FILE", "MATCH"];

/// What a layer is made of.
pub(super) struct Contents<'p> {
    pub(super) profile: &'p Profile,
    pub(super) tree: &'p CallTree,
    pub(super) join: &'p Join,
    pub(super) sums: &'p CodeSums,
    pub(super) names: &'p Names,
}

impl Contents<'_> {
    /// Adds all to an empty diff.
    pub(super) fn add(&self, source: &str, diff: &mut Diff) {
        declare(self.names, diff);
        add_profile(self.profile, self.names, source, diff);
        let places = self.add_places(diff);
        self.add_steps(&places, diff);
        moments::add(&self.profile.timeline, self.names, diff);
        for sums in [&self.sums.methods, &self.sums.calls] {
            set_sums(sums, self.names, diff);
        }
    }

    fn add_places(&self, diff: &mut Diff) -> Vec<NewNode> {
        let Self { profile, tree, join, names, .. } = self;
        let [label, at] = ["PLACE", "AT"].map(|end| names.name(end));
        let [module, function, file, line, address, found] =
            ["MODULE", "FUNCTION", "FILE", "LINE", "ADDRESS", "MATCH"].map(|end| names.name(end));
        let mut nodes = Vec::with_capacity(tree.places.len());
        for (place, (method, class)) in tree.places.iter().zip(&join.places) {
            let node = diff.add_node(&[&label]);
            for (name, text) in [(&module, place.module), (&function, place.function), (&file, place.file)] {
                if let Some(text) = profile.texts.get(text) {
                    diff.set(node, name, [text]);
                }
            }
            if let Some(number) = i32::try_from(place.line).ok().filter(|number| *number > 0) {
                diff.set(node, &line, [number]);
            }
            if place.address != 0 {
                diff.set(node, &address, [place.address]);
            }
            diff.set(node, &found, [class.name()]);
            if let Some(method) = method {
                diff.add_edge(&at, node, *method);
            }
            nodes.push(node);
        }
        nodes
    }

    fn add_steps(&self, places: &[NewNode], diff: &mut Diff) {
        let Self { tree, join, names, .. } = self;
        let [label, within, parent, called_at, allocates_at] =
            ["STEP", "IN", "PARENT", "CALLED_AT", "ALLOCATES_AT"].map(|end| names.name(end));
        let (own, all, inclusive) = (names.own(), names.all(), tree.inclusive());
        let mut nodes: Vec<NewNode> = Vec::with_capacity(tree.len());
        for number in 0..tree.len() {
            let node = diff.add_node(&[&label]);
            if tree.parents[number] != NONE {
                diff.set(node, &parent, [nodes[tree.parents[number] as usize]]);
            }
            diff.add_edge(&within, node, places[tree.place_of[number] as usize]);
            if let Some(call) = join.called_at[number] {
                diff.add_edge(&called_at, node, call);
            }
            if let Some(call) = join.allocates_at[number] {
                diff.add_edge(&allocates_at, node, call);
            }
            set_counts(node, &tree.own[number], &own, diff);
            set_counts(node, &inclusive[number], &all, diff);
            nodes.push(node);
        }
    }
}

fn declare(names: &Names, diff: &mut Diff) {
    ["PROFILE", "PLACE", "STEP"].into_iter().for_each(|end| diff.declare_label(&names.name(end)));
    ["AT", "IN", "CALLED_AT", "ALLOCATES_AT"]
        .into_iter()
        .for_each(|end| diff.declare_edge_label(&names.name(end)));
    let mut declare = |name: &str, value_type| {
        diff.declare_property(name, PropertyOwner::Nodes, value_type, Cardinality::Optional);
    };
    TEXTS.into_iter().for_each(|end| declare(&names.name(end), ValueType::String));
    TOTALS.into_iter().for_each(|end| declare(&names.name(end), ValueType::I64));
    names.own().iter().chain(&names.all()).for_each(|name| declare(name, ValueType::I64));
    declare(&names.name("LINE"), ValueType::I32);
    declare(&names.name("ADDRESS"), ValueType::U64);
    declare(&names.name("PARENT"), ValueType::Ref);
}

fn add_profile(profile: &Profile, names: &Names, source: &str, diff: &mut Diff) {
    let node = diff.add_node(&[&names.name("PROFILE")]);
    let (origin, totals) = (&profile.origin, &profile.totals);
    let texts = [
        ("TOOL", origin.tool),
        ("VERSION", &origin.version),
        ("COMMAND", &origin.command),
        ("SOURCE", source),
    ];
    texts.into_iter().for_each(|(end, text)| diff.set(node, &names.name(end), [text]));
    let numbers = [
        totals.calls,
        totals.temporary,
        totals.peak_bytes,
        totals.leaked_bytes,
        totals.suppressed_bytes,
        i64::try_from(totals.runtime_ms).unwrap_or(i64::MAX),
        i64::try_from(totals.peak_resident_bytes).unwrap_or(i64::MAX),
    ];
    TOTALS.iter().zip(numbers).for_each(|(end, number)| diff.set(node, &names.name(end), [number]));
}

fn set_sums(sums: &BTreeMap<u32, Sums>, names: &Names, diff: &mut Diff) {
    let (own, all) = (names.own(), names.all());
    for (node, sums) in sums {
        set_counts(*node, &sums.own, &own, diff);
        set_counts(*node, &sums.all, &all, diff);
    }
}

/// Sets counts, unless nothing was counted.
fn set_counts(
    node: impl Into<varvite::change::NodeRef>,
    counts: &Counts,
    names: &[String; 4],
    diff: &mut Diff,
) {
    if *counts == Counts::default() {
        return;
    }
    let node = node.into();
    let values = [counts.calls, counts.temporary, counts.leaked_bytes, counts.peak_bytes];
    names.iter().zip(values).for_each(|(name, value)| diff.set(node, name, [value]));
}
