//! Generates Scala's steps, each composed from the methods of `Nodes.scala` and `Trees.scala`, and a list of
//! steps, which a test in Scala compares with plans of the engine.
//!
//! A composition is translated from the engine's steps, not from its source text. If this module can't
//! translate a step of the engine to Scala, the test fails, and the translation must be added here.

use super::{appended, steps};
use crate::steps::{ArgumentType, StepDescription};
use crate::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};
use varvite::pipeline::{Emit, Literal, Predicate, Repeat, Step, it};
use varvite_model::written::{Part, check};

/// The width of a line, in characters.
const WIDTH: usize = 120;
/// Values that stand for the arguments in a composition.
const NUMBER: i64 = 1_000_000_007;
const TEXTS: [&str; 1] = ["\0texts"];
/// The lists of names in Scala's object `Operators`.
const OPERATORS: [(&str, &[&str]); 4] = [
    ("Assignments", &ASSIGNMENTS),
    ("Arithmetic", &ARITHMETIC),
    ("ArrayAccesses", &ARRAY_ACCESSES),
    ("FieldAccesses", &FIELD_ACCESSES),
];

#[test]
fn scala_does_what_the_table_says() {
    let mut text = String::new();
    for section in steps().chunk_by(|a, b| a.section == b.section) {
        text.push_str(&format!("\n  // {}\n", section[0].section));
        section.iter().filter(|step| !step.is_by_hand).for_each(|step| text.push_str(&method_of(step)));
    }
    text.push('\n');
    let opening = "  // <steps> from the table in crates/varvite-cpg/src/steps/table.rs".into();
    let methods = Part { opening, closing: "  // </steps>", text };
    let opening = "// <operators> from crates/varvite-cpg/src/operators.rs".into();
    let names = Part { opening, closing: "// </operators>", text: operators() };
    let path = "bindings/java/scala/src/main/scala/varvite/cpg/Steps.scala";
    check(path, &[methods, names]);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let (_, by_hand) = std::fs::read_to_string(file).map(|text| split_off(&text)).expect("was checked above");
    for step in steps().iter().filter(|step| step.is_by_hand) {
        let signature = format!("  def {}: Nodes =", step.joern_name());
        assert!(by_hand.contains(&signature), "no `{}` by hand in {path}", signature.trim());
    }
}

/// Splits a text into the text up to the end of the generated part, and the text after it.
fn split_off(text: &str) -> (String, String) {
    let (written, by_hand) = text.split_once("  // </steps>").expect("the part was checked");
    (written.to_owned(), by_hand.to_owned())
}

#[test]
fn the_test_of_scala_compares_each_step() {
    let mut text = String::new();
    for step in steps() {
        let texts = ["memcpy", "memset", "<operator>.addition"];
        let plan = appended(step, 2, &texts).to_json();
        let plan = plan.strip_prefix("{\"version\":1,\"steps\":[").and_then(|plan| plan.strip_suffix("]}"));
        let plan = plan.expect("the form of a plan");
        let arguments = step.parameters.iter().map(|parameter| match parameter.holds {
            ArgumentType::Number | ArgumentType::Times => "2".to_owned(),
            ArgumentType::Texts => texts.map(|text| format!("\"{text}\"")).join(", "),
        });
        let arguments: Vec<String> = arguments.collect();
        let call = match arguments.is_empty() {
            true => step.joern_name(),
            false => format!("{}({})", step.joern_name(), arguments.join(", ")),
        };
        text.push_str(&format!(
            "    Step(\"{}\", Set({}), _.{call}, \"\"\"{plan}\"\"\"),\n",
            step.name,
            labels(step)
        ));
    }
    let opening = "    // <steps> from the table in crates/varvite-cpg/src/steps/table.rs".into();
    let part = Part { opening, closing: "    // </steps>", text };
    check("bindings/java/scala/src/test/scala/varvite/cpg/TableTest.scala", &[part]);
}

/// The labels from which a step starts, as Scala literals. Empty for `any`.
fn labels(step: &StepDescription) -> String {
    let labels = step.from.iter().filter(|label| **label != "any");
    labels.map(|label| format!("\"{label}\"")).collect::<Vec<_>>().join(", ")
}

