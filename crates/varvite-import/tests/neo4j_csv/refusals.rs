//! Tables that are refused, with file, line and column in the error.

use varvite_import::TextError;

use super::Tables;

fn check(nodes: &str, relationships: &str, file: &str, place: &str, what: &str) {
    let tables = Tables::new();
    let error = match tables.import(nodes, relationships) {
        Ok((report, _)) => panic!("{report:?} of {nodes:?} and {relationships:?}"),
        Err(error) => error,
    };
    assert!(matches!(error, TextError::Source { .. }), "{error:?}");
    let expected = format!("{}: {place}: ", tables.path(file).display());
    let message = error.to_string();
    assert!(message.starts_with(&expected) && message.contains(what), "{message}");
    assert!(!tables.path("graph.varvite").exists());
}

#[test]
fn nodes_are_refused_with_their_place() {
    let check = |text, place, what| check(text, "", "nodes.csv", place, what);
    check("", "line 1", "the file is empty");
    check(":ID,a:decimal\n", "line 1, column 2", "types are boolean");
    check(":ID,a,a:int\n", "line 1, column 3", "two columns");
    check("a:ID,a\n", "line 1, column 2", "two columns");
    check(":ID,:START_ID\n", "line 1, column 2", "relationships");
    check(":ID,\n", "line 1, column 2", ":IGNORE");
    check(":ID,n:int\n1,2\n2,x\n", "line 3, column 2 (n:int)", "\"x\" is not a valid int");
    check(":ID,n:byte\n1,128\n", "line 2, column 2 (n:byte)", "\"128\" is not a valid byte");
    check(":ID,b:boolean\n1,yes\n", "line 2, column 2 (b:boolean)", "true or false");
    check(":ID,c:char\n1,ab\n", "line 2, column 2 (c:char)", "one character");
    check(":ID,n:int[]\n1,1;;2\n", "line 2, column 2 (n:int[])", "\"\" is not a valid int");
    check(":ID\n1\n2,3\n", "line 3, column 2", "the row has 2 fields, the header 1");
    check(":ID,n\n,x\n", "line 2, column 1 (:ID)", "without an id");
    check(":ID\na\nb\na\n", "line 4, column 1 (:ID)", "second node with the id \"a\"");
    check(":ID,t\n1,\"a\nb\n", "line 2, column 2", "never closed");
    check(":ID,t\n1,\"a\" b\n", "line 2, column 2", "followed by ' '");
    check(":ID,t,n:int\n1,\"a\n\nb\",c\n", "line 4, column 3 (n:int)", "is not a valid int");
}

#[test]
fn relationships_are_refused_with_their_place() {
    let check = |text, place, what| check(":ID(P)\na\nb\n", text, "relationships.csv", place, what);
    check(":START_ID(P),:TYPE\n", "line 1, column 1", "no column :END_ID");
    check(":START_ID(P),:END_ID(P)\n", "line 1, column 1", "no column :TYPE, and no type");
    check(":START_ID(P),:END_ID(Q),:TYPE\n", "line 1, column 2 (:END_ID(Q))", "no table of nodes has ids");
    check(
        ":START_ID(P),:END_ID(P),:TYPE\na,c,T\n",
        "line 2, column 2 (:END_ID(P))",
        "id \"c\" in the space P",
    );
    check(":START_ID(P),:END_ID(P),:TYPE\na,,T\n", "line 2, column 2 (:END_ID(P))", "without :END_ID");
    check(":START_ID(P),:END_ID(P),:TYPE\na,b,\n", "line 2, column 3 (:TYPE)", "without a type");
    check(":START_ID(P),:END_ID(P),:TYPE,w:int\na,b,T,x\n", "line 2, column 4 (w:int)", "is not a valid int");
}

#[test]
fn one_property_has_one_type() {
    let tables = Tables::new();
    let first = tables.write("first.csv", ":ID,p:int\n");
    let second = tables.write("second.csv", ":ID,p\n");
    use varvite_import::neo4j_csv::{CsvGroup, CsvImport};
    let import = CsvImport::new().nodes(CsvGroup::of([first])).nodes(CsvGroup::of([second]));
    let message = import.write_to(tables.path("g")).unwrap_err().to_string();
    assert!(
        message.contains("second.csv: line 1, column 2 (p): property p is string here and i32 elsewhere"),
        "{message}"
    );
}

/// Tables with so many names, or with a name so long, that no reasonable graph has them.
#[test]
fn names_beyond_all_reason_are_refused() {
    let labels: String = (0..20_000).map(|number| format!("{number},L{number}\n")).collect();
    check(
        &format!(":ID,:LABEL\n{labels}"),
        "",
        "nodes.csv",
        "line 16386, column 2 (:LABEL)",
        "more than 16384 node labels",
    );
    let columns: String = (0..20_000).map(|number| format!(",p{number}")).collect();
    let tables = Tables::new();
    let message = tables.import(&format!(":ID{columns}\n"), "").unwrap_err().to_string();
    assert!(message.contains("more than 16384 properties"), "{message}");
    let long = "x".repeat(5000);
    check(&format!(":ID,:LABEL\n1,{long}\n"), "", "nodes.csv", "line 2, column 2 (:LABEL)", "5000 bytes");
}

/// In C, a name would end at a NUL.
#[test]
fn names_that_a_graph_cannot_have_are_refused() {
    for (nodes, relationships) in [
        (":ID,:LABEL\n1,A\0B\n", ""),
        (":ID,a\0b\n1,x\n", ""),
        (":ID\n1\n", ":START_ID,:END_ID,:TYPE\n1,1,T\0\n"),
    ] {
        let tables = Tables::new();
        let error = tables.import(nodes, relationships).map(drop).unwrap_err();
        assert!(error.to_string().contains("has a NUL"), "{error}");
        assert!(!tables.path("graph.varvite").exists());
    }
}

#[test]
fn a_missing_table_is_named() {
    use varvite_import::neo4j_csv::{CsvGroup, CsvImport};
    let tables = Tables::new();
    let import = CsvImport::new().nodes(CsvGroup::of([tables.path("none.csv")]));
    let error = import.write_to(tables.path("g")).unwrap_err();
    assert!(matches!(error, TextError::Io { .. }) && error.to_string().contains("none.csv"), "{error}");
}
