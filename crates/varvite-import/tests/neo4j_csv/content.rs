//! The graph has the content of the tables.

use varvite::{Cardinality, ValueType};
use varvite_import::neo4j_csv::{CsvFormat, CsvGroup, CsvImport, IdType};

use super::{Tables, edges, labels, open_checked, values};

#[test]
fn nodes_and_relationships_of_the_manual() {
    let tables = Tables::new();
    let nodes = "personId:ID,name,:LABEL\nkeanu,\"Keanu Reeves\",Actor\nlaurence,\"Laurence Fishburne\",Actor;Person\n";
    let relationships = ":START_ID,role,:END_ID,:TYPE\nkeanu,Neo,laurence,KNOWS\nlaurence,,keanu,KNOWS\n";
    let (report, graph) = tables.import(nodes, relationships).unwrap();
    assert_eq!((report.nodes, report.edges, graph.edge_count()), (2, 2, 2));
    assert_eq!(values(&graph, "name"), ["Keanu Reeves", "Laurence Fishburne"]);
    assert_eq!(values(&graph, "personId"), ["keanu", "laurence"]);
    assert_eq!(labels(&graph), [vec!["Actor"], vec!["Actor", "Person"]]);
    assert_eq!(edges(&graph, "KNOWS"), [(0, 1), (1, 0)]);
    let role = graph.edge_property("KNOWS", Some("role")).unwrap();
    let texts = [0, 1].map(|rank| role.str(rank).map(|text| text.to_string()));
    assert_eq!(texts, [Some("Neo".to_owned()), None]);
}

/// Covers every type, both single values and lists, and the smallest and largest integers.
#[test]
fn values_have_the_types_of_the_header() {
    let tables = Tables::new();
    let cases: [(&str, &str, ValueType, &str, &str); 9] = [
        ("byte", "-128", ValueType::I8, "1;2", "1|2"),
        ("short", "32767", ValueType::I16, "-1", "-1"),
        ("int", "-2147483648", ValueType::I32, "7;8", "7|8"),
        ("long", "9223372036854775807", ValueType::I64, "-9223372036854775808", "-9223372036854775808"),
        ("float", "1.5", ValueType::F32, "0.25;2", "0.25|2"),
        ("double", "1e300", ValueType::F64, "0.1", "0.1"),
        ("boolean", "TRUE", ValueType::Bool, "true;false", "true|false"),
        ("char", "ü", ValueType::String, "a;b", "a|b"),
        ("string", "a b", ValueType::String, "a;;b", "a||b"),
    ];
    for (name, value, value_type, list, listed) in cases {
        let nodes = format!(":ID,one:{name},many:{name}[]\n1,{value},{list}\n2,,\n");
        let (_, graph) = tables.import(&nodes, "").unwrap();
        let (one, many) = (graph.property("one").unwrap(), graph.property("many").unwrap());
        assert_eq!((one.value_type(), many.value_type()), (value_type, value_type), "{name}");
        assert_eq!((one.cardinality(), many.cardinality()), (Cardinality::Optional, Cardinality::List));
        let shown =
            |number: &str| number.parse::<f64>().map_or(value.to_lowercase(), |value| value.to_string());
        let expected = if name == "double" { shown(value) } else { value.replace("TRUE", "true") };
        assert_eq!(values(&graph, "one"), [expected.as_str(), ""], "{name}");
        assert_eq!(values(&graph, "many"), [listed, ""], "{name}");
    }
}

#[test]
fn times_and_points_stay_texts() {
    let (_, graph) =
        Tables::new().import(":ID,at:datetime,in:point\n1,2026-11-25,\"{x:1, y:2}\"\n", "").unwrap();
    assert_eq!(
        (values(&graph, "at"), values(&graph, "in")),
        (vec!["2026-11-25".into()], vec!["{x:1, y:2}".into()])
    );
}

#[test]
fn an_empty_field_is_no_value_and_an_empty_text_is_one() {
    let nodes = ":ID,a,b:string[]\n1,,\n2,\"\",\"\"\n3\n";
    let (_, graph) = Tables::new().import(nodes, "").unwrap();
    let a = graph.property("a").unwrap();
    assert_eq!([0, 1, 2].map(|node| a.is_present(node)), [false, true, false]);
    let (_, graph) =
        Tables::new().import_with(nodes, "", |import| import.ignore_empty_strings(true)).unwrap();
    assert_eq!(graph.property("a").unwrap().len(), 0);
}

#[test]
fn fields_in_quotes_go_over_lines() {
    let nodes = ":ID,text\n1,\"first \"\"line\"\"\r\nsecond, line\"\n2,plain\n";
    let (_, graph) = Tables::new().import(nodes, "").unwrap();
    assert_eq!(values(&graph, "text"), ["first \"line\"\r\nsecond, line", "plain"]);
}

