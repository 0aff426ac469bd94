//! Building a [`Pipeline`] in Rust: one method for each step, named like it.

use super::description::Pipeline;
use super::description::Predicate;
use super::description::{Case, Emit, Key, Repeat, Step, Steps, WalkOrder};

/// All nodes with a label.
pub fn nodes(labels: impl Names) -> Pipeline {
    Pipeline::default().then(Step::Nodes { labels: labels.names() })
}

/// All nodes.
pub fn all_nodes() -> Pipeline {
    nodes(ALL)
}

/// The nodes with these ids, in this order.
pub fn ids(ids: impl IntoIterator<Item = u32>) -> Pipeline {
    Pipeline::default().then(Step::Ids { ids: ids.into_iter().collect() })
}

/// The edges with a label.
pub fn edges(labels: impl Names) -> Pipeline {
    Pipeline::default().then(Step::Edges { labels: labels.names() })
}

/// What a row is inside of `where`, `union`, `repeat` and the like: the start of an inner pipeline.
pub fn it() -> Pipeline {
    Pipeline::default()
}

/// Every edge label, or every node: for steps that take labels.
pub const ALL: [&str; 0] = [];

/// One name or several.
pub trait Names {
    /// The names.
    fn names(self) -> Vec<String>;
}

impl Names for &str {
    fn names(self) -> Vec<String> {
        vec![self.to_owned()]
    }
}

impl Names for String {
    fn names(self) -> Vec<String> {
        vec![self]
    }
}

impl<const N: usize> Names for [&str; N] {
    fn names(self) -> Vec<String> {
        self.iter().map(|name| (*name).to_owned()).collect()
    }
}

impl Names for &[String] {
    fn names(self) -> Vec<String> {
        self.to_vec()
    }
}

/// Steps that keep some rows.
impl Pipeline {
    /// Keeps what has a value of the property that is as asked for.
    pub fn has(self, property: &str, is: Predicate) -> Self {
        self.then(Step::Has { property: property.to_owned(), is: Some(is) })
    }

    /// Keeps what has the property.
    pub fn has_any(self, property: &str) -> Self {
        self.then(Step::Has { property: property.to_owned(), is: None })
    }

    /// Keeps what has no value of the property that is like this; absent ones stay.
    pub fn has_not(self, property: &str, is: Predicate) -> Self {
        self.then(Step::HasNot { property: property.to_owned(), is: Some(is) })
    }

    /// Keeps what lacks the property.
    pub fn has_none(self, property: &str) -> Self {
        self.then(Step::HasNot { property: property.to_owned(), is: None })
    }

    /// Keeps nodes with any of the labels.
    pub fn has_label(self, labels: impl Names) -> Self {
        self.then(Step::HasLabel { labels: labels.names() })
    }

    /// Keeps nodes with one of the ids.
    pub fn has_id(self, ids: impl IntoIterator<Item = u32>) -> Self {
        self.then(Step::HasId { ids: ids.into_iter().collect() })
    }

    /// Keeps values that are as asked for.
    pub fn is(self, is: Predicate) -> Self {
        self.then(Step::Is { is })
    }

    /// Keeps rows for which `pipeline` gives anything.
    pub fn where_(self, pipeline: Pipeline) -> Self {
        self.then(Step::Where { pipeline: pipeline.into() })
    }

    /// Keeps rows for which `pipeline` gives nothing.
    pub fn where_not(self, pipeline: Pipeline) -> Self {
        self.then(Step::WhereNot { pipeline: pipeline.into() })
    }

    /// Keeps rows for which every branch gives anything.
    pub fn and(self, branches: impl IntoIterator<Item = Pipeline>) -> Self {
        self.then(Step::And { branches: all_steps(branches) })
    }

    /// Keeps rows for which one of the branches gives anything.
    pub fn or(self, branches: impl IntoIterator<Item = Pipeline>) -> Self {
        self.then(Step::Or { branches: all_steps(branches) })
    }
}

