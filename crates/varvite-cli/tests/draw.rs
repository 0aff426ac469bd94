//! Tests of `varvite draw`.

use std::fs;

use crate::command::{Folder, varvite, zlib};

fn draw(node: &str, more: &[&str]) -> String {
    varvite(&[&["draw", zlib(), node], more].concat()).text()
}

#[test]
fn a_drawing_has_each_node_of_the_part_once() {
    for view in ["ast", "cfg", "ddg", "pdg", "dominators", "calls"] {
        let (svg, dot) =
            (draw("deflateEnd", &["--view", view]), draw("deflateEnd", &["--view", view, "--format", "dot"]));
        let nodes = dot.lines().filter(|line| line.contains("[label=") && !line.contains(" -> ")).count();
        let edges = dot.lines().filter(|line| line.contains(" -> ")).count();
        assert!(nodes > 2 && edges > 2, "{view}: {nodes}, {edges}");
        assert_eq!(svg.matches("<rect class=\"box\"").count(), nodes, "{view}");
        assert_eq!(svg.matches("<path class=\"edge\"").count(), edges, "{view}");
        let chart = draw("deflateEnd", &["--view", view, "--format", "mermaid"]);
        assert_eq!(chart.lines().count(), 4 + nodes + edges, "{view}");
    }
}

#[test]
fn a_drawing_in_dot_is_the_same_as_by_export() {
    let folder = Folder::new();
    let exported = folder.path("inflate.dot");
    for view in ["cfg", "ddg"] {
        let words = ["export", zlib(), "--format", "dot", "--part", view, "--of", "inflateEnd", "--force"];
        varvite(&[&words[..], &["-o", &exported]].concat()).text();
        let drawn = draw("inflateEnd", &["--view", view, "--format", "dot"]);
        assert_eq!(fs::read_to_string(&exported).unwrap(), drawn);
    }
}

#[test]
fn data_dependences_have_the_names_of_their_variables() {
    // deflateEnd reads strm->state into status and into the calls of ZFREE.
    let dot = draw("deflateEnd", &["--view", "ddg", "--format", "dot"]);
    assert!(dot.lines().any(|line| line.contains(" -> ") && line.contains("[label=\"status\"]")), "{dot}");
}

#[test]
fn locations_link_to_the_lines_of_the_source() {
    let svg = draw("deflateEnd", &["--view", "cfg"]);
    assert!(svg.contains("<a href=\"deflate.c#L"), "{svg}");
    let links = ["--view", "cfg", "--links", "https://example.org/zlib/"];
    assert!(draw("deflateEnd", &links).contains("<a href=\"https://example.org/zlib/deflate.c#L"));
}

#[test]
fn the_end_of_the_name_chooses_the_format() {
    let folder = Folder::new();
    for (name, begin) in [("a.svg", "<svg "), ("a.mmd", "---\n"), ("a.dot", "digraph "), ("a.gv", "digraph ")]
    {
        let path = folder.path(name);
        varvite(&["draw", zlib(), "deflateEnd", "--view", "cfg", "-o", &path]).text();
        assert!(fs::read_to_string(&path).unwrap().starts_with(begin), "{name}");
        varvite(&["draw", zlib(), "deflateEnd", "--view", "cfg", "-o", &path])
            .fails(3, &["exists", "--force"]);
    }
    let other = folder.path("a.png");
    varvite(&["draw", zlib(), "deflateEnd", "--view", "cfg", "-o", &other]).fails(2, &["a.png", "--format"]);
}

#[test]
fn a_large_part_is_cut_and_the_drawing_says_so() {
    let answer = varvite(&["draw", zlib(), "inflate", "--view", "cfg", "--limit", "40"]);
    assert!(answer.errors().contains("more nodes not drawn; raise --limit"), "{}", answer.errors());
    let svg = answer.output();
    assert_eq!(svg.matches("<rect class=\"box\"").count(), 40);
    assert!(svg.contains(" more)"), "the title says how many are missing");
}

#[test]
fn a_part_with_too_many_edges_has_fewer_nodes_unless_a_limit_was_given() {
    for view in ["ddg", "pdg"] {
        let answer = varvite(&["draw", zlib(), "inflate", "--view", view]);
        let errors = answer.errors();
        assert!(errors.contains("500 nodes have too many edges to place: at most 200 are drawn"), "{errors}");
        assert!(errors.contains("more nodes not drawn; raise --limit"), "{errors}");
        let text = answer.text_beside_complaints();
        let boxes = text.matches("class=\"box\"").count();
        assert!([200, 60, 20].contains(&boxes), "{view}: {boxes}");
        assert!(text.contains(" more)"), "the title has the number of the others");
        let words = ["draw", zlib(), "inflate", "--view", view, "--limit", "500"];
        varvite(&words).fails(2, &["too dense to place"]);
    }
    // Formats without places have all nodes.
    let words = ["draw", zlib(), "inflate", "--view", "ddg", "--format", "dot"];
    let dot = varvite(&words).text_beside_complaints();
    let is_node =
        |line: &&str| line.split_whitespace().nth(1).is_some_and(|word| word.starts_with("[label="));
    assert_eq!(dot.lines().filter(is_node).count(), 500);
}

#[test]
fn wrong_words_are_answered_in_one_line() {
    varvite(&["draw", zlib(), "deflateEnt", "--view", "cfg"]).fails(4, &["deflateEnt", "deflateEnd"]);
    varvite(&["draw", zlib(), "deflateEnd", "--view", "cgf"]).fails(2, &["cgf"]);
    varvite(&["draw", zlib(), "deflateEnd", "--view", "cfg", "-o", zlib(), "--format", "svg", "--force"])
        .fails(2, &["the graph itself"]);
}
