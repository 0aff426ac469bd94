//! [`TreeWalk`]: the nodes of a graph in pre-order of its tree label, as
//! [`compact`](varvite_graph::write::GraphChange::compact) numbers them.
//!
//! A *position* is the number of a node in that order. A node that has several parents or is on a cycle is
//! numbered when it is first visited. So the walk always follows a forest, in which the descendants of a node
//! are a range of positions. Without a tree label every node is a root.

use varvite_format::{Fault, FormatError};

use varvite_graph::{Adjacency, GraphScan, Result, ScratchVec};

/// The value that stands for no node.
pub(super) const NONE: u32 = u32::MAX;
/// The number of nodes between two checks for cancellation.
pub(super) const NODES_AT_ONCE: u32 = 1 << 16;

pub(super) struct TreeWalk<'p> {
    /// The ids and positions; `None` if positions equal ids.
    numbers: Option<Numbers<'p>>,
    /// The number of each node's descendants, by position.
    sizes: ScratchVec<'p, u32>,
    /// The first position of a node that is not below any root.
    rootless: u32,
}

struct Numbers<'p> {
    /// The id of each node, by position.
    ids: ScratchVec<'p, u32>,
    /// The position of each node, by id; [`NONE`] for a removed node.
    positions: ScratchVec<'p, u32>,
}

impl<'p> TreeWalk<'p> {
    pub(super) fn of(graph_scan: &'p GraphScan<'_>) -> Result<Self> {
        match graph_scan.graph.store().directory().changes.is_none() && graph_scan.graph.subtree()?.is_some()
        {
            true => Self::of_forest(graph_scan),
            false => Self::by_edges(graph_scan),
        }
    }

    /// Reads the order of a graph whose ids are in pre-order.
    fn of_forest(graph_scan: &'p GraphScan<'_>) -> Result<Self> {
        let graph = graph_scan.graph;
        let nodes = graph.node_count();
        let subtree = graph.subtree()?.ok_or_else(|| graph.missing("subtree", "subtree index"))?;
        let mut sizes = ScratchVec::with_capacity(graph_scan, nodes as usize)?;
        let mut ends = ScratchVec::new(graph_scan)?;
        for node in 0..nodes {
            if node.is_multiple_of(NODES_AT_ONCE) {
                graph_scan.check()?;
            }
            let size = subtree.size(node);
            while ends.last().is_some_and(|end| *end <= node) {
                ends.pop();
            }
            let end = node + 1 + size;
            if ends.last().is_some_and(|above| *above < end) {
                let fault = Fault::Nesting { node, edges: graph.edge_count() };
                return Err(graph.store().damaged(FormatError::damaged("subtree", fault)).into());
            }
            ends.push(end)?;
            sizes.push(size)?;
        }
        Ok(Self { numbers: None, sizes, rootless: nodes })
    }

    fn by_edges(graph_scan: &'p GraphScan<'_>) -> Result<Self> {
        let graph = graph_scan.graph;
        let removed = graph.removed_nodes()?;
        let is_removed = |node| removed.as_ref().is_some_and(|removed| removed.contains(node));
        let tree = match graph.tree_label() {
            Some(tree) => Some((graph.out(tree)?, graph.in_(tree)?)),
            None => None,
        };
        let (nodes, mut steps, mut rootless) = (graph.node_count(), Steps::of(graph_scan)?, 0);
        for is_root in [true, false] {
            for root in 0..nodes {
                if root.is_multiple_of(NODES_AT_ONCE) {
                    graph_scan.check()?;
                }
                let has_parent = || tree.as_ref().is_some_and(|(_, in_)| in_.first(root).is_some());
                if !(is_removed(root) || is_root && has_parent()) {
                    steps.go_down(root, tree.as_ref().map(|(out, _)| out))?;
                }
            }
            if is_root {
                rootless = steps.numbers.ids.len() as u32;
            }
        }
        let sizes = sizes_of(graph_scan, &steps.parents)?;
        let numbers = steps.numbers;
        let are_same = numbers.ids.len() == nodes as usize && numbers.ids.iter().copied().eq(0..nodes);
        Ok(Self { numbers: (!are_same).then_some(numbers), sizes, rootless })
    }

