//! Compares the table of steps with the texts that are derived from it: sections of `docs/plan.md`, the JSON
//! Schema of plans, methods of Java's `Pipeline`, and the table of the Python interpreter.

mod document;
mod interpreter;
mod java;
mod python;
mod schema;

use super::step::ALL;
use super::*;

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
        assert!(!error.contains("unknown step"), "{name}: {error}");
    }
}
