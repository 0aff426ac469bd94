//! Tests of `varvite tree`.

use serde_json::Value as Json;

use crate::command::{expected, varvite, zlib};

fn tree(words: &[&str]) -> String {
    varvite(&[&["tree", zlib()], words].concat()).text()
}

/// The tree that Joern makes for `uLong ZEXPORT compressBound(uLong sourceLen)` and its two statements.
const COMPRESS_BOUND: &str = "\
0 METHOD
1 METHOD_PARAMETER_IN
1 BLOCK
2 LOCAL
2 CALL
3 IDENTIFIER
3 CALL
4 IDENTIFIER
2 RETURN
3 CALL
4 CALL
5 CALL
6 TYPE_REF
6 IDENTIFIER
5 IDENTIFIER
4 CALL
5 TYPE_REF
5 CALL
6 LITERAL
4 CALL
5 TYPE_REF
5 IDENTIFIER
1 METHOD_RETURN
1 METHOD_PARAMETER_OUT
";

#[test]
fn a_tree_lists_every_node_under_its_parent() {
    let text = tree(&["METHOD:compressBound", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let shape: String = rows.iter().map(|row| format!("{} {}\n", &row[1], &row[2])).collect();
    assert_eq!(shape, COMPRESS_BOUND);
    let ids: Vec<u32> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert!(ids.windows(2).all(|pair| pair[1] == pair[0] + 1));
}

#[test]
fn the_depth_is_bounded_on_request() {
    let shape =
        |depth| varvite(&["tree", zlib(), "METHOD:compressBound", "--depth", depth, "--format", "json"]);
    assert_eq!(shape("0").column("label"), ["METHOD"]);
    let children = ["METHOD", "METHOD_PARAMETER_IN", "BLOCK", "METHOD_RETURN", "METHOD_PARAMETER_OUT"];
    assert_eq!(shape("1").column("label"), children);
    assert_eq!(shape("99").column("label").len(), COMPRESS_BOUND.lines().count());
}

#[test]
fn an_id_is_as_good_as_a_name() {
    let first = tree(&["METHOD:compressBound", "--depth", "0", "--format", "csv"]);
    let id = first.lines().nth(1).unwrap().split(',').next().unwrap().to_owned();
    assert_eq!(tree(&[&id]), tree(&["METHOD:compressBound"]));
    assert_eq!(tree(&[&format!("#{id}")]), tree(&["METHOD:compressBound"]));
}

#[test]
fn tables_show_the_depth_as_indentation() {
    let text = tree(&["METHOD:compressBound"]);
    let line = |words: &str| text.lines().find(|line| line.contains(words)).unwrap().to_owned();
    assert!(line(" METHOD ").contains("  METHOD  "));
    assert!(line("LOCAL").contains("      LOCAL  "), "{text}");
    assert!(text.lines().all(|line| line == line.trim_end()));
}

#[test]
fn the_trees_of_all_methods_hold_as_many_nodes_as_flatgraph_counts() {
    // The tree of a METHOD includes the METHODs that are nested in it, so these are skipped.
    let (mut sum, mut end) = (0, 0);
    for method in varvite(&["find", zlib(), "METHOD", "--format", "json"]).column("node") {
        if method.as_u64().unwrap() < end {
            continue;
        }
        let mut open: Vec<u64> = Vec::new();
        for row in tree(&[&method.to_string(), "--format", "jsonl"]).lines() {
            let row: Json = serde_json::from_str(row).unwrap();
            let depth = row["depth"].as_u64().unwrap();
            open.retain(|method| *method < depth);
            open.extend((row["label"] == "METHOD").then_some(depth));
            sum += open.len() as u64;
            end = row["node"].as_u64().unwrap() + 1;
        }
    }
    assert_eq!(sum, expected()["traversals"]["ast_descendants_per_method_sum"].as_u64().unwrap());
}

#[test]
fn what_is_no_node_is_refused() {
    let tree = |node| varvite(&["tree", zlib(), node]);
    tree("44073").fails(4, &["no node 44073", "0 to 44072"]);
    tree("99999999999999999999").fails(4, &["no METHOD named"]);
    tree("inflat").fails(4, &["METHOD", "\"inflat\"", "nearest is \"inflate\""]);
    tree("METHOD:inflat").fails(4, &["METHOD", "\"inflat\"", "nearest is \"inflate\""]);
    tree("METHODE:inflate").fails(4, &["no label \"METHODE\"", "nearest is \"METHOD\""]);
}
