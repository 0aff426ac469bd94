//! Tests that a property can be opened only as the type of its values.

use std::sync::Arc;

use varvite::change::PropertyOwner;
use varvite::write::NewGraphOptions;
use varvite::{Cardinality, ErrorCode, Graph, OpenOptions, ValueType};
use varvite_testing::vfs::MemoryVfs;

const PATH: &str = "types.varvite";

const NUMBERS: [ValueType; 9] = {
    use ValueType::{Bool, I8, I16, I32, I64, U8, U16, U32, U64};
    [Bool, I8, I16, I32, I64, U8, U16, U32, U64]
};
const OTHERS: [ValueType; 4] = [ValueType::F32, ValueType::F64, ValueType::Bytes, ValueType::Ref];

fn all() -> impl Iterator<Item = ValueType> {
    NUMBERS.into_iter().chain([ValueType::String]).chain(OTHERS)
}

/// A graph with one property of each type. The property is named after its type.
fn graph_of_all_types() -> Graph {
    let disk = MemoryVfs::new();
    let mut graph = NewGraphOptions::new().vfs(Arc::new(disk.clone())).create(PATH).unwrap();
    for value_type in all() {
        let owner = PropertyOwner::Nodes;
        graph.declare_property(value_type.name(), owner, value_type, Cardinality::Optional).unwrap();
    }
    graph.add_node(&[]).unwrap();
    graph.finish().unwrap();
    OpenOptions::new().open_in(&disk, PATH).unwrap()
}

/// The types of the properties that `open` opens. Checks that `open` refuses every other property because of
/// its type.
fn opened(open: impl Fn(&str) -> varvite::Result<varvite::Property>) -> Vec<ValueType> {
    let is_opened = |value_type: &ValueType| match open(value_type.name()) {
        Ok(property) => {
            assert_eq!(property.value_type(), *value_type);
            true
        }
        Err(error) => {
            assert_eq!(error.code(), ErrorCode::WrongType, "{value_type:?}");
            assert!(error.to_string().contains(value_type.name()), "{error}");
            false
        }
    };
    all().filter(is_opened).collect()
}

#[test]
fn texts_and_numbers_are_opened_as_what_they_are() {
    let graph = graph_of_all_types();
    assert_eq!(opened(|name| graph.texts(name)), [ValueType::String]);
    assert_eq!(opened(|name| graph.numbers(name)), NUMBERS);
    assert_eq!(opened(|name| graph.property(name)), all().collect::<Vec<_>>());
    assert_eq!(graph.texts("STRINGS").unwrap_err().code(), ErrorCode::Unknown);
}
