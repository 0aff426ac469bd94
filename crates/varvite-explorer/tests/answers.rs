//! The answers to questions, compared with the engine's own.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use varvite::change::DiffText;
use varvite::pipeline::{Options, Pipeline, nodes};
use varvite::vfs::RealVfs;
use varvite::walk::{PathOptions, ShortestPaths};
use varvite::write::GraphChange;
use varvite::{Budget, Cancel, Direction, Graph, Task};
use varvite_cpg::source::Sources;
use varvite_cpg::{Part, PartKind, PartLimits, callees_of, calls_of, is_operator, path_edges};
use varvite_draw::Drawing;
use varvite_explorer::Limits;
use varvite_show::{node_at, nodes_at};

use crate::server::{Server, example, file};

fn zlib() -> Graph {
    Graph::open(example("zlib")).unwrap()
}

/// The numbers of the nodes of rows.
fn nodes_of(rows: &Json) -> Vec<u32> {
    let node = |row: &Json| row["node"].as_u64().unwrap() as u32;
    rows.as_array().unwrap().iter().map(node).collect()
}

/// The nodes of a label whose property contains a text, by a scan of all nodes.
fn containing(graph: &Graph, label: &str, property: &str, text: &str) -> Vec<u32> {
    let names = graph.texts(property).unwrap();
    let has = |node: &u32| names.str(*node).is_some_and(|name| name.to_ascii_lowercase().contains(text));
    graph.nodes(label).unwrap().iter().filter(has).collect()
}

#[test]
fn files_have_the_counts_of_the_graph() {
    let (server, graph) = (Server::of_examples(), zlib());
    let answer = server.ask(json!({ "question": "files" }));
    let [zlib, content] = [0, 1].map(|file| answer["files"][file].clone());
    assert_eq!(
        (&zlib["file"], &zlib["name"], &content["name"]),
        (&json!(0), &json!("zlib"), &json!("content"))
    );
    assert_eq!(zlib["nodes"], json!(graph.live_node_count()));
    let ids = [&zlib["id"], &content["id"]].map(|id| id.as_str().unwrap().to_owned());
    assert!(ids[0] != ids[1] && ids.iter().all(|id| id.len() == 8), "{ids:?}");
    assert_eq!(zlib["edges"], json!(graph.edge_count()));
    assert_eq!((&zlib["has_sources"], &content["has_sources"]), (&json!(false), &json!(true)));
    assert_eq!(zlib["views"], json!(["ast", "cfg", "ddg", "pdg", "calls", "dominators"]));
    for label in zlib["labels"].as_array().unwrap() {
        let count = graph.nodes(label["name"].as_str().unwrap()).unwrap().len();
        assert_eq!(label["count"], json!(count), "{label}");
    }
    assert!(zlib["labels"].as_array().unwrap().len() > 20);
}

#[test]
fn a_link_logs_another_page_in_once() {
    let server = Server::of_examples();
    let link = server.ask(json!({ "question": "link" }))["link"].as_str().unwrap().to_owned();
    let code = link.strip_prefix(&format!("http://{}/#code=", server.address)).unwrap();
    let log_in = || server.post("/api/login", &json!({ "code": code }).to_string());
    let (first, second) = (log_in(), log_in());
    assert_eq!((first.status, second.status), (200, 401));
    assert_ne!(first.json()["token"], json!(server.token()));
}

#[test]
fn a_search_finds_all_names_that_contain_the_text_best_first() {
    let (server, graph) = (Server::of_examples(), zlib());
    for text in ["inflate", "CRC32", "_tr", "z_stream", "x"] {
        let answer = server.ask(json!({ "question": "search", "file": 0, "text": text, "limit": 200 }));
        assert_eq!(answer["kind"], json!("name"), "{answer}");
        let lower = text.to_ascii_lowercase();
        let mut expected: Vec<u32> = ["METHOD", "TYPE_DECL", "FILE"]
            .iter()
            .flat_map(|label| containing(&graph, label, "NAME", &lower))
            .collect();
        let rows = answer["rows"].as_array().unwrap();
        let ranks: Vec<usize> = rows
            .iter()
            .map(|row| {
                ["exact", "prefix", "word", "inside"].iter().position(|it| row["match"] == json!(it)).unwrap()
            })
            .collect();
        assert!(ranks.is_sorted(), "{text}: {ranks:?}");
        let found = nodes_of(&answer["rows"]);
        if answer["more"] == json!(false) {
            expected.retain(|node| !found.contains(node));
            assert!(expected.is_empty(), "{text}: {expected:?} are missing");
        } else {
            assert_eq!(found.len(), 200);
        }
    }
    let answer = server.ask(json!({ "question": "search", "file": 0, "text": "inflate" }));
    assert_eq!(answer["rows"][0]["node"], json!(node_at(&graph, "inflate").unwrap()));
    assert_eq!((&answer["rows"][0]["match"], &answer["rows"][0]["file"]), (&json!("exact"), &json!(0)));
}

