//! The stable JSON form of a [`Walk`], which is the same in every language. `docs/guide/walks.md` describes
//! it.
//!
//! The form has a version; a reader refuses an unknown version and unknown fields. Fields with their default
//! value may be left out. The writer leaves such fields out, except for order, uniqueness and hops.

use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::description::{Cost, Walk};
use super::error::WalkError;
use super::evaluation::Evaluation;
use super::evaluator::{Evaluator, Outcomes, Test};
use super::hop::Hop;
use super::order::Order;
use super::uniqueness::{Uniqueness, Within};
use varvite_graph::json::{JsonFault, Subject};
use varvite_graph::{Budget, Direction, json};

/// The maximum size, in bytes, of the JSON text of a walk.
const TEXT_BYTES_MAX: usize = 256 << 20;
/// How error messages describe the JSON text of a walk, and how deeply the text may be nested.
const WALK: Subject = Subject {
    form: "a walk, which is {\"version\": 1, ..}",
    name: "nothing after the walk",
    depth_max: 127,
    steps_max: usize::MAX,
};

impl Walk {
    /// The description as JSON, with a version. JSON cannot express NaN or infinity, so a default cost with
    /// such a value is left out.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&WalkForm::of(self)).expect("walks hold names and numbers, which JSON can say")
    }

    /// Reads a description from JSON. Takes time proportional to the length of the text, and at most
    /// [`Budget::default_bytes`] of memory.
    ///
    /// # Errors
    /// [`WalkError::NotAWalk`] with line and column, or if the text is longer than 256 MiB or a field occurs
    /// twice in one object; [`WalkError::OverBudget`].
    pub fn from_json(text: &str) -> Result<Self, WalkError> {
        Self::from_json_within(text, &Budget::default())
    }

    /// The same as [`Walk::from_json`], but memory is charged to the caller's budget while the text is read.
    ///
    /// # Errors
    /// The errors of [`Walk::from_json`].
    pub fn from_json_within(text: &str, budget: &Budget) -> Result<Self, WalkError> {
        let refused = |error: serde_json::Error| WalkError::NotAWalk { reason: error.to_string() };
        // The walk takes no more memory than its parsed JSON, so the size of the JSON is reserved for the
        // walk.
        let _bytes = checked(text, budget)?.map(|bytes| budget.reserve(bytes)).transpose()?;
        let form: WalkForm = serde_json::from_str(text).map_err(refused)?;
        if form.version != Walk::VERSION {
            let reason =
                format!("version {}, but this library reads version {}", form.version, Walk::VERSION);
            return Err(WalkError::NotAWalk { reason });
        }
        Ok(form.walk())
    }
}

/// Checks that a text is JSON, and that the walk and its parts, such as hops, are objects. Returns how many
/// bytes of memory the JSON takes; `None` if the text has an error that the parser reports better.
fn checked(text: &str, budget: &Budget) -> Result<Option<usize>, WalkError> {
    let not_a_walk = |reason: String| Err(WalkError::NotAWalk { reason });
    if text.len() > TEXT_BYTES_MAX {
        return not_a_walk(format!("longer than {TEXT_BYTES_MAX} bytes"));
    }
    match json::read(text, WALK, budget) {
        Ok(read) => {
            check_object("the walk", &read.json)?;
            Ok(Some(read.meter.used()))
        }
        Err(JsonFault::Form { reason }) => match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => not_a_walk(reason),
            Err(_) => Ok(None),
        },
        Err(JsonFault::TooDeep | JsonFault::TooManySteps) => Ok(None),
        Err(JsonFault::OverBudget(error)) => Err(error.into()),
    }
}

/// Checks that a part of the form, and all parts inside it, are JSON objects: serde would also accept an
/// array with the values of the fields.
fn check_object(part: &str, json: &Json) -> Result<(), WalkError> {
    let Json::Object(fields) = json else {
        return Err(WalkError::NotAWalk { reason: format!("{part} must be an object") });
    };
    if let Some(cost) = fields.get("cost").filter(|cost| !cost.is_null()) {
        check_object("the cost", cost)?;
    }
    let lists = [("a hop", "hops"), ("an evaluator", "evaluators")];
    let parts = lists.iter().filter_map(|(part, list)| Some((part, fields.get(*list)?.as_array()?)));
    parts
        .flat_map(|(part, list)| list.iter().map(move |json| (part, json)))
        .try_for_each(|(part, json)| check_object(part, json))
}

