//! Tests of `varvite path`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use varvite::Graph;

use crate::command::{Answer, Folder, varvite, zlib};

fn path(words: &[&str]) -> Answer {
    varvite(&[&["path", zlib()], words].concat())
}

/// The values of one column, from an answer in JSON lines.
fn column(words: &[&str], name: &str) -> Vec<Json> {
    let lines = path(&[words, &["--format", "jsonl"]].concat()).text();
    lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()[name].take()).collect()
}

const CALLS: [&str; 4] = ["compress", "flush_pending", "--along", "CALL"];

#[test]
fn a_chain_of_calls_is_as_zlib_s_source_has_it() {
    let chain = ["compress", "compress2", "compress2_z", "deflate", "flush_pending"];
    // Each METHOD contains the CALL of the next one; the CALL has the name of its callee.
    let names: Vec<&str> =
        std::iter::once(chain[0]).chain(chain[1..].iter().flat_map(|name| [*name, *name])).collect();
    assert_eq!(column(&CALLS, "name"), names);
    let labels: Vec<&str> = ["METHOD", "CALL"].into_iter().cycle().take(9).collect();
    assert_eq!(column(&CALLS, "label"), labels);
    let edges: Vec<Json> = ["CONTAINS", "CALL"].into_iter().cycle().take(8).map(Json::from).collect();
    assert_eq!(column(&CALLS, "edge"), [&[Json::Null], &edges[..]].concat());
    assert_eq!(column(&CALLS, "step"), (0..9).map(Json::from).collect::<Vec<Json>>());
    assert_eq!(column(&CALLS, "line")[..3], [json!(82), json!(84), json!(67)]);
}

#[test]
fn the_same_edges_lead_back_the_other_way_round() {
    let there = column(&CALLS, "label");
    let back = ["flush_pending", "compress", "--along", "CALL", "--direction", "in"];
    assert_eq!(column(&back, "label"), there);
    assert!(column(&back, "direction")[1..].iter().all(|direction| direction == "in"));
    // In both directions, there are shorter paths, through common callees of two METHODs.
    let both = column(&["flush_pending", "compress", "--along", "CALL", "--direction", "both"], "direction");
    assert!(both.len() < there.len());
    assert!(["in", "out"].iter().all(|direction| both.contains(&json!(direction))), "{both:?}");
}

#[test]
fn an_answer_is_the_same_in_every_format() {
    let json = path(&[&CALLS[..], &["--format", "json"]].concat()).json();
    let rows = json.as_array().unwrap();
    let nodes: Vec<Json> = rows.iter().map(|row| row["node"].clone()).collect();
    assert_eq!(column(&CALLS, "node"), nodes);
    let csv = path(&[&CALLS[..], &["--format", "csv"]].concat()).text();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let titles =
        ["path", "step", "edge", "direction", "node", "label", "name", "file", "line", "code", "method"];
    assert_eq!(reader.headers().unwrap(), titles.to_vec());
    assert!(reader.records().map(|row| row.unwrap()[4].to_owned()).eq(nodes.iter().map(Json::to_string)));
    let table = path(&CALLS).text();
    assert_eq!(table.lines().count(), 1 + rows.len());
    assert!(table.lines().nth(2).unwrap().contains(" -CONTAINS->   1385  CALL "), "{table}");
    assert!(table.lines().nth(1).unwrap().contains("compress.c:82"), "{table}");
}

/// For each METHOD, the METHODs that its CALLs may call, computed by simple loops.
fn callees(graph: &Graph) -> BTreeMap<u32, BTreeSet<u32>> {
    let (contents, targets) = (graph.out("CONTAINS").unwrap(), graph.out("CALL").unwrap());
    let callees = |method| contents.neighbors(method).flat_map(|node| targets.neighbors(node)).collect();
    graph.nodes("METHOD").unwrap().iter().map(|method| (method, callees(method))).collect()
}

#[test]
fn paths_are_as_long_as_a_plain_search_finds_them() {
    let graph = Graph::open(zlib()).unwrap();
    let callees = callees(&graph);
    let start = 1378;
    let (mut level, mut calls_to) = (vec![start], BTreeMap::from([(start, 0)]));
    for calls in 1.. {
        let next: BTreeSet<u32> = level.iter().flat_map(|method| callees[method].iter().copied()).collect();
        level = next.into_iter().filter(|method| !calls_to.contains_key(method)).collect();
        calls_to.extend(level.iter().map(|method| (*method, calls)));
        if level.is_empty() {
            break;
        }
    }
    assert!(calls_to.len() > 50 && calls_to.values().any(|calls| *calls > 6));
    for (count, method) in callees.keys().enumerate().filter(|(count, _)| count % 9 == 0) {
        let words = ["path", zlib(), "1378", &method.to_string(), "--along", "CALL", "--format", "jsonl"];
        let answer = varvite(&words);
        match calls_to.get(method) {
            Some(calls) => assert_eq!(answer.lines(), 1 + 2 * calls, "{count}: {method}"),
            None => drop(answer.fails(5, &["there is no path from #1378 to #"])),
        }
    }
}

