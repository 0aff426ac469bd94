//! `varvite tree`.

use crate::command::{expected, varvite, zlib};

fn tree(words: &[&str]) -> String {
    varvite(&[&["tree", zlib()], words].concat()).text()
}

/// What Joern makes of `uLong ZEXPORT compressBound(uLong sourceLen)` and its two statements.
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
    let methods = varvite(&["find", zlib(), "METHOD", "--format", "json"]).column("node");
    let sample: Vec<u64> = methods.iter().map(|node| node.as_u64().unwrap()).collect();
    assert_eq!(sample.len(), 425);
    let in_all = expected()["traversals"]["ast_descendants_per_method_sum"].as_u64().unwrap();
    // One run of the command for each METHOD would be slow: files hold all METHODs, and METHODs in METHODs count again.
    let files = varvite(&["find", zlib(), "FILE", "--format", "json"]).column("node");
    let mut sum = 0;
    for file in files {
        let text = tree(&[&file.to_string(), "--format", "jsonl"]);
        let rows: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut open: Vec<u64> = Vec::new();
        for row in rows {
            let depth = row["depth"].as_u64().unwrap();
            open.retain(|method| *method < depth);
            if row["label"] == "METHOD" {
                open.push(depth);
            }
            sum += open.len() as u64;
        }
    }
    assert_eq!(sum, in_all);
}

#[test]
fn what_is_no_node_is_refused() {
    let tree = |node| varvite(&["tree", zlib(), node]);
    tree("44073").fails(4, &["no node 44073", "0 to 44072"]);
    tree("99999999999999999999").fails(2, &["no node"]);
    tree("inflate").fails(2, &["LABEL:NAME"]);
    tree("METHOD:inflat").fails(4, &["METHOD", "\"inflat\"", "nearest is \"inflate\""]);
    tree("METHODE:inflate").fails(4, &["no label \"METHODE\"", "nearest is \"METHOD\""]);
}
