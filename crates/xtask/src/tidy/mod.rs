//! `cargo xtask tidy`: checks house rules that no formatter or linter checks.
//!
//! A rule is a function from the files of the repository to findings; it starts no program and changes
//! nothing. Rules take facts about the project (the allowed dependencies of crates, the modules with unsafe
//! code, the reasons for dependencies) from its documents, so that the documents stay correct.

mod comments;
mod crates;
mod decisions;
mod documents;
mod errors;
mod examples;
mod files;
mod layers;
mod links;
mod modules;
mod pages;
mod paths;
mod rust;
mod schema;
mod sources;
mod steps;
mod width;
mod writers;

use std::path::Path;

use crate::{Failure, Outcome};
use files::{Files, Finding};

const RULES: [fn(&Files) -> Vec<Finding>; 26] = [
    sources::headers_open_every_module,
    sources::files_stay_readable,
    sources::modules_lie_where_they_are_declared,
    sources::files_are_declared,
    sources::nothing_is_unfinished,
    sources::lines_end_clean,
    sources::nothing_is_huge,
    crates::unsafe_code_is_fenced,
    crates::crates_need_only_what_they_may,
    crates::dependencies_have_reasons,
    errors::errors_say_everything_once,
    examples::examples_need_the_facade_alone,
    layers::modules_form_layers,
    decisions::decisions_are_numbered,
    decisions::decisions_are_indexed,
    links::links_resolve,
    comments::comments_wrap,
    comments::actors_are_named,
    pages::lines_wrap,
    pages::the_readme_is_short,
    pages::the_map_is_short,
    writers::files_are_changed_in_one_way,
    schema::the_engine_knows_no_schema,
    steps::lists_of_steps_are_known,
    width::the_facade_is_short,
    width::roots_have_few_files,
];

/// Runs every rule on the repository at `root` and prints the findings.
pub(crate) fn run(root: &Path) -> Outcome {
    let files = Files::of_repository(root)?;
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&files)).collect();
    findings.sort();
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        1 => Err(Failure("tidy: 1 finding".into())),
        n => Err(Failure(format!("tidy: {n} findings"))),
    }
}
