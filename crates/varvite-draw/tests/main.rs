//! Tests of drawings: random shapes with hostile texts, read back by a reader of XML.
#![allow(clippy::unwrap_used)] // Everything here is a test.

use proptest::collection::vec;
use proptest::prelude::*;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use varvite_draw::{Drawing, DrawnEdge, DrawnNode};

/// Texts that would leave their place if a format did not escape them.
const HOSTILE: [&str; 9] = [
    "</text><script>alert(1)</script>",
    "\" onload=\"alert(1)",
    "]]><!--",
    "javascript:alert(1)",
    "//host/x",
    "\u{202e}txt\u{1b}[31m\u{0}",
    "\"] --> n0; click n0 \"javascript:alert(1)\"",
    "\\N\\\"",
    "&lt;#35;",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![proptest::sample::select(&HOSTILE[..]).prop_map(str::to_owned), ".{0,60}"]
}

fn node() -> impl Strategy<Value = DrawnNode> {
    let parts = ("[A-Z_]{1,12}", text(), proptest::option::of(text()), proptest::option::of(any::<i64>()));
    parts.prop_map(|(label, text, file, line)| DrawnNode { id: 0, label, text, file, line })
}

/// Drawings with loops, parallel edges, cycles and several components.
fn drawing() -> impl Strategy<Value = Drawing> {
    (text(), vec(node(), 0..30)).prop_flat_map(|(title, nodes)| {
        let count = nodes.len();
        let edge = (0..count.max(1), 0..count.max(1), "[A-C]", 1_u64..3, vec(text(), 0..3)).prop_map(
            |(source, target, label, count, variables)| DrawnEdge { source, target, label, count, variables },
        );
        let edges = if count == 0 { vec(edge, 0..1).boxed() } else { vec(edge, 0..60).boxed() };
        (Just(title), Just(nodes), edges, 0_usize..2).prop_map(move |(title, nodes, edges, cut)| {
            let numbered = |(id, node): (usize, DrawnNode)| DrawnNode { id: id as u32, ..node };
            let edges = if count == 0 { Vec::new() } else { edges };
            Drawing { title, nodes: nodes.into_iter().enumerate().map(numbered).collect(), edges, cut }
        })
    })
}

fn svg(drawing: &Drawing) -> String {
    let mut text = Vec::new();
    drawing.write_svg("", &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The parts of a drawing that a reader of XML finds.
#[derive(Debug, Default)]
struct Found {
    boxes: usize,
    arrows: usize,
    /// The values of all attributes `href`.
    links: Vec<String>,
}

impl Found {
    /// Reads a drawing to its end. Fails on XML that is not well-formed, and on elements and attributes that
    /// no drawing has.
    fn read(svg: &str) -> Self {
        let (mut reader, mut found, mut depth) = (Reader::from_str(svg), Self::default(), 0_usize);
        reader.config_mut().check_comments = true;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) => {
                    found.add(&element);
                    depth += 1;
                }
                Event::Empty(element) => found.add(&element),
                Event::End(_) => depth -= 1,
                Event::Text(_) | Event::GeneralRef(_) => {}
                Event::Eof => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(depth, 0);
        found
    }

    fn add(&mut self, element: &BytesStart<'_>) {
        const ELEMENTS: [&str; 11] =
            ["svg", "title", "style", "defs", "marker", "path", "rect", "text", "g", "a", "tspan"];
        let name = element.name().as_ref().to_owned();
        assert!(ELEMENTS.contains(&&*name), "{name}");
        for attribute in element.attributes() {
            let attribute = attribute.unwrap();
            let key = attribute.key.as_ref().to_owned();
            assert!(!key.starts_with("on"), "{key}");
            let value = attribute.value.into_owned();
            match (&*name, &*key, &*value) {
                ("rect", "class", "box") => self.boxes += 1,
                ("path", "class", "edge") => self.arrows += 1,
                ("a", "href", _) => self.links.push(value),
                _ => {}
            }
        }
    }
}

proptest! {
    #[test]
    fn every_drawing_is_svg_with_all_nodes_and_edges_and_nothing_foreign(drawing in drawing()) {
        let svg = svg(&drawing);
        let found = Found::read(&svg);
        prop_assert_eq!(found.boxes, drawing.nodes.len());
        prop_assert_eq!(found.arrows, drawing.edges.len());
        for link in found.links {
            prop_assert!(!link.contains(':') && !link.starts_with("//"), "{}", link);
        }
        prop_assert!(!svg.contains(['\u{202e}', '\u{1b}']), "invisible characters");
    }

    #[test]
    fn a_drawing_is_the_same_each_time(drawing in drawing()) {
        prop_assert_eq!(svg(&drawing), svg(&drawing));
    }

    #[test]
    fn a_flowchart_has_one_line_for_each_node_and_edge(drawing in drawing()) {
        let mut text = Vec::new();
        drawing.write_mermaid(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        prop_assert_eq!(lines.len(), 4 + drawing.nodes.len() + drawing.edges.len());
        for line in &lines[4..] {
            // Quotes stand only around texts, so no text ends its quotes.
            prop_assert!([0, 2].contains(&line.matches('"').count()), "{}", line);
            prop_assert!(!line.contains(';') || line.contains('#'), "{}", line);
        }
    }
}
