//! [`Subgraph`]: the part of a graph over which algorithms run.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::columns::Columns;
use super::csr::Csr;
use super::error::AlgorithmError;
use super::limits::Limits;
use super::lists::Lists;
use super::members::Members;
use super::node_values::NodeValues;
use super::options::AlgorithmOptions;
use super::selection::Selection;
use varvite_graph::{Graph, OverBudget};

/// The part of a graph over which algorithms run. Each algorithm is a method.
///
/// When an algorithm first needs the lists of edges, all threads decode them; they are kept for later
/// algorithms. They take 4 bytes for each edge and node in each direction that is needed; only one direction
/// is needed if every edge leads both ways. If the memory for lists ([`AlgorithmOptions::list_bytes`]) does
/// not suffice, the lists are read from the columns each time, which takes longer but gives the same answers.
/// Algorithms that need decoded lists, as their documentation says, then fail with
/// [`AlgorithmError::OverBudget`].
///
/// Several threads may run algorithms at once; they share the budget.
#[derive(Debug)]
pub struct Subgraph {
    pub(super) members: Arc<Members>,
    pub(super) limits: Limits,
    out: DirectedLists,
    /// The lists of in-edges; `None` if every edge leads both ways, so that the lists of both directions are
    /// equal.
    in_: Option<DirectedLists>,
    /// Locked by the thread that decodes lists.
    decoding: Mutex<()>,
}

/// The edges of a subgraph in one direction.
#[derive(Debug)]
struct DirectedLists {
    columns: Columns,
    /// The decoded lists, set by the first attempt to decode them; an error if there was too little memory.
    decoded: OnceLock<Result<Csr, OverBudget>>,
}

impl Selection {
    /// Opens the part of a graph that this selection describes. This opens the columns and numbers the nodes.
    /// Lists of edges are read only when an algorithm first needs them.
    ///
    /// # Errors
    /// [`AlgorithmError::Graph`] for a name that the graph does not have, with the nearest name;
    /// [`AlgorithmError::OverBudget`].
    pub fn open(&self, graph: &Graph, options: &AlgorithmOptions) -> Result<Subgraph, AlgorithmError> {
        let limits = Limits::new(options, graph.damage());
        limits.check()?;
        let members = Arc::new(Members::of(graph, &self.labels, &limits)?);
        let direction = |selection: &Self| {
            let columns = Columns::open(selection, graph, &members)?;
            Ok::<_, AlgorithmError>(DirectedLists { columns, decoded: OnceLock::new() })
        };
        let reversed = Self { cost: None, ..self.clone().reversed() };
        let is_symmetric = reversed.stages == self.stages;
        let in_ = (!is_symmetric).then(|| direction(&reversed)).transpose()?;
        let out = direction(self)?;
        limits.check_damage()?;
        Ok(Subgraph { members, limits, out, in_, decoding: Mutex::new(()) })
    }
}

impl Subgraph {
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

    /// The targets of edges, by source.
    pub(super) fn out_lists(&self) -> Result<Lists<'_>, AlgorithmError> {
        self.lists(&self.out)
    }

    /// The sources of edges, by target.
    pub(super) fn in_lists(&self) -> Result<Lists<'_>, AlgorithmError> {
        self.lists(self.in_.as_ref().unwrap_or(&self.out))
    }

    /// Whether the lists of both directions are equal.
    pub(super) fn is_symmetric(&self) -> bool {
        self.in_.is_none()
    }

    /// The decoded lists of in-edges; `None` if they are not decoded.
    pub(super) fn known_in_lists(&self) -> Option<&Csr> {
        self.in_.as_ref().unwrap_or(&self.out).decoded.get()?.as_ref().ok()
    }

    /// The decoded lists of out-edges, for algorithms that need decoded lists.
    pub(super) fn decoded_out(&self) -> Result<&Csr, AlgorithmError> {
        Ok(self.decoded(&self.out)?.as_ref().map_err(|error| *error)?)
    }

    pub(super) fn decoded_in(&self) -> Result<&Csr, AlgorithmError> {
        let in_ = self.in_.as_ref().unwrap_or(&self.out);
        Ok(self.decoded(in_)?.as_ref().map_err(|error| *error)?)
    }

    /// The columns of out-edges and their costs.
    pub(super) fn out_columns(&self) -> &Columns {
        &self.out.columns
    }

    /// Checks that no read found damage, and returns the result of an algorithm.
    pub(super) fn found<T: Copy>(&self, values: Vec<T>) -> Result<NodeValues<T>, AlgorithmError> {
        self.limits.check_damage()?;
        Ok(NodeValues::new(&self.members, values))
    }

    fn lists<'a>(&'a self, direction: &'a DirectedLists) -> Result<Lists<'a>, AlgorithmError> {
        Ok(match self.decoded(direction)? {
            Ok(csr) => Lists::Decoded(csr),
            Err(_) => Lists::Columns(&direction.columns),
        })
    }

    fn decoded<'a>(
        &self,
        direction: &'a DirectedLists,
    ) -> Result<&'a Result<Csr, OverBudget>, AlgorithmError> {
        if let Some(known) = direction.decoded.get() {
            return Ok(known);
        }
        let _alone = self.decoding.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = direction.decoded.get() {
            return Ok(known);
        }
        let decoded = match Csr::decode(&direction.columns, self.members.len(), &self.limits) {
            Err(AlgorithmError::OverBudget { limit, needed }) => Err(OverBudget { limit, needed }),
            decoded => Ok(decoded?),
        };
        self.limits.check_damage()?;
        Ok(direction.decoded.get_or_init(|| decoded))
    }
}