fn operators() -> String {
    let mut text = String::from("\n/** Names of operators, which are CALLs. */\nobject Operators:\n");
    for (name, operators) in OPERATORS {
        let operators: Vec<String> = operators.iter().map(|name| format!("    \"{name}\"")).collect();
        text.push_str(&format!("  val {name}: Seq[String] = Seq(\n{}\n  )\n", operators.join(",\n")));
    }
    text.push('\n');
    text
}

fn method_of(step: &StepDescription) -> String {
    let parameters: Vec<String> = step
        .parameters
        .iter()
        .map(|parameter| match parameter.holds {
            ArgumentType::Number | ArgumentType::Times => format!("{}: Int", parameter.name),
            ArgumentType::Texts => format!("{}: String*", parameter.name),
        })
        .collect();
    let list = if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    let body = Words { step }.of(appended(step, NUMBER, &TEXTS).steps(), "nodes");
    let head = format!("  def {}{list}: Nodes =", step.joern_name());
    let separator = if head.len() + 1 + body.len() > WIDTH { "\n    " } else { " " };
    format!("\n{}{head}{separator}{body}\n", documentation(step))
}

fn documentation(step: &StepDescription) -> String {
    let mut lines = vec!["  /**".to_owned()];
    for word in doc_of(step).split_whitespace() {
        let last = lines.last_mut().expect("begins with a line");
        // Three characters follow the last word.
        match last.chars().count() + 1 + word.chars().count() + 3 <= WIDTH {
            true => last.push_str(&format!(" {word}")),
            false => lines.push(format!("    * {word}")),
        }
    }
    format!("{} */\n", lines.join("\n"))
}

