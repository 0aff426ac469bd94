//! The reader of plans: JSON becomes steps, and what is wrong is told by step and field.
//!
//! Everything that a plan may hold is named here once. A field that a step does not have, one that is missing, another kind
//! of value and an empty list are refused, so that no plan means less or more than its author thought.

use serde_json::{Map, Value as Json};

use super::error::{PipelineError, Result};
use super::predicate::{Literal, Predicate};
use super::step::{Case, Emit, Key, Repeat, Step, Steps, WalkOrder};
use super::syntax;
use crate::schema::nearest;

/// The version of the plan form that this library writes and reads.
pub const PLAN_VERSION: u32 = 1;

/// The steps of a plan.
pub(super) fn plan(text: &str) -> Result<Steps> {
    let json = serde_json::from_str(text)
        .map_err(|error| refused(syntax::reason(text, error.line(), error.column())))?;
    let mut plan = Fields::of("the plan", String::new(), json)?;
    let version = plan.count("version")?;
    if version != u64::from(PLAN_VERSION) {
        return Err(PipelineError::Version { found: version, known: PLAN_VERSION });
    }
    let steps = plan.steps("steps")?;
    plan.finish()?;
    Ok(steps)
}

/// Every word that names a step in a plan.
pub const STEPS: [&str; 46] = [
    "nodes",
    "ids",
    "edges",
    "has",
    "has_not",
    "has_label",
    "has_id",
    "is",
    "where",
    "where_not",
    "and",
    "or",
    "out",
    "in",
    "both",
    "out_edges",
    "in_edges",
    "both_edges",
    "source",
    "target",
    "descendants",
    "ancestors",
    "nearest_ancestor",
    "union",
    "coalesce",
    "choose",
    "repeat",
    "dedup",
    "order",
    "limit",
    "skip",
    "sample",
    "simple_path",
    "side",
    "values",
    "label",
    "depth",
    "path",
    "columns",
    "group_count",
    "group",
    "count",
    "sum",
    "min",
    "max",
    "mean",
];

/// Every word that names a predicate in a plan.
pub const PREDICATES: [&str; 15] = [
    "eq", "ne", "one_of", "none_of", "lt", "lte", "gt", "gte", "between", "inside", "outside", "prefix",
    "suffix", "contains", "regex",
];

/// A step; `path` are the numbers that lead to it.
fn step(path: &str, json: Json) -> Result<Step> {
    let name = json.get("step").and_then(Json::as_str).unwrap_or("no name").to_owned();
    let mut fields = Fields::of(&format!("step {path} ({name})"), format!("{path}."), json)?;
    fields.text("step")?;
    let f = &mut fields;
    let step = match name.as_str() {
        "nodes" => Step::Nodes { labels: f.labels()? },
        "ids" => Step::Ids { ids: f.ids()? },
        "edges" => Step::Edges { labels: f.labels()? },
        "has" => Step::Has { property: f.text("property")?, is: f.optional("is", Fields::predicate)? },
        "has_not" => Step::HasNot { property: f.text("property")?, is: f.optional("is", Fields::predicate)? },
        "has_label" => Step::HasLabel { labels: f.texts("labels")? },
        "has_id" => Step::HasId { ids: f.ids()? },
        "is" => Step::Is { is: f.predicate("is")? },
        "where" => Step::Where { pipeline: f.steps("pipeline")? },
        "where_not" => Step::WhereNot { pipeline: f.steps("pipeline")? },
        "and" => Step::And { branches: f.branches()? },
        "or" => Step::Or { branches: f.branches()? },
        "out" => Step::Out { labels: f.labels()? },
        "in" => Step::In { labels: f.labels()? },
        "both" => Step::Both { labels: f.labels()? },
        "out_edges" => Step::OutEdges { labels: f.labels()? },
        "in_edges" => Step::InEdges { labels: f.labels()? },
        "both_edges" => Step::BothEdges { labels: f.labels()? },
        "source" => Step::Source {},
        "target" => Step::Target {},
        "descendants" => Step::Descendants { with_self: f.flag("with_self")? },
        "ancestors" => Step::Ancestors { with_self: f.flag("with_self")? },
        "nearest_ancestor" => {
            Step::NearestAncestor { labels: f.labels()?, condition: f.optional("where", Fields::steps)? }
        }
        "union" => Step::Union { branches: f.branches()? },
        "coalesce" => Step::Coalesce { branches: f.branches()? },
        "choose" => choose(f)?,
        "repeat" => Step::Repeat(repeat(f)?),
        "dedup" => Step::Dedup { by: f.by()? },
        "order" => Step::Order { by: f.by()?, descending: f.flag("descending")? },
        "limit" => Step::Limit { count: f.count("count")? },
        "skip" => Step::Skip { count: f.count("count")? },
        "sample" => Step::Sample { count: f.count("count")?, seed: f.count("seed")? },
        "simple_path" => Step::SimplePath {},
        "side" => Step::Side { name: f.text("name")? },
        "values" => Step::Values { property: f.text("property")? },
        "label" => Step::Label {},
        "depth" => Step::Depth {},
        "path" => Step::Path {},
        "columns" => Step::Columns { columns: f.keys("columns")? },
        "group_count" => Step::GroupCount { by: f.by()? },
        "group" => Step::Group { by: f.by()? },
        "count" => Step::Count {},
        "sum" => Step::Sum {},
        "min" => Step::Min {},
        "max" => Step::Max {},
        "mean" => Step::Mean {},
        _ => return Err(f.says(format!("there is no such step{}", nearest_of(&name, &STEPS)))),
    };
    fields.finish()?;
    Ok(step)
}

