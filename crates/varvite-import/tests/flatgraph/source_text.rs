//! Graphs that contain the text of their files: code is stored as a slice of the text if it is found there,
//! and every text is read back.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use varvite::compare::Digest;
use varvite::inspect::Info;
use varvite::write::GraphChange;
use varvite::{Graph, OpenOptions, Profile, Task};
use varvite_cpg::Facts;
use varvite_import::Import;
use varvite_import::flatgraph::{Direction, NodeKind, NodeRef, Values};
use varvite_testing::vfs::MemoryVfs;

use super::content::{Content, Edges, Property};
use super::export::{Said, decode, export_bytes, import_bytes, import_file};
use super::facts::data;
use super::roundtrip::{pool, write};

#[test]
fn a_real_graph_with_the_text_of_its_files_comes_back_from_every_profile() {
    let expected = std::fs::read_to_string(data("content.expected.json")).unwrap();
    for profile in Profile::ALL {
        let graph = import_file(&data("content.cpg.bin"), profile);
        assert!(Facts::of(&graph, &Task::new()).unwrap().to_json() == expected, "{}", profile.name());
        assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0], "{}", profile.name());
        let back = import_bytes(&export_bytes(&graph).unwrap(), profile);
        assert_eq!(
            Digest::of(&graph, &Task::new().threads(2)).unwrap(),
            Digest::of(&back, &Task::new().threads(2)).unwrap(),
            "{}",
            profile.name()
        );
    }
}

#[test]
fn a_real_graph_with_the_text_of_its_files_gives_the_same_bytes_each_time() {
    let bytes = |threads| {
        let disk = MemoryVfs::new();
        let import = Import::new(data("content.cpg.bin"))
            .task(Task::new().threads(threads))
            .vfs(Arc::new(disk.clone()));
        import.write_to("graph.varvite").unwrap();
        disk.contents("graph.varvite").unwrap()
    };
    assert!(bytes(1) == bytes(2));
}

#[test]
fn most_code_of_a_real_graph_is_part_of_the_text_of_its_file() {
    let graph = import_file(&data("content.cpg.bin"), Profile::Compact);
    let (code, content) = (bytes_of_texts(&graph, "CODE"), bytes_of_texts(&graph, "CONTENT"));
    let own = pool_bytes(&graph, "CODE") - content;
    // Joern cuts code after 1000 characters and appends dots, and it invents names: such code is in no file.
    assert!(own * 3 < code, "{own} of {code} bytes are stored for code alone");
    let info = Info::of(&graph);
    let column = info.columns.iter().find(|column| column.name == "property CODE strings").unwrap();
    assert_eq!(column.parts_shared_with.as_deref(), Some("property CONTENT strings"));
}

#[test]
fn folding_keeps_what_columns_share_and_what_is_exported() {
    for (name, profile) in [("content.cpg.bin", Profile::Compact), ("zlib.cpg.bin", Profile::Archive)] {
        let disk = MemoryVfs::new();
        let import = Import::new(data(name)).profile(profile).index("NAME").vfs(Arc::new(disk.clone()));
        import.write_to("graph.varvite").unwrap();
        let bytes = disk.contents("graph.varvite").unwrap().len() as u64;
        let open = || OpenOptions::new().buffered().open_in(&disk, "graph.varvite").unwrap();
        let (before, task) = (open(), Task::new().threads(2));
        let change = GraphChange::begin(Arc::new(disk.clone()), Path::new("graph.varvite")).unwrap();
        let folded = change.fold(&task).unwrap();
        let (after, exported) = (open(), |graph: &Graph| Said::by(&decode(&export_bytes(graph).unwrap())));
        assert_eq!(Digest::of(&before, &task).unwrap(), Digest::of(&after, &task).unwrap(), "{name}");
        assert!(exported(&before) == exported(&after), "{name}");
        assert!(folded.file_len * 100 < bytes * 102, "{name}: {bytes} bytes became {}", folded.file_len);
    }
}

/// The number of bytes of a property's distinct texts.
fn bytes_of_texts(graph: &Graph, name: &str) -> u64 {
    let property = graph.property(name).unwrap();
    let texts = property.owners().map(|node| property.get(node).unwrap().to_string());
    texts.collect::<BTreeSet<_>>().iter().map(|text| text.len() as u64).sum()
}

/// The number of bytes of the long text that contains a property's texts as slices.
fn pool_bytes(graph: &Graph, name: &str) -> u64 {
    let directory = graph.store().directory();
    let index = graph.properties().iter().position(|property| property.name == name).unwrap();
    let strings = directory.columns[directory.properties[index].strings.unwrap().index()];
    directory.segments[strings.segments[0].unwrap().index()].plain_len
}

const MAIN: &str = "/* größe 🌍 */ int main(void) { return answer(🦀, 6 * 7); } /* more of it */";
const OTHER: &str = "/* another file */ int answer(int crab, int number) { return number; }";