/// The JSON form of a walk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkForm {
    version: u32,
    #[serde(with = "OrderForm", default)]
    order: Order,
    #[serde(with = "UniquenessForm", default)]
    unique: Uniqueness,
    #[serde(default)]
    hops: Vec<HopForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evaluators: Vec<TestForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<CostForm>,
    #[serde(default, skip_serializing_if = "is_default")]
    skip_arriving_edge: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    keep_direction: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    edge_ranks: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_limit_ns: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Order", rename_all = "snake_case")]
enum OrderForm {
    DepthFirst,
    DepthFirstPost,
    BreadthFirst,
    BreadthFirstPost,
    BestFirst,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Uniqueness", rename_all = "snake_case")]
enum UniquenessForm {
    None,
    Nodes(#[serde(with = "WithinForm")] Within),
    Edges(#[serde(with = "WithinForm")] Within),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Within", rename_all = "snake_case")]
enum WithinForm {
    Walk,
    Path,
    Recent(u32),
    Depth,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CostForm {
    property: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HopForm {
    direction: DirectionForm,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edge_labels: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    from: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    to: Vec<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DirectionForm {
    Out,
    In,
    Both,
}

/// The JSON form of an evaluator.
#[derive(Serialize, Deserialize)]
#[serde(tag = "test", rename_all = "snake_case", deny_unknown_fields)]
enum TestForm {
    Depths {
        #[serde(default, skip_serializing_if = "is_default")]
        least: u32,
        #[serde(default = "any_depth", skip_serializing_if = "is_any_depth")]
        most: u32,
    },
    Labels {
        labels: Vec<String>,
        matched: EvaluationForm,
        other: EvaluationForm,
    },
    LastEdge {
        edge_labels: Vec<String>,
        matched: EvaluationForm,
        other: EvaluationForm,
    },
    EndsAt {
        nodes: Vec<u32>,
        matched: EvaluationForm,
        other: EvaluationForm,
    },
    EndsAtDepth {
        depth: u32,
        nodes: Vec<u32>,
    },
    ContainsAll {
        nodes: Vec<u32>,
    },
    Number {
        property: String,
        least: i64,
        most: i64,
        matched: EvaluationForm,
        other: EvaluationForm,
    },
    AnyOf {
        evaluators: Vec<Self>,
    },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EvaluationForm {
    IncludeAndContinue,
    IncludeAndPrune,
    ExcludeAndContinue,
    ExcludeAndPrune,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn any_depth() -> u32 {
    u32::MAX
}

fn is_any_depth(depth: &u32) -> bool {
    *depth == u32::MAX
}

impl WalkForm {
    fn of(walk: &Walk) -> Self {
        let cost = walk.cost.as_ref();
        Self {
            version: Walk::VERSION,
            order: walk.order,
            unique: walk.uniqueness,
            hops: walk.hops.iter().map(HopForm::of).collect(),
            evaluators: walk.evaluators.iter().map(TestForm::of).collect(),
            cost: cost.map(|Cost { property, default }| CostForm {
                property: property.clone(),
                default: default.filter(|default| default.is_finite()),
            }),
            skip_arriving_edge: walk.skips_arriving_edge,
            keep_direction: walk.keeps_direction,
            edge_ranks: walk.has_ranks,
            limit: walk.results_max,
            time_limit_ns: walk.time_max.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
        }
    }

    fn walk(self) -> Walk {
        Walk {
            order: self.order,
            uniqueness: self.unique,
            hops: self.hops.into_iter().map(HopForm::hop).collect(),
            evaluators: self.evaluators.into_iter().map(TestForm::evaluator).collect(),
            cost: self.cost.map(|CostForm { property, default }| Cost { property, default }),
            skips_arriving_edge: self.skip_arriving_edge,
            keeps_direction: self.keep_direction,
            has_ranks: self.edge_ranks,
            results_max: self.limit,
            time_max: self.time_limit_ns.map(Duration::from_nanos),
        }
    }
}

impl HopForm {
    fn of(hop: &Hop) -> Self {
        let Hop { edge_labels, direction, from, to } = hop.clone();
        let direction = match direction {
            Some(Direction::Out) => DirectionForm::Out,
            Some(Direction::In) => DirectionForm::In,
            None => DirectionForm::Both,
        };
        Self { direction, edge_labels, from, to }
    }

    fn hop(self) -> Hop {
        let direction = match self.direction {
            DirectionForm::Out => Some(Direction::Out),
            DirectionForm::In => Some(Direction::In),
            DirectionForm::Both => None,
        };
        Hop { edge_labels: self.edge_labels, direction, from: self.from, to: self.to }
    }
}

impl TestForm {
    fn of(evaluator: &Evaluator) -> Self {
        match evaluator.0.clone() {
            // The JSON form has no field for `continues_below`; the reader derives it from `most`.
            Test::Depths { least, most, .. } => Self::Depths { least, most },
            Test::Labels { labels, outcomes } => {
                let (matched, other) = forms(outcomes);
                Self::Labels { labels, matched, other }
            }
            Test::LastEdge { edge_labels, outcomes } => {
                let (matched, other) = forms(outcomes);
                Self::LastEdge { edge_labels, matched, other }
            }
            Test::Ends { nodes, outcomes } => {
                let (matched, other) = forms(outcomes);
                Self::EndsAt { nodes, matched, other }
            }
            Test::EndsAtDepth { nodes, depth } => Self::EndsAtDepth { depth, nodes },
            Test::ContainsAll(nodes) => Self::ContainsAll { nodes },
            Test::Number { property, numbers, outcomes } => {
                let (matched, other) = forms(outcomes);
                let (least, most) = numbers.into_inner();
                Self::Number { property, least, most, matched, other }
            }
            Test::AnyOf(evaluators) => Self::AnyOf { evaluators: evaluators.iter().map(Self::of).collect() },
        }
    }

    fn evaluator(self) -> Evaluator {
        match self {
            Self::Depths { least, most } => Evaluator::depths(least..=most),
            Self::Labels { labels, matched, other } => {
                Evaluator(Test::Labels { labels, outcomes: outcomes(matched, other) })
            }
            Self::LastEdge { edge_labels, matched, other } => {
                Evaluator(Test::LastEdge { edge_labels, outcomes: outcomes(matched, other) })
            }
            Self::EndsAt { nodes, matched, other } => {
                Evaluator(Test::Ends { nodes, outcomes: outcomes(matched, other) })
            }
            Self::EndsAtDepth { depth, nodes } => Evaluator::ends_at_depth(depth, nodes),
            Self::ContainsAll { nodes } => Evaluator::contains_all(nodes),
            Self::Number { property, least, most, matched, other } => {
                Evaluator::number(&property, least..=most, matched.evaluation(), other.evaluation())
            }
            Self::AnyOf { evaluators } => {
                Evaluator::any_of(evaluators.into_iter().map(Self::evaluator).collect::<Vec<_>>())
            }
        }
    }
}

fn forms(Outcomes { matched, other }: Outcomes) -> (EvaluationForm, EvaluationForm) {
    (EvaluationForm::of(matched), EvaluationForm::of(other))
}

fn outcomes(matched: EvaluationForm, other: EvaluationForm) -> Outcomes {
    Outcomes { matched: matched.evaluation(), other: other.evaluation() }
}

impl EvaluationForm {
    fn of(evaluation: Evaluation) -> Self {
        match (evaluation.includes(), evaluation.continues()) {
            (true, true) => Self::IncludeAndContinue,
            (true, false) => Self::IncludeAndPrune,
            (false, true) => Self::ExcludeAndContinue,
            (false, false) => Self::ExcludeAndPrune,
        }
    }

    fn evaluation(self) -> Evaluation {
        match self {
            Self::IncludeAndContinue => Evaluation::INCLUDE_AND_CONTINUE,
            Self::IncludeAndPrune => Evaluation::INCLUDE_AND_PRUNE,
            Self::ExcludeAndContinue => Evaluation::EXCLUDE_AND_CONTINUE,
            Self::ExcludeAndPrune => Evaluation::EXCLUDE_AND_PRUNE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_part() -> Walk {
        let (both, none) = (Evaluation::INCLUDE_AND_CONTINUE, Evaluation::EXCLUDE_AND_PRUNE);
        Walk::in_order(Order::BestFirst)
            .unique(Uniqueness::Edges(Within::Recent(7)))
            .hop(Hop::out(["AST", "CFG"]).from("METHOD").to(["CALL", "BLOCK"]))
            .hop(Hop::both(varvite_graph::internal::ALL))
            .evaluator(Evaluator::without_start())
            .evaluator(Evaluator::depths(2..=9))
            .evaluator(Evaluator::labels("CALL", none, both))
            .evaluator(Evaluator::prune_last_edge(["AST", "a \"quoted\" name"]))
            .evaluator(Evaluator::include_ends([3, 1]))
            .evaluator(Evaluator::ends_at_depth(4, [7]))
            .evaluator(Evaluator::contains_all([0]))
            .evaluator(Evaluator::number("LINE", -5..=i64::MAX, both, none))
            .evaluator(Evaluator::any_of([Evaluator::at_depth(3), Evaluator::any_of([])]))
            .cost_or("METRES", 1.5)
            .skip_arriving_edge()
            .keep_direction()
            .with_edge_ranks()
            .limit(10)
            .time_limit(Duration::from_millis(250))
    }

    #[test]
    fn a_walk_of_every_part_is_the_same_behind_its_form() {
        let walk = every_part();
        assert_eq!(Walk::from_json(&walk.to_json()).unwrap(), walk);
    }

    #[test]
    fn the_form_is_stable() {
        let walk = Walk::depth_first().hop(Hop::in_("CALL").to("METHOD")).evaluator(Evaluator::to_depth(3));
        let json = r#"{"version":1,"order":"depth_first","unique":{"nodes":"walk"},"hops":[{"direction":"in","edge_labels":["CALL"],"to":["METHOD"]}],"evaluators":[{"test":"depths","most":3}]}"#;
        assert_eq!(walk.to_json(), json);
        // The Java tests read the same file.
        let json = include_str!("../../../../conformance/walks/every-part.json");
        assert_eq!(every_part().to_json(), json.trim_end());
    }

    #[test]
    fn what_is_left_out_is_as_by_default() {
        assert_eq!(Walk::from_json(r#"{"version": 1}"#).unwrap(), Walk::default());
        let walk =
            Walk::from_json(r#"{"version": 1, "unique": "none", "hops": [{"direction": "out"}]}"#).unwrap();
        assert_eq!(
            walk,
            Walk::default().unique(Uniqueness::None).hop(Hop::out(varvite_graph::internal::ALL))
        );
    }

    #[test]
    fn what_is_no_walk_is_refused_with_its_place() {
        for (json, says) in [
            ("", "line 1 column 0"),
            (r#"{"version": 2}"#, "version 2, but this library reads version 1"),
            (r#"{"version": 1, "hop": []}"#, "unknown field `hop`"),
            (r#"{"version": 1, "order": "widest_first"}"#, "unknown variant `widest_first`"),
            (r#"{"version": 1, "unique": {"nodes": {"recent": -1}}}"#, "-1"),
            (r#"{"version": 1, "evaluators": [{"test": "depths", "leats": 1}]}"#, "unknown field `leats`"),
            (r#"{"version": 1, "evaluators": [{"test": "any"}]}"#, "unknown variant `any`"),
            (r#"{"version": 1, "limit": 1.5}"#, "1.5"),
            ("[1]", "the walk must be an object"),
            (r#"{"version": 1, "hops": [["out"]]}"#, "a hop must be an object"),
            (
                r#"{"version": 1, "evaluators": [{"test": "any_of", "evaluators": [["depths"]]}]}"#,
                "an evaluator must be an object",
            ),
        ] {
            let error = Walk::from_json(json).unwrap_err();
            assert!(error.to_string().contains(says), "{json}: {error}");
            assert_eq!(error.code(), varvite_format::ErrorCode::Plan);
        }
        let nested = "[".repeat(500);
        assert!(Walk::from_json(&format!(r#"{{"version": 1, "hops": {nested}"#)).is_err());
    }
}