#[test]
fn every_shortest_path_is_shown_on_request() {
    let of = |more: &[&str]| column(&[&["compress", "memcpy", "--along", "CALL"], more].concat(), "path");
    // deflate calls memcpy on two lines.
    assert_eq!(of(&[]), vec![json!(1); 9]);
    assert_eq!(of(&["--all"]), [vec![json!(1); 9], vec![json!(2); 9]].concat());
    assert_eq!(of(&["--limit", "7"]), of(&["--all"]));
    assert_eq!(of(&["--all", "--along", "CALL,CONTAINS,CALL"]), of(&["--all"]));
    assert_eq!(of(&["--limit", "0"]), Vec::<Json>::new());
    path(&["compress", "memcpy", "--limit", "2", "--all"]).fails(2, &["--limit", "--all"]);
}

#[test]
fn a_node_is_given_by_id_by_the_name_of_a_method_or_by_label_and_name() {
    let nodes = |words: &[&str]| column(&[words, &["--along", "CALL"]].concat(), "node");
    let expected = nodes(&["compress", "deflate"]);
    for (source, target) in [("1378", "5196"), ("#1378", "METHOD:deflate"), ("METHOD:compress", "#5196")] {
        assert_eq!(nodes(&[source, target]), expected);
    }
    assert_eq!(nodes(&["deflate", "5196"]), [5196]);
    let to_type = column(&["deflate", "TYPE:int", "--along", "AST,EVAL_TYPE"], "label");
    assert_eq!(to_type, ["METHOD", "METHOD_PARAMETER_IN", "TYPE"]);
    assert_eq!(
        column(&["deflate.c:<global>", "deflate", "--along", "CONTAINS"], "name"),
        ["<global>", "deflate"]
    );
}

#[test]
fn what_is_no_node_or_several_is_refused() {
    let refused = |source: &str, words: &[&str]| path(&[source, "deflate"]).fails(4, words);
    refused("deflat", &["no METHOD named \"deflat\"", "nearest is \"deflate\""]);
    refused("METHODE:x", &["no label \"METHODE\"", "nearest is \"METHOD\""]);
    refused("TYPE:no_such_type", &["no TYPE named \"no_such_type\""]);
    refused("44073", &["no node 44073", "0 to 44072"]);
    refused("99999999999999999999999", &["no METHOD named"]);
    refused("<global>", &["28 METHOD nodes", "#293 (adler32.c:<global>, adler32.c:1)", ", .."]);
    path(&["deflate", "memcpy", "--along", "CAL"])
        .fails(4, &["no edge label \"CAL\"", "nearest is \"CALL\""]);
    path(&["deflate", "memcpy", "--direction", "up"]).fails(2, &["--direction", "out, in, both"]);
    path(&["deflate"]).fails(2, &["<TO>"]);
}

#[test]
fn no_path_is_an_empty_answer_a_message_and_a_code_of_its_own() {
    let words = ["memcpy", "compress", "--along", "CALL", "--format"];
    for (format, text) in [
        ("json", "[]\n"),
        ("jsonl", ""),
        ("csv", "path,step,edge,direction,node,label,name,file,line,code,method\n"),
    ] {
        let answer = path(&[&words[..], &[format]].concat());
        assert_eq!(answer.output(), text);
        answer.fails(
            5,
            &["no path from memcpy (#37270) to compress (#1378) along CALL: the search visited 2 nodes"],
        );
    }
    let short = path(&[&CALLS[..], &["--max-length", "7"]].concat());
    short.fails(5, &["no path from compress", "along CALL, of at most 7 edges"]);
    assert_eq!(path(&[&CALLS[..], &["--max-length", "8"]].concat()).lines(), 1 + 9);
}

#[test]
fn a_search_that_needs_too_much_memory_is_stopped() {
    path(&["compress", "memcpy", "--memory", "64K"])
        .fails(6, &["needs 176292 bytes", "the budget is 65536", "--memory"]);
    assert_eq!(
        path(&["compress", "memcpy", "--memory", "1M", "--format", "csv", "--along", "CALL"])
            .text()
            .matches(",CALL,")
            .count(),
        8
    );
}

#[test]
fn answers_are_equal_in_every_profile_and_mode() {
    let folder = Folder::new();
    let of = |file: &str, more: &[&str]| {
        varvite(&[&["path", file, "compress", "TYPE:int", "--all", "--format", "csv"], more].concat()).text()
    };
    let answer = of(zlib(), &[]);
    for profile in ["direct", "compact", "archive"] {
        let file = folder.import(profile, profile);
        assert_eq!(of(&file, &[]), answer, "{profile}");
        assert_eq!(of(&file, &["--buffered"]), answer, "{profile}, buffered");
    }
}

#[test]
fn other_methods_of_the_same_name_are_noted() {
    let answer = path(&["main", "memcpy", "--along", "CALL"]);
    let (message, namesakes) =
        (answer.errors(), "2 other METHOD nodes have the NAME \"main\": #30581 (main<duplicate>0, ");
    assert!(
        message.starts_with(&format!("varvite: note: {namesakes}inftrees.c:386), #37617 (")),
        "{message}"
    );
    for words in ["#1623", "zwork.c:30", "compress"] {
        assert!(!path(&[words, "deflate", "--along", "CALL"]).errors().contains("other METHOD"), "{words}");
    }
}