/// Steps that move.
impl Pipeline {
    /// To the targets of edges.
    pub fn out(self, labels: impl Names) -> Self {
        self.then(Step::Out { labels: labels.names() })
    }

    /// To the sources of edges that lead here.
    pub fn in_(self, labels: impl Names) -> Self {
        self.then(Step::In { labels: labels.names() })
    }

    /// Both of them, `out` first.
    pub fn both(self, labels: impl Names) -> Self {
        self.then(Step::Both { labels: labels.names() })
    }

    /// To the edges that start here.
    pub fn out_edges(self, labels: impl Names) -> Self {
        self.then(Step::OutEdges { labels: labels.names() })
    }

    /// To the edges that lead here.
    pub fn in_edges(self, labels: impl Names) -> Self {
        self.then(Step::InEdges { labels: labels.names() })
    }

    /// Both of them, `out_edges` first.
    pub fn both_edges(self, labels: impl Names) -> Self {
        self.then(Step::BothEdges { labels: labels.names() })
    }

    /// From edges to where they start.
    pub fn source(self) -> Self {
        self.then(Step::Source {})
    }

    /// From edges to where they lead.
    pub fn target(self) -> Self {
        self.then(Step::Target {})
    }

    /// To everything below in the syntax tree.
    pub fn descendants(self) -> Self {
        self.then(Step::Descendants { with_self: false })
    }

    /// To the node itself and everything below it in the syntax tree.
    pub fn subtree(self) -> Self {
        self.then(Step::Descendants { with_self: true })
    }

    /// To everything above in the syntax tree, the nearest first.
    pub fn ancestors(self) -> Self {
        self.then(Step::Ancestors { with_self: false })
    }

    /// To the first node above that has one of the labels.
    pub fn nearest_ancestor(self, labels: impl Names) -> Self {
        self.then(Step::NearestAncestor { labels: labels.names(), condition: None })
    }

    /// To the first node above that has one of the labels and for which `condition` gives anything.
    pub fn nearest_ancestor_where(self, labels: impl Names, condition: Pipeline) -> Self {
        let condition = Some(condition.into());
        self.then(Step::NearestAncestor { labels: labels.names(), condition })
    }
}

/// Steps with pipelines in them.
impl Pipeline {
    /// The results of every branch, one after another, for each row.
    pub fn union(self, branches: impl IntoIterator<Item = Pipeline>) -> Self {
        self.then(Step::Union { branches: all_steps(branches) })
    }

    /// The results of the first branch that has any, for each row.
    pub fn coalesce(self, branches: impl IntoIterator<Item = Pipeline>) -> Self {
        self.then(Step::Coalesce { branches: all_steps(branches) })
    }

    /// The results of the first case that the first value of `on` passes, else of `otherwise`, else nothing.
    pub fn choose(
        self,
        on: Pipeline,
        cases: impl IntoIterator<Item = (Predicate, Pipeline)>,
        otherwise: Option<Pipeline>,
    ) -> Self {
        let cases = cases.into_iter().map(|(is, then)| Case { is, then: then.into() }).collect();
        self.then(Step::Choose { on: on.into(), cases, otherwise: otherwise.map(Steps::from) })
    }

    /// `body` again and again, as `how` says.
    pub fn repeat(self, body: Pipeline, how: impl FnOnce(Repeat) -> Repeat) -> Self {
        self.then(Step::Repeat(how(Repeat { body: body.into(), ..Repeat::default() })))
    }
}

impl Repeat {
    /// Nodes at depth `times` come out and are not gone on from.
    pub fn times(self, times: u32) -> Self {
        Self { times: Some(times), ..self }
    }

    /// Nodes for which `condition` gives anything come out and are not gone on from.
    pub fn until(self, condition: Pipeline) -> Self {
        Self { until: Some(condition.into()), ..self }
    }

    /// Nodes for which `condition` gives nothing come out and are not gone on from.
    pub fn whilst(self, condition: Pipeline) -> Self {
        Self { whilst: Some(condition.into()), ..self }
    }

