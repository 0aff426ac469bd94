//! What is generated, as files.
#![allow(clippy::unwrap_used)] // Everything here is a test.

use varvite_generate::{GenerateError, Schema, java};

#[test]
fn a_graph_without_labels_has_nothing_to_generate() {
    let refused = java::sources(&Schema::default(), &"p".parse().unwrap()).unwrap_err();
    assert!(matches!(refused, GenerateError::NoLabels), "{refused}");
}

#[test]
fn more_names_than_java_holds_are_refused() {
    let labels = (0..100_000).map(|number| format!("L{number}")).collect();
    let schema = Schema { labels, ..Schema::default() };
    let refused = java::sources(&schema, &"p".parse().unwrap()).unwrap_err().to_string();
    assert!(refused.contains("100000 node labels") && refused.contains("2000"), "{refused}");
}
