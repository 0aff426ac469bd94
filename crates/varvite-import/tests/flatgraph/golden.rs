//! In every profile, an imported real graph is valid, and its facts equal those that flatgraph itself
//! reports.

use varvite::compare::Digest;
use varvite::{Profile, Task};
use varvite_cpg::Facts;
use varvite_import::flatgraph::{NodeKind, Values};

use super::content::{Content, Property};
use super::export::{import_bytes, import_file};
use super::facts::data;
use super::roundtrip::{pool, write};

#[test]
fn zlib_is_the_same_sound_graph_in_every_profile() {
    let expected = std::fs::read_to_string(data("zlib.expected.json")).unwrap();
    let digests = Profile::ALL.map(|profile| {
        let graph = import_file(&data("zlib.cpg.bin"), profile);
        let facts = Facts::of(&graph, &Task::new()).unwrap().to_json();
        assert!(facts == expected, "{} gives other facts than flatgraph", profile.name());
        assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0], "{}", profile.name());
        Digest::of(&graph, &Task::new().threads(2)).unwrap()
    });
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}

/// flatgraph writes each text once. In a file with duplicates, queries compare texts, not indexes.
#[test]
fn a_text_that_the_pool_has_twice_is_one_text() {
    for name in ["NAME", "FULL_NAME"] {
        let content = Content {
            kinds: vec![NodeKind::new("CALL", 2)],
            edges: Vec::new(),
            properties: vec![Property {
                kind: 0,
                name: name.into(),
                quantities: vec![1, 1],
                values: Values::String(vec![0, 1]),
            }],
            strings: pool(&["same", "same"]),
        };
        let graph = import_bytes(&write(&content).unwrap(), Profile::Compact);
        let property = graph.property(name).unwrap();
        assert_eq!(property.strings().unwrap().len(), 1);
        assert_eq!(property.number(0), property.number(1));
    }
}
