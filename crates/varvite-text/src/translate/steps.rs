//! [`Step`]: a step from nodes, found by its name and the kinds of the nodes.

use varvite::pipeline::{Pipeline, Predicate, eq, it};
use varvite_cpg::{StepDescription, find_steps};

use super::links::Link;
use crate::names::{JoernStep, Kinds, STEPS};

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
    Pattern { keep: fn(Pipeline, Predicate) -> Pipeline, to: Kinds },
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

/// From CALLs to the arguments with a number.
pub(super) fn argument(pipeline: Pipeline, index: i64) -> Pipeline {
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

type Test = Predicate;

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

/// Keeps CALLs of a kind of dispatch.
fn dispatched(pipeline: Pipeline, kind: &str) -> Pipeline {
    pipeline.has("DISPATCH_TYPE", eq(kind))
}
