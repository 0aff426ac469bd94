//! [`Template`]: a plan with parameters, which becomes a [`Pipeline`] once each parameter has a value.
//!
//! A parameter is written `{"param": "name"}` in place of a value. No step, predicate or key has a field
//! named `param`, so a parameter can't be confused with another value. Values are put into the parsed plan,
//! not into its text, so no text in a value can become a step. Each value is then checked as if the plan had
//! contained it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::deep::{on_stack, stack_bytes};
use super::fields::{Fields, kind, refused};
use super::nested::STEPS_MAX;
use super::predicate::literal_json;
use super::{DEPTH_MAX, Extent, Literal, Pipeline, PlanCharge, TEXT_BYTES_MAX};
use crate::pipeline::error::{PipelineError, PlanLimit, Result};
use varvite_graph::json::{JsonFault, Meter, Subject};
use varvite_graph::{Budget, OverBudget, json, nearest};

/// The field that marks a parameter.
const PARAM: &str = "param";

/// A plan with parameters. It is read once, and may be bound to other values for each run.
///
/// ```
/// use varvite::pipeline::{Arguments, Template};
///
/// # fn main() -> Result<(), varvite::pipeline::PipelineError> {
/// let callers = Template::from_json(
///     r#"{"version": 1, "parameters": {"callee": "text"}, "steps": [
///         {"step": "nodes", "labels": ["METHOD"]},
///         {"step": "has", "property": "NAME", "is": {"eq": {"param": "callee"}}},
///         {"step": "in", "labels": ["CALL"]}]}"#,
/// )?;
/// let of_memcpy = callers.bind(&Arguments::new().with("callee", "memcpy"))?;
/// # assert!(of_memcpy.to_json().contains(r#"{"eq":"memcpy"}"#));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    parameters: Parameters,
    steps: Json,
    /// The size in bytes of the stack that the plan's nesting needs. `None` if the caller's stack suffices.
    stack: Option<usize>,
    budget: Budget,
    held: PlanCharge,
}

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.parameters == other.parameters && self.steps == other.steps
    }
}

/// The maximum nesting depth of lists and objects in a plan. A nested pipeline takes up at most four levels;
/// a few more are outside all pipelines or inside the innermost one.
const JSON_DEPTH_MAX: usize = 4 * DEPTH_MAX + 16;
/// The words with which errors of the JSON reader describe a plan.
const PLAN: Subject = Subject {
    form: "a plan, which is {\"version\": 1, \"steps\": [..]}",
    name: "nothing after the plan",
    depth_max: JSON_DEPTH_MAX,
    steps_max: STEPS_MAX,
};

/// A parameter that a plan declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The parameter's name: ASCII letters, digits and `_`.
    pub name: String,
    /// The type of the parameter's value.
    pub holds: ParameterType,
}

/// The type of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterType {
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// True or false.
    Boolean,
    /// A list of texts.
    Texts,
    /// A list of whole numbers.
    Integers,
    /// A list of numbers.
    Numbers,
}

impl ParameterType {
    /// All types.
    pub const ALL: [Self; 7] =
        [Self::Text, Self::Integer, Self::Number, Self::Boolean, Self::Texts, Self::Integers, Self::Numbers];

