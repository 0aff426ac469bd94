//! [`LineNodes`]: the node that stands for a source line of a METHOD.

use std::collections::{BTreeMap, HashMap};

use varvite::cursor::Labels;
use varvite::error::optional;
use varvite::{Adjacency, Graph, GraphError, LabelId, Property};

/// Finds the node of a line: the outermost CALL at the line or, if there is none, the outermost other node
/// that the METHOD contains.
pub(super) struct LineNodes {
    columns: Option<Columns>,
    of_methods: HashMap<u32, BTreeMap<i64, u32>>,
}

struct Columns {
    contains: Adjacency,
    labels: Labels,
    call: Option<LabelId>,
    lines: Property,
}

impl LineNodes {
    /// Opens the columns of a graph. If the graph lacks them, lines have no nodes.
    pub(super) fn of(graph: &Graph) -> Result<Self, GraphError> {
        let open = || {
            Ok(Columns {
                contains: graph.out("CONTAINS")?,
                labels: graph.label_sets()?,
                call: optional(graph.label("CALL"))?,
                lines: graph.property("LINE_NUMBER")?,
            })
        };
        let columns = optional(open())?;
        graph.check()?;
        Ok(Self { columns, of_methods: HashMap::new() })
    }

    /// The node of a line of a METHOD.
    pub(super) fn at(&mut self, method: u32, line: u32) -> Option<u32> {
        let Self { columns, of_methods } = self;
        let read = || columns.as_ref().map(|columns| columns.nodes(method)).unwrap_or_default();
        of_methods.entry(method).or_insert_with(read).get(&i64::from(line)).copied()
    }
}

impl Columns {
    /// The node of each line. A node comes before its descendants, so the least is the outermost.
    fn nodes(&self, method: u32) -> BTreeMap<i64, u32> {
        let is_other = |node| self.call.is_none_or(|call| !self.labels.has(node, call));
        let mut nodes: BTreeMap<i64, (bool, u32)> = BTreeMap::new();
        for node in self.contains.neighbors(method) {
            let Some(line) = self.lines.number(node) else { continue };
            let rank = (is_other(node), node);
            nodes.entry(line).and_modify(|least| *least = rank.min(*least)).or_insert(rank);
        }
        nodes.into_iter().map(|(line, (_, node))| (line, node)).collect()
    }
}
