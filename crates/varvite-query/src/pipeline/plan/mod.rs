//! [`Plan`]: a pipeline compiled for one graph, as operators with open cursors.
//!
//! A plan records the chosen operations: the column that is searched, the columns that are only tested, the
//! steps that became an operation on a range of ids, and the steps that were merged into one operator. It
//! owns its cursors, so its type has no lifetime parameter, and it may be run many times, on many threads. It
//! holds no rows: a [`Run`](super::Run) holds them.

mod computed;
mod explain;
mod filter;
mod keep;
mod key;
mod physical;
mod project;
mod reach;
mod test;
mod text_test;
mod tree;
mod value;
mod words;

use std::sync::Arc;

pub(crate) use computed::{Computation, ComputedKey};
pub use explain::{ExplainedStep, Explanation, MeasuredStep};
use explain::{counted, words_of};
pub(crate) use filter::{Filter, LabelFilter, ValueFilter};
pub(crate) use keep::Keep;
pub(crate) use key::KeyPlan;
pub(crate) use project::Project;
pub(crate) use reach::{Reach, Walk};
pub(crate) use test::{FloatRange, KeyRange, NumberSet, Test};
pub(crate) use text_test::{ComputedTest, Matcher, TextTest, codes_with_prefix};
pub(crate) use tree::{Below, TreePlan};
pub(crate) use value::{
    Arithmetic, Comparison, Filling, Reading, TextFunction, TextSource, ValueForm, ValueKind, ValuePlan,
};
pub(crate) use words::{Words, texts_of_pattern};

use varvite_format::EdgeLabelId;

use super::description::{Extent, WalkOrder};
use super::error::StepAt;
use super::rows::{Carried, Meaning, PlanColumns, Shape};
use varvite_graph::internal::Damage;
use varvite_graph::json::Meter;
use varvite_graph::{Adjacency, Direction, LabelNodes, Labels, Places, Property, TextIndex};

/// A pipeline compiled for one graph.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) steps: Arc<[Physical]>,
    pub(crate) shape: Shape,
    pub(crate) carried: Carried,
    pub(crate) nodes: u32,
    #[cfg(feature = "arrow")]
    pub(crate) edge_labels: Arc<[String]>,
    /// The `side` steps of the plan, in order.
    pub(crate) sides: Arc<[SidePlan]>,
    /// The record of damage that reads have found, which a run checks at its end.
    pub(crate) damage: Damage,
    /// The plan's charge to the budget.
    pub(crate) held: Option<Arc<Meter>>,
    /// The number of operators, including nested ones.
    pub(crate) operators: usize,
    /// The maximum number of columns in a row.
    pub(crate) widest: usize,
    pub(crate) extent: Extent,
}

/// A `side` step, which gives its rows to the caller in addition to the results.
#[derive(Clone, Debug)]
pub(crate) struct SidePlan {
    pub(crate) name: Arc<str>,
    pub(crate) shape: Shape,
    /// The index of this step among the `side` steps of the plan.
    pub(crate) index: usize,
}

impl Plan {
    /// The columns of the plan's results: names, types, and whether values may be null. They are known before
    /// the plan runs.
    pub fn columns(&self) -> PlanColumns<'_> {
        PlanColumns::of(&self.shape)
    }

    /// The columns of the rows that the step [`side`](super::Pipeline::side) with this name gives. `None` if
    /// the plan has no such step.
    pub fn side_columns(&self, name: &str) -> Option<PlanColumns<'_>> {
        Some(PlanColumns::of(&self.side(name)?.shape))
    }

    /// The `side` step of this name.
    pub(crate) fn side(&self, name: &str) -> Option<&SidePlan> {
        self.sides.iter().find(|side| *side.name == *name)
    }

    /// The bytes that the plan holds.
    pub(crate) fn bytes(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.used())
    }

    /// Whether trails may be dropped each time the first operator makes a batch, because no operator keeps
    /// rows longer.
    pub(crate) fn forgets_trails(&self) -> bool {
        let keeps = |step: &Physical| {
            let holds_rows = match &step.operator {
                Operator::Keep(keep) => keep.holds_rows(),
                operator => matches!(operator, Operator::Order { .. }),
            };
            holds_rows && !matches!(step.shape, Shape::Table(_))
        };
        !self.steps.iter().any(keeps)
    }
}

/// One operator, which executes one step or several.
#[derive(Clone, Debug)]
pub(crate) struct Physical {
    /// The step that errors name. If the operator executes several steps, it is the last of them.
    pub(crate) at: StepAt,
    /// The other steps that the operator executes.
    pub(crate) merged: Vec<StepAt>,
    pub(crate) operator: Operator,
    /// The shape of the results.
    pub(crate) shape: Shape,
    /// The estimated number of result rows.
    pub(crate) rows: f64,
}