#[test]
fn ids_of_different_spaces_are_different() {
    let tables = Tables::new();
    let movies = tables.write("movies.csv", ":ID(Movie),title,:LABEL\n1,Matrix,Movie\n");
    let actors = tables.write("actors.csv", ":ID(Actor),name\n1,Keanu\n");
    let roles = tables.write("roles.csv", ":START_ID(Actor),:END_ID(Movie)\n1,1\n");
    let import = CsvImport::new()
        .nodes(CsvGroup::of([movies]))
        .nodes(CsvGroup::of([actors]).labels(["Actor", "Person"]));
    let import = import.relationships(CsvGroup::of([roles]).labels(["ACTED_IN"]));
    import.write_to(tables.path("g.varvite")).unwrap();
    let graph = open_checked(&tables.path("g.varvite"));
    assert_eq!(edges(&graph, "ACTED_IN"), [(1, 0)]);
    assert_eq!(labels(&graph), [vec!["Movie"], vec!["Actor", "Person"]]);
}

#[test]
fn integers_are_one_id_however_they_are_written() {
    let (nodes, relationships) = ("id:ID\n7\n", ":START_ID,:END_ID,:TYPE\n007, 7,SELF\n");
    let tables = Tables::new();
    let (_, graph) =
        tables.import_with(nodes, relationships, |import| import.id_type(IdType::Integer)).unwrap();
    assert_eq!((edges(&graph, "SELF"), values(&graph, "id")), (vec![(0, 0)], vec!["7".to_owned()]));
    assert_eq!(graph.property("id").unwrap().value_type(), ValueType::I64);
    let by_header = nodes.replace(":ID", ":ID{id-type:long}");
    tables.import(&by_header, relationships).unwrap();
    assert!(
        tables.import(nodes, relationships).unwrap_err().to_string().contains("no node with the id \"007\"")
    );
}

#[test]
fn nodes_without_ids_are_nodes() {
    let (report, graph) = Tables::new().import("name\na\nb\n", "").unwrap();
    assert_eq!((report.nodes, values(&graph, "name")), (2, vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn columns_can_be_passed_over_and_integers_widened() {
    let tables = Tables::new();
    let first = tables.write("first.csv", ":ID,skip:IGNORE,n:int\na,x,1\n");
    let second = tables.write("second.csv", ":ID,n:long,:IGNORE\nb,5000000000,y\n");
    let import = CsvImport::new().nodes(CsvGroup::of([first])).nodes(CsvGroup::of([second]));
    import.write_to(tables.path("g.varvite")).unwrap();
    let graph = open_checked(&tables.path("g.varvite"));
    assert_eq!(graph.properties().len(), 1);
    assert_eq!(values(&graph, "n"), ["1", "5000000000"]);
    assert_eq!(graph.property("n").unwrap().cardinality(), Cardinality::One);
}

#[test]
fn other_characters_structure_a_table() {
    let format = CsvFormat { delimiter: b'\t', array_delimiter: b'|', quote: b'\'' };
    let nodes = ":ID\ttags:string[]\t:LABEL\n1\t'a,b|c;d'\tA|B\n";
    let (_, graph) = Tables::new().import_with(nodes, "", |import| import.format(format)).unwrap();
    assert_eq!((values(&graph, "tags"), labels(&graph)), (vec!["a,b|c;d".to_owned()], vec![vec!["A", "B"]]));
}

/// A tree label gives ids in pre-order, even if an ancestor is read last.
#[test]
fn a_tree_gives_the_order_of_ids() {
    let nodes = ":ID,name\nc,c\nb,b\nr,r\na,a\n";
    let relationships = ":START_ID,:END_ID,:TYPE,w:int\nr,a,CHILD,\nr,b,CHILD,\na,c,CHILD,\nc,b,REF,5\nc,b,REF,6\nb,a,REF,7\n";
    let tables = Tables::new();
    let (_, graph) = tables.import_with(nodes, relationships, |import| import.tree("CHILD")).unwrap();
    assert_eq!(values(&graph, "name"), ["r", "a", "c", "b"]);
    assert_eq!((graph.tree_label(), edges(&graph, "CHILD")), (Some("CHILD"), vec![(0, 1), (0, 3), (1, 2)]));
    assert_eq!(edges(&graph, "REF"), [(2, 3), (2, 3), (3, 1)]);
    let ranks = graph.ranks(graph.edge_label("REF").unwrap(), varvite::Direction::In).unwrap().unwrap();
    let w = graph.edge_property("REF", Some("w")).unwrap();
    let arriving: Vec<_> = ranks.of(3).map(|(source, rank)| (source, w.number(rank))).collect();
    assert_eq!(arriving, [(2, Some(5)), (2, Some(6))]);
    let error = tables.import_with(nodes, relationships, |import| import.tree("CHILDREN")).unwrap_err();
    assert!(error.to_string().contains("CHILDREN"), "{error}");
}

#[test]
fn an_index_finds_nodes_by_a_text() {
    let nodes = ":ID,name,:LABEL\n1,x,A\n2,y,B\n3,x,B\n";
    let (_, graph) = Tables::new().import_with(nodes, "", |import| import.index("name")).unwrap();
    assert_eq!(graph.text_index("name").unwrap().unwrap().nodes("x"), [0, 2]);
    let error = Tables::new().import_with(nodes, "", |import| import.index("nome")).unwrap_err();
    assert!(error.to_string().contains("\"name\""), "{error}");
}