#[test]
fn a_search_understands_nodes_lines_labels_and_queries() {
    let (server, graph) = (Server::of_examples(), zlib());
    let search = |text: &str| server.ask(json!({ "question": "search", "file": 0, "text": text }));
    for (text, kind, expected) in [
        ("#17", "node", vec![17]),
        ("17", "node", vec![17]),
        ("99999999", "node", vec![]),
        ("inflate.c:500", "line", nodes_at(&graph, "inflate.c:500").unwrap()),
        ("nothing.c:500", "line", vec![]),
        ("NAMESPACE_BLOCK", "label", graph.nodes("NAMESPACE_BLOCK").unwrap().iter().take(20).collect()),
        ("", "name", vec![]),
        ("no such name at all", "name", vec![]),
    ] {
        let answer = search(text);
        assert_eq!((&answer["kind"], nodes_of(&answer["rows"])), (&json!(kind), expected), "{text}");
    }
    let calls = search("CALL:memcpy");
    assert_eq!((&calls["rows"][0]["label"], &calls["more"]), (&json!("CALL"), &json!(true)));
    assert_eq!(search("cpg.method")["hint"], json!("ask"));
    assert_eq!(search("{\"version\"")["hint"], json!("plan"));
    assert_eq!(search("inflate")["hint"], Json::Null);
}