/// An operation with its cursors.
#[derive(Clone, Debug)]
pub(crate) enum Operator {
    /// The row with which an inner pipeline starts.
    InnerInput,
    /// Gives this number to the row with which the inner pipeline starts.
    Name(usize),
    /// Replaces each row by the row with this number.
    Select(usize),
    Scan(ScanPlan),
    Ids(Arc<[u32]>),
    AllEdges(Vec<EdgeWay>),
    Hop(Vec<DirectedLabel>),
    /// A hop that gives some neighbours of each row.
    HopEach(Vec<DirectedLabel>, OfEach),
    HopEdges(Vec<EdgeWay>),
    EndOfEdge(Direction),
    Filter(Filter),
    Descendants(TreePlan),
    Ancestors(TreePlan),
    NearestAncestor {
        tree: TreePlan,
        labels: Arc<[LabelNodes]>,
        condition: Option<Box<Filter>>,
    },
    /// Counts the descendants of all rows: either all descendants, those with one label, or those of each
    /// label.
    CountDescendants {
        tree: TreePlan,
        counted: Counted,
    },
    Union(Vec<Vec<Physical>>),
    Coalesce(Vec<Vec<Physical>>),
    Choose(ChoosePlan),
    Repeat(Box<RepeatPlan>),
    Keep(Keep),
    Order {
        by: KeyPlan,
        descending: bool,
        /// The maximum number of rows that later steps take. `None` if they have no limit.
        first: Option<usize>,
    },
    SimplePath,
    Side(SidePlan),
    Path,
    /// Computes the keys of the next operator, and stores them beside the rows.
    Compute(Vec<ComputedKey>),
    Project(Project),
    GroupCount(KeyPlan),
    Summarize(KeyPlan, Vec<SummaryPlan>),
    Group(KeyPlan),
    Count,
    Aggregate(Aggregate, Meaning),
}

impl Operator {
    /// The name of the operation in `explain`. It uses the terms of other database engines.
    fn words(&self) -> String {
        match self {
            Self::InnerInput => "row".into(),
            Self::Name(number) => format!("name row {number}"),
            Self::Select(number) => format!("row {number}"),
            Self::Scan(scan) => scan.words(),
            Self::Ids(_) => "id list".into(),
            Self::AllEdges(ways) => format!("edge scan on {}", counted(ways.len(), "label")),
            Self::Hop(ways) => format!("expand {}", words_of(ways)),
            Self::HopEach(ways, of_each) => format!("expand {}, {}", words_of(ways), of_each.words()),
            Self::HopEdges(ways) => {
                let ways: Vec<DirectedLabel> = ways.iter().map(|way| way.way.clone()).collect();
                format!("expand to edges {}", words_of(&ways))
            }
            Self::EndOfEdge(Direction::In) => "edge source".into(),
            Self::EndOfEdge(Direction::Out) => "edge target".into(),
            Self::Filter(filter) => format!("filter {}", filter.words()),
            Self::Descendants(_) => "subtree range".into(),
            Self::Ancestors(_) => "parent chain".into(),
            Self::NearestAncestor { labels, condition, .. } => match (labels.len(), condition) {
                (1, None) => "merge with subtree ranges of the label".into(),
                _ => "parent chain to the first match".into(),
            },
            Self::CountDescendants { counted, .. } => match counted {
                Counted::All => "subtree size".into(),
                Counted::OfLabel(_) => "subtree count by bitmap rank".into(),
                Counted::ByLabel(_) => "group count of labels over merged subtree ranges".into(),
            },
            Self::Union(branches) => format!("union of {}", counted(branches.len(), "branch")),
            Self::Coalesce(branches) => format!("coalesce of {}", counted(branches.len(), "branch")),
            Self::Choose(choose) => format!("choose of {}", counted(choose.cases.len(), "case")),
            Self::Repeat(repeat) => repeat.words(),
            Self::Keep(keep) => keep.words(),
            Self::Order { by, descending, first } => {
                let descending = if *descending { " descending" } else { "" };
                match first {
                    Some(first) => format!("top {first} by {}{descending}", by.words()),
                    None => format!("sort by {}{descending}", by.words()),
                }
            }
            Self::SimplePath => "filter paths without repeats".into(),
            Self::Side(side) => format!("copy rows to side {}", side.name),
            Self::Path => "build paths".into(),
            Self::Compute(keys) => {
                let words: Vec<String> = keys.iter().map(ComputedKey::words).collect();
                format!("compute {}", words.join(", "))
            }
            Self::Project(project) => project.words(),
            Self::GroupCount(by) => format!("group count by {}", by.words()),
            Self::Summarize(by, columns) => {
                let words: Vec<String> = columns.iter().map(SummaryPlan::words).collect();
                format!("{} by {}", words.join(", "), by.words())
            }
            Self::Group(by) => format!("group by {}", by.words()),
            Self::Count => "count".into(),
            Self::Aggregate(aggregate, _) => aggregate.name().into(),
        }
    }
}

/// The plan of a scan: the source of nodes, and the filters applied during the scan.
#[derive(Clone, Debug)]
pub(crate) struct ScanPlan {
    pub(crate) driver: Driver,
    /// The names of the labels with which the scan begins.
    pub(crate) labels: Arc<str>,
    /// A look-up in an index, which the scan uses instead of the driver if few texts pass the driver's test.
    /// `None` unless the driver tests texts of a property that has an index.
    pub(crate) by_index: Option<Lookup>,
    /// The filters that each node from the driver must pass.
    pub(crate) filters: Vec<Filter>,
}

