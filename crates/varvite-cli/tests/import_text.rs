//! Tests of `varvite import` with tables and GraphML, and of `varvite export` to GraphML.

use std::fs;

use crate::command::{Folder, varvite};

/// Writes the tables in `docs/guide/importing.md` to files.
fn tables(folder: &Folder) -> [String; 2] {
    const GUIDE: &str = include_str!("../../../docs/guide/importing.md");
    ["people.csv", "knows.csv"].map(|name| {
        let (_, text) = GUIDE.split_once(&format!("$ cat {name}\n")).unwrap();
        let path = folder.path(name);
        fs::write(&path, text.split("$ ").next().unwrap()).unwrap();
        path
    })
}

#[test]
fn tables_become_the_graph_that_the_guide_shows() {
    let folder = Folder::new();
    let ([nodes, relationships], graph) = (tables(&folder), folder.path("people.varvite"));
    let words = ["import", "--format", "neo4j-csv", "--nodes", &nodes, "--relationships", &relationships];
    let text = varvite(&[&words[..], &["-o", &graph]].concat()).text();
    assert!(text.contains("people.varvite: 2 nodes, 1 edge, "), "{text}");
    let found = varvite(&["find", &graph, "Author", "--columns", "name,tags", "--format", "json"]).json();
    assert_eq!(
        (&found[0]["name"], &found[0]["tags"]),
        (&"Bob".into(), &["tall", "\"kind\""].to_vec().into())
    );
    let words = [&["import"], &words[3..], &["-o", &graph, "--force", "--report", "json"]].concat();
    let report = varvite(&words).json();
    assert_eq!(
        (&report["nodes"], &report["edges"], &report["skipped_nodes"]),
        (&2.into(), &1.into(), &0.into())
    );
}

#[test]
fn labels_and_characters_are_given_as_neo4j_takes_them() {
    let folder = Folder::new();
    let [nodes, relationships, graph] = ["n.csv", "r.csv", "g.varvite"].map(|name| folder.path(name));
    fs::write(&nodes, ":ID\tname\n1\t'a\tb'\n2\tc\n").unwrap();
    fs::write(&relationships, ":START_ID\t:END_ID\n1\t2\n2\t7\n").unwrap();
    let (nodes, relationships) = (format!("A:B={nodes}"), format!("KNOWS={relationships}"));
    let words = ["import", "--nodes", &nodes, "--relationships", &relationships, "-o", &graph];
    let words = [&words[..], &["--delimiter", "TAB", "--quote", "'", "--id-type", "INTEGER"]].concat();
    let message =
        varvite(&words).fails(3, &["r.csv: line 3, column 2 (:END_ID): ", "no node with the id \"7\""]);
    assert_eq!(message.lines().count(), 1);
    let answer = varvite(&[&words[..], &["--skip-bad-relationships"]].concat());
    let notes = answer.errors();
    assert_eq!(notes, "varvite: note: 1 relationship without a type or with a missing node left out\n");
    let found = varvite(&["find", &graph, "B", "--columns", "label,name", "--format", "jsonl"]).text();
    assert!(found.contains("a\\tb") && found.lines().count() == 2, "{found}");
    let same = [&words[..], &["--array-delimiter", "TAB"]].concat();
    varvite(&same).fails(2, &["must be three different characters"]);
    varvite(&[&words[..], &["--array-delimiter", "ab"]].concat()).fails(2, &["one ASCII character"]);
}

#[test]
fn words_that_make_no_sense_together_are_refused() {
    let folder = Folder::new();
    let ([nodes, _], graph) = (tables(&folder), folder.path("g.varvite"));
    let import = |words: &[&str]| varvite(&[&["import"], words, &["-o", &graph]].concat());
    import(&[]).fails(2, &["required"]);
    import(&["--format", "neo4j-csv", &nodes]).fails(2, &["--nodes and --relationships"]);
    import(&["--format", "flatgraph", "--nodes", &nodes]).fails(2, &["--format neo4j-csv"]);
    import(&["--nodes", "A="]).fails(2, &["names no file"]);
    import(&["--nodes", &nodes, "--codec", "lz4"]).fails(2, &["--profile archive"]);
    import(&["--nodes", &nodes, "--tree", "AST"]).fails(4, &["\"AST\""]);
    import(&["--nodes", &folder.path("none.csv")]).fails(3, &["none.csv", "No such file"]);
    import(&["--nodes", &nodes, "--memory", "10K"])
        .fails(6, &["bytes of memory are needed", "with --memory"]);
    varvite(&["import", "--nodes", &nodes, "-o", &nodes, "--force"]).fails(2, &["names one of the tables"]);
    assert_eq!(folder.files().len(), 2);
    import(&["--nodes", &nodes]).text();
    import(&["--nodes", &nodes]).fails(3, &["exists already", "--force"]);
}

#[test]
fn graphml_goes_in_and_out() {
    let folder = Folder::new();
    let [document, graph, out, again] =
        ["a.graphml", "a.varvite", "b.graphml", "b.varvite"].map(|name| folder.path(name));
    let text = "<graphml><key id='n' for='node' attr.name='name'/><graph edgedefault='undirected'>\
        <node id='x' labels=':Person'><data key='n'>Ann</data></node><node id='y'/><edge source='x' target='y'/></graph></graphml>";
    fs::write(&document, text).unwrap();
    let answer = varvite(&["import", &document, "-o", &graph]);
    let notes = answer.errors();
    assert_eq!(notes, "varvite: note: 1 edge without a direction: imported from source to target\n");
    assert!(answer.output().contains("2 nodes, 1 edge"));
    let exported = varvite(&["export", &graph, "-o", &out, "--format", "graphml"]).text();
    assert!(exported.contains("b.graphml: 2 nodes, 1 edge"), "{exported}");
    assert!(fs::read_to_string(&out).unwrap().contains("<node id=\"n0\" labels=\":Person\">"));
    varvite(&["import", "--format", "graphml", &out, "-o", &again]).text();
    varvite(&["diff", &graph, &again]).text();
    varvite(&["export", &graph, "-o", &out, "--format", "graphml"]).fails(3, &["exists already", "--force"]);
    fs::write(&document, text.replace("<node id='y'/>", "\n<hyperedge/>")).unwrap();
    varvite(&["import", &document, "-o", &graph, "--force"]).fails(3, &["a.graphml: line 2: a hyperedge"]);
}
