//! [`Contents`]: hashes of the content of nodes.
//!
//! Each node has three hashes. The first covers the labels and texts of the node. The second covers the
//! labels and texts of its whole subtree, in order. The third covers the labels of its whole subtree and all
//! values there, except references. Nodes with equal hashes are taken to be equal. A collision of hashes can
//! only cause a worse match, because the differences of two paired nodes are found by comparing all values.

use std::sync::atomic::{AtomicU64, Ordering};

use varvite_store::Task;

use super::schema::SharedSchema;
use super::walk::{NODES_AT_ONCE, TreeWalk};
use varvite_graph::internal::Scratch;
use varvite_graph::{GraphScan, Result, ScratchVec, ValueType, in_order_within_memory};

/// Hashes of the content of a graph's nodes, by position.
pub(super) struct Contents<'p> {
    /// The number of each node's label set.
    pub(super) labels: ScratchVec<'p, u32>,
    /// A hash of the labels and texts of each node.
    pub(super) texts: ScratchVec<'p, u64>,
    /// A hash of the labels and texts of each node and its descendants.
    pub(super) texts_below: ScratchVec<'p, u64>,
    /// A hash of the labels and all values, except references, of each node and its descendants.
    pub(super) all_below: ScratchVec<'p, u64>,
}

/// A sum for each node, to which several threads add.
struct Sums<'p> {
    sums: Vec<AtomicU64>,
    _scratch: Scratch<'p>,
}

impl<'p> Sums<'p> {
    fn new(graph_scan: &'p GraphScan<'_>, len: u32) -> Result<Self> {
        let scratch = graph_scan.scratch(len as usize * size_of::<AtomicU64>())?;
        Ok(Self {
            sums: std::iter::repeat_with(AtomicU64::default).take(len as usize).collect(),
            _scratch: scratch,
        })
    }

    #[inline]
    fn add(&self, position: u32, number: u64) {
        self.sums[position as usize].fetch_add(number, Ordering::Relaxed);
    }

    fn get(&self, position: u32) -> u64 {
        self.sums[position as usize].load(Ordering::Relaxed)
    }
}

impl<'p> Contents<'p> {
    pub(super) fn of(
        graph_scan: &'p GraphScan<'_>,
        side: usize,
        walk: &TreeWalk<'_>,
        schema: &SharedSchema<'_>,
        task: &Task<'_>,
    ) -> Result<Self> {
        let len = walk.len();
        let (texts, others) = (Sums::new(graph_scan, len)?, Sums::new(graph_scan, len)?);
        let labels = labels_of(graph_scan, side, walk, schema)?;
        let is_hashed = |index: &usize| {
            let property = &schema.properties[*index];
            property.is_of_both() && property.edge_label.is_none() && property.value_type != ValueType::Ref
        };
        let jobs: Vec<usize> = (0..schema.properties.len()).filter(is_hashed).collect();
        let work = |index: &usize| {
            let sums = if schema.properties[*index].value_type.is_text() { &texts } else { &others };
            let added = add_values(graph_scan, side, walk, schema, *index, sums);
            // A cancelled scan ends early, which looks like damage, so cancellation is reported first.
            task.check()?;
            added
        };
        in_order_within_memory(&jobs, task.thread_count(), work, Ok)?;
        Self::below(graph_scan, walk, labels, &texts, &others)
    }

    /// Computes the hash of each subtree, from the last node to the first.
    fn below(
        graph_scan: &'p GraphScan<'_>,
        walk: &TreeWalk<'_>,
        labels: ScratchVec<'p, u32>,
        texts: &Sums<'_>,
        others: &Sums<'_>,
    ) -> Result<Self> {
        let len = walk.len() as usize;
        let mut contents = Self {
            labels,
            texts: ScratchVec::filled(graph_scan, 0, len)?,
            texts_below: ScratchVec::filled(graph_scan, 0, len)?,
            all_below: ScratchVec::filled(graph_scan, 0, len)?,
        };
        for position in (0..walk.len()).rev() {
            if position.is_multiple_of(NODES_AT_ONCE) {
                graph_scan.check()?;
            }
            let at = position as usize;
            let own = mix(texts.get(position), contents.labels[at].into());
            let (mut below, mut all) = (own, mix(own, others.get(position)));
            for child in walk.children(Some(position)) {
                below = mix(below, contents.texts_below[child as usize]);
                all = mix(all, contents.all_below[child as usize]);
            }
            contents.texts[at] = own;
            contents.texts_below[at] = mix(below, walk.size(position).into());
            contents.all_below[at] = mix(all, walk.size(position).into());
        }
        Ok(contents)
    }
}

fn labels_of<'p>(
    graph_scan: &'p GraphScan<'_>,
    side: usize,
    walk: &TreeWalk<'_>,
    schema: &SharedSchema<'_>,
) -> Result<ScratchVec<'p, u32>> {
    let sets = graph_scan.graph.label_sets()?;
    let mut labels = ScratchVec::with_capacity(graph_scan, walk.len() as usize)?;
    for position in 0..walk.len() {
        if position.is_multiple_of(NODES_AT_ONCE) {
            graph_scan.check()?;
        }
        labels.push(schema.label_set(side, sets.code(walk.id(position))))?;
    }
    Ok(labels)
}

/// Adds hashes of a property's values to the sums of their nodes.
fn add_values(
    graph_scan: &GraphScan<'_>,
    side: usize,
    walk: &TreeWalk<'_>,
    schema: &SharedSchema<'_>,
    index: usize,
    sums: &Sums<'_>,
) -> Result<()> {
    let shared = &schema.properties[index];
    let Some(id) = shared.ids[side] else { return Ok(()) };
    let property = graph_scan.graph.property_at(id)?;
    let (mut last, mut place, mut count) = (None, 0u64, 0u32);
    property.for_each(|owner, number| {
        count = count.wrapping_add(1);
        if count.is_multiple_of(NODES_AT_ONCE) && graph_scan.check().is_err() {
            return;
        }
        place = if last == Some(owner) { place + 1 } else { 0 };
        last = Some(owner);
        if let Some(position) = walk.position(owner) {
            let value = mix(shared.common(side, number) as u64, place);
            sums.add(position, mix(value, index as u64 + 1));
        }
    });
    Ok(())
}

/// A hash of two numbers, which depends on their order.
#[inline]
pub(super) fn mix(first: u64, second: u64) -> u64 {
    let product = (first ^ second.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x2545_f491_4f6c_dd1d);
    let product = product.wrapping_mul(0xd6e8_feb8_6659_fd93);
    (product ^ product >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29)
}
