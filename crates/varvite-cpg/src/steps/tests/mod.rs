//! Compares the table of steps with the files that are generated from it: Scala's steps, the test of these,
//! Python's steps, and `docs/cpg-steps.md`.

mod document;
mod python;
mod scala;

use super::{Argument, ArgumentType, StepDescription, find_steps, steps};
use crate::error::CpgError;
use varvite::pipeline::{Pipeline, it};

/// Appends the step to an empty pipeline, with one argument for each parameter.
fn appended(step: &StepDescription, number: i64, texts: &[&str]) -> Pipeline {
    let argument = |holds| match holds {
        ArgumentType::Number | ArgumentType::Times => Argument::from(number),
        ArgumentType::Texts => texts.into(),
    };
    let arguments: Vec<Argument> =
        step.parameters.iter().map(|parameter| argument(parameter.holds)).collect();
    step.append(it(), &arguments).expect("these are its arguments")
}

#[test]
fn names_and_words_tell_steps_apart() {
    let all = || (0..).zip(steps());
    for (i, step) in all() {
        for (_, other) in all().filter(|(j, _)| *j > i) {
            assert_ne!(step.name, other.name);
            let is_one_word = step.joern_name() == other.joern_name();
            let is_told_apart = step.parameters != other.parameters || step.from != other.from;
            assert!(!is_one_word || is_told_apart, "{} and {}", step.name, other.name);
        }
    }
}

#[test]
fn a_step_is_found_by_its_name_and_by_the_word_of_joern() {
    let names = |word| find_steps(word).map(|step| step.name).collect::<Vec<_>>();
    assert_eq!(names("call_in"), ["call_in"]);
    assert_eq!(names("callIn"), ["call_in"]);
    assert_eq!(names("argument"), ["argument", "arguments"]);
    assert_eq!(names("no_such_step"), <[&str; 0]>::default());
}

#[test]
fn inverses_lead_back_to_each_other() {
    for step in steps() {
        let Some(name) = step.inverse else { continue };
        let inverse = steps().iter().find(|inverse| inverse.name == name).expect("is a step");
        assert_eq!(inverse.inverse, Some(step.name), "{name}");
        let kinds = |step: &StepDescription| -> Vec<_> { step.parameters.iter().map(|p| p.holds).collect() };
        assert_eq!(kinds(step), kinds(inverse), "{name}");
    }
}

#[test]
fn documents_name_steps_of_the_table() {
    for step in steps() {
        for word in step.doc.split('`').skip(1).step_by(2) {
            let is_parameter = step.parameters.iter().any(|parameter| parameter.name == word);
            let is_code = word == "i++";
            let is_step = steps().iter().any(|other| other.name == word);
            assert!(is_parameter || is_code || is_step, "{}: `{word}`", step.name);
        }
    }
}

#[test]
fn other_arguments_are_refused_with_what_a_step_takes() {
    let refused = |name: &str, arguments: &[Argument]| {
        let step = steps().iter().find(|step| step.name == name).expect("is a step");
        let error = step.append(it(), arguments).expect_err("these are not its arguments");
        assert!(matches!(error, CpgError::Arguments { .. }));
        error.to_string()
    };
    let texts = Argument::from(["memcpy"].as_slice());
    assert_eq!(refused("ast", &[1.into()]), "the step `ast` takes nothing, and got the number 1");
    assert_eq!(refused("argument", &[]), "the step `argument` takes a number, and got nothing");
    assert_eq!(refused("argument", &[texts]), "the step `argument` takes a number, and got 1 texts");
    let refused = refused("cfg_next_within", &[Argument::from(-1)]);
    assert_eq!(refused, "the step `cfg_next_within` takes a number of times, and got the number -1");
}
