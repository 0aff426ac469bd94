//! [`FunctionBatches`]: reads functions into batches.

use std::ops::{Deref, Range};

use varvite::memory::Reserved;
use varvite::{Adjacency, Budget, Graph, GraphError};

use super::batch::FunctionBatch;
use super::node_sets::NodeSet;
use super::texts::BatchTexts;
use super::{Columns, Functions};
use crate::error::Result;

/// The bytes of a node and of an edge in a batch, without the text.
const NODE_BYTES: usize = size_of::<u32>() + 3 * size_of::<i64>();
const EDGE_BYTES: usize = 3 * size_of::<i64>();
/// The least number of edges for which a batch makes room.
const EDGES_MIN: usize = 1 << 10;
/// The number of nodes whose values are read at once.
const RUN: u32 = 1 << 12;

/// The batches of functions: an iterator that ends with the last function, or after an error.
///
/// **Cost**: some ten nanoseconds for each node and edge, and the time to decode each text of a batch once.
/// Memory is that of one batch, and eight bytes for each text of CODE in the graph.
#[derive(Debug)]
pub struct FunctionBatches<G> {
    functions: Functions<G>,
    next: usize,
    is_over: bool,
    texts: Option<BatchTexts>,
    budget: Budget,
    /// The memory of `texts`.
    memory: Reserved,
    nodes: NodeSet,
    scratch: Scratch,
}

/// Numbers that were read from a column.
#[derive(Debug, Default)]
struct Scratch {
    numbers: Vec<i64>,
    present: Vec<u64>,
}

impl<G: Deref<Target = Graph>> Functions<G> {
    /// Begins to read the functions.
    pub fn batches(self) -> FunctionBatches<G> {
        let budget = Budget::of(&self.options.task);
        FunctionBatches {
            functions: self,
            next: 0,
            is_over: false,
            texts: None,
            memory: Reserved::nothing_of(&budget),
            budget,
            nodes: NodeSet::default(),
            scratch: Scratch::default(),
        }
    }
}

impl<G: Deref<Target = Graph>> FunctionBatches<G> {
    fn fill(&mut self) -> Result<Option<FunctionBatch>> {
        let code = self.functions.columns.code.clone();
        let mut texts = match self.texts.take() {
            Some(texts) => texts,
            None => BatchTexts::of(code.as_ref(), &mut self.memory).map_err(GraphError::from)?,
        };
        let (mut batch, mut memory) = (FunctionBatch::new(), Reserved::nothing_of(&self.budget));
        let options = &self.functions.options;
        let (nodes_max, token_ids) = (options.batch_nodes.max(1), options.token_ids);
        while batch.nodes.len() < nodes_max
            && let Some(method) = self.functions.methods.get(self.next).copied()
        {
            self.next += 1;
            self.add(method, &mut texts, &mut batch, &mut memory)?;
        }
        texts.finish(code.as_ref(), token_ids, &mut batch, &mut memory).map_err(GraphError::from)?;
        self.functions.graph.check()?;
        self.texts = Some(texts);
        Ok((!batch.is_empty()).then_some(batch))
    }

    fn add(
        &mut self,
        method: u32,
        texts: &mut BatchTexts,
        batch: &mut FunctionBatch,
        memory: &mut Reserved,
    ) -> Result<()> {
        let Self { functions, nodes, scratch, budget, .. } = self;
        functions.options.task.check().map_err(GraphError::from)?;
        functions.sets.find(method, nodes, budget)?;
        memory.take(nodes.len() * NODE_BYTES).map_err(GraphError::from)?;
        batch.methods.push(method);
        for run in nodes.runs() {
            for start in run.clone().step_by(RUN as usize) {
                let part = start..run.end.min(start.saturating_add(RUN));
                functions.columns.append(part, texts, scratch, batch);
            }
        }
        batch.node_offsets.push(batch.nodes.len() as i64);
        for (edge_type, out) in (0..).zip(&functions.edges) {
            let Some(out) = out else { continue };
            append_edges(out, edge_type, nodes, batch, memory)?;
        }
        batch.edge_offsets.push(batch.sources.len() as i64);
        Ok(())
    }
}

impl Columns {
    /// Appends the values of adjacent nodes.
    fn append(
        &self,
        nodes: Range<u32>,
        texts: &mut BatchTexts,
        scratch: &mut Scratch,
        batch: &mut FunctionBatch,
    ) {
        let Scratch { numbers, present } = scratch;
        batch.nodes.extend(nodes.clone());
        let first_label = |node| self.labels.of(node).next().map_or(-1, |label| i64::from(label.0));
        batch.node_types.extend(nodes.clone().map(first_label));
        let absent = |count: usize| std::iter::repeat_n(-1, count);
        let or_absent = |numbers: &[i64], present: &[u64], index: usize| match is_set(present, index) {
            true => numbers[index],
            false => -1,
        };
        match &self.line {
            Some(line) => {
                line.fill(nodes.clone(), numbers, present);
                batch.lines.extend((0..nodes.len()).map(|index| or_absent(numbers, present, index)));
            }
            None => batch.lines.extend(absent(nodes.len())),
        }
        match &self.code {
            Some(code) => {
                code.fill(nodes.clone(), numbers, present);
                let codes = (0..nodes.len()).map(|index| texts.index(or_absent(numbers, present, index)));
                batch.codes.extend(codes);
            }
            None => batch.codes.extend(absent(nodes.len())),
        }
    }
}

fn is_set(bits: &[u64], index: usize) -> bool {
    bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
}

/// Appends the edges of a label from nodes of a function to nodes of the same function.
fn append_edges(
    out: &Adjacency,
    edge_type: i64,
    nodes: &NodeSet,
    batch: &mut FunctionBatch,
    memory: &mut Reserved,
) -> Result<()> {
    for (place, node) in (0..).zip(nodes.runs().flatten()).filter(|(_, node)| out.may_have(*node)) {
        for target in out.neighbors(node).filter_map(|target| nodes.place(target)) {
            if batch.targets.len() == batch.targets.capacity() {
                let more = batch.targets.len().max(EDGES_MIN);
                memory.take(more * EDGE_BYTES).map_err(GraphError::from)?;
                batch.targets.reserve_exact(more);
            }
            batch.sources.push(place);
            batch.targets.push(i64::from(target));
        }
    }
    batch.edge_types.resize(batch.targets.len(), edge_type);
    Ok(())
}

impl<G: Deref<Target = Graph>> Iterator for FunctionBatches<G> {
    type Item = Result<FunctionBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let filled = self.fill().transpose();
        self.is_over = !matches!(filled, Some(Ok(_)));
        filled
    }
}
