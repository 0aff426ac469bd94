//! Tests invalid input, which a writer must refuse without making a file.

use std::path::Path;
use std::sync::Arc;

use varvite::Profile;
use varvite::change::ChangeError;
use varvite_model::{AST, RandomGraph};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

/// Writes a random graph to which `add` added invalid content. Checks that no file is left, and returns the
/// error.
#[track_caller]
fn refused(add: impl FnOnce(&mut Draft)) -> ChangeError {
    let mut draft = Draft::of(&RandomGraph { nodes: 20, ..RandomGraph::new(3) }.build().in_canonical_order());
    add(&mut draft);
    let disk = MemoryVfs::new();
    let error = draft.write(Arc::new(disk.clone()), Path::new(PATH), Profile::Compact).unwrap_err();
    assert_eq!(disk.contents(PATH), None);
    error
}

#[test]
fn no_two_things_of_a_kind_have_one_name() {
    let check = |add: fn(&mut Draft), expected: &str| assert_eq!(refused(add).to_string(), expected);
    check(
        |draft| draft.labels.push(draft.labels[0].clone()),
        "label \"BLOCK\" is in this graph already: give the second one another name",
    );
    check(
        |draft| {
            let ast = draft.edges.iter().find(|edges| edges.name == AST).unwrap();
            draft.edges.push(ast.clone());
        },
        "edge label \"AST\" is in this graph already: give the second one another name",
    );
    check(
        |draft| {
            let name = draft.properties.iter().find(|property| property.spec.name == "NAME").unwrap();
            draft.properties.push(name.clone());
        },
        "property \"NAME\" is in this graph already: give the second one another name",
    );
}

#[test]
fn nodes_and_edges_may_have_properties_of_one_name() {
    let model = RandomGraph { nodes: 20, ..RandomGraph::new(3) }.build();
    let mut draft = Draft::of(&model.in_canonical_order());
    let variable = RandomGraph::EDGE_PROPERTY_NAME;
    let name = draft.properties.iter_mut().find(|property| property.spec.name == "NAME").unwrap();
    name.spec.name = variable.to_owned();
    let graph = draft.open(Profile::Compact);
    assert!(graph.property(variable).is_ok());
    assert!(graph.edge_property(RandomGraph::EDGE_PROPERTY_LABEL, Some(variable)).is_ok());
}