    /// The number of nodes, not counting removed ones.
    pub(super) fn len(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// Whether positions equal ids, and no node was removed.
    pub(super) fn is_in_order(&self) -> bool {
        self.numbers.is_none()
    }

    /// The id of the node at a position.
    #[inline]
    pub(super) fn id(&self, position: u32) -> u32 {
        self.numbers.as_ref().map_or(position, |numbers| numbers.ids[position as usize])
    }

    /// The position of a node; `None` if the node was removed or does not exist.
    #[inline]
    pub(super) fn position(&self, id: u32) -> Option<u32> {
        match &self.numbers {
            None => (id < self.len()).then_some(id),
            Some(numbers) => numbers.positions.get(id as usize).copied().filter(|known| *known != NONE),
        }
    }

    /// The number of descendants of the node at a position.
    #[inline]
    pub(super) fn size(&self, position: u32) -> u32 {
        self.sizes[position as usize]
    }

    /// The positions of the children of a node, or of the roots.
    pub(super) fn children(&self, parent: Option<u32>) -> Children<'_> {
        match parent {
            None => Children { walk: self, next: 0, end: self.len() },
            Some(parent) => Children { walk: self, next: parent + 1, end: parent + 1 + self.size(parent) },
        }
    }

    /// The positions of the roots, which are the nodes without an incoming edge of the tree.
    pub(super) fn roots(&self) -> Children<'_> {
        Children { walk: self, next: 0, end: self.rootless }
    }

    /// The positions of nodes that are not below any root, because they are on a cycle or below one.
    pub(super) fn rootless(&self) -> std::ops::Range<u32> {
        self.rootless..self.len()
    }
}

/// The state of a walk that numbers the nodes.
struct Steps<'p> {
    numbers: Numbers<'p>,
    /// The position of each node's parent, by position.
    parents: ScratchVec<'p, u32>,
    /// Nodes that are not visited yet, each with the position of its parent.
    open: ScratchVec<'p, (u32, u32)>,
}

impl<'p> Steps<'p> {
    fn of(graph_scan: &'p GraphScan<'_>) -> Result<Self> {
        let nodes = graph_scan.graph.node_count() as usize;
        let ids = ScratchVec::with_capacity(graph_scan, nodes)?;
        let numbers = Numbers { ids, positions: ScratchVec::filled(graph_scan, NONE, nodes)? };
        Ok(Self {
            numbers,
            parents: ScratchVec::with_capacity(graph_scan, nodes)?,
            open: ScratchVec::new(graph_scan)?,
        })
    }

    /// Numbers a node and its descendants, except nodes that already have a number.
    fn go_down(&mut self, root: u32, out: Option<&Adjacency>) -> Result<()> {
        self.open.push((root, NONE))?;
        while let Some((node, parent)) = self.open.pop() {
            let position = self.numbers.ids.len() as u32;
            match self.numbers.positions.get_mut(node as usize) {
                Some(known) if *known == NONE => *known = position,
                _ => continue,
            }
            self.numbers.ids.push(node)?;
            self.parents.push(parent)?;
            let first = self.open.len();
            for child in out.iter().flat_map(|out| out.neighbors(node)) {
                self.open.push((child, position))?;
            }
            self.open[first..].reverse();
        }
        Ok(())
    }
}

/// The number of descendants of the node at each position, computed from the position of each node's parent.
fn sizes_of<'p>(graph_scan: &'p GraphScan<'_>, parents: &[u32]) -> Result<ScratchVec<'p, u32>> {
    let mut sizes = ScratchVec::filled(graph_scan, 0u32, parents.len())?;
    for position in (0..parents.len()).rev() {
        if parents[position] != NONE {
            sizes[parents[position] as usize] += sizes[position] + 1;
        }
    }
    Ok(sizes)
}

/// The positions of siblings, in ascending order.
pub(super) struct Children<'w> {
    walk: &'w TreeWalk<'w>,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let child = self.next;
        if child >= self.end {
            return None;
        }
        self.next = child + 1 + self.walk.size(child);
        Some(child)
    }
}