#[test]
fn a_symbol_has_the_callers_and_callees_of_the_engine() {
    let (server, graph) = (Server::of_examples(), zlib());
    let names = graph.texts("NAME").unwrap();
    for name in ["inflate", "deflate", "crc32", "zcalloc"] {
        let method = node_at(&graph, name).unwrap();
        let answer = server.ask(json!({ "question": "symbol", "node": method }));
        assert_eq!(answer["node"]["name"], json!(name));
        let calls = calls_of(&graph, &[method]).unwrap();
        let shown = calls.len().min(200);
        assert_eq!(nodes_of(&answer["callers"]["rows"]), calls[..shown]);
        assert_eq!(answer["callers"]["left_off"], json!(calls.len() - shown));
        let callees = callees_of(&graph, &[method]).unwrap();
        let functions =
            callees.iter().filter(|(node, _)| !names.str(**node).is_some_and(|name| is_operator(&name)));
        let expected: Vec<(u32, u64)> = functions.map(|(node, calls)| (*node, *calls)).collect();
        let rows = answer["callees"]["rows"].as_array().unwrap();
        let found =
            rows.iter().map(|row| (row["node"].as_u64().unwrap() as u32, row["calls"].as_u64().unwrap()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn a_graph_with_sources_shows_the_lines_of_the_file_and_names_lead_to_declarations() {
    let server = Server::of_examples();
    let graph = Graph::open(example("content")).unwrap();
    let method = node_at(&graph, "adler32_z").unwrap();
    let answer = server.ask(json!({ "question": "symbol", "file": 1, "node": method }));
    let source = &answer["source"];
    assert_eq!((&source["kind"], &source["path"]), (&json!("file"), &json!("adler32.c")));
    let (names, lines) = (graph.texts("NAME").unwrap(), graph.numbers("LINE_NUMBER").unwrap());
    assert_eq!(source["first_line"], json!(lines.number(method).unwrap()));
    let sources = Sources::open(&graph).unwrap().unwrap();
    let file = sources.files_named("adler32.c")[0];
    let (first, count) = (source["first_line"].as_u64().unwrap(), source["lines"].as_array().unwrap().len());
    let budget = Budget::of(&Task::new());
    let expected = sources.lines(file, (first, first + count as u64 - 1), &budget).unwrap().lines;
    let expected: Vec<Json> = expected.into_iter().map(|line| json!(line.text)).collect();
    assert_eq!(source["lines"], json!(expected));
    let clickable = answer["names"].as_array().unwrap();
    assert!(clickable.len() > 50, "{}", clickable.len());
    for name in clickable {
        let [line, column, length] =
            ["line", "column", "length"].map(|part| name[part].as_u64().unwrap() as usize);
        let text = source["lines"][line - first as usize].as_str().unwrap();
        let units: Vec<u16> = text.encode_utf16().skip(column).take(length).collect();
        let node = name["node"].as_u64().unwrap() as u32;
        assert_eq!(String::from_utf16(&units).unwrap(), &*names.str(node).unwrap(), "{name}");
    }
    // Other lines of the file, and a node within the METHOD.
    let answer =
        server.ask(json!({ "question": "symbol", "file": 1, "node": method, "first": 1, "last": 3 }));
    assert_eq!(
        (&answer["source"]["first_line"], answer["source"]["lines"].as_array().unwrap().len()),
        (&json!(1), 3)
    );
    assert_eq!(
        (&answer["source"]["has_before"], &answer["source"]["has_after"]),
        (&json!(false), &json!(true))
    );
    let call = graph.nodes("CALL").unwrap().iter().find(|call| *call > method).unwrap();
    let answer = server.ask(json!({ "question": "symbol", "file": 1, "node": call }));
    assert_eq!(answer["method"]["node"], json!(method));
    assert_eq!(answer["source"]["marked"], json!(lines.number(call).unwrap()));
}

#[test]
fn a_file_is_read_to_its_end_part_by_part_and_its_names_lead_somewhere() {
    let server = Server::of_examples();
    let graph = Graph::open(example("content")).unwrap();
    let sources = Sources::open(&graph).unwrap().unwrap();
    let file = sources.files_named("adler32.c")[0];
    let all = sources.lines(file, (1, u64::MAX), &Budget::of(&Task::new())).unwrap().lines.len() as u64;
    let ask = |first: u64, last: u64| {
        server.ask(json!({ "question": "symbol", "file": 1, "node": file, "first": first, "last": last }))
    };
    let (mut first, mut names) = (1, 0);
    loop {
        let answer = ask(first, first + 49);
        let source = &answer["source"];
        let lines = source["lines"].as_array().unwrap().len() as u64;
        assert_eq!(source["has_before"], json!(first > 1));
        names += answer["names"].as_array().unwrap().len();
        first += lines;
        if source["has_after"] == json!(false) {
            break;
        }
    }
    assert_eq!(first, all + 1);
    assert!(names > 100, "{names}");
    // The last line alone, and a range that ends exactly there.
    assert_eq!(ask(all, all)["source"]["has_after"], json!(false));
    assert_eq!(ask(1, all - 1)["source"]["has_after"], json!(true));
}

#[test]
fn a_graph_without_sources_shows_code() {
    let (server, graph) = (Server::of_examples(), zlib());
    let method = node_at(&graph, "inflate").unwrap();
    let answer = server.ask(json!({ "question": "symbol", "node": method }));
    let code = graph.texts("CODE").unwrap();
    let expected: Vec<String> = code.str(method).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(answer["source"]["kind"], json!("code"));
    assert_eq!(answer["source"]["lines"], json!(expected));
}

#[test]
fn a_drawing_has_the_nodes_and_edges_of_the_part() {
    let (server, graph) = (Server::of_examples(), zlib());
    let method = node_at(&graph, "compress2").unwrap();
    let budget = Budget::of(&Task::new());
    for (view, kind) in
        [("ast", PartKind::Ast), ("cfg", PartKind::Cfg), ("ddg", PartKind::Ddg), ("calls", PartKind::Calls)]
    {
        let answer = server
            .ask(json!({ "question": "drawing", "node": method, "view": view, "limit": 60, "svg": true }));
        let limits = PartLimits { nodes: 60, budget: &budget, cancel: &Cancel::default() };
        let part = Part::of(&graph, kind, &[method], limits).unwrap();
        assert_eq!(nodes_of(&answer["nodes"]), part.nodes, "{view}");
        assert_eq!(answer["edges"].as_array().unwrap().len(), part.edges.len(), "{view}");
        assert_eq!(answer["left_off"], json!(part.cut), "{view}");
        let mut svg = Vec::new();
        Drawing::of(&graph, &part, "compress2").unwrap().write_svg("", &mut svg).unwrap();
        assert_eq!(answer["svg"], json!(String::from_utf8(svg).unwrap()), "{view}");
        for edge in answer["edges"].as_array().unwrap() {
            assert!(edge["points"].as_array().unwrap().len() >= 2, "{edge}");
        }
    }
}

#[test]
fn a_drawing_grows_by_the_neighbours_of_its_nodes_within_its_limit() {
    let (server, graph) = (Server::of_examples(), zlib());
    let method = node_at(&graph, "compress2").unwrap();
    for view in ["calls", "cfg"] {
        let draw = |limit: usize, grown: &[u32]| {
            server.ask(json!({ "question": "drawing", "node": method, "view": view, "limit": limit,
                "grown": grown }))
        };
        let first = draw(if view == "calls" { 500 } else { 10 }, &[]);
        let count = nodes_of(&first["nodes"]).len();
        let stub = first["nodes"].as_array().unwrap().iter().find(|node| node["more"] != json!(0)).unwrap();
        let (node, more) = (stub["node"].as_u64().unwrap() as u32, stub["more"].as_u64().unwrap() as usize);
        if view == "calls" {
            let grown = draw(500, &[node]);
            assert_eq!(nodes_of(&grown["nodes"]).len(), count + more, "{view}");
            let grown = grown["nodes"].as_array().unwrap();
            let stub = grown.iter().find(|it| it["node"] == json!(node)).unwrap();
            assert_eq!(stub["more"], json!(0), "{view}");
        }
        assert_eq!(nodes_of(&draw(count, &[node])["nodes"]).len(), count, "{view}");
    }
    let unknown = json!({ "question": "drawing", "node": method, "view": "cfg", "grown": [99_999_999] });
    assert_eq!(server.fault(unknown).0, 404);
}

#[test]
fn paths_are_those_of_the_engine() {
    let (server, graph) = (Server::of_examples(), zlib());
    let answer = server.ask(json!({ "question": "paths", "from": "compress", "to": "memcpy", "limit": 3 }));
    let ends = [node_at(&graph, "compress").unwrap(), node_at(&graph, "memcpy").unwrap()];
    let edges = path_edges(&graph, &["CALL".to_owned()], &[Direction::Out]).unwrap();
    let options = PathOptions { task: Task::new(), length_max: u32::MAX };
    let found = ShortestPaths::find(&edges, &[ends[0]], &[ends[1]], &options).unwrap();
    assert_eq!(answer["length"], json!(found.length()));
    let expected: Vec<Vec<u32>> =
        found.take(3).map(|path| path.unwrap().iter().map(|step| step.node).collect()).collect();
    let paths = answer["paths"].as_array().unwrap();
    assert_eq!(paths.iter().map(|path| nodes_of(&path["rows"])).collect::<Vec<_>>(), expected);
    assert_eq!(paths[0]["rows"][1]["edge"], json!("CONTAINS"));
    assert!(paths.iter().all(|path| path["left_off"] == json!(0)), "{answer}");
    let all = ShortestPaths::find(&edges, &[ends[0]], &[ends[1]], &options).unwrap().count();
    for limit in [1, 2, all, all + 1].into_iter().filter(|limit| *limit <= 100) {
        let answer =
            server.ask(json!({ "question": "paths", "from": "compress", "to": "memcpy", "limit": limit }));
        assert_eq!(answer["more"], json!(all > limit), "{limit} of {all}");
    }
    let none = server.ask(json!({ "question": "paths", "from": ends[1], "to": ends[0] }));
    assert_eq!((&none["paths"], &none["length"]), (&json!([]), &Json::Null));
    let back = server.ask(json!({ "question": "paths", "from": ends[1], "to": ends[0], "direction": "in" }));
    assert_eq!(back["length"], answer["length"]);
}

#[test]
fn a_path_that_is_too_long_to_show_says_how_many_steps_are_left_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.varvite");
    std::fs::copy(example("content"), &path).unwrap();
    let graph = Graph::open(&path).unwrap();
    let (mut diff, nodes) = (varvite::change::Diff::new(), 12_000);
    let chain: Vec<_> = (0..nodes).map(|_| diff.add_node(&["CALL"])).collect();
    for pair in chain.windows(2) {
        diff.add_edge("CFG", pair[0], pair[1]);
    }
    let first = graph.node_count();
    drop(graph);
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply(&diff).unwrap();
    let server = Server::start(vec![file("long", &path)], Limits::default());
    let answer = server.ask(json!({ "question": "paths", "from": first, "to": first + nodes - 1,
        "along": ["CFG"] }));
    assert_eq!(answer["length"], json!(nodes - 1));
    let path = &answer["paths"][0];
    assert_eq!((path["rows"].as_array().unwrap().len(), &path["left_off"]), (10_000, &json!(2_000)));
}

#[test]
fn queries_and_plans_answer_as_the_engine_does() {
    let (server, graph) = (Server::of_examples(), zlib());
    let ask = |text: &str| server.ask(json!({ "question": "ask", "text": text }));
    assert_eq!(ask("cpg.method.size"), json!({ "value": 425 }));
    assert_eq!(ask("cpg.method.name(\"inflate\").nonEmpty"), json!({ "value": true }));
    let pairs = ask("cpg.method(\"crc32\").map(m => (m.name, m.lineNumber)).l");
    let line = graph.numbers("LINE_NUMBER").unwrap().number(node_at(&graph, "crc32").unwrap()).unwrap();
    assert!(pairs["rows"].as_array().unwrap().contains(&json!(["crc32", line])), "{pairs}");
    let calls = ask("cpg.call(\"memcpy\").l");
    let plan: Pipeline = nodes("CALL").has("NAME", varvite::pipeline::eq("memcpy"));
    let mut run = plan.compile(&graph).unwrap().run(Options::default());
    let mut expected = Vec::new();
    while let Some(rows) = run.next().unwrap() {
        expected.extend_from_slice(rows.nodes().unwrap());
    }
    let first = |answer: &Json| {
        nodes_of(&answer["rows"].as_array().unwrap().iter().map(|row| row[0].clone()).collect())
    };
    assert_eq!(first(&calls), expected);
    let json: Json = serde_json::from_str(&plan.to_json()).unwrap();
    assert_eq!(server.ask(json!({ "question": "plan", "plan": json })), calls);
    let part = server.ask(json!({ "question": "plan", "plan": json, "offset": 2, "limit": 3 }));
    assert_eq!((first(&part), &part["more"]), (expected[2..5].to_vec(), &json!(true)));
    let (status, error) = server.fault(json!({ "question": "ask", "text": "cpg.mehod.l" }));
    assert_eq!((status, &error["code"], &error["column"]), (400, &json!("bad_text"), &json!(5)), "{error}");
    assert!(error["pointed"].as_str().unwrap().ends_with("^^^^^"), "{error}");
}

#[test]
fn programs_name_the_file_and_the_question() {
    let server = Server::of_examples();
    let code = server.ask(json!({ "question": "code", "text": "cpg.method.name(\"mem.*\").l" }));
    let path = example("zlib").to_str().unwrap().to_owned();
    assert_eq!(code["command"], json!(format!("varvite ask {path} 'cpg.method.name(\"mem.*\").l'")));
    for language in ["rust", "java", "python"] {
        assert!(code[language].as_str().unwrap().contains(&path), "{code}");
    }
}

#[test]
fn only_rows_have_programs_that_run_a_plan() {
    let server = Server::of_examples();
    let code = |text: &str| server.ask(json!({ "question": "code", "text": text }));
    for text in [
        "cpg.method.name.l.size + 1",
        "(cpg.method.size, cpg.call.size)",
        "cpg.method.size",
        "cpg.method.nonEmpty",
    ] {
        let code = code(text);
        assert_eq!((&code["rust"], &code["java"]), (&Json::Null, &Json::Null), "{text}");
        assert!(code["command"].is_string() && code["python"].is_string(), "{text}");
    }
    assert!(code("cpg.method.name.l")["java"].as_str().unwrap().contains("run.text(column, row)"));
}

#[test]
fn paths_drawings_and_runs_have_a_command() {
    let server = Server::of_examples();
    let [zlib, content] = ["zlib", "content"].map(|name| example(name).to_str().unwrap().to_owned());
    for (part, expected) in [
        (
            json!({ "path": { "from": "main", "to": "it's", "along": ["CALL", "AST"], "direction": "both", "limit": 20 } }),
            format!("path {zlib} main 'it'\\''s' --along CALL,AST --direction both --limit 20"),
        ),
        (
            json!({ "path": { "from": "1", "to": "2", "flow": true } }),
            format!("path {zlib} 1 2 --along REACHING_DEF"),
        ),
        // The page follows the labels that it names, whatever the flow, and so does the command.
        (
            json!({ "path": { "from": "1", "to": "2", "along": ["CALL"], "flow": true } }),
            format!("path {zlib} 1 2 --along CALL"),
        ),
        (json!({ "path": { "from": "1", "to": "2" } }), format!("path {zlib} 1 2 --along CALL")),
        (json!({ "path": { "from": "1", "to": "2", "along": [] } }), format!("path {zlib} 1 2")),
        (
            json!({ "drawing": { "node": 17, "view": "cfg", "limit": 200 } }),
            format!("draw {zlib} 17 --view cfg --limit 200"),
        ),
        (
            json!({ "run": { "show": "flame", "layer": "cpu/a b", "measure": "samples" } }),
            format!("heap flame {zlib} --name 'cpu/a b' --sort samples"),
        ),
        (
            json!({ "run": { "show": "timeline", "layer": "heap" } }),
            format!("heap timeline {zlib} --name heap"),
        ),
        (
            json!({ "run": { "show": "compare", "layer": "heap", "second": "heap/b", "second_file": 1 } }),
            format!("heap diff {zlib} {content} --name heap --to heap/b"),
        ),
    ] {
        let mut question = part.clone();
        question["question"] = json!("code");
        assert_eq!(server.ask(question), json!({ "command": format!("varvite {expected}") }), "{part}");
    }
    let both = json!({ "question": "code", "node": 1, "text": "cpg.method.l" });
    assert_eq!(server.fault(both).0, 400);
}

#[test]
fn hostile_names_are_data_in_every_answer() {
    let evil = "</script><img src=x onerror=alert(1)>\u{202e}{{7*7}}\u{1b}[2J\n\u{0}\u{2028}'\"";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evil.varvite");
    std::fs::copy(example("content"), &path).unwrap();
    let diff = json!({ "add_node": { "name": "evil", "labels": ["METHOD"], "properties": {
        "NAME": evil, "FULL_NAME": evil, "CODE": evil, "FILENAME": "adler32.c", "LINE_NUMBER": 1 } } });
    let diff = DiffText::read(format!("{diff}\n").as_bytes()).unwrap().diff;
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply(&diff).unwrap();
    let server = Server::start(vec![file("evil", &path)], Limits::default());
    let found = server.ask(json!({ "question": "search", "text": "onerror" }));
    let name = found["rows"][0]["name"].as_str().unwrap();
    assert_eq!(format!("{}…", evil.lines().next().unwrap()), name);
    let node = &found["rows"][0]["node"];
    let symbol = server.ask(json!({ "question": "symbol", "node": node }));
    let value =
        symbol["properties"].as_array().unwrap().iter().find(|it| it["name"] == json!("NAME")).unwrap();
    assert_eq!(value["value"], json!(evil));
    let drawing = server.ask(json!({ "question": "drawing", "node": node, "view": "ast", "svg": true }));
    let svg = drawing["svg"].as_str().unwrap();
    assert!(!svg.contains("<img") && !svg.contains(['\u{202e}', '\u{1b}', '\u{2028}']), "{svg}");
    let rows = server.ask(json!({ "question": "ask", "text": "cpg.method.name(\".*onerror.*\").name.l" }));
    assert_eq!(rows["rows"], json!([[evil]]));
    // The type of each answer keeps a browser from reading it as anything but JSON.
    let response = server.post("/api/query", &json!({ "question": "search", "text": "onerror" }).to_string());
    assert_eq!(response.header("content-type"), Some("application/json"));
}