/// The offset of `part` in `text`, in UTF-16 units.
fn unit(text: &str, part: &str) -> i32 {
    text[..text.find(part).unwrap()].encode_utf16().count() as i32
}

/// A graph with two files. The child of the first file is a METHOD with all code of the file, and the child
/// of the METHOD is a CALL.
fn graph_of(code: &str, offset: Values, file: Option<&str>) -> Content {
    let method = &MAIN[MAIN.find("int").unwrap()..];
    let strings = pool(&[MAIN, OTHER, method, code, "main.c", "other.c", file.unwrap_or_default()]);
    let property = |kind, name: &str, values: Values| Property {
        kind,
        name: name.into(),
        quantities: vec![1; values.len()],
        values,
    };
    let edges = |kind, direction, end| Edges {
        kind,
        label: "AST".into(),
        direction,
        quantities: vec![1],
        neighbors: vec![NodeRef::new(end, 0)],
        property: None,
    };
    Content {
        kinds: vec![NodeKind::new("FILE", 2), NodeKind::new("METHOD", 1), NodeKind::new("CALL", 1)],
        edges: vec![
            edges(0, Direction::Out, 1),
            edges(1, Direction::Out, 2),
            edges(1, Direction::In, 0),
            edges(2, Direction::In, 1),
        ],
        properties: vec![
            property(0, "CONTENT", Values::String(vec![0, 1])),
            property(0, "NAME", Values::String(vec![4, 5])),
            property(1, "CODE", Values::String(vec![2])),
            property(1, "OFFSET", Values::Int(vec![unit(MAIN, method)])),
            property(2, "CODE", Values::String(vec![3])),
            property(2, "OFFSET", offset),
            property(2, "FILENAME", Values::String(vec![6; usize::from(file.is_some())])),
        ],
        strings,
    }
}

/// The number of bytes stored for the `code` of the CALL, in addition to the text of the files.
#[track_caller]
fn own_bytes(code: &str, offset: Values, file: Option<&str>) -> u64 {
    let bytes = write(&graph_of(code, offset, file)).unwrap();
    let graph = import_bytes(&bytes, Profile::Compact);
    let node = graph.nodes("CALL").unwrap().iter().next().unwrap();
    assert_eq!(graph.property("CODE").unwrap().get(node).unwrap().to_string(), code);
    assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    let texts = decode(&export_bytes(&graph).unwrap());
    assert!(texts.strings.iter().any(|text| text == code));
    pool_bytes(&graph, "CODE") - (MAIN.len() + OTHER.len()) as u64
}

#[test]
fn code_that_stands_at_its_offset_costs_nothing() {
    let at = unit(MAIN, "(🦀");
    assert_eq!(own_bytes("(🦀, 6 * 7)", Values::Int(vec![at]), None), 0);
    let at = unit(MAIN, "6 * 7");
    assert_eq!(own_bytes("6 * 7", Values::Long(vec![at.into()]), None), 0);
}

#[test]
fn the_nearest_name_of_a_file_says_where_code_stands() {
    let at = unit(OTHER, "number)");
    assert_eq!(own_bytes("number", Values::Int(vec![at]), Some("other.c")), 0);
    // The code is neither in the file of an ancestor nor at this offset of an unknown file.
    for file in [None, Some("unknown.c")] {
        assert_eq!(own_bytes("number", Values::Int(vec![at]), file), "number".len() as u64);
    }
}

#[test]
fn code_that_stands_elsewhere_is_found_above_or_stored_on_its_own() {
    let past = MAIN.encode_utf16().count() as i32;
    for offset in [0, 1, past, past + 1, -1, i32::MIN, i32::MAX] {
        assert_eq!(own_bytes("return answer", Values::Int(vec![offset]), None), 0, "in the METHOD");
        assert_eq!(own_bytes("return 42", Values::Int(vec![offset]), None), 9, "nowhere");
    }
    // An offset within a character, and code that begins like the text at the offset but continues
    // differently.
    assert_eq!(own_bytes("x + y", Values::Int(vec![unit(MAIN, "🌍") + 1]), None), 5);
    assert_eq!(own_bytes("6 * 8", Values::Int(vec![unit(MAIN, "6 * 7")]), None), 5);
}

#[test]
fn offsets_that_are_no_numbers_are_no_hints() {
    for offset in [Values::Bool(vec![true]), Values::Double(vec![f64::NAN]), Values::String(vec![0])] {
        let mut content = graph_of("return 42", offset, None);
        content.properties.retain(|property| (property.kind, &*property.name) != (1, "OFFSET"));
        let graph = import_bytes(&write(&content).unwrap(), Profile::Compact);
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    }
}

#[test]
fn contents_that_are_no_texts_are_kept() {
    let mut content = graph_of("return 42", Values::Int(vec![0]), None);
    content.properties[0].values = Values::Long(vec![1, 2]);
    let graph = import_bytes(&write(&content).unwrap(), Profile::Compact);
    assert_eq!(graph.property("CONTENT").unwrap().number(0), Some(1));
}
