//! [`Functions`]: one small graph for each METHOD, in flat arrays, as machine learning takes them.
//!
//! **Which nodes**: the METHOD and its descendants along AST, without the METHODs below it and their
//! descendants, since these are functions of their own. In Joern's graphs the parameters, the return, the
//! modifiers and the body of a METHOD are its descendants. Nodes are ascending by id, which is the pre-order
//! of the tree in an imported file. If the AST of a graph is no forest, a node belongs to the first METHOD
//! that reaches it. **Which edges**: those of the chosen labels with both ends among these nodes.
//!
//! A [`FunctionBatch`] has some functions, one after the other. `node_sets` finds their nodes, `batch` has
//! the arrays, `reader` fills them, `texts` and `tokens` have the texts of CODE, and `json` writes a function
//! as a line of JSON.

mod batch;
mod json;
mod node_sets;
mod reader;
mod texts;
mod tokens;

use std::ops::Deref;

use varvite::error::optional;
use varvite::{Adjacency, Graph, LabelNodes, Property, Task};

pub use self::batch::FunctionBatch;
pub use self::json::FunctionJson;
use self::node_sets::NodeSets;
pub use self::reader::FunctionBatches;
pub use self::tokens::{token_id, tokens_of};
use crate::error::{CpgError, Result};

/// The choice of functions, and the limits of reading them.
#[derive(Clone, Debug)]
pub struct FunctionOptions {
    /// The labels of the edges. The number of a label here is the type of its edges.
    pub edge_labels: Vec<String>,
    /// Whether a label that the graph lacks counts as one without edges; otherwise it is an error.
    pub labels_may_be_missing: bool,
    /// The METHODs; `None` for all of the graph.
    pub methods: Option<Vec<u32>>,
    /// A batch ends with the function that brings it to this number of nodes.
    pub batch_nodes: usize,
    /// The number of different ids of tokens.
    pub token_ids: u32,
    /// Threads (one is used), memory, time limit and cancel flag.
    pub task: Task<'static>,
}

impl FunctionOptions {
    /// The edge labels that a graph lacks.
    pub fn missing_labels(&self, graph: &Graph) -> Vec<&str> {
        let labels = self.edge_labels.iter().map(String::as_str);
        labels.filter(|label| graph.edge_labels().iter().all(|known| known.name != *label)).collect()
    }
}

impl Default for FunctionOptions {
    /// Edges of AST, CFG and REACHING_DEF as far as the graph has these labels, all METHODs, batches of
    /// 65,536 nodes, and 65,536 ids of tokens.
    fn default() -> Self {
        Self {
            edge_labels: ["AST", "CFG", "REACHING_DEF"].map(str::to_owned).to_vec(),
            labels_may_be_missing: true,
            methods: None,
            batch_nodes: 1 << 16,
            token_ids: 1 << 16,
            task: Task::new(),
        }
    }
}

/// The columns that functions are read from. `G` is a reference to the graph, or an owner of it.
#[derive(Debug)]
pub struct Functions<G> {
    graph: G,
    methods: Vec<u32>,
    sets: NodeSets,
    /// The edges of each label; `None` if the graph lacks it.
    edges: Vec<Option<Adjacency>>,
    columns: Columns,
    options: FunctionOptions,
}

/// The properties of nodes. A property that the graph lacks has no values.
#[derive(Debug)]
struct Columns {
    labels: varvite::cursor::Labels,
    code: Option<Property>,
    line: Option<Property>,
}

impl<G: Deref<Target = Graph>> Functions<G> {
    /// Opens the columns.
    ///
    /// # Errors
    /// Fails if the graph has no METHOD, lacks an edge label that may not be missing, or can't be read.
    pub fn open(graph: G, options: FunctionOptions) -> Result<Self> {
        let all: LabelNodes = graph.nodes("METHOD")?;
        let methods = match &options.methods {
            None => all.iter().collect(),
            Some(chosen) => {
                let mut chosen: Vec<u32> =
                    chosen.iter().copied().filter(|node| all.contains(*node)).collect();
                chosen.sort_unstable();
                chosen.dedup();
                chosen
            }
        };
        let edges = |label: &String| match options.labels_may_be_missing {
            true => Ok::<_, CpgError>(optional(graph.out(label))?),
            false => Ok(Some(graph.out(label)?)),
        };
        let edges = options.edge_labels.iter().map(edges).collect::<Result<_>>()?;
        let columns = Columns {
            labels: graph.label_sets()?,
            code: optional(graph.property("CODE"))?.filter(|code| code.strings().is_some()),
            line: optional(graph.property("LINE_NUMBER"))?,
        };
        let sets = NodeSets::open(&graph, all)?;
        Ok(Self { graph, methods, sets, edges, columns, options })
    }

    /// The number of functions.
    pub fn len(&self) -> usize {
        self.methods.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }
}
