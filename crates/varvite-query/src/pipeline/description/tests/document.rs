//! Compares the sections and the index of `docs/plan.md` with the table of steps.

use super::ALL;
use crate::pipeline::description::declare::{FieldDescription, Gives, StepDescription};
use crate::pipeline::fault::Takes;
use varvite_model::written::{Part, check};

/// The width of a line in the document, in characters.
const WIDTH: usize = 120;
const CLOSING: &str = "<!-- /steps -->";

#[test]
fn the_document_says_what_the_table_says() {
    let mut parts = vec![Part { opening: "<!-- steps -->".into(), closing: CLOSING, text: index() }];
    for group in ALL.chunk_by(|a, b| a.section == b.section) {
        let opening = format!("<!-- steps: {} -->", group[0].section);
        let text = group.iter().map(section).collect();
        parts.push(Part { opening, closing: CLOSING, text });
    }
    check("docs/plan.md", &parts);
}

/// The index: a table with a row for each step.
fn index() -> String {
    let mut text = "\n| step | fields | takes | gives | in a sentence |\n|---|---|---|---|---|\n".to_owned();
    for step in ALL {
        let fields: Vec<String> = step.fields.iter().map(field).collect();
        let (takes, gives) = (taken(step.takes), given(step.gives));
        let (name, sentence) = (step.name, first_sentence(step));
        let row =
            format!("| [`{name}`](#{name}) | {} | {takes} | {gives} | {sentence} |\n", fields.join(", "));
        text.push_str(&row);
    }
    text.push('\n');
    text
}

fn field(field: &FieldDescription) -> String {
    let (holds, is_optional) = match field.holds.strip_prefix("Option<") {
        Some(inner) => (inner.trim_end_matches('>'), true),
        None => (field.holds, false),
    };
    let kind = match holds {
        "String" => "a text",
        "Vec<String>" => "texts",
        "Vec<u32>" => "ids",
        "u64" => "a number",
        "bool" => "true or false",
        "Predicate" => "a [predicate](#predicates)",
        "Steps" => "steps",
        "Vec<Steps>" => "lists of steps",
        "Key" => "a [key](#all-rows)",
        "Vec<Key>" => "[keys](#all-rows)",
        "Vec<Summary>" => "summaries",
        "Vec<Case>" => "cases",
        "Repeat" => return "see there".into(),
        other => panic!("the document has no words for {other}"),
    };
    let name = field.name;
    match field.default {
        Some(default) => format!("`{name}`: {kind} (default: {default})"),
        None if is_optional => format!("`{name}`: {kind} (optional)"),
        None => format!("`{name}`: {kind}"),
    }
}

fn taken(takes: Takes) -> String {
    match takes {
        Takes::Nothing => "nothing".to_owned(),
        Takes::Any => "any rows".to_owned(),
        takes => takes.to_string(),
    }
}

fn given(gives: Gives) -> &'static str {
    match gives {
        Gives::Same => "the same",
        Gives::Nodes => "nodes",
        Gives::Edges => "edges",
        Gives::Values => "values",
        Gives::Columns => "rows of columns",
        Gives::OfBranches => "what its pipelines give",
        Gives::OfKey => "values or nodes",
        Gives::Named => "the named rows",
    }
}

/// The first sentence of a step's documentation, on one line.
pub(super) fn first_sentence(step: &StepDescription) -> String {
    let paragraph = step.doc.split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    line[..end].to_owned()
}

fn section(step: &StepDescription) -> String {
    let mut text = format!("\n### `{}`\n", step.name);
    let mut is_example = false;
    let mut paragraph = String::new();
    for line in step.doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)) {
        let is_fence = line.starts_with("```");
        if is_fence || is_example {
            text.push_str(&format!("{}{line}\n", if is_fence && !is_example { "\n" } else { "" }));
            is_example ^= is_fence;
        } else if line.is_empty() {
            put_paragraph(&mut text, &mut paragraph);
        } else {
            paragraph.push_str(&format!("{line}\n"));
        }
    }
    put_paragraph(&mut text, &mut paragraph);
    text
}

/// Appends the paragraph to the text and empties it. A paragraph may be a list of items that begin with
/// hyphens.
fn put_paragraph(text: &mut String, paragraph: &mut String) {
    let lines = std::mem::take(paragraph);
    if !lines.is_empty() {
        text.push('\n');
    }
    match lines.strip_prefix("- ") {
        Some(items) => items.split("\n- ").for_each(|item| put_wrapped(text, "- ", item)),
        None => put_wrapped(text, "", &lines),
    }
}

/// Appends `opening` and `words`, wrapped to the width. Further lines are indented by the width of `opening`.
fn put_wrapped(text: &mut String, opening: &str, words: &str) {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            None => lines.push(format!("{opening}{word}")),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push_str(&format!(" {word}"));
            }
            Some(_) => lines.push(format!("{}{word}", " ".repeat(opening.len()))),
        }
    }
    lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
}
