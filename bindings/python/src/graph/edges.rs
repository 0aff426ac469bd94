//! The edges of a label as CSR: where the list of each node starts, and the neighbours of all lists.

use pyo3::prelude::*;
use varvite::{Adjacency, Direction, Task};

use super::layout::{layout_of, plain_view};
use super::open::{Graph, Open};
use crate::array::Array;
use crate::failure::Result;
use crate::interrupt::on_this_thread;

/// The number of nodes whose lists are read between two checks of the flag.
const NODES_OF_PART: usize = 1 << 15;

#[pymethods]
impl Graph {
    /// The edges of a label as CSR: the starts of the lists of all nodes and the end of the last one, and the
    /// neighbours. Both are `<i4` if the numbers fit, otherwise `<i8`.
    fn csr(&self, py: Python<'_>, label: &str, is_out: bool) -> PyResult<(Array, Array)> {
        let open = self.open()?;
        let direction = if is_out { Direction::Out } else { Direction::In };
        Ok(on_this_thread(py, Task::new(), |task| open.csr(label, direction, task))?)
    }
}

impl Open {
    fn csr(&self, label: &str, direction: Direction, task: &Task<'_>) -> Result<(Array, Array)> {
        let adjacency = self.adjacency(label, direction)?;
        let nodes = self.graph.node_count();
        let is_narrow = adjacency.edge_count() <= i32::MAX as u64 && nodes <= i32::MAX as u32;
        let starts = match is_narrow {
            true => Array::of(starts(&adjacency, nodes, task, |end| end as i32)?, "<i4"),
            false => Array::of(starts(&adjacency, nodes, task, |end| end as i64)?, "<i8"),
        };
        let neighbours = match self.neighbours_view(label, direction, is_narrow)? {
            Some(view) => view,
            None => self.neighbours_array(&adjacency, is_narrow, task)?,
        };
        self.graph.check()?;
        Ok((starts, neighbours))
    }

    /// The neighbours in the mapped file, if they are stored as numbers of 32 bits. All of them are less than
    /// 2^31, so it does not matter that the array has a sign.
    fn neighbours_view(&self, label: &str, direction: Direction, is_narrow: bool) -> Result<Option<Array>> {
        let id = self.graph.edge_label(label)?;
        let store = self.graph.store();
        let Some(row) = store.directory().edge_labels.get(id.index()) else { return Ok(None) };
        let side = if direction == Direction::Out { row.out } else { row.in_ };
        match side.neighbors {
            Some(column) if is_narrow && !self.graph.has_changed_edges(id) => {
                plain_view(store, column, layout_of("<i4", 4))
            }
            _ => Ok(None),
        }
    }

    /// The decoded neighbours. Damaged sizes of subtrees could imply far more neighbours than the label has
    /// edges; the call then fails with the error of that damage.
    fn neighbours_array(&self, adjacency: &Adjacency, is_narrow: bool, task: &Task<'_>) -> Result<Array> {
        let edges = adjacency.edge_count() as usize;
        let mut neighbours: Vec<u32> = Vec::with_capacity(edges);
        in_parts(adjacency, task, |nodes| {
            append_lists(adjacency, nodes, &mut neighbours);
            if neighbours.len() > edges {
                adjacency.note_damage(nodes[0]);
            }
            Ok(self.graph.check()?)
        })?;
        Ok(match is_narrow {
            true => Array::of(neighbours, "<i4"),
            false => Array::of(neighbours.into_iter().map(i64::from).collect::<Vec<i64>>(), "<i8"),
        })
    }
}

/// The start of the list of each node, and the end of the last list. A node without a list costs only its
/// entry.
fn starts<T: Copy>(
    adjacency: &Adjacency,
    nodes: u32,
    task: &Task<'_>,
    of: impl Fn(usize) -> T,
) -> Result<Vec<T>> {
    let (mut starts, mut end) = (Vec::with_capacity(nodes as usize + 1), 0);
    in_parts(adjacency, task, |sources| {
        for node in sources {
            starts.resize(*node as usize + 1, of(end));
            end += adjacency.degree(*node);
        }
        Ok(())
    })?;
    starts.resize(nodes as usize + 1, of(end));
    Ok(starts)
}

/// Calls `part` with the nodes that have neighbours, ascending, some thousands at a time.
fn in_parts(
    adjacency: &Adjacency,
    task: &Task<'_>,
    mut part: impl FnMut(&[u32]) -> Result<()>,
) -> Result<()> {
    let (mut sources, mut nodes) = (adjacency.sources(), Vec::with_capacity(NODES_OF_PART));
    loop {
        nodes.clear();
        nodes.extend(sources.by_ref().take(NODES_OF_PART));
        if nodes.is_empty() {
            return Ok(());
        }
        part(&nodes)?;
        task.check()?;
    }
}

/// Appends the neighbours of nodes, for many nodes at once where that is faster.
fn append_lists(adjacency: &Adjacency, nodes: &[u32], neighbours: &mut Vec<u32>) {
    let mut done = 0;
    while done < nodes.len() {
        done += adjacency.append_many(&nodes[done..], usize::MAX, neighbours);
        if let Some(node) = nodes.get(done) {
            adjacency.append(*node, neighbours);
            done += 1;
        }
    }
}
