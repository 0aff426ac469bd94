//! Tests searches that are long enough for several windows (ranges of ids that a scan searches at a time) and
//! several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite::Cancel;
use varvite::pipeline::{
    ALL, Key, Options, Pipeline, Summary, contains, eq, gt, ids, inside, it, lt, nodes, one_of, prefix, regex,
};
use varvite::{Graph, Profile, Task};
use varvite_model::RandomGraph;
use varvite_testing::draft::{Draft, DraftLabel, DraftProperty, DraftValues};

use super::rows_with;

const NODES: u32 = 1_000_000;
const TEXTS: u32 = 70_000;

/// The text of a code. One text is empty, and some contain a line break.
fn text(code: u32) -> String {
    let line_break = if code.is_multiple_of(13) && code % 10 != 3 { "\n" } else { "" };
    match code {
        0 => String::new(),
        _ => format!("{code}:{line_break}{}", "xy".repeat(code as usize % 5)),
    }
}

/// The code of a node, from which its text and its number are computed.
fn code(node: u32) -> u32 {
    node.wrapping_mul(2_654_435_761) % TEXTS
}

fn has_property(node: u32) -> bool {
    !node.is_multiple_of(5)
}

fn is_method(node: u32) -> bool {
    node.is_multiple_of(3)
}

/// A graph without edges. Each node has one of two labels, a text and a number.
fn graph(profile: Profile) -> Graph {
    let small = RandomGraph { nodes: 20, edges: 10, ..RandomGraph::new(3) };
    let mut draft = Draft::of(&small.build().in_canonical_order());
    let owners: Vec<u32> = (0..NODES).filter(|node| has_property(*node)).collect();
    let ends = (0..NODES).scan(0, |end, node| {
        *end += u32::from(has_property(node));
        Some(*end)
    });
    let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
    let spec = |name: &str| {
        draft.properties.iter().find(|property| property.spec.name == name).unwrap().spec.clone()
    };
    let texts = (0..TEXTS).map(|code| text(code).into_bytes()).collect();
    let codes = owners.iter().map(|node| code(*node)).collect();
    let numbers = owners.iter().map(|node| i64::from(code(*node))).collect();
    let properties = vec![
        DraftProperty {
            spec: spec("NAME"),
            offsets: offsets.clone(),
            values: DraftValues::Texts { texts, codes, sorted: false },
        },
        DraftProperty { spec: spec("ORDER"), offsets, values: DraftValues::Numbers(numbers) },
    ];
    let label = |name: &str, is_in: &dyn Fn(u32) -> bool| {
        let nodes: Vec<u32> = (0..NODES).filter(|node| is_in(*node)).collect();
        DraftLabel { name: name.to_owned(), origin_count: nodes.len() as u32, nodes, origin: None }
    };
    draft.labels = vec![label("CALL", &|node| !is_method(node)), label("METHOD", &is_method)];
    draft.codes = (0..NODES).map(|node| u32::from(is_method(node))).collect();
    draft.masks = vec![1, 2];
    (draft.nodes, draft.subtree, draft.properties) = (NODES, None, properties);
    draft.edges = Vec::new();
    draft.parents = vec![u32::MAX; NODES as usize];
    draft.open(profile)
}

fn check(graph: &Graph, pipeline: &Pipeline, expected: impl Fn(u32) -> bool) {
    let expected: Vec<u32> = (0..NODES).filter(|node| has_property(*node) && expected(*node)).collect();
    assert!(!expected.is_empty());
    for threads in [1, 3] {
        let plan = pipeline.compile(graph).unwrap();
        let mut run = plan.run(Task::new().threads(threads));
        let mut found = Vec::new();
        while let Some(rows) = run.next().unwrap() {
            found.extend_from_slice(rows.nodes().unwrap());
        }
        assert!(found == expected, "{} on {threads} threads", pipeline.to_json());
    }
}