    /// The word that plans use for the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Texts => "texts",
            Self::Integers => "integers",
            Self::Numbers => "numbers",
        }
    }

    /// The type of a list's items. `None` if the type is not a list.
    fn of_each(self) -> Option<Self> {
        match self {
            Self::Texts => Some(Self::Text),
            Self::Integers => Some(Self::Integer),
            Self::Numbers => Some(Self::Number),
            Self::Text | Self::Integer | Self::Number | Self::Boolean => None,
        }
    }

    fn takes(self, literal: &Literal) -> bool {
        match literal {
            Literal::Text(_) => self == Self::Text,
            Literal::Bool(_) => self == Self::Boolean,
            Literal::Int(_) | Literal::Uint(_) => matches!(self, Self::Integer | Self::Number),
            Literal::Float(number) => self == Self::Number && number.is_finite(),
        }
    }

    /// Parses a value of this type from a text. `None` if the text is not such a value.
    fn parse(self, text: &str) -> Option<Literal> {
        let whole = || text.parse().map(Literal::Int).or_else(|_| text.parse().map(Literal::Uint)).ok();
        let literal = match self {
            Self::Text => Some(Literal::Text(text.to_owned())),
            Self::Boolean => text.parse().map(Literal::Bool).ok(),
            Self::Integer => whole(),
            Self::Number => whole().or_else(|| text.parse().map(Literal::Float).ok()),
            Self::Texts | Self::Integers | Self::Numbers => None,
        };
        literal.filter(|literal| self.takes(literal))
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Values for the parameters of a plan, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(BTreeMap<String, Argument>);

#[derive(Clone, Debug, PartialEq)]
enum Argument {
    One(Literal),
    List(Vec<Literal>),
}

impl Argument {
    /// The approximate size in bytes of the argument in a plan.
    fn bytes(&self) -> usize {
        let literals = match self {
            Self::One(literal) => std::slice::from_ref(literal),
            Self::List(literals) => literals,
        };
        let bytes = |literal: &Literal| match literal {
            Literal::Text(text) => 2 * size_of::<Json>() + text.len(),
            _ => 2 * size_of::<Json>(),
        };
        literals.iter().map(bytes).sum()
    }
}

impl Arguments {
    /// Makes a set of arguments without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the arguments with a value for `name`, which replaces any earlier one.
    pub fn with(mut self, name: &str, value: impl Into<Literal>) -> Self {
        self.0.insert(name.to_owned(), Argument::One(value.into()));
        self
    }

    /// Returns the arguments with a list for `name`, which replaces any earlier value.
    pub fn with_list<T: Into<Literal>>(mut self, name: &str, values: impl IntoIterator<Item = T>) -> Self {
        self.0.insert(name.to_owned(), Argument::List(values.into_iter().map(Into::into).collect()));
        self
    }
}

impl Template {
    /// Reads a template from a plan. Its steps are checked later, when it is bound. Takes at most
    /// [`Budget::default_bytes`] of memory.
    ///
    /// # Errors
    /// [`PipelineError::NotAPlan`], also for a parameter that is used but not declared, or declared but not
    /// used; [`PipelineError::Version`]; [`PipelineError::TooLarge`] and [`PipelineError::PlanOverBudget`].
    pub fn from_json(text: &str) -> Result<Self> {
        Self::from_json_within(text, &Budget::default())
    }

    /// The same as [`Template::from_json`], within the caller's budget. [`Template::bind`] then charges its
    /// memory to the same budget. Memory is charged before it is allocated. The charge is returned when the
    /// template and the pipelines bound from it are dropped.
    ///
    /// # Errors
    /// The errors of [`Template::from_json`].
    pub fn from_json_within(text: &str, budget: &Budget) -> Result<Self> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(PipelineError::TooLarge { of: PlanLimit::TextBytes, most: TEXT_BYTES_MAX });
        }
        let read = json::read(text, PLAN, budget)?;
        // Each nested pipeline takes up at least two levels of lists or objects.
        let stack = stack_bytes(Extent { depth: read.depth / 2, levels: read.depth });
        let (json, held) = (read.json, PlanCharge(Some(Arc::new(read.meter))));
        on_stack(stack, budget, || Self::of_json(json, stack, budget.clone(), held))?
    }

    fn of_json(json: Json, stack: Option<usize>, budget: Budget, held: PlanCharge) -> Result<Self> {
        let mut plan = Fields::of("the plan", String::new(), json)?;
        let version: u64 = plan.read("version")?;
        if version != u64::from(Pipeline::VERSION) {
            return Err(PipelineError::Version { found: version, known: Pipeline::VERSION });
        }
        let parameters = Parameters::read(&mut plan)?;
        let steps = plan.need("steps", "a list of steps")?;
        plan.finish()?;
        parameters.check_use(&steps)?;
        Ok(Self { parameters, steps, stack, budget, held })
    }

    /// The declared parameters, sorted by name.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters.0
    }

    /// The pipeline in which each parameter is replaced by its value.
    ///
    /// # Errors
    /// [`PipelineError::ParameterMissing`], [`PipelineError::ParameterUnknown`] and
    /// [`PipelineError::ParameterType`] name the parameter; [`PipelineError::NotAPlan`] and
    /// [`PipelineError::BadStep`] name step and field; [`PipelineError::PlanOverBudget`].
    pub fn bind(&self, arguments: &Arguments) -> Result<Pipeline> {
        let values = self.values(arguments)?;
        let mut meter = Meter::new(&self.budget)?;
        let json = on_stack(self.stack, &self.budget, || filled(&self.steps, &values, &mut meter))??;
        self.pipeline(json, meter)
    }

    /// The pipeline of a plan without parameters. The plan is not copied.
    pub(super) fn into_pipeline(mut self) -> Result<Pipeline> {
        self.values(&Arguments::new())?;
        let json = std::mem::take(&mut self.steps);
        match std::mem::take(&mut self.held).0.and_then(Arc::into_inner) {
            Some(meter) => self.pipeline(json, meter),
            None => Err(refused("it was read already".to_owned())),
        }
    }

    /// The value of each parameter, as JSON.
    fn values(&self, arguments: &Arguments) -> Result<BTreeMap<&str, Json>> {
        arguments.0.keys().try_for_each(|name| self.declared(name).map(|_| ()))?;
        let mut values = BTreeMap::new();
        for parameter in self.parameters() {
            let value = arguments.0.get(&parameter.name).ok_or_else(|| parameter.missing())?;
            let _bytes = self.budget.reserve(value.bytes())?;
            values.insert(parameter.name.as_str(), parameter.json(value)?);
        }
        Ok(values)
    }

    /// The pipeline of steps in JSON form. `meter` has already charged the bytes of the JSON; for the
    /// pipeline, the same number of bytes is charged again. The pipeline never needs more: in the parsed
    /// JSON, each field of an object takes several hundred bytes, and a value is as large as in the pipeline.
    fn pipeline(&self, json: Json, mut meter: Meter) -> Result<Pipeline> {
        let bytes = meter.used();
        meter.take(bytes)?;
        let plan = Json::Object(Map::from_iter([("steps".to_owned(), json)]));
        let read = || Fields::of("the plan", String::new(), plan)?.read("steps");
        let steps = on_stack(self.stack, &self.budget, read)??;
        meter.set(bytes)?;
        let pipeline = Pipeline { steps, held: PlanCharge(Some(Arc::new(meter))) };
        pipeline.check_extent()?;
        Ok(pipeline)
    }

    /// The same as [`Template::bind`], but takes values as texts: numbers in digits, `true` or `false`, and
    /// texts without quotes. For a list, give one pair of name and text per item.
    ///
    /// # Errors
    /// As for [`Template::bind`].
    pub fn bind_texts<'t>(&self, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Pipeline> {
        let mut arguments = Arguments::new();
        for (name, text) in texts {
            let parameter = self.declared(name)?;
            let holds = parameter.holds.of_each().unwrap_or(parameter.holds);
            let value = holds.parse(text).ok_or_else(|| parameter.wrong(format!("the text {text:?}")))?;
            let is_list = parameter.holds.of_each().is_some();
            match arguments.0.get_mut(name) {
                None if is_list => arguments = arguments.with_list(name, [value]),
                None => arguments = arguments.with(name, value),
                Some(Argument::List(values)) => values.push(value),
                Some(Argument::One(_)) => return Err(parameter.wrong("two values".to_owned())),
            }
        }
        self.bind(&arguments)
    }

    fn declared(&self, name: &str) -> Result<&Parameter> {
        // Parameters are sorted by name.
        let found = self.parameters().binary_search_by(|parameter| parameter.name.as_str().cmp(name)).ok();
        found.map(|at| &self.parameters()[at]).ok_or_else(|| PipelineError::ParameterUnknown {
            name: name.to_owned(),
            nearest: nearest(name, self.parameters().iter().map(|parameter| &parameter.name)),
        })
    }
}

