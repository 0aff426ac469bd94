//! Adds the nodes, edges and values of a layer to a diff.

use std::collections::BTreeMap;

use varvite::change::{Diff, NewNode, PropertyOwner};
use varvite::{Cardinality, ValueType};

use super::events;
use super::join::Join;
use super::moments;
use super::names::Names;
use super::sums::{CodeSums, Sums};
use super::tree::{CallTree, NONE};
use crate::measure::{Counts, Measures, Sampling, Slot};
use crate::profile::Profile;

/// Suffixes of the names of properties for values of the whole profile, besides its sums.
const OF_RUNS: [&str; 6] =
    ["SUPPRESSED_BYTES", "RUNTIME_MS", "PEAK_RESIDENT_BYTES", "BEGAN_UNIX_NS", "DURATION_NS", "PERIOD"];
const TEXTS: [&str; 12] = [
    "TOOL",
    "VERSION",
    "COMMAND",
    "SOURCE",
    "MEASURES",
    "DEFAULT_MEASURE",
    "PERIOD_TYPE",
    "PERIOD_UNIT",
    "MODULE",
    "FUNCTION",
    "FILE",
    "MATCH",
];

/// The data from which a layer is made.
pub(super) struct Contents<'p> {
    pub(super) profile: &'p Profile,
    pub(super) tree: &'p CallTree,
    pub(super) join: &'p Join,
    pub(super) sums: &'p CodeSums,
    pub(super) names: &'p Names,
}

impl Contents<'_> {
    /// Adds all parts of the layer to an empty diff.
    pub(super) fn add(&self, source: &str, diff: &mut Diff) {
        declare(self.names, &self.profile.measures, diff);
        let node = add_profile(self.profile, self.names, source, diff);
        let places = self.add_places(diff);
        let steps = self.add_steps(&places, diff);
        if let Some(table) = &self.profile.events {
            events::add_table((node, table), (&self.tree.node_of_site, &steps), self.names, diff);
        }
        if !self.profile.timeline.moments.is_empty() {
            moments::add(&self.profile.timeline, self.names, diff);
        }
        for sums in [&self.sums.methods, &self.sums.calls] {
            let measures = &self.profile.measures;
            set_sums(sums, (&self.names.own(measures), &self.names.all(measures)), diff);
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

    fn add_steps(&self, places: &[NewNode], diff: &mut Diff) -> Vec<NewNode> {
        let Self { profile, tree, join, names, .. } = self;
        let [label, within, parent, called_at] =
            ["STEP", "IN", "PARENT", "CALLED_AT"].map(|end| names.name(end));
        let (own_at, inclusive) = (names.own_at(), tree.inclusive());
        let (own, all) = (names.own(&profile.measures), names.all(&profile.measures));
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
            if let Some(call) = join.own_at[number] {
                diff.add_edge(&own_at, node, call);
            }
            set_counts(node, &tree.own[number], &own, diff);
            set_counts(node, &inclusive[number], &all, diff);
            nodes.push(node);
        }
        nodes
    }
}

fn declare(names: &Names, measures: &Measures, diff: &mut Diff) {
    ["PROFILE", "PLACE", "STEP"].into_iter().for_each(|end| diff.declare_label(&names.name(end)));
    let edges = ["AT", "IN", "CALLED_AT"].map(|end| names.name(end));
    edges.iter().chain([&names.own_at()]).for_each(|label| diff.declare_edge_label(label));
    let mut declare = |name: &str, value_type| {
        diff.declare_property(name, PropertyOwner::Nodes, value_type, Cardinality::Optional);
    };
    TEXTS.into_iter().for_each(|end| declare(&names.name(end), ValueType::String));
    OF_RUNS.into_iter().for_each(|end| declare(&names.name(end), ValueType::I64));
    let counts = [names.own(measures), names.all(measures), names.totals(measures)];
    counts.iter().flatten().for_each(|name| declare(name, ValueType::I64));
    declare(&names.name("SAMPLED"), ValueType::Bool);
    declare(&names.name("LINE"), ValueType::I32);
    declare(&names.name("ADDRESS"), ValueType::U64);
    declare(&names.name("PARENT"), ValueType::Ref);
}

fn add_profile(profile: &Profile, names: &Names, source: &str, diff: &mut Diff) -> NewNode {
    let node = diff.add_node(&[&names.name("PROFILE")]);
    let (recording, totals) = (&profile.recording, &profile.totals);
    let texts = [
        ("TOOL", recording.tool.as_str()),
        ("VERSION", &recording.version),
        ("COMMAND", &recording.command),
        ("SOURCE", source),
        ("MEASURES", &profile.measures.text()),
    ];
    texts.into_iter().for_each(|(end, text)| diff.set(node, &names.name(end), [text]));
    diff.set(node, &names.name("SAMPLED"), [profile.sampling.is_some()]);
    if !recording.default_measure.is_empty() {
        diff.set(node, &names.name("DEFAULT_MEASURE"), [recording.default_measure.as_str()]);
    }
    if let Some(Sampling { period, unit, kind }) = &profile.sampling
        && *period > 0
    {
        if !kind.is_empty() {
            diff.set(node, &names.name("PERIOD_TYPE"), [kind.as_str()]);
        }
        diff.set(node, &names.name("PERIOD"), [*period]);
        diff.set(node, &names.name("PERIOD_UNIT"), [unit.as_str()]);
    }
    for (name, (slot, _)) in names.totals(&profile.measures).iter().zip(profile.measures.iter()) {
        diff.set(node, name, [totals.counts[slot]]);
    }
    let numbers = [
        totals.suppressed_bytes,
        i64::try_from(totals.runtime_ms).unwrap_or(i64::MAX),
        i64::try_from(totals.peak_resident_bytes).unwrap_or(i64::MAX),
    ];
    OF_RUNS.iter().zip(numbers).for_each(|(end, number)| diff.set(node, &names.name(end), [number]));
    let times = [("BEGAN_UNIX_NS", recording.began_unix_ns), ("DURATION_NS", recording.duration_ns)];
    let known = times.into_iter().filter(|(_, time)| *time != 0);
    known.for_each(|(end, time)| diff.set(node, &names.name(end), [time]));
    node
}

fn set_sums(sums: &BTreeMap<u32, Sums>, (own, all): (&[String], &[String]), diff: &mut Diff) {
    for (node, sums) in sums {
        set_counts(*node, &sums.own, own, diff);
        set_counts(*node, &sums.all, all, diff);
    }
}

/// Sets the counts of a node, unless all are zero.
fn set_counts(node: impl Into<varvite::change::NodeRef>, counts: &Counts, names: &[String], diff: &mut Diff) {
    if counts.is_zero() {
        return;
    }
    let node = node.into();
    names.iter().enumerate().for_each(|(number, name)| diff.set(node, name, [Slot::new(number).of(counts)]));
}