#[test]
fn answers_of_ranges_that_threads_share_are_those_of_one_thread() {
    for profile in Profile::ALL {
        let graph = graph(profile);
        let alone = |pipeline: &Pipeline| rows_with(&graph, pipeline, Options::from(Task::new().threads(1)));
        let owners = || (0..NODES).filter(|node| has_property(*node));
        let sum: i64 = owners().map(|node| i64::from(code(node))).sum();
        assert_eq!(alone(&nodes(ALL).values("ORDER").sum()), [sum.to_string()]);
        let calls = owners().filter(|node| !is_method(*node) && code(*node) > 500).count();
        assert_eq!(alone(&nodes("CALL").has("ORDER", gt(500)).count()), [calls.to_string()]);
        let pipelines = [
            nodes(ALL).values("ORDER").sum(),
            nodes(ALL).values("ORDER").min(),
            nodes("METHOD").values("ORDER").max(),
            nodes(ALL).values("ORDER").mean(),
            nodes(ALL).count(),
            nodes(ALL).group_count(Key::Label),
            nodes(ALL).group_count("NAME"),
            nodes("CALL").group_count("ORDER").order_by(Key::column("count")).limit(7),
            nodes("CALL").has("ORDER", gt(500)).count(),
            nodes(["CALL", "METHOD"])
                .has("NAME", contains("xy"))
                .has("ORDER", lt(900))
                .group_count("NAME")
                .limit(9),
            nodes(ALL).where_(it().has("ORDER", gt(69_990))).values("NAME").group_count(Key::Itself),
        ];
        for pipeline in &pipelines {
            let expected = alone(pipeline);
            assert!(!expected.is_empty(), "{}", pipeline.to_json());
            for (threads, batch_rows) in [(2, 2048), (3, 7)] {
                let options =
                    Options { task: Task::new().threads(threads), batch_rows, ..Options::default() };
                let found = rows_with(&graph, pipeline, options);
                assert!(found == expected, "{threads} threads: {}", pipeline.to_json());
            }
        }
    }
}

/// A function that appends the steps of a question to a start.
type Question = fn(Pipeline) -> Pipeline;

/// A pipeline tests a list of ids row by row, but the nodes of a scan 64 at a time. Tests that both give the
/// same nodes.
#[test]
fn nodes_that_are_asked_as_bits_are_those_that_are_asked_one_by_one() {
    let questions: [(&[&str], Question); 14] = [
        (&["CALL"], |start| start.has("ORDER", gt(500)).count()),
        (&["CALL"], |start| start.has("ORDER", eq(500)).values("ORDER").sum()),
        (&["CALL", "METHOD"], |start| start.has_not("ORDER", inside(100, 60_000)).values("ORDER").mean()),
        (&["METHOD"], |start| start.has("ORDER", lt(30)).has("NAME", contains("y")).values("ORDER").max()),
        (&["METHOD"], |start| start.has("ORDER", lt(30)).values("NAME").group_count(Key::Itself)),
        (&["CALL"], |start| start.or([it().has_label("METHOD"), it().has("ORDER", lt(9))]).count()),
        (&["CALL"], |start| start.has_any("ORDER").has_id(0..99).group_count(Key::Label)),
        (&["METHOD"], |start| start.has("NAME", one_of(["7:xyxy", "501:xy"])).group_count("NAME")),
        (&["CALL"], |start| start.has("NAME", contains(":\n")).has_not("ORDER", gt(99)).group_count("ORDER")),
        (&["CALL"], |start| start.order_by("ORDER").limit(5000)),
        (&["CALL"], |start| start.order_by_descending("ORDER").limit(20).values("ORDER")),
        (&["METHOD"], |start| start.has_not("ORDER", gt(3)).order_by_descending("ORDER").limit(60_000)),
        (&["CALL"], |start| {
            let columns = [Summary::Count, Summary::sum("ORDER"), Summary::mean("ORDER")];
            start.has_not("NAME", contains("xyxyxy")).summarize(Key::Label, columns)
        }),
        (&["METHOD"], |start| {
            start.has_not("ORDER", gt(999)).summarize("NAME", [Summary::max("ORDER"), Summary::min("ORDER")])
        }),
    ];
    for profile in Profile::ALL {
        let graph = graph(profile);
        for (labels, question) in &questions {
            let (scan, list) = (nodes(*labels), ids(0..NODES).has_label(*labels));
            let rows = |start, threads| {
                rows_with(&graph, &question(start), Options::from(Task::new().threads(threads)))
            };
            let expected = rows(list, 1);
            assert!(!expected.is_empty());
            for threads in [1, 3] {
                let found = rows(scan.clone(), threads);
                assert!(found == expected, "{threads} threads: {}", question(scan).to_json());
            }
        }
    }
}

