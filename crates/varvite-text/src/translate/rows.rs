//! Steps from rows of nodes: those of the tables, kinds of nodes, properties, and edges.

use varvite::pipeline::{Key, Pipeline};
use varvite_cpg::{Argument, ArgumentType, StepDescription};

use super::Translator;
use super::computed::{computed, location};
use super::filters::{filtered, find_filter, keep, scalar_of};
use super::links::Link;
use super::patterns::text_test;
use super::scopes::then;
use super::steps::{Step, argument, find_step};
use super::value::{Node, Rows, Scalar, Sort, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::{Filtered, JoernStep, Kinds, Presence, Property, STEPS, camel_case, find_property};

impl Translator {
    /// The value of `rows.link`.
    pub(super) fn member_of_rows(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        if let Some(value) = self.collection_member(&rows, link)? {
            return Ok(value);
        }
        let Some(kinds) = rows.kinds() else { return self.member_of_items(rows, link) };
        if link.more.is_some() {
            return Err(unknown(link, &kinds.words()));
        }
        if let Some(step) = find_step(link, kinds) {
            return self.step_from_rows(rows, &step, link);
        }
        match (find_filter(link.text()), link.arguments) {
            (Some((property, comparison)), Some(_)) => self.property_filter(rows, property, comparison, link),
            (Some((property, _)), None) if find_property(link.text()).is_some() => {
                self.property_of_rows(rows, property, link)
            }
            _ => self.computed_of_rows(rows, kinds, link),
        }
    }

    /// The same rows, whose items are nodes and the pipeline's own rows.
    pub(super) fn of_nodes(&mut self, rows: Rows, link: &Link<'_>) -> Result<Rows> {
        let Value::Node(node) = &*rows.item else {
            return Err(unknown(link, &Value::Rows(rows).words()));
        };
        if node.scope == rows.scope && node.is_row() {
            return Ok(rows);
        }
        let node = node.clone();
        let base = match node.scope == rows.scope {
            true => then(rows.base, &node.steps),
            false => then(rows.base.select(&super::scopes::name_of(node.scope)), &node.steps),
        };
        Ok(self.rows_of(rows.from, base, Sort::Nodes(node.kinds)))
    }

    /// The rows to which a step leads.
    pub(super) fn step_from_rows(&mut self, rows: Rows, step: &Step, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        let kinds = rows.kinds().unwrap_or(Kinds::ANY);
        let base = rows.base.clone();
        let (base, to) = match step {
            Step::Table(entry) => (self.table_step(base, entry, link)?, entry.kinds_from(kinds)),
            Step::Shared { step, to } => {
                self.no_arguments(link)?;
                (self.shared(base, step, link)?, *to)
            }
            Step::Numbered { index_of, to } => (index_of(base, self.number(link)? as i64), *to),
            Step::Kind { kinds } => {
                self.no_arguments(link)?;
                (base.has_label(&kinds.labels()[..]), *kinds)
            }
            Step::Truth { keep } => {
                self.no_arguments(link)?;
                (keep(base), kinds)
            }
            Step::Edge { label, is_out } => {
                self.no_arguments(link)?;
                (if *is_out { base.out(label.as_str()) } else { base.in_(label.as_str()) }, Kinds::ANY)
            }
            Step::Pattern { keep, to } => {
                let patterns = self.texts(link)?;
                (keep(base, text_test(&patterns)?), *to)
            }
        };
        Ok(Value::Rows(self.rows_of(rows.from, base, Sort::Nodes(to))))
    }

    fn table_step(&mut self, base: Pipeline, entry: &JoernStep, link: &Link<'_>) -> Result<Pipeline> {
        let appended = (entry.append)(base);
        match (entry.filtered, link.arguments) {
            (Filtered::By(property), Some(_)) => filtered(appended, property, &self.texts(link)?),
            (_, Some(arguments)) if !arguments.is_empty() => self.no_arguments(link).map(|()| appended),
            _ => Ok(appended),
        }
    }

    fn shared(&self, base: Pipeline, step: &StepDescription, link: &Link<'_>) -> Result<Pipeline> {
        debug_assert!(step.parameters.iter().all(|parameter| parameter.holds != ArgumentType::Number));
        let none: [Argument; 0] = [];
        step.append(base, &none).map_err(|error| TextError::new(link.span(), Reason::Type, error.to_string()))
    }

    fn no_arguments(&self, link: &Link<'_>) -> Result<()> {
        match link.list() {
            [] => Ok(()),
            _ => {
                let message = format!("{} takes no argument here", link.text());
                Err(TextError::new(link.span(), Reason::Type, message))
            }
        }
    }

    fn property_of_rows(&mut self, rows: Rows, property: &Property, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        if property.presence == Presence::List {
            let values = rows.base.values(property.name);
            return Ok(Value::Rows(self.rows_of(rows.from, values, Sort::Values(Type::Text))));
        }
        let mut scalar = scalar_of(rows.scope, property);
        let base = match scalar.is_optional {
            true => rows.base.has_any(property.name),
            false => rows.base,
        };
        scalar.is_optional = false;
        let item = Box::new(Value::Scalar(scalar));
        Ok(Value::Rows(Rows { base, item, is_start: false, ..rows }))
    }

    /// The values that Joern computes from nodes.
    fn computed_of_rows(&mut self, rows: Rows, kinds: Kinds, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        let scope = rows.scope;
        let node = Node::row(scope, kinds);
        let item = match link.text() {
            "label" => Value::Scalar(Scalar::of(scope, Key::Label, Type::Text)),
            "id" | "start" => Value::Node(node),
            "depth" => {
                let height = self.height(scope, link)?;
                return Ok(Value::Rows(Rows {
                    item: Box::new(Value::Scalar(height)),
                    is_start: false,
                    ..rows
                }));
            }
            "location" => location(&node, |scalar| scalar),
            "isStub" | "isNotStub" if link.arguments.is_none() => {
                let (key, _) = computed(link.text(), kinds).unwrap_or((Key::constant(true), Type::Boolean));
                return Ok(Value::Rows(rows.then(|base| keep(base, key))));
            }
            "evalType" => {
                let types = rows.base.out("EVAL_TYPE").out("REF").values("FULL_NAME");
                let rows = self.rows_of(rows.from, types, Sort::Values(Type::Text));
                return Ok(Value::Rows(rows));
            }
            "simpleName" => {
                let names = argument(rows.base, 1).has_label("IDENTIFIER").values("NAME");
                let rows = self.rows_of(rows.from, names, Sort::Values(Type::Text));
                return Ok(Value::Rows(rows));
            }
            "out" | "in" | "both" => return self.edges_by_name(rows, link),
            name => match computed(name, kinds) {
                Some((key, holds)) => Value::Scalar(Scalar::of(scope, key, holds)),
                None => return Err(unknown(link, &kinds.words())),
            },
        };
        self.no_arguments(link)?;
        Ok(Value::Rows(Rows { item: Box::new(item), is_start: false, ..rows }))
    }

    /// `out("AST")`, `in("AST")`, `both("AST")`.
    fn edges_by_name(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let labels: Vec<String> = self.texts(link)?.into_iter().map(|(text, _)| text).collect();
        let base = match (link.text(), labels.is_empty()) {
            ("out", true) => rows.base.out(varvite::pipeline::ALL),
            ("in", true) => rows.base.in_(varvite::pipeline::ALL),
            (_, true) => rows.base.both(varvite::pipeline::ALL),
            ("out", false) => rows.base.out(&labels[..]),
            ("in", false) => rows.base.in_(&labels[..]),
            (_, false) => rows.base.both(&labels[..]),
        };
        Ok(Value::Rows(self.rows_of(rows.from, base, Sort::Nodes(Kinds::ANY))))
    }

    /// `rows.link` where Scala would need a `map`: the parts of a record, such as `location.filename`.
    fn member_of_items(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let is_record = matches!(&*rows.item, Value::Parts(parts) if parts.iter().any(|part| part.name == link.text()))
            && !link.text().starts_with('_');
        match (&*rows.item, link.text()) {
            (Value::Scalar(_), _) => Err(unknown(link, &Value::Rows(rows).words())),
            (_, _) if is_record => {
                let item = self.inside(&rows, |translator| translator.member_of_item(&rows, link))?;
                Ok(Value::Rows(Rows { item: Box::new(item), ..rows }))
            }
            _ => Err(unknown(link, &Value::Rows(rows).words())),
        }
    }

    fn member_of_item(&mut self, rows: &Rows, link: &Link<'_>) -> Result<Value> {
        match &*rows.item {
            Value::Parts(parts) => {
                let found = parts.iter().find(|part| part.name == link.text());
                found.map(|part| part.value.clone()).ok_or_else(|| unknown(link, "a tuple"))
            }
            _ => Err(unknown(link, &rows.item.words())),
        }
    }
}

/// The error for a name that a value does not have.
pub(super) fn unknown(link: &Link<'_>, of: &str) -> TextError {
    let name = link.text();
    if name.starts_with("reachableBy") || matches!(name, "df" | "ddgIn" | "ddgPathIn" | "ddgInPathElem") {
        let message = format!("{name} needs flows across calls, which Varvite does not compute yet");
        return TextError::new(link.span(), Reason::Flows, message);
    }
    if let Some(instead) = in_place_of_effect(name) {
        return TextError::new(link.span(), Reason::Effect, format!("{name} {instead}"));
    }
    let advice = match name {
        "times" => "; it is named maxDepth".to_owned(),
        "arithmetics" => "; it is named arithmetic".to_owned(),
        "limit" => "; it is named take".to_owned(),
        name => nearest_name(name),
    };
    TextError::new(
        link.span(),
        Reason::UnknownName,
        format!("no step or property of {of} is named {name}{advice}"),
    )
}

/// Says what a step with an effect does, and which command does it instead. `None` for other names.
fn in_place_of_effect(name: &str) -> Option<String> {
    if let Some(drawing) = name.strip_prefix("plotDot").or_else(|| name.strip_prefix("dot")) {
        let view = match drawing {
            "Ast" => "ast",
            "Cfg" => "cfg",
            "Ddg" => "ddg",
            // No view has control dependences alone, or all three kinds of edges.
            "Cdg" | "Pdg" | "Cpg14" => "pdg",
            _ => return None,
        };
        return Some(format!("draws; use `varvite draw GRAPH METHOD --view {view}`"));
    }
    let instead = match name {
        "dump" | "dumpRaw" => "prints source code; use `varvite source GRAPH METHOD`",
        "newTagNode" | "newTagNodePair" | "store" => "changes the graph; use `varvite apply GRAPH DIFF`",
        "browse" | "sideEffect" => "has an effect beside its rows: `varvite ask` only answers",
        _ => return None,
    };
    Some(instead.to_owned())
}

fn nearest_name(name: &str) -> String {
    let properties: Vec<String> =
        crate::names::PROPERTIES.iter().map(|property| camel_case(property.name)).collect();
    let shared: Vec<String> = varvite_cpg::steps().iter().map(StepDescription::joern_name).collect();
    let steps = STEPS.iter().map(|step| step.name);
    let all = steps
        .chain(properties.iter().map(String::as_str))
        .chain(shared.iter().map(String::as_str))
        .chain(super::collections::NAMES.iter().copied());
    match crate::names::nearest(name, all) {
        Some(nearest) if nearest == name => "; values of another kind have it".to_owned(),
        Some(nearest) => format!("; the nearest is {nearest}"),
        None => String::new(),
    }
}
