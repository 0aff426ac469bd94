//! A real graph, once imported, has the facts that flatgraph itself tells of it, and is sound, in every profile.

use varvite::{Digest, Facts, Profile};

use super::export::import_file;
use super::facts::data;

#[test]
fn zlib_is_the_same_sound_graph_in_every_profile() {
    let expected = std::fs::read_to_string(data("zlib.expected.json")).unwrap();
    let digests = Profile::ALL.map(|profile| {
        let graph = import_file(&data("zlib.cpg.bin"), profile);
        let facts = Facts::of(&graph).unwrap().to_json();
        assert!(facts == expected, "{} gives other facts than flatgraph", profile.name());
        assert_eq!(graph.verify(2, &|_, _| {}).unwrap().problems, [""; 0], "{}", profile.name());
        Digest::of(&graph, 2).unwrap()
    });
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}
