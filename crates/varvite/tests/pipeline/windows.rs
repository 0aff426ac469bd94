//! Searches that are long enough for several windows and threads.

use varvite::pipeline::{Options, Pipeline, contains, eq, gt, nodes, prefix, regex};
use varvite::{Graph, Profile};
use varvite_model::RandomGraph;

use crate::draft::{Draft, DraftLabel, DraftProperty, DraftValues};

const NODES: u32 = 1_000_000;
const TEXTS: u32 = 70_000;

/// One is empty, and some have a line break.
fn text(code: u32) -> String {
    let line_break = if code.is_multiple_of(13) && code % 10 != 3 { "\n" } else { "" };
    match code {
        0 => String::new(),
        _ => format!("{code}:{line_break}{}", "xy".repeat(code as usize % 5)),
    }
}

/// Which text and number a node has.
fn code(node: u32) -> u32 {
    node.wrapping_mul(2_654_435_761) % TEXTS
}

fn has_property(node: u32) -> bool {
    !node.is_multiple_of(5)
}

fn is_method(node: u32) -> bool {
    node.is_multiple_of(3)
}

/// Two labels, a text and a number: no edges.
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
        let mut run = plan.run(Options { threads, ..Options::default() });
        let mut found = Vec::new();
        while let Some(rows) = run.next().unwrap() {
            found.extend_from_slice(rows.nodes().unwrap());
        }
        assert!(found == expected, "{} on {threads} threads", pipeline.to_json());
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
        // Words are looked for first: in any case of their letters, of several lengths, and across line breaks.
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
