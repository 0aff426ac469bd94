//! Tests that `docs/plan.md` and the code agree.

use std::collections::BTreeSet;

use varvite::Profile;
use varvite::pipeline::{Options, PREDICATES, Pipeline, STEPS};
use varvite_model::RandomGraph;
use varvite_testing::draft::Draft;

const DOCUMENT: &str = include_str!("../../../../docs/plan.md");

/// The names in a part of `docs/plan.md`: from each line that begins with `line_start`, the text up to the
/// next backtick or quote.
fn named(part: &'static str, line_start: &str) -> BTreeSet<&'static str> {
    let lines = part.lines().filter_map(|line| line.strip_prefix(line_start));
    lines.filter_map(|line| line.split(['`', '"']).next()).collect()
}

#[test]
fn every_step_has_a_section() {
    assert_eq!(named(DOCUMENT, "### `"), BTreeSet::from(STEPS));
}

#[test]
fn every_predicate_has_a_row() {
    let (_, predicates) = DOCUMENT.split_once("## Predicates").unwrap();
    assert_eq!(named(predicates, "| `{\""), BTreeSet::from(PREDICATES));
}

#[test]
fn every_example_runs_and_uses_its_step() {
    let options = RandomGraph { nodes: 500, edges: 1000, ..RandomGraph::new(5) };
    let graph = Draft::of(&options.build().in_canonical_order()).open(Profile::Direct);
    let sections = DOCUMENT.split("\n### `").skip(1);
    for section in sections {
        let (name, _) = section.split_once('`').unwrap();
        let (_, example) = section.split_once("```json\n").unwrap_or_else(|| panic!("{name} has no example"));
        let (example, _) = example.split_once("```").unwrap();
        let pipeline = Pipeline::from_json(example).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(example.contains(&format!(r#""step": "{name}""#)), "the example of {name}");
        let mut run = pipeline.compile(&graph).unwrap().run(Options::default());
        while run.next().unwrap().is_some() {}
    }
}
