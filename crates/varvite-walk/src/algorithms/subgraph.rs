//! [`Subgraph`]: the part of a graph over which algorithms run.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::columns::Columns;
use super::csr::Csr;
use super::error::AlgorithmError;
use super::limits::Limits;
use super::lists::Lists;
use super::members::Members;
use super::node_lists::NodeLists;
use super::node_values::NodeValues;
use super::options::AlgorithmOptions;
use super::selection::Selection;
use varvite_graph::{Graph, OverBudget};
use varvite_store::Task;

/// The part of a graph over which algorithms run. Each algorithm is a method.
///
/// When an algorithm first needs the lists of edges, all threads decode them; they are kept for later
/// algorithms. They take 4 bytes for each edge and node in each direction that is needed; only one direction
/// is needed if every edge leads both ways. If the memory for lists ([`AlgorithmOptions::list_bytes`]) does
/// not suffice, the lists are read from the columns each time, which takes longer but gives the same answers.
/// Algorithms that need decoded lists, as their documentation says, then fail with
/// [`AlgorithmError::OverBudget`].
///
/// Several threads may run algorithms at once; they share the budget. Clones share nodes, lists and budget.
#[derive(Clone, Debug)]
pub struct Subgraph {
    pub(super) members: Arc<Members>,
    pub(super) limits: Limits,
    out: Arc<DirectedLists>,
    /// The lists of in-edges; the same as `out` if every edge leads both ways.
    in_: Arc<DirectedLists>,
}

/// The edges of a subgraph in one direction.
#[derive(Debug)]
struct DirectedLists {
    source: Source,
    /// The decoded lists, set by the first attempt to decode them; an error if there was too little memory.
    decoded: OnceLock<Result<Csr, OverBudget>>,
    /// Locked by the thread that decodes lists.
    decoding: Mutex<()>,
}

/// The origin of the lists of one direction.
#[derive(Debug)]
enum Source {
    /// The columns of a graph.
    Columns(Columns),
    /// The columns of a graph. Only the first of several parallel edges counts; decoded lists show which
    /// edges are parallel.
    DistinctColumns(Columns),
    /// The caller, who gave decoded lists: they are in `decoded` from the beginning.
    Caller,
}

impl Selection {
    /// Opens the part of a graph that this selection describes. This opens the columns and numbers the nodes.
    /// Lists of edges are read only when an algorithm first needs them.
    ///
    /// # Errors
    /// [`AlgorithmError::Graph`] for a name that the graph does not have, with the nearest name;
    /// [`AlgorithmError::OverBudget`].
    pub fn open(&self, graph: &Graph, options: &AlgorithmOptions) -> Result<Subgraph, AlgorithmError> {
        let limits = Limits::new(options, Some(graph.damage()));
        limits.check()?;
        let members = Arc::new(Members::of(graph, &self.labels, &limits)?);
        let direction = |selection: &Self| {
            let columns = Columns::open(selection, graph, &members)?;
            Ok::<_, AlgorithmError>(Arc::new(DirectedLists::of_columns(columns, self.is_distinct)))
        };
        let reversed = Self { cost: None, ..self.clone().reversed() };
        let out = direction(self)?;
        let is_symmetric = reversed.stages == self.stages;
        let in_ = if is_symmetric { Arc::clone(&out) } else { direction(&reversed)? };
        limits.check_damage()?;
        Ok(Subgraph { members, limits, out, in_ })
    }
}

impl Subgraph {
    /// The nodes 0 to `nodes` minus one, and edges that the caller supplies, such as those of another
    /// library's graph: the targets of out-edges and the sources of in-edges, one list for each node. Without
    /// `in_`, each edge also leads back, and `out` has both ways.
    ///
    /// The lists take 4 bytes for each edge and node of the memory for lists.
    ///
    /// # Errors
    /// [`AlgorithmError::Parameter`] for another number of lists than of nodes;
    /// [`AlgorithmError::NotSelected`] for an entry that is not a node; [`AlgorithmError::OverBudget`].
    pub fn of_lists(
        nodes: u32,
        out: NodeLists,
        in_: Option<NodeLists>,
        options: &AlgorithmOptions,
    ) -> Result<Self, AlgorithmError> {
        let limits = Limits::new(options, None);
        let direction = |lists: NodeLists| {
            lists.check(nodes)?;
            Ok::<_, AlgorithmError>(Arc::new(DirectedLists::of_caller(Csr::of_lists(lists, &limits)?)))
        };
        let out = direction(out)?;
        let in_ = in_.map_or_else(|| Ok(Arc::clone(&out)), direction)?;
        Ok(Self { members: Arc::new(Members::all(nodes)), limits, out, in_ })
    }

    /// The same nodes and edges with the threads and the cancellation flag of another task.
    #[must_use]
    pub fn with_task(&self, task: &Task<'_>) -> Self {
        Self { limits: self.limits.with_task(task), ..self.clone() }
    }

