//! Steps from rows of nodes: those of the tables, kinds of nodes, properties, and edges.

use varvite::pipeline::{Key, Pipeline, eq, it};
use varvite_cpg::{Argument, ArgumentType, StepDescription, find_steps};

use super::Translator;
use super::filters::{filtered, find_filter, keep, scalar_of};
use super::links::Link;
use super::nodes::{computed, dispatched, location};
use super::patterns::text_test;
use super::scopes::then;
use super::value::{Node, Rows, Scalar, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::{Filtered, JoernStep, Kinds, Presence, Property, STEPS, camel_case, find_property};

/// A step from nodes, found by its name and the kinds of the nodes.
pub(super) enum Step {
    /// A step of Joern's own table.
    Table(&'static JoernStep),
    /// A step of the table of `varvite-cpg`, without parameters.
    Shared { step: &'static StepDescription, to: Kinds },
    /// A step that takes a number: `argument(1)`.
    Numbered { index_of: fn(Pipeline, i64) -> Pipeline, to: Kinds },
    /// Keeps nodes of some labels: `isCall`.
    Kind { kinds: Kinds },
    /// Keeps nodes by a truth about them: `isPublic`, `isIf`.
    Truth { keep: Box<dyn Fn(Pipeline) -> Pipeline> },
    /// Follows edges of a label: `_cfgOut`.
    Edge { label: String, is_out: bool },
    /// Keeps nodes by patterns: `isCallTo("memcpy")`, `evalType("int")`.
    Pattern { keep: fn(Pipeline, varvite::pipeline::Predicate) -> Pipeline, to: Kinds },
}

impl Step {
    pub(super) fn to(&self) -> Kinds {
        match self {
            Self::Table(step) => step.to,
            Self::Shared { to, .. } | Self::Numbered { to, .. } | Self::Pattern { to, .. } => *to,
            Self::Kind { kinds } => *kinds,
            Self::Truth { .. } => Kinds::ANY,
            Self::Edge { .. } => Kinds::ANY,
        }
    }
}

/// The step of a name and arguments from nodes of some kinds.
pub(super) fn find_step(link: &Link<'_>, kinds: Kinds) -> Option<Step> {
    let name = link.text();
    if let Some(step) = with_arguments(link, kinds) {
        return Some(step);
    }
    let own = || STEPS.iter().filter(|step| step.name == name);
    let entry = own().find(|step| kinds.is_subset_of(step.from));
    let entry = entry.or_else(|| own().find(|step| !kinds.and(step.from).is_empty()));
    if let Some(entry) = entry {
        return Some(Step::Table(entry));
    }
    if own().next().is_some() {
        return None;
    }
    kind_step(name)
        .or_else(|| truth_step(name, kinds))
        .or_else(|| shared_step(name, kinds))
        .or_else(|| edge_step(name))
}

/// The steps whose arguments are not patterns for the property of the nodes to which they lead.
fn with_arguments(link: &Link<'_>, kinds: Kinds) -> Option<Step> {
    let calls = Kinds::of(&["CALL"]);
    let is_number = matches!(link.list(), [argument] if !is_text(argument));
    let [_] = link.list() else { return None };
    match link.text() {
        "argument" if is_number && !kinds.and(calls).is_empty() => {
            Some(Step::Numbered { index_of: argument, to: Kinds::EXPRESSION })
        }
        "argumentOption" if is_number => Some(Step::Numbered { index_of: argument, to: Kinds::EXPRESSION }),
        "cfgNext" if is_number => Some(Step::Numbered { index_of: cfg_next, to: Kinds::CFG_NODE }),
        "cfgPrev" if is_number => Some(Step::Numbered { index_of: cfg_prev, to: Kinds::CFG_NODE }),
        "argument" => Some(Step::Pattern { keep: named_argument, to: Kinds::EXPRESSION }),
        "isCallTo" => Some(Step::Pattern { keep: is_call_to, to: calls }),
        "isCall" => Some(Step::Pattern { keep: is_call_with, to: calls }),
        "containsCallTo" => Some(Step::Pattern { keep: contains_call_to, to: kinds }),
        "condition" => Some(Step::Pattern { keep: with_condition, to: kinds }),
        "evalType" => Some(Step::Pattern { keep: of_type, to: kinds }),
        "call" if kinds.is_subset_of(Kinds::of(&["METHOD"])) => {
            Some(Step::Pattern { keep: call_of, to: calls })
        }
        _ => None,
    }
}

/// Whether an argument is a text that stands in the query.
pub(super) fn is_text(argument: &crate::syntax::Expression) -> bool {
    matches!(argument.kind, crate::syntax::ExpressionKind::Text(_))
}

fn argument(pipeline: Pipeline, index: i64) -> Pipeline {
    pipeline.out("ARGUMENT").has("ARGUMENT_INDEX", eq(index))
}

fn cfg_next(pipeline: Pipeline, most: i64) -> Pipeline {
    let next = it().out("CFG").where_not(it().has_label("METHOD_RETURN"));
    pipeline.repeat(next, |walk| walk.times(u32::try_from(most).unwrap_or(u32::MAX)).emit_all_but_first())
}

fn cfg_prev(pipeline: Pipeline, most: i64) -> Pipeline {
    let previous = it().in_("CFG").where_not(it().has_label("METHOD_RETURN"));
    pipeline.repeat(previous, |walk| walk.times(u32::try_from(most).unwrap_or(u32::MAX)).emit_all_but_first())
}

type Test = varvite::pipeline::Predicate;

fn named_argument(pipeline: Pipeline, test: Test) -> Pipeline {
    pipeline.out("ARGUMENT").has("ARGUMENT_NAME", test)
}

fn is_call_to(pipeline: Pipeline, test: Test) -> Pipeline {
    pipeline.has_label("CALL").has("NAME", test)
}

fn is_call_with(pipeline: Pipeline, test: Test) -> Pipeline {
    pipeline.has_label("CALL").has("CODE", test)
}

fn contains_call_to(pipeline: Pipeline, test: Test) -> Pipeline {
    pipeline.where_(it().subtree().has_label("CALL").has("NAME", test))
}

fn with_condition(pipeline: Pipeline, test: Test) -> Pipeline {
    pipeline.where_(it().out("CONDITION").has("CODE", test))
}

fn of_type(pipeline: Pipeline, test: Test) -> Pipeline {
    pipeline.where_(it().out("EVAL_TYPE").out("REF").has("FULL_NAME", test))
}

fn call_of(pipeline: Pipeline, test: Test) -> Pipeline {
    let callee = it().out("CALL").has("FULL_NAME", test);
    pipeline.out("CONTAINS").has_label("CALL").where_(callee)
}

/// `isCall`, `isLiteral` ..: one for each label, and for base types.
fn kind_step(name: &str) -> Option<Step> {
    let kind = name
        .strip_prefix("is")
        .filter(|kind| kind.starts_with(|letter: char| letter.is_ascii_uppercase()))?;
    let kinds = match kind {
        "Parameter" => Kinds::of(&["METHOD_PARAMETER_IN"]),
        "Import" => Kinds::of(&["IMPORT"]),
        kind => Kinds::of_type(kind)?,
    };
    Some(Step::Kind { kinds })
}

/// `isPublic`, `isIf`, `isDynamic` and their like.
fn truth_step(name: &str, kinds: Kinds) -> Option<Step> {
    let word = name.strip_prefix("is")?.to_ascii_uppercase();
    let calls = Kinds::of(&["CALL"]);
    if kinds.is_subset_of(calls) {
        let kind = match word.as_str() {
            "STATIC" => "STATIC_DISPATCH",
            "DYNAMIC" => "DYNAMIC_DISPATCH",
            "INLINE" => "INLINED",
            _ => return None,
        };
        return Some(Step::Truth { keep: Box::new(move |pipeline| dispatched(pipeline, kind)) });
    }
    const STRUCTURES: [&str; 14] = [
        "IF", "ELSE", "FOR", "WHILE", "DO", "SWITCH", "TRY", "CATCH", "FINALLY", "BREAK", "CONTINUE", "GOTO",
        "THROW", "MATCH",
    ];
    if STRUCTURES.contains(&word.as_str()) {
        let keep = move |pipeline: Pipeline| pipeline.has("CONTROL_STRUCTURE_TYPE", eq(word.as_str()));
        return Some(Step::Truth { keep: Box::new(keep) });
    }
    const MODIFIERS: [&str; 9] =
        ["PUBLIC", "PRIVATE", "PROTECTED", "STATIC", "VIRTUAL", "ABSTRACT", "FINAL", "NATIVE", "CONSTRUCTOR"];
    if MODIFIERS.contains(&word.as_str()) {
        let keep = move |pipeline: Pipeline| {
            pipeline.where_(it().out("AST").has_label("MODIFIER").has("MODIFIER_TYPE", eq(word.as_str())))
        };
        return Some(Step::Truth { keep: Box::new(keep) });
    }
    None
}

/// A step of the table of `varvite-cpg`, which has the same meaning in Joern.
fn shared_step(name: &str, kinds: Kinds) -> Option<Step> {
    let labels = |names: &[&str]| {
        names.iter().try_fold(Kinds::NONE, |all, name| match *name {
            "any" => Some(Kinds::ANY),
            label => Some(all.or(Kinds::of_label(label)?)),
        })
    };
    find_steps(name).filter(|step| step.parameters.is_empty() && step.joern_name() == name).find_map(|step| {
        let fits = !kinds.and(labels(step.from)?).is_empty();
        fits.then_some(())?;
        Some(Step::Shared { step, to: labels(step.to)? })
    })
}

/// `_cfgOut`, `_astIn` and their like.
fn edge_step(name: &str) -> Option<Step> {
    let name = name.strip_prefix('_')?;
    let (label, is_out) = match (name.strip_suffix("Out"), name.strip_suffix("In")) {
        (Some(label), _) => (label, true),
        (None, Some(label)) => (label, false),
        (None, None) => return None,
    };
    let label = crate::names::upper_case(label);
    crate::names::EDGES.contains(&label.as_str()).then_some(Step::Edge { label, is_out })
}

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
        Ok(self.rows_of(rows.from, base, |scope| Value::Node(Node::row(scope, node.kinds))))
    }

    /// The rows to which a step leads.
    pub(super) fn step_from_rows(&mut self, rows: Rows, step: &Step, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        let kinds = rows.kinds().unwrap_or(Kinds::ANY);
        let base = rows.base.clone();
        let (base, to) = match step {
            Step::Table(entry) => (self.table_step(base, entry, link)?, entry.to),
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
        let to = match step {
            Step::Table(entry) if entry.name == "internal" || entry.name == "external" => kinds,
            _ => to,
        };
        Ok(Value::Rows(self.rows_of(rows.from, base, |scope| Value::Node(Node::row(scope, to)))))
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
            return Ok(Value::Rows(self.rows_of(rows.from, values, |scope| {
                Value::Scalar(Scalar::of(scope, Key::Itself, Type::Text))
            })));
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
                return Ok(Value::Rows(Rows { base: keep(rows.base.clone(), key), is_start: false, ..rows }));
            }
            "evalType" => {
                let types = rows.base.out("EVAL_TYPE").out("REF").values("FULL_NAME");
                let rows = self.rows_of(rows.from, types, |scope| {
                    Value::Scalar(Scalar::of(scope, Key::Itself, Type::Text))
                });
                return Ok(Value::Rows(rows));
            }
            "simpleName" => {
                let names = argument(rows.base, 1).has_label("IDENTIFIER").values("NAME");
                let rows = self.rows_of(rows.from, names, |scope| {
                    Value::Scalar(Scalar::of(scope, Key::Itself, Type::Text))
                });
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
        Ok(Value::Rows(self.rows_of(rows.from, base, |scope| Value::Node(Node::row(scope, Kinds::ANY)))))
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
    const EFFECTS: [&str; 17] = [
        "newTagNode",
        "newTagNodePair",
        "store",
        "browse",
        "dump",
        "dumpRaw",
        "plotDotAst",
        "plotDotCfg",
        "plotDotCdg",
        "plotDotDdg",
        "plotDotPdg",
        "plotDotCpg14",
        "dotAst",
        "dotCfg",
        "dotCdg",
        "dotDdg",
        "sideEffect",
    ];
    if EFFECTS.contains(&name) {
        let message = format!("{name} writes or draws: `varvite ask` only answers");
        return TextError::new(link.span(), Reason::Effect, message);
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

fn nearest_name(name: &str) -> String {
    let properties: Vec<String> =
        crate::names::PROPERTIES.iter().map(|property| camel_case(property.name)).collect();
    let shared: Vec<String> = varvite_cpg::steps().iter().map(StepDescription::joern_name).collect();
    let steps = STEPS.iter().map(|step| step.name);
    let all = steps
        .chain(properties.iter().map(String::as_str))
        .chain(shared.iter().map(String::as_str))
        .chain(super::collections::NAMES.iter().copied());
    crate::names::nearest(name, all).map_or_else(String::new, |name| format!("; the nearest is {name}"))
}