    /// Every node on the way comes out, the start included.
    pub fn emit(self) -> Self {
        Self { emit: Some(Emit::All), ..self }
    }

    /// Every node on the way but the start comes out.
    pub fn emit_all_but_first(self) -> Self {
        Self { emit: Some(Emit::AllButFirst), ..self }
    }

    /// Nodes on the way for which `condition` gives anything come out.
    pub fn emit_where(self, condition: Pipeline) -> Self {
        Self { emit: Some(Emit::Where(condition.into())), ..self }
    }

    /// Each node at most once for each start.
    pub fn dedup(self) -> Self {
        Self { dedup: true, ..self }
    }

    /// Wide before deep.
    pub fn breadth_first(self) -> Self {
        Self { order: WalkOrder::Breadth, ..self }
    }
}

/// Steps that look at all rows, and what comes out at the end.
impl Pipeline {
    /// Each row once.
    pub fn dedup(self) -> Self {
        self.dedup_by(Key::Itself)
    }

    /// The first row of each key.
    pub fn dedup_by(self, by: impl Into<Key>) -> Self {
        self.then(Step::Dedup { by: by.into() })
    }

    /// Sorts rows, rising.
    pub fn order_by(self, by: impl Into<Key>) -> Self {
        self.then(Step::Order { by: by.into(), descending: false })
    }

    /// Sorts rows, falling.
    pub fn order_by_descending(self, by: impl Into<Key>) -> Self {
        self.then(Step::Order { by: by.into(), descending: true })
    }

    /// The first `count` rows.
    pub fn limit(self, count: u64) -> Self {
        self.then(Step::Limit { count })
    }

    /// All but the first `count` rows.
    pub fn skip(self, count: u64) -> Self {
        self.then(Step::Skip { count })
    }

    /// `count` rows drawn at random.
    pub fn sample(self, count: u64, seed: u64) -> Self {
        self.then(Step::Sample { count, seed })
    }

    /// Keeps rows whose path has nothing twice.
    pub fn simple_path(self) -> Self {
        self.then(Step::SimplePath {})
    }

    /// Gives the rows here to the caller as well, as [`Run::side`](super::Run::side) of this name, and goes on with them.
    pub fn side(self, name: &str) -> Self {
        self.then(Step::Side { name: name.to_owned() })
    }

    /// The values of a property.
    pub fn values(self, property: &str) -> Self {
        self.then(Step::Values { property: property.to_owned() })
    }

    /// The labels of nodes, or the label of edges.
    pub fn label(self) -> Self {
        self.then(Step::Label {})
    }

    /// The length of the path inside the last `repeat`.
    pub fn depth(self) -> Self {
        self.then(Step::Depth {})
    }

    /// The path of each row.
    pub fn path(self) -> Self {
        self.then(Step::Path {})
    }

    /// A row of columns for each row.
    pub fn columns(self, columns: impl IntoIterator<Item = Key>) -> Self {
        self.then(Step::Columns { columns: columns.into_iter().collect() })
    }

    /// For each key, how many rows have it.
    pub fn group_count(self, by: impl Into<Key>) -> Self {
        self.then(Step::GroupCount { by: by.into() })
    }

    /// For each key, the nodes that have it.
    pub fn group(self, by: impl Into<Key>) -> Self {
        self.then(Step::Group { by: by.into() })
    }

    /// How many rows there are.
    pub fn count(self) -> Self {
        self.then(Step::Count {})
    }

    /// The sum of numbers.
    pub fn sum(self) -> Self {
        self.then(Step::Sum {})
    }

    /// The least of numbers.
    pub fn min(self) -> Self {
        self.then(Step::Min {})
    }

    /// The greatest of numbers.
    pub fn max(self) -> Self {
        self.then(Step::Max {})
    }

    /// The mean of numbers.
    pub fn mean(self) -> Self {
        self.then(Step::Mean {})
    }
}

fn all_steps(branches: impl IntoIterator<Item = Pipeline>) -> Vec<Steps> {
    branches.into_iter().map(Steps::from).collect()
}
