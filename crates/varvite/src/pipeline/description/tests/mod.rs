//! The table of steps, and what is written from it: each part of another file is to be as it would be written now.
//!
//! A part stands between two marks of its file; what is around them is written by hand. `make bless` writes the parts
//! anew.

mod document;
mod java;

use std::path::{Path, PathBuf};

use super::step::ALL;
use super::*;

/// A part of a file: what stands between a line with `opening` and the next one with `closing`.
struct Part {
    opening: String,
    closing: &'static str,
    text: String,
}

/// Holds the parts of a file of the repository against what they would be now, or writes them.
fn check(path: &str, parts: &[Part]) {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let found = std::fs::read_to_string(&file).unwrap();
    let expected = parts.iter().fold(found.clone(), |text, part| filled(&text, part));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &expected).unwrap();
        return;
    }
    let lines = || (1..).zip(found.lines().zip(expected.lines()));
    let differing = lines().find(|(_, (found, expected))| found != expected);
    assert!(found == expected, "{path} is not what the table of steps says: `make bless`; {differing:?}");
}

fn filled(text: &str, part: &Part) -> String {
    let opening = format!("{}\n", part.opening);
    let (before, rest) = text.split_once(&opening).unwrap_or_else(|| panic!("no line {}", part.opening));
    let (_, after) = rest.split_once(part.closing).unwrap_or_else(|| panic!("no {}", part.closing));
    format!("{before}{opening}{}{}{after}", part.text, part.closing)
}

#[test]
fn a_part_is_replaced_and_nothing_else() {
    let part = Part { opening: "<b>".into(), closing: "</b>", text: "new\n".into() };
    assert_eq!(filled("a\n<b>\nold\n</b>\nc\n", &part), "a\n<b>\nnew\n</b>\nc\n");
}

#[test]
fn names_of_steps_and_their_fields_are_told_apart() {
    for (index, step) in ALL.iter().enumerate() {
        assert!(ALL[..index].iter().all(|other| other.name != step.name), "{} stands twice", step.name);
        for (index, field) in step.fields.iter().enumerate() {
            let names = step.fields[..index].iter().map(|other| other.name);
            assert!(names.chain(["step"]).all(|other| other != field.name), "{}: {}", step.name, field.name);
        }
    }
}

#[test]
fn every_word_for_the_nearest_step_is_a_step() {
    for name in STEPS {
        let json = serde_json::json!({ "step": name, "no such field": 1 });
        let error = Step::of_json("1", json).unwrap_err().to_string();
        assert!(!error.contains("no such step"), "{name}: {error}");
    }
}