fn choose(f: &mut Fields) -> Result<Step> {
    let on = f.need("on", "a list of steps")?;
    let on = f.steps_of("on", on, &format!("{}on.", f.inside))?;
    let mut cases = Vec::new();
    for (number, case) in (1..).zip(f.list("cases")?) {
        let inside = format!("{}{number}.", f.inside);
        let mut case = Fields::of(&format!("{}, case {number}", f.at), inside, case)?;
        cases.push(Case { is: case.predicate("is")?, then: case.steps("then")? });
        case.finish()?;
    }
    let inside = format!("{}{}.", f.inside, cases.len() + 1);
    let otherwise = f.optional("otherwise", |f, field| {
        let steps = f.need(field, "a list of steps")?;
        f.steps_of(field, steps, &inside)
    })?;
    Ok(Step::Choose { on, cases, otherwise })
}

fn repeat(f: &mut Fields) -> Result<Repeat> {
    Ok(Repeat {
        body: f.steps("body")?,
        times: f.optional("times", Fields::small)?,
        until: f.optional("until", Fields::steps)?,
        whilst: f.optional("whilst", Fields::steps)?,
        emit: f.optional("emit", Fields::emit)?,
        dedup: f.flag("dedup")?,
        order: f.optional("order", Fields::walk_order)?.unwrap_or_default(),
    })
}

/// The fields of an object that were not read yet.
struct Fields {
    /// Whose they are, in the words of errors.
    at: String,
    /// What leads to steps inside.
    inside: String,
    left: Map<String, Json>,
    known: Vec<&'static str>,
}

impl Fields {
    fn of(at: &str, inside: String, json: Json) -> Result<Self> {
        match json {
            Json::Object(left) => Ok(Self { at: at.to_owned(), inside, left, known: Vec::new() }),
            other => Err(refused(format!("{at} is {}, and has to be an object", kind(&other)))),
        }
    }

    fn says(&self, what: impl AsRef<str>) -> PipelineError {
        refused(format!("{}: {}", self.at, what.as_ref()))
    }

    /// Another kind of value than a field holds.
    fn wrong(&self, field: &str, expected: &str, found: &Json) -> PipelineError {
        self.says(format!("the field {field:?} holds {expected}, and not {}", kind(found)))
    }

    fn need(&mut self, field: &'static str, expected: &str) -> Result<Json> {
        self.known.push(field);
        let found = self.left.remove(field);
        found.ok_or_else(|| self.says(format!("the field {field:?} is missing: it holds {expected}")))
    }

