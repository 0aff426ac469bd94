//! The steps of a pipeline, as a plan writes them: an object whose field `step` names the step.
//!
//! This is the stable form; `docs/plan.md` describes each step, and a test holds the two together. A step
//! knows names, never numbers of a graph: one description runs on any graph whose schema has the names.

use serde::Serialize;

use super::predicate::Predicate;

/// The steps of a pipeline or of one inside a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Steps(pub Vec<Step>);

/// One step. Steps turn rows into rows: nodes, edges, values, or rows of columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "each step says what its fields are")]
pub enum Step {
    /// Start: the nodes with any of the labels, or all nodes; ids rise.
    Nodes {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// Start: the nodes with these ids, in this order.
    Ids { ids: Vec<u32> },
    /// Start: the edges with any of the labels, or all edges.
    Edges {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },

    /// Keeps nodes or edges with a property, or with a value of it that is as asked for.
    Has {
        property: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        is: Option<Predicate>,
    },
    /// Keeps what `has` would drop.
    HasNot {
        property: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        is: Option<Predicate>,
    },
    /// Keeps nodes with any of the labels.
    HasLabel { labels: Vec<String> },
    /// Keeps nodes with one of the ids.
    HasId { ids: Vec<u32> },
    /// Keeps values that are as asked for.
    Is { is: Predicate },
    /// Keeps rows for which the inner pipeline gives anything.
    Where { pipeline: Steps },
    /// Keeps rows for which the inner pipeline gives nothing.
    WhereNot { pipeline: Steps },
    /// Keeps rows for which every inner pipeline gives anything.
    And { branches: Vec<Steps> },
    /// Keeps rows for which one of the inner pipelines gives anything.
    Or { branches: Vec<Steps> },

    /// From nodes to the targets of their edges, of some labels or of all.
    Out {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// From nodes to the sources of the edges that lead to them.
    In {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// `out` and then `in` of each node.
    Both {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// From nodes to the edges that start at them.
    OutEdges {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// From nodes to the edges that lead to them.
    InEdges {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// `out_edges` and then `in_edges` of each node.
    BothEdges {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// From edges to where they start.
    Source {},
    /// From edges to where they lead.
    Target {},
    /// From nodes to everything below them in the syntax tree, in the order of a depth-first walk.
    Descendants { with_self: bool },
    /// From nodes to everything above them in the syntax tree, the nearest first.
    Ancestors { with_self: bool },
    /// From nodes to the first one above each that has one of the labels and passes the inner pipeline.
    NearestAncestor {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
        #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
        condition: Option<Steps>,
    },

    /// The results of every inner pipeline, one after another, for each row.
    Union { branches: Vec<Steps> },
    /// The results of the first inner pipeline that has any, for each row.
    Coalesce { branches: Vec<Steps> },
    /// The results of the first case that the first value of `on` passes; none of them: of `otherwise`, or nothing.
    Choose {
        on: Steps,
        cases: Vec<Case>,
        #[serde(skip_serializing_if = "Option::is_none")]
        otherwise: Option<Steps>,
    },
    /// The inner pipeline again and again.
    Repeat(Repeat),

    /// Each row once; with `by`, the first row of each key.
    Dedup {
        #[serde(skip_serializing_if = "Key::is_itself")]
        by: Key,
    },
    /// Sorts rows; equal ones keep their order, those without the key come last.
    Order {
        #[serde(skip_serializing_if = "Key::is_itself")]
        by: Key,
        descending: bool,
    },
    /// The first rows.
    Limit { count: u64 },
    /// All but the first rows.
    Skip { count: u64 },
    /// Rows drawn at random, each equally likely, in their order; the same seed draws the same.
    Sample { count: u64, seed: u64 },
    /// Keeps rows whose path has no node or edge twice.
    SimplePath {},
    /// Lets rows through as they are, and gives them to the caller under a name as well.
    Side { name: String },

    /// The values of a property: none, one or several of each node or edge.
    Values { property: String },
    /// The labels of each node, or the label of each edge.
    Label {},
    /// The length of the path inside the last `repeat`.
    Depth {},
    /// The path of each row from the start, itself included.
    Path {},
    /// A row of columns for each row.
    Columns { columns: Vec<Key> },
    /// For each key, how many rows have it; keys in an order of the file.
    GroupCount {
        #[serde(skip_serializing_if = "Key::is_itself")]
        by: Key,
    },
    /// For each key, the nodes that have it; keys in an order of the file.
    Group {
        #[serde(skip_serializing_if = "Key::is_itself")]
        by: Key,
    },
    /// How many rows there are.
    Count {},
    /// The sum of numbers.
    Sum {},
    /// The least of numbers; nothing if there is none.
    Min {},
    /// The greatest of numbers; nothing if there is none.
    Max {},
    /// The mean of numbers; nothing if there is none.
    Mean {},
}

/// What to sort, group or keep apart by, and what a column shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Key {
    /// The row itself: a node's id, an edge, a value.
    #[default]
    Itself,
    /// The labels of a node, or the label of an edge.
    Label,
    /// The length of the path inside the last `repeat`.
    Depth,
    /// The first value of a property.
    Property(String),
    /// A column of rows of columns, by its name: its value, and of a list how many it holds.
    Column(String),
}

impl Key {
    /// The column of this name, of rows of columns.
    pub fn column(name: &str) -> Self {
        Self::Column(name.to_owned())
    }

    fn is_itself(&self) -> bool {
        *self == Self::Itself
    }
}

impl From<&str> for Key {
    /// The property of this name.
    fn from(name: &str) -> Self {
        Self::Property(name.to_owned())
    }
}

/// One case of `choose`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// What the value must be like.
    pub is: Predicate,
    /// What is then done with the row.
    pub then: Steps,
}

/// How often a pipeline is repeated, and what comes out.
///
/// Without any of these everything is walked and nothing comes out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Repeat {
    /// The pipeline, from nodes to nodes.
    pub body: Steps,
    /// Nodes at this depth come out and are not gone on from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Nodes for which it gives anything come out and are not gone on from; not asked of the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Steps>,
    /// Nodes for which it gives nothing come out and are not gone on from; asked of the start too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whilst: Option<Steps>,
    /// What comes out on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emit: Option<Emit>,
    /// Each node at most once for each start.
    pub dedup: bool,
    /// Depth first or breadth first.
    pub order: WalkOrder,
}

/// What a `repeat` lets out on the way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Emit {
    /// Every node, the start included.
    All,
    /// Every node but the start.
    AllButFirst,
    /// Nodes for which the pipeline gives anything.
    Where(Steps),
}

/// In which order a `repeat` visits nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WalkOrder {
    /// Deep before wide.
    #[default]
    Depth,
    /// Wide before deep.
    Breadth,
}

impl Step {
    /// Whether it only keeps rows, each for itself.
    pub(crate) fn is_condition(&self) -> bool {
        matches!(
            self,
            Self::Has { .. }
                | Self::HasNot { .. }
                | Self::HasLabel { .. }
                | Self::HasId { .. }
                | Self::Is { .. }
                | Self::Where { .. }
                | Self::WhereNot { .. }
                | Self::And { .. }
                | Self::Or { .. }
        )
    }

    /// Whether a condition looks at other nodes than the one that it is asked about.
    pub(crate) fn walks(&self) -> bool {
        let leaves = |steps: &Steps| steps.0.iter().any(|step| !step.is_condition() || step.walks());
        match self {
            Self::Where { pipeline } | Self::WhereNot { pipeline } => leaves(pipeline),
            Self::And { branches } | Self::Or { branches } => branches.iter().any(leaves),
            _ => false,
        }
    }

    /// The word that plans use for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nodes { .. } => "nodes",
            Self::Ids { .. } => "ids",
            Self::Edges { .. } => "edges",
            Self::Has { .. } => "has",
            Self::HasNot { .. } => "has_not",
            Self::HasLabel { .. } => "has_label",
            Self::HasId { .. } => "has_id",
            Self::Is { .. } => "is",
            Self::Where { .. } => "where",
            Self::WhereNot { .. } => "where_not",
            Self::And { .. } => "and",
            Self::Or { .. } => "or",
            Self::Out { .. } => "out",
            Self::In { .. } => "in",
            Self::Both { .. } => "both",
            Self::OutEdges { .. } => "out_edges",
            Self::InEdges { .. } => "in_edges",
            Self::BothEdges { .. } => "both_edges",
            Self::Source {} => "source",
            Self::Target {} => "target",
            Self::Descendants { .. } => "descendants",
            Self::Ancestors { .. } => "ancestors",
            Self::NearestAncestor { .. } => "nearest_ancestor",
            Self::Union { .. } => "union",
            Self::Coalesce { .. } => "coalesce",
            Self::Choose { .. } => "choose",
            Self::Repeat(_) => "repeat",
            Self::Dedup { .. } => "dedup",
            Self::Order { .. } => "order",
            Self::Limit { .. } => "limit",
            Self::Skip { .. } => "skip",
            Self::Sample { .. } => "sample",
            Self::SimplePath {} => "simple_path",
            Self::Side { .. } => "side",
            Self::Values { .. } => "values",
            Self::Label {} => "label",
            Self::Depth {} => "depth",
            Self::Path {} => "path",
            Self::Columns { .. } => "columns",
            Self::GroupCount { .. } => "group_count",
            Self::Group { .. } => "group",
            Self::Count {} => "count",
            Self::Sum {} => "sum",
            Self::Min {} => "min",
            Self::Max {} => "max",
            Self::Mean {} => "mean",
        }
    }
}
