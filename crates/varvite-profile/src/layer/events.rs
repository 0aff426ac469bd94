//! Stores the events of a profile in a graph: each stretch of events has a node, and the kinds of allocations
//! are lists at the profile's node.
//!
//! Lists of events are packed, as all lists of numbers are, and are read in place. They are not stored as
//! differences: these would need more bits than the events themselves, since consecutive events often refer
//! to memory from different places.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, NewNode, NumberLists, PropertyOwner};
use varvite::{Budget, Cardinality, ValueType};
use varvite_cpg::join::is_layer_name;
use varvite_store::Vfs;

use super::error::HeapLayerError;
use super::names::Names;
use crate::Limits;
use crate::events::{EventSink, EventTable, SiteState, Stretch};
use crate::measure::Kind;

/// The label of the nodes of stretches.
pub(super) const STRETCH: &str = "STRETCH";
/// Suffixes of the names of a stretch's properties: the number of events before the stretch; its events; its
/// milliseconds, and the first event of each millisecond; and [the states of sites](SiteState::NUMBERS)
/// before the stretch.
pub(super) const BEFORE: &str = "STRETCH_BEFORE";
pub(super) const LISTS: [&str; 7] = [
    "STRETCH_EVENTS",
    "STRETCH_MS",
    "STRETCH_STAMP",
    "STRETCH_CALLS",
    "STRETCH_TEMPORARY",
    "STRETCH_LIVE_BYTES",
    "STRETCH_LIVE_BLOCKS",
];
/// Suffixes of the names of the profile node's properties: the numbers of events (all, and up to the peak),
/// the sizes and sites of the kinds of allocations, and the steps of the sites.
pub(super) const COUNT: &str = "EVENT_COUNT";
pub(super) const PEAK_COUNT: &str = "PEAK_EVENT_COUNT";
pub(super) const KIND_BYTES: &str = "KIND_BYTES";
pub(super) const KIND_SITE: &str = "KIND_SITE";
pub(super) const SITE_STEP: &str = "SITE_STEP";

/// The memory limit for reading, divided by this number, is the limit for events in memory. Events beyond
/// this limit are written to disk.
const SHARE: usize = 16;

/// An [`EventSink`] that collects a profile's events for a layer. After the profile was read,
/// [`import_events`](super::import_events) makes a layer from the profile and these events.
#[derive(Debug)]
pub struct LayerEvents {
    pub(super) diff: Diff,
    pub(super) name: String,
    label: String,
    before: String,
    /// The lists, in the order of [`LISTS`].
    pub(super) lists: [NumberLists; LISTS.len()],
}

impl LayerEvents {
    /// Makes an empty sink for a layer of this name in the graph at `path`. If the events need more than a
    /// sixteenth of the memory in `limits`, the rest is written to a temporary file beside the graph.
    ///
    /// # Errors
    /// [`HeapLayerError::Name`], or an error if `path` does not end in a file name.
    pub fn begin(
        vfs: Arc<dyn Vfs>,
        path: &Path,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, HeapLayerError> {
        if !is_layer_name(name) {
            return Err(HeapLayerError::Name { name: name.to_owned() });
        }
        let names = Names::of(Kind::Heap, name);
        let memory = limits.memory_bytes.min(Budget::default_bytes()) / SHARE;
        let mut diff = Diff::with_memory(memory, vfs, path)?;
        let (label, before) = (names.name(STRETCH), names.name(BEFORE));
        diff.declare_label(&label);
        let lists = LISTS.map(|end| diff.number_lists(&names.name(end)));
        declare(&mut diff, &names);
        Ok(Self { diff, name: name.to_owned(), label, before, lists })
    }
}

/// Declares all properties for events except the lists of a stretch.
fn declare(diff: &mut Diff, names: &Names) {
    let mut declare = |name: &str, value_type, cardinality| {
        diff.declare_property(name, PropertyOwner::Nodes, value_type, cardinality);
    };
    [BEFORE, COUNT, PEAK_COUNT]
        .into_iter()
        .for_each(|end| declare(&names.name(end), ValueType::I64, Cardinality::Optional));
    [KIND_BYTES, KIND_SITE]
        .into_iter()
        .for_each(|end| declare(&names.name(end), ValueType::I64, Cardinality::List));
    declare(&names.name(SITE_STEP), ValueType::Ref, Cardinality::List);
}

impl EventSink for LayerEvents {
    fn take(&mut self, stretch: &Stretch) {
        let Self { diff, label, before, lists, .. } = self;
        let node = diff.add_node(&[label]);
        let Stretch { before: count, sites, stamps, events } = stretch;
        diff.set(node, before, [signed(*count)]);
        let [of_events, of_ms, of_stamps, of_sites @ ..] = lists;
        of_events.push(node, events.iter().map(|event| i64::from(*event)));
        of_ms.push(node, stamps.iter().map(|stamp| signed(stamp.ms)));
        of_stamps.push(node, stamps.iter().map(|stamp| i64::from(stamp.event)));
        for (lists, number) in of_sites.iter_mut().zip(SiteState::NUMBERS) {
            lists.push(node, sites.iter().map(|site| *number(&mut { *site })));
        }
    }
}

/// Adds the kinds of events to the node of a profile. `node_of_site` and `steps` give the step of each site.
pub(super) fn add_table(
    (node, table): (NewNode, &EventTable),
    (node_of_site, steps): (&[u32], &[NewNode]),
    names: &Names,
    diff: &mut Diff,
) {
    diff.set(node, &names.name(COUNT), [signed(table.count)]);
    diff.set(node, &names.name(PEAK_COUNT), [signed(table.peak_count)]);
    diff.set(node, &names.name(KIND_BYTES), table.kinds.iter().map(|kind| kind.bytes));
    diff.set(node, &names.name(KIND_SITE), table.kinds.iter().map(|kind| kind.site));
    diff.set(node, &names.name(SITE_STEP), node_of_site.iter().map(|step| steps[*step as usize]));
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