impl Parameter {
    fn missing(&self) -> PipelineError {
        PipelineError::ParameterMissing { name: self.name.clone(), holds: self.holds.name() }
    }

    fn wrong(&self, found: String) -> PipelineError {
        PipelineError::ParameterType { name: self.name.clone(), holds: self.holds.name(), found }
    }

    fn json(&self, argument: &Argument) -> Result<Json> {
        let checked = |holds: ParameterType, literal: &Literal| match holds.takes(literal) {
            true => Ok(literal_json(literal)),
            false => Err(self.wrong(literal.kind().to_string())),
        };
        match (argument, self.holds.of_each()) {
            (Argument::One(literal), None) => checked(self.holds, literal),
            (Argument::List(list), Some(each)) => list.iter().map(|literal| checked(each, literal)).collect(),
            (Argument::One(literal), Some(_)) => {
                Err(self.wrong(format!("{}, which is not a list", literal.kind())))
            }
            (Argument::List(_), None) => Err(self.wrong("a list".to_owned())),
        }
    }
}

/// The parameters that a plan declares, sorted by name.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parameters(Vec<Parameter>);

impl Parameters {
    /// Checks that each used parameter is declared and that each declared parameter is used.
    fn check_use(&self, steps: &Json) -> Result<()> {
        let mut used = BTreeSet::new();
        find_used(steps, &mut used)?;
        let declared: BTreeSet<&str> = self.0.iter().map(|parameter| parameter.name.as_str()).collect();
        let undeclared = used.iter().find(|name| !declared.contains(**name));
        if let Some(name) = undeclared {
            return Err(refused(format!(
                "the parameter {name:?} is not declared: give its type in \"parameters\", as in \
                 {{{name:?}: \"text\"}}"
            )));
        }
        let unused = self.0.iter().find(|parameter| !used.contains(parameter.name.as_str()));
        unused.map_or(Ok(()), |parameter| {
            Err(refused(format!("the parameter {:?} is declared but not used", parameter.name)))
        })
    }
}