#[test]
fn an_answer_that_has_room_once_needs_no_room_for_each_thread() {
    let graph = graph(Profile::Direct);
    // The inner pipeline takes so long for each node that other threads join the run.
    let names =
        nodes(ALL).where_(it().values("ORDER").limit(1)).values("NAME").group_count(Key::Itself).count();
    let plan = names.compile(&graph).unwrap();
    let with = |threads, memory_bytes| {
        let mut run = plan.run(Task::new().threads(threads).memory(memory_bytes));
        let is_answered = run.next().is_ok();
        (is_answered, run.memory_bytes())
    };
    let (_, alone) = with(1, usize::MAX);
    // On a busy machine the other threads may not run at all.
    assert!((0..50).any(|_| with(8, usize::MAX).1 > alone), "each thread has an answer of its own");
    (0..10).for_each(|_| assert!(with(8, alone).0, "one answer has room"));
    assert!(!with(8, alone / 2).0, "none has");
}

#[test]
fn a_column_that_is_folded_as_it_is_stored_looks_at_the_flag() {
    let graph = graph(Profile::Compact);
    for pipeline in [nodes(ALL).values("ORDER").sum(), nodes(ALL).group_count(Key::Label)] {
        let looks = Arc::new(AtomicUsize::new(0));
        let seen = looks.clone();
        let cancel = Cancel::when(move || {
            seen.fetch_add(1, Ordering::Relaxed);
            false
        });
        rows_with(&graph, &pipeline, Options::from(Task::new().cancel(&cancel).threads(1)));
        assert!(looks.load(Ordering::Relaxed) > NODES as usize / 100_000, "{}", pipeline.to_json());
    }
}

#[test]
fn windows_that_threads_share_give_what_a_loop_gives() {
    for profile in Profile::ALL {
        let graph = graph(profile);
        let has = |node: u32, is: &dyn Fn(&str) -> bool| is(&text(code(node)));
        let method = || nodes("METHOD");
        check(&graph, &method().has("NAME", contains("7:xyx")), |node| {
            is_method(node) && has(node, &|text| text.contains("7:xyx"))
        });
        check(&graph, &nodes(["CALL", "METHOD"]).has("NAME", contains("yx")), |node| {
            has(node, &|text| text.contains("yx"))
        });
        check(&graph, &method().has("NAME", regex("[0-9]*3:(xy)*")), |node| {
            is_method(node) && code(node) % 10 == 3
        });
        // The engine first searches for words of the expression. In this expression, the words have
        // upper-case or lower-case letters, differ in length, and contain line breaks.
        check(&graph, &method().has("NAME", regex("(?i).*(7:XYXY|18:\nxyx|9:).*")), |node| {
            is_method(node)
                && has(node, &|text| ["7:xyxy", "18:\nxyx", "9:"].iter().any(|word| text.contains(word)))
        });
        check(&graph, &method().has("NAME", regex(".*4:\n(xy){2,}")), |node| {
            is_method(node) && has(node, &|text| text.contains("4:\nxyxy"))
        });
        check(&graph, &method().has("NAME", regex("(?:1000:.*)?")), |node| {
            is_method(node) && [0, 1000].contains(&code(node))
        });
        check(&graph, &method().has("NAME", prefix("69")), |node| {
            is_method(node) && has(node, &|text| text.starts_with("69"))
        });
        check(&graph, &method().has("NAME", eq("77:xyxy")), |node| is_method(node) && code(node) == 77);
        check(&graph, &method().has("ORDER", gt(60_000)), |node| is_method(node) && code(node) > 60_000);
        check(&graph, &nodes("CALL").has("ORDER", gt(60_000)).has("NAME", contains("xy")), |node| {
            !is_method(node) && code(node) > 60_000 && !code(node).is_multiple_of(5)
        });
    }
}
