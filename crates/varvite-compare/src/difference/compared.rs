//! [`Difference`]: two graphs with pairs of equal nodes.

use varvite_store::Task;

use super::content::Contents;
use super::matching::match_nodes;
use super::node_map::NodeMap;
use super::schema::{SharedEdgeLabel, SharedProperty, SharedSchema};
use super::walk::TreeWalk;
use varvite_graph::{Graph, GraphScan, Result, in_order_within_memory};

/// The difference of two graphs. Nodes are matched by their content and their position in the tree; see
/// `docs/difference.md`.
///
/// # Example
/// ```no_run
/// # fn main() -> varvite::Result<()> {
/// use varvite::compare::Difference;
/// use varvite::columns::GraphScan;
/// use varvite::{Graph, Task};
///
/// let (before, after) = (Graph::open("a.varvite")?, Graph::open("b.varvite")?);
/// let (task, passes) = (Task::new(), [GraphScan::new(&before), GraphScan::new(&after)]);
/// let difference = Difference::of([&passes[0], &passes[1]], &task)?;
/// let counts = difference.visit(&task, |change| {
///     println!("{change:?}");
///     Ok(())
/// })?;
/// println!("{} nodes are in both", counts.matched);
/// # Ok(())
/// # }
/// ```
pub struct Difference<'p> {
    pub(super) passes: [&'p GraphScan<'p>; 2],
    pub(super) schema: SharedSchema<'p>,
    pub(super) walks: [TreeWalk<'p>; 2],
    pub(super) map: NodeMap<'p>,
}

impl<'p> Difference<'p> {
    /// Matches the nodes of two graphs. Reads the labels, properties and edges of the tree once, on all
    /// threads of the task. The result takes 40 bytes of memory for each node of both graphs and 4 for each
    /// text; matching temporarily takes up to 40 more bytes for each node. The memory is charged within the
    /// limit that [`Graph::limit_memory`] sets for each graph.
    ///
    /// # Errors
    /// The first damage that is found, because a difference of damaged graphs would be wrong.
    /// [`GraphError::OverBudget`](varvite_graph::GraphError) or
    /// [`GraphError::Cancelled`](varvite_graph::GraphError).
    pub fn of(passes: [&'p GraphScan<'p>; 2], task: &Task<'_>) -> Result<Self> {
        task.step("texts", 0, STEPS);
        let mut schema = SharedSchema::of(passes)?;
        number_texts(&mut schema, passes, task)?;
        task.step("order of nodes", 1, STEPS);
        let walks = [TreeWalk::of(passes[0])?, TreeWalk::of(passes[1])?];
        task.step("contents of nodes", 2, STEPS);
        let contents = [
            Contents::of(passes[0], 0, &walks[0], &schema, task)?,
            Contents::of(passes[1], 1, &walks[1], &schema, task)?,
        ];
        task.step("matching", 3, STEPS);
        let map = match_nodes(passes, [&walks[0], &walks[1]], [&contents[0], &contents[1]], &schema)?;
        let difference = Self { passes, schema, walks, map };
        difference.check(task)?;
        Ok(difference)
    }

    /// The properties of the two graphs, including those that only one graph has. Sorted by name.
    pub fn properties(&self) -> &[SharedProperty<'p>] {
        &self.schema.properties
    }

    /// The edge labels of the two graphs, including those that only one graph has. Sorted by name.
    pub fn edge_labels(&self) -> &[SharedEdgeLabel] {
        &self.schema.edge_labels
    }

    /// The id that a node of the first graph has in the second. `None` if the second graph does not have the
    /// node.
    pub fn second_of(&self, first: u32) -> Option<u32> {
        self.partner_id(0, first)
    }

    /// The id that a node of the second graph has in the first. `None` if the first graph does not have the
    /// node.
    pub fn first_of(&self, second: u32) -> Option<u32> {
        self.partner_id(1, second)
    }

    fn partner_id(&self, side: usize, id: u32) -> Option<u32> {
        let partner = self.map.partner(side, self.walks[side].position(id)?)?;
        Some(self.walks[1 - side].id(partner))
    }

    pub(super) fn graph(&self, side: usize) -> &'p Graph {
        self.passes[side].graph
    }

    /// Fails if the work was cancelled, or if any data read so far was invalid.
    pub(super) fn check(&self, task: &Task<'_>) -> Result<()> {
        task.check()?;
        self.passes.iter().try_for_each(|graph_scan| graph_scan.graph.check())
    }
}

/// The number of steps of the matching, for reports of progress.
const STEPS: usize = 4;

fn number_texts<'p>(
    schema: &mut SharedSchema<'p>,
    passes: [&'p GraphScan<'p>; 2],
    task: &Task<'_>,
) -> Result<()> {
    let jobs: Vec<usize> = (0..schema.properties.len()).collect();
    let mut numbered = Vec::new();
    let work = |index: &usize| {
        let texts = schema.numbered_texts(passes, *index);
        task.check()?;
        texts
    };
    in_order_within_memory(&jobs, task.thread_count(), work, |texts| {
        numbered.push(texts);
        Ok::<(), varvite_graph::GraphError>(())
    })?;
    for (index, texts) in numbered.into_iter().enumerate() {
        schema.set_texts(index, texts);
    }
    Ok(())
}