impl Parameters {
    /// Reads the declarations of a plan. A plan may have none.
    fn read(plan: &mut Fields) -> Result<Self> {
        let declared = match plan.take("parameters") {
            None => return Ok(Self::default()),
            Some(Json::Object(declared)) => declared,
            Some(other) => {
                let expected = "an object with a field for each parameter, such as {\"name\": \"text\"}";
                return Err(plan.wrong("parameters", expected, &other));
            }
        };
        let read = |(name, json): (String, Json)| {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if name.is_empty() || !name.chars().all(is_name) {
                let rule = "letters from a to z, digits and _";
                return Err(plan.says(format!("{name:?} is not a name for a parameter: use {rule}")));
            }
            let holds = ParameterType::ALL.into_iter().find(|holds| json.as_str() == Some(holds.name()));
            let known = || ParameterType::ALL.map(ParameterType::name).join(", ");
            let holds = holds.ok_or_else(|| {
                plan.says(format!(
                    "the type of parameter {name:?} must be one of {}, found {}",
                    known(),
                    kind(&json)
                ))
            })?;
            Ok(Parameter { name, holds })
        };
        declared.into_iter().map(read).collect::<Result<_>>().map(Self)
    }
}

/// The name of the parameter. `None` if the object is not a parameter.
fn parameter_name(object: &Map<String, Json>) -> Option<&str> {
    object.get(PARAM).filter(|_| object.len() == 1)?.as_str()
}

/// Adds the names of all parameters in `json` to `used`. The recursion is at most as deep as the JSON reader
/// allows.
fn find_used<'j>(json: &'j Json, used: &mut BTreeSet<&'j str>) -> Result<()> {
    match json {
        Json::Array(list) => list.iter().try_for_each(|inside| find_used(inside, used)),
        Json::Object(object) if object.contains_key(PARAM) => match parameter_name(object) {
            Some(name) => {
                used.insert(name);
                Ok(())
            }
            None => Err(refused("a parameter must be {\"param\": \"name\"}, with no other field".to_owned())),
        },
        Json::Object(object) if object.get("step").is_some_and(Json::is_object) => {
            Err(refused("the name of a step cannot be a parameter".to_owned()))
        }
        Json::Object(object) => object.values().try_for_each(|inside| find_used(inside, used)),
        _ => Ok(()),
    }
}

/// A copy of `json` with values in place of parameters. The bytes of the copy are charged as it grows.
fn filled(
    json: &Json,
    values: &BTreeMap<&str, Json>,
    meter: &mut Meter,
) -> std::result::Result<Json, OverBudget> {
    Ok(match json {
        Json::Array(list) => {
            let mut copy = Vec::new();
            for inside in list {
                meter.make_room(&mut copy)?;
                copy.push(filled(inside, values, meter)?);
            }
            Json::Array(copy)
        }
        Json::Object(object) => match parameter_name(object).and_then(|name| values.get(name)) {
            Some(value) => {
                meter.take(json::bytes_of(value))?;
                value.clone()
            }
            None => {
                let mut copy = Map::new();
                for (name, inside) in object {
                    meter.take_entry(copy.len())?;
                    meter.take_text(name.len())?;
                    copy.insert(name.clone(), filled(inside, values, meter)?);
                }
                Json::Object(copy)
            }
        },
        other => {
            meter.take(json::bytes_of(other))?;
            other.clone()
        }
    })
}

impl From<JsonFault> for PipelineError {
    fn from(fault: JsonFault) -> Self {
        match fault {
            JsonFault::Form { reason } => refused(reason),
            JsonFault::TooDeep => Self::TooLarge { of: PlanLimit::Depth, most: DEPTH_MAX },
            JsonFault::TooManySteps => Self::TooLarge { of: PlanLimit::Steps, most: STEPS_MAX },
            JsonFault::OverBudget(error) => error.into(),
        }
    }
}