/// The documentation of a step, with step names as they are in Scala.
fn doc_of(step: &StepDescription) -> String {
    let parts = step.doc.split('`').enumerate().map(|(i, part)| {
        let other = steps().iter().find(|other| i % 2 == 1 && other.name == part);
        other.map_or_else(|| part.to_owned(), StepDescription::joern_name)
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Translates the composition of a step to Scala.
struct Words<'s> {
    step: &'s StepDescription,
}

impl Words<'_> {
    /// Translates steps of the engine. `from` is the expression of the nodes with which they start.
    fn of(&self, steps: &[Step], from: &str) -> String {
        steps.iter().fold(from.to_owned(), |nodes, step| self.appended(nodes, step))
    }

    fn appended(&self, nodes: String, step: &Step) -> String {
        match step {
            Step::Out { labels } | Step::In { labels } => match column(step, self.one(labels)) {
                Some(column) => format!("{nodes}.along({column})"),
                None => format!("{nodes}.{}(\"{}\")", step.name(), self.one(labels)),
            },
            Step::HasLabel { labels } => format!("{nodes}.label(\"{}\")", self.one(labels)),
            Step::Has { property, is: Some(Predicate::Eq(Literal::Int(number))) } => {
                format!("{nodes}.numbered({}, {})", numbers(property), self.number(*number))
            }
            Step::Has { property, is: Some(Predicate::OneOf(texts)) } => {
                format!("{nodes}.oneOf({}, {})", texts_of(property), self.texts(texts))
            }
            Step::Descendants { with_self } => {
                format!("Below({nodes}, nodes.cpg.subtree, withSelf = {with_self})")
            }
            Step::Ancestors { with_self } => {
                format!("Above({nodes}, nodes.cpg.parents, withSelf = {with_self})")
            }
            Step::NearestAncestor { .. } => self.nearest(&nodes, step, false),
            Step::Coalesce { branches } => {
                if let [is_it, above] = branches.as_slice()
                    && let [Step::HasLabel { labels: own }] = is_it.0.as_slice()
                    && let [nearest @ Step::NearestAncestor { labels, condition: None }] = above.0.as_slice()
                    && own == labels
                {
                    return self.nearest(&nodes, nearest, true);
                }
                let branches: Vec<String> = branches.iter().map(|branch| self.function(&branch.0)).collect();
                format!("FirstOf({nodes}, Seq({}))", branches.join(", "))
            }
            Step::Repeat(repeat) => self.repeat(&nodes, repeat),
            other => self.no_words(other.name()),
        }
    }

    fn nearest(&self, nodes: &str, step: &Step, with_self: bool) -> String {
        let Step::NearestAncestor { labels, condition } = step else { self.no_words(step.name()) };
        let test = match (labels.as_slice(), condition) {
            ([label], None) => format!("nodes.cpg.isLabel(\"{label}\")"),
            ([], Some(condition)) => format!("nodes.cpg.leads({})", self.function(&condition.0)),
            ([label], Some(condition)) => {
                format!("nodes.cpg.isLabel(\"{label}\", {})", self.function(&condition.0))
            }
            _ => self.no_words("nearest_ancestor with several labels"),
        };
        format!("Nearest({nodes}, nodes.cpg.parents, {test}, withSelf = {with_self})")
    }

    fn repeat(&self, nodes: &str, repeat: &Repeat) -> String {
        let Repeat { body, times, until: None, whilst: None, emit: Some(Emit::AllButFirst), dedup, .. } =
            repeat
        else {
            self.no_words("repeat of another form")
        };
        let hop = match body.0.as_slice() {
            [step @ (Step::Out { labels } | Step::In { labels })] => {
                let label = self.one(labels);
                let column = column(step, label).map(str::to_owned);
                column.or_else(|| Some(format!("nodes.cpg.graph.{}(\"{label}\")", step.name())))
            }
            _ => None,
        };
        match (hop, times, dedup) {
            (Some(hop), None, true) => format!("Reached({nodes}, {hop})"),
            (None, None, true) => format!("ReachedBy({nodes}, {})", self.function(&body.0)),
            (Some(hop), Some(times), false) => {
                format!("Within({nodes}, {hop}, {})", self.number(i64::from(*times)))
            }
            _ => self.no_words("repeat of another form"),
        }
    }

    /// Translates steps to a function of nodes.
    fn function(&self, steps: &[Step]) -> String {
        format!("from => {}", self.of(steps, "from"))
    }

    fn one<'l>(&self, labels: &'l [String]) -> &'l str {
        let [label] = labels else { self.no_words("several labels") };
        label
    }

    fn number(&self, number: i64) -> String {
        if number == NUMBER { self.parameter().to_owned() } else { number.to_string() }
    }

    fn texts(&self, texts: &[Literal]) -> String {
        let is_list = |texts: &[Literal], names: &[&str]| {
            texts.iter().cloned().eq(names.iter().map(|name| Literal::from(*name)))
        };
        if is_list(texts, &TEXTS) {
            return self.parameter().to_owned();
        }
        let list = OPERATORS.iter().find(|(_, names)| is_list(texts, names));
        let (name, _) = list.unwrap_or_else(|| self.no_words("texts that are no list of operators"));
        format!("Operators.{name}")
    }

    /// The name of the step's only parameter.
    fn parameter(&self) -> &'static str {
        let [parameter] = self.step.parameters else { self.no_words("several parameters") };
        parameter.name
    }

    fn no_words(&self, what: &str) -> ! {
        panic!("{}: Scala has no words for {what}", self.step.name)
    }
}

/// The name of the field of `Cpg` that has this adjacency. `None` if `Cpg` has no such field.
fn column(step: &Step, label: &str) -> Option<&'static str> {
    match (step, label) {
        (Step::Out { .. }, "AST") => Some("nodes.cpg.children"),
        (Step::In { .. }, "AST") => Some("nodes.cpg.parents"),
        (Step::Out { .. }, "ARGUMENT") => Some("nodes.cpg.arguments"),
        _ => None,
    }
}

fn numbers(property: &str) -> String {
    match property {
        "ARGUMENT_INDEX" => "nodes.cpg.argumentIndex".to_owned(),
        "INDEX" => "nodes.cpg.index".to_owned(),
        other => format!("nodes.cpg.graph.ints(\"{other}\")"),
    }
}

fn texts_of(property: &str) -> String {
    match property {
        "NAME" => "nodes.cpg.names".to_owned(),
        other => format!("nodes.cpg.graph.texts(\"{other}\")"),
    }
}

#[test]
#[should_panic(expected = "Scala has no words for limit")]
fn a_composition_without_words_in_scala_is_refused() {
    Words { step: &steps()[0] }.of(it().limit(1).steps(), "nodes");
}