    /// The same nodes, and the same edges in the other direction. Shares the lists.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { out: Arc::clone(&self.in_), in_: Arc::clone(&self.out), ..self.clone() }
    }

    /// The number of nodes of the subgraph.
    pub fn node_count(&self) -> usize {
        self.members.len()
    }

    /// The nodes of the subgraph, in ascending order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        (0..self.members.len()).map(move |index| self.members.node(index as u32))
    }

    /// Decodes the lists of both directions, unless they are decoded already; returns false if there is no
    /// memory for them. Without this call, the first algorithm that needs a direction decodes it.
    ///
    /// # Errors
    /// [`AlgorithmError::Graph`] for damage; [`AlgorithmError::Cancelled`].
    pub fn decode(&self) -> Result<bool, AlgorithmError> {
        Ok(self.out_lists()?.decoded().is_some() && self.in_lists()?.decoded().is_some())
    }

    /// The nodes without in-edges, in ascending order. All nodes can be reached from these nodes, except
    /// nodes of cycles that no edge enters from outside, and nodes that can be reached only from such cycles.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn nodes_without_in_edges(&self) -> Result<Vec<u32>, AlgorithmError> {
        let mut reader = self.in_lists()?.reader(&self.limits);
        let mut found = Vec::new();
        for index in 0..self.members.len() as u32 {
            reader.tick(1)?;
            if reader.degree(index)? == 0 {
                found.push(self.members.node(index));
            }
        }
        self.limits.check_damage()?;
        Ok(found)
    }

    /// Whether the subgraph has a node.
    pub fn has_node(&self, node: u32) -> bool {
        self.members.index(node).is_some()
    }

    /// The targets of a node's edges, in the order of its list. Needs decoded lists.
    ///
    /// # Errors
    /// [`AlgorithmError::NotSelected`]; [`AlgorithmError`].
    pub fn targets(&self, node: u32) -> Result<impl ExactSizeIterator<Item = u32> + '_, AlgorithmError> {
        let index = self.members.indexes(&[node])?[0];
        Ok(self.decoded_out()?.list(index).iter().map(|target| self.members.node(*target)))
    }

    /// The list of each node: the places of its edges' targets among [`nodes`](Self::nodes). Needs decoded
    /// lists.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn target_lists(&self) -> Result<impl ExactSizeIterator<Item = &[u32]>, AlgorithmError> {
        let out = self.decoded_out()?;
        Ok((0..self.members.len() as u32).map(|index| out.list(index)))
    }

    /// The number of edges. Needs decoded lists.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn edge_count(&self) -> Result<usize, AlgorithmError> {
        Ok(self.decoded_out()?.entry_count())
    }

    /// The targets of edges, by source.
    pub(super) fn out_lists(&self) -> Result<Lists<'_>, AlgorithmError> {
        self.lists(&self.out)
    }

    /// The sources of edges, by target.
    pub(super) fn in_lists(&self) -> Result<Lists<'_>, AlgorithmError> {
        self.lists(&self.in_)
    }

    /// Whether the lists of both directions are equal.
    pub(super) fn is_symmetric(&self) -> bool {
        Arc::ptr_eq(&self.out, &self.in_)
    }

    /// The decoded lists of in-edges; `None` if they are not decoded.
    pub(super) fn known_in_lists(&self) -> Option<&Csr> {
        self.in_.decoded.get()?.as_ref().ok()
    }

    /// The decoded lists of out-edges, for algorithms that need decoded lists.
    pub(super) fn decoded_out(&self) -> Result<&Csr, AlgorithmError> {
        Ok(self.decoded(&self.out)?.as_ref().map_err(|error| *error)?)
    }

    pub(super) fn decoded_in(&self) -> Result<&Csr, AlgorithmError> {
        Ok(self.decoded(&self.in_)?.as_ref().map_err(|error| *error)?)
    }

    /// The columns of out-edges and their costs; `None` for edges that the caller supplied.
    pub(super) fn out_columns(&self) -> Option<&Columns> {
        match &self.out.source {
            Source::Columns(columns) | Source::DistinctColumns(columns) => Some(columns),
            Source::Caller => None,
        }
    }

    /// Checks that no read found damage, and returns the result of an algorithm.
    pub(super) fn found<T: Copy>(&self, values: Vec<T>) -> Result<NodeValues<T>, AlgorithmError> {
        self.limits.check_damage()?;
        Ok(NodeValues::new(&self.members, values))
    }

    fn lists<'a>(&'a self, direction: &'a DirectedLists) -> Result<Lists<'a>, AlgorithmError> {
        match (self.decoded(direction)?, &direction.source) {
            (Ok(csr), _) => Ok(Lists::Decoded(csr)),
            (Err(_), Source::Columns(columns)) => Ok(Lists::Columns(columns)),
            (Err(error), _) => Err((*error).into()),
        }
    }

    fn decoded<'a>(
        &self,
        direction: &'a DirectedLists,
    ) -> Result<&'a Result<Csr, OverBudget>, AlgorithmError> {
        if let Some(known) = direction.decoded.get() {
            return Ok(known);
        }
        let _alone = direction.decoding.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = direction.decoded.get() {
            return Ok(known);
        }
        let decoded = match direction.decode(self.members.len(), &self.limits) {
            Err(AlgorithmError::OverBudget { limit, needed }) => Err(OverBudget { limit, needed }),
            decoded => Ok(decoded?),
        };
        self.limits.check_damage()?;
        Ok(direction.decoded.get_or_init(|| decoded))
    }
}

impl DirectedLists {
    fn of_columns(columns: Columns, is_distinct: bool) -> Self {
        let source = if is_distinct { Source::DistinctColumns(columns) } else { Source::Columns(columns) };
        Self { source, decoded: OnceLock::new(), decoding: Mutex::new(()) }
    }

    fn of_caller(lists: Csr) -> Self {
        Self { source: Source::Caller, decoded: OnceLock::from(Ok(lists)), decoding: Mutex::new(()) }
    }

    fn decode(&self, members: usize, limits: &Limits) -> Result<Csr, AlgorithmError> {
        match &self.source {
            Source::Columns(columns) => Csr::decode(columns, members, limits),
            Source::DistinctColumns(columns) => Csr::decode(columns, members, limits)?.distinct(limits),
            Source::Caller => Ok(Csr::with_capacity(&limits.lists, 0)?),
        }
    }
}
