//! Schemas for which no class can be generated.

use varvite_generate::{GenerateError, Schema, java};

fn refused(schema: &Schema) -> GenerateError {
    java::sources(schema, &"p".parse().unwrap()).unwrap_err()
}

#[test]
fn a_graph_without_labels_has_nothing_to_generate() {
    let refused = refused(&Schema::default());
    assert!(matches!(refused, GenerateError::NoLabels), "{refused}");
}

#[test]
fn more_names_than_java_holds_are_refused() {
    let labels = (0..100_000).map(|number| format!("L{number}")).collect();
    let refused = refused(&Schema { labels, ..Schema::default() }).to_string();
    assert!(refused.contains("100000 node labels") && refused.contains("2000"), "{refused}");
}