    /// A field that may be left out.
    fn optional<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Self, &'static str) -> Result<T>,
    ) -> Result<Option<T>> {
        match self.left.contains_key(field) {
            true => read(self, field).map(Some),
            false => {
                self.known.push(field);
                Ok(None)
            }
        }
    }

    fn text(&mut self, field: &'static str) -> Result<String> {
        match self.need(field, "a text")? {
            Json::String(text) => Ok(text),
            other => Err(self.wrong(field, "a text", &other)),
        }
    }

    fn count(&mut self, field: &'static str) -> Result<u64> {
        let expected = "a whole number from 0 on";
        let found = self.need(field, expected)?;
        found.as_u64().ok_or_else(|| self.wrong(field, expected, &found))
    }

    fn small(&mut self, field: &'static str) -> Result<u32> {
        let found = self.need(field, "a number")?;
        self.id(field, &found)
    }

    fn flag(&mut self, field: &'static str) -> Result<bool> {
        let read = |f: &mut Self, field| match f.need(field, "true or false")? {
            Json::Bool(flag) => Ok(flag),
            other => Err(f.wrong(field, "true or false", &other)),
        };
        Ok(self.optional(field, read)?.unwrap_or_default())
    }

    /// A list, which may be empty.
    fn list(&mut self, field: &'static str) -> Result<Vec<Json>> {
        match self.need(field, "a list")? {
            Json::Array(list) => Ok(list),
            other => Err(self.wrong(field, "a list", &other)),
        }
    }

    /// A list of something, of which there has to be some.
    fn some(&mut self, field: &'static str) -> Result<Vec<Json>> {
        let list = self.list(field)?;
        match list.is_empty() {
            true => Err(self.says(format!("the field {field:?} is an empty list"))),
            false => Ok(list),
        }
    }

    fn texts(&mut self, field: &'static str) -> Result<Vec<String>> {
        let list = self.some(field)?;
        let read = |json: Json| match json {
            Json::String(text) => Ok(text),
            other => Err(self.wrong(field, "a list of texts", &other)),
        };
        list.into_iter().map(read).collect()
    }

    /// Labels, which may be left out.
    fn labels(&mut self) -> Result<Vec<String>> {
        if self.left.get("labels").and_then(Json::as_array).is_some_and(Vec::is_empty) {
            return Err(
                self.says("the field \"labels\" is an empty list: leave it out for all, or name some")
            );
        }
        Ok(self.optional("labels", Self::texts)?.unwrap_or_default())
    }

    fn ids(&mut self) -> Result<Vec<u32>> {
        let list = self.some("ids")?;
        list.iter().map(|id| self.id("ids", id)).collect()
    }

    fn id(&self, field: &str, json: &Json) -> Result<u32> {
        let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| self.wrong(field, "whole numbers from 0 to 4294967295", json))
    }

    fn steps(&mut self, field: &'static str) -> Result<Steps> {
        let steps = self.need(field, "a list of steps")?;
        self.steps_of(field, steps, &self.inside)
    }

    fn steps_of(&self, field: &str, json: Json, inside: &str) -> Result<Steps> {
        let Json::Array(list) = json else { return Err(self.wrong(field, "a list of steps", &json)) };
        let steps = (1..).zip(list).map(|(number, json)| step(&format!("{inside}{number}"), json));
        Ok(Steps(steps.collect::<Result<_>>()?))
    }

    fn branches(&mut self) -> Result<Vec<Steps>> {
        let list = self.some("branches")?;
        let branches = (1..)
            .zip(list)
            .map(|(number, steps)| self.steps_of("branches", steps, &format!("{}{number}.", self.inside)));
        branches.collect()
    }

    fn by(&mut self) -> Result<Key> {
        let read = |f: &mut Self, field| {
            let found = f.need(field, "a key")?;
            f.key(field, &found)
        };
        Ok(self.optional("by", read)?.unwrap_or_default())
    }

    fn keys(&mut self, field: &'static str) -> Result<Vec<Key>> {
        let list = self.some(field)?;
        list.iter().map(|json| self.key(field, json)).collect()
    }

    fn key(&self, field: &str, json: &Json) -> Result<Key> {
        let pair = json.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
        match (json.as_str(), pair) {
            (Some("itself"), _) => Ok(Key::Itself),
            (Some("label"), _) => Ok(Key::Label),
            (Some("depth"), _) => Ok(Key::Depth),
            (_, Some((kind, Json::String(name)))) if kind == "property" => Ok(Key::Property(name.clone())),
            (_, Some((kind, Json::String(name)))) if kind == "column" => Ok(Key::Column(name.clone())),
            _ => {
                let expected = "a key, which is \"itself\", \"label\", \"depth\", {\"property\": ..} or {\"column\": ..}";
                Err(self.wrong(field, expected, json))
            }
        }
    }

    fn emit(&mut self, field: &'static str) -> Result<Emit> {
        let expected = "\"all\", \"all_but_first\" or {\"where\": [..]}";
        match self.need(field, expected)? {
            Json::String(word) if word == "all" => Ok(Emit::All),
            Json::String(word) if word == "all_but_first" => Ok(Emit::AllButFirst),
            json @ Json::Object(_) => {
                let mut fields = Self::of(&format!("{}, emit", self.at), self.inside.clone(), json)?;
                let steps = fields.steps("where")?;
                fields.finish()?;
                Ok(Emit::Where(steps))
            }
            other => Err(self.wrong(field, expected, &other)),
        }
    }

    fn walk_order(&mut self, field: &'static str) -> Result<WalkOrder> {
        let found = self.need(field, "an order")?;
        match found.as_str() {
            Some("depth") => Ok(WalkOrder::Depth),
            Some("breadth") => Ok(WalkOrder::Breadth),
            _ => Err(self.wrong(field, "\"depth\" or \"breadth\"", &found)),
        }
    }

    fn predicate(&mut self, field: &'static str) -> Result<Predicate> {
        let expected = "a predicate, an object with one field such as {\"eq\": 1}";
        let json = self.need(field, expected)?;
        let pair = json.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
        let (name, value) = pair.ok_or_else(|| self.wrong(field, expected, &json))?;
        let text = || match value {
            Json::String(text) => Ok(text.clone()),
            other => Err(self.wrong(name, "a text", other)),
        };
        Ok(match name.as_str() {
            "eq" => Predicate::Eq(self.literal(name, value)?),
            "ne" => Predicate::Ne(self.literal(name, value)?),
            "one_of" => Predicate::OneOf(self.literals(name, value)?),
            "none_of" => Predicate::NoneOf(self.literals(name, value)?),
            "lt" => Predicate::Lt(self.literal(name, value)?),
            "lte" => Predicate::Lte(self.literal(name, value)?),
            "gt" => Predicate::Gt(self.literal(name, value)?),
            "gte" => Predicate::Gte(self.literal(name, value)?),
            "between" => Predicate::Between(self.pair(name, value)?),
            "inside" => Predicate::Inside(self.pair(name, value)?),
            "outside" => Predicate::Outside(self.pair(name, value)?),
            "prefix" => Predicate::Prefix(text()?),
            "suffix" => Predicate::Suffix(text()?),
            "contains" => Predicate::Contains(text()?),
            "regex" => Predicate::Regex(text()?),
            other => {
                let known = PREDICATES.join(", ");
                return Err(self.says(format!("there is no predicate {other:?}: there are {known}")));
            }
        })
    }

    fn literal(&self, name: &str, json: &Json) -> Result<Literal> {
        let number = || json.as_i64().map(Literal::Int).or_else(|| json.as_u64().map(Literal::Uint));
        let literal = match json {
            Json::Bool(value) => Some(Literal::Bool(*value)),
            Json::String(text) => Some(Literal::Text(text.clone())),
            Json::Number(_) => number().or_else(|| json.as_f64().map(Literal::Float)),
            _ => None,
        };
        literal.ok_or_else(|| self.wrong(name, "a text, a number, true or false", json))
    }

    fn literals(&self, name: &str, json: &Json) -> Result<Vec<Literal>> {
        match json.as_array() {
            Some(list) if list.is_empty() => Err(self.says(format!("the field {name:?} is an empty list"))),
            Some(list) => list.iter().map(|json| self.literal(name, json)).collect(),
            None => Err(self.wrong(name, "a list of values", json)),
        }
    }

    fn pair(&self, name: &str, json: &Json) -> Result<[Literal; 2]> {
        match json.as_array().map(Vec::as_slice) {
            Some([low, high]) => Ok([self.literal(name, low)?, self.literal(name, high)?]),
            _ => Err(self.wrong(name, "a list of two numbers", json)),
        }
    }

    /// Nothing is left that nobody knows.
    fn finish(&self) -> Result<()> {
        let Some(field) = self.left.keys().next() else { return Ok(()) };
        let known: Vec<&str> = self.known.iter().copied().filter(|name| *name != "step").collect();
        let has = match known.is_empty() {
            true => "it has no fields".to_owned(),
            false => format!("its fields are {}", known.join(", ")),
        };
        Err(self.says(format!("there is no field {field:?} here: {has}")))
    }
}

fn refused(reason: String) -> PipelineError {
    PipelineError::NotAPlan { reason }
}

fn nearest_of(name: &str, known: &[&str]) -> String {
    nearest(name, known.iter().copied())
        .map_or_else(String::new, |nearest| format!("; the nearest is {nearest:?}"))
}

/// What a value is, in the words of errors.
fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(text) if text.chars().count() <= SHOWN => format!("the text {text:?}"),
        Json::String(_) => "a long text".to_owned(),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// Characters of a text that errors repeat.
const SHOWN: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_for_the_nearest_step_is_a_step() {
        for name in STEPS {
            let json = serde_json::json!({ "step": name, "no such field": 1 });
            let error = step("1", json).unwrap_err().to_string();
            assert!(!error.contains("no such step"), "{name}: {error}");
        }
    }
}