/// The source of a scan's nodes.
#[derive(Clone, Debug)]
pub(crate) enum Driver {
    /// Every node.
    All,
    /// The nodes of labels, read from bitmaps.
    Labels(Arc<[LabelNodes]>),
    /// The nodes that a text index lists for some texts.
    Index(Lookup),
    /// The nodes with a value that passes, found by a search of the property's column; with a label filter,
    /// only nodes that also pass this filter.
    Column(Box<ValueFilter>, Option<LabelFilter>),
    /// The nodes of these labels whose values pass.
    LabelValues(Arc<[LabelNodes]>, Box<ValueFilter>),
}

/// A look-up of texts in an index.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) index: Arc<TextIndex>,
    pub(crate) codes: Arc<[u32]>,
    /// For each label set's code, whether nodes with this label set are wanted. `None` if all nodes are.
    pub(crate) wanted: Option<Arc<[bool]>>,
    pub(crate) property: Arc<str>,
}

/// One edge label in one direction.
#[derive(Clone, Debug)]
pub(crate) struct DirectedLabel {
    pub(crate) label: EdgeLabelId,
    pub(crate) name: Arc<str>,
    pub(crate) direction: Direction,
    pub(crate) adjacency: Arc<Adjacency>,
}

/// The neighbours of a row that a hop gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfEach {
    /// At most this number of neighbours: the first ones.
    First(u64),
    /// Each neighbour once.
    Distinct,
}

impl OfEach {
    fn words(self) -> String {
        match self {
            Self::First(count) => format!("limit {count} for each row"),
            Self::Distinct => "distinct for each row".into(),
        }
    }
}

/// One edge label in one direction, with the columns from which the rank of an edge is computed.
#[derive(Clone, Debug)]
pub(crate) struct EdgeWay {
    pub(crate) way: DirectedLabel,
    /// The out-lists, which determine the ranks.
    pub(crate) out: Arc<Adjacency>,
    /// The place of each in-list entry in its source's out-list. `None` if the file does not have this
    /// column.
    pub(crate) places: Option<Places>,
}

/// How descendants are counted.
#[derive(Clone, Debug)]
pub(crate) enum Counted {
    All,
    OfLabel(Arc<LabelNodes>),
    ByLabel(Arc<Labels>),
}

/// The plan of a `choose`.
#[derive(Clone, Debug)]
pub(crate) struct ChoosePlan {
    pub(crate) on: Vec<Physical>,
    pub(crate) cases: Vec<(Filter, Vec<Physical>)>,
    pub(crate) otherwise: Option<Vec<Physical>>,
}

/// The plan of a `repeat`.
#[derive(Clone, Debug)]
pub(crate) struct RepeatPlan {
    pub(crate) body: Body,
    pub(crate) times: Option<u32>,
    pub(crate) until: Option<Filter>,
    pub(crate) whilst: Option<Filter>,
    pub(crate) emit: EmitPlan,
    pub(crate) dedup: bool,
    pub(crate) order: WalkOrder,
    /// Whether rows keep the depth that they had before the `repeat`. They do if the plan runs another step
    /// along the tree, such as `descendants`, as a `repeat`.
    pub(crate) keeps_depth: bool,
}

/// The repeated steps.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// A single hop, which runs without an inner pipeline.
    Hop(Vec<DirectedLabel>),
    Steps(Vec<Physical>),
}

/// The visited nodes that are results of a `repeat`.
#[derive(Clone, Debug)]
pub(crate) enum EmitPlan {
    Nothing,
    All,
    AllButFirst,
    Where(Box<Filter>),
}

/// An aggregate of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Sum,
    Min,
    Max,
    Mean,
}

impl Aggregate {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
        }
    }
}

/// An aggregate of a group's rows.
#[derive(Clone, Debug)]
pub(crate) enum SummaryPlan {
    /// The number of rows.
    Count,
    /// An aggregate over each row's first value of a property.
    Of(Aggregate, PropertyPlan),
}

impl SummaryPlan {
    fn words(&self) -> String {
        match self {
            Self::Count => "count".into(),
            Self::Of(aggregate, plan) => format!("{} of {}", aggregate.name(), plan.name),
        }
    }

    /// Whether the aggregated property belongs to nodes and has at most one value per node.
    pub(crate) fn has_one_value(&self) -> bool {
        match self {
            Self::Count => true,
            Self::Of(_, plan) => plan.edge_label.is_none() && !plan.property.is_list(),
        }
    }
}

/// A property of nodes, or of the edges of one label.
#[derive(Clone, Debug)]
pub(crate) struct PropertyPlan {
    pub(crate) name: Arc<str>,
    /// The edge label. `None` if the property belongs to nodes.
    pub(crate) edge_label: Option<EdgeLabelId>,
    pub(crate) property: Arc<Property>,
}
