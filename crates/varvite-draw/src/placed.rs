//! [`Placed`]: a drawing whose nodes and edges have places.
//!
//! Source of the method: Gansner et al., A Technique for Drawing Directed Graphs (1993), as the library dagre
//! implements it: nodes lie in layers, and an edge that passes layers bends around their nodes.

use std::collections::VecDeque;

use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Ranker};
use varvite_cpg::characters::shortened;
use varvite_show::escaped;

use crate::drawing::{Drawing, DrawnEdge, DrawnNode};
use crate::error::{DrawError, Result};

/// The width of a character and the height of a line, in pixels, of a monospaced font of 12 pixels.
pub(crate) const CHAR_WIDTH: f64 = 7.3;
pub(crate) const LINE_HEIGHT: f64 = 15.0;
/// The distance between the border of a node and its text.
pub(crate) const PADDING: f64 = 8.0;
/// The longest line of code, in characters, and the largest number of lines.
const CHARS_MAX: usize = 40;
const LINES_MAX: usize = 6;
/// The margin around the drawing.
const MARGIN: f64 = 16.0;
/// The largest number of places where an edge passes a layer, counting all edges. The layout takes about a
/// millisecond for each place.
const PASSES_MAX: usize = 5_000;
/// The largest product of nodes and edges for which the library shortens edges step by step: each step takes
/// time in proportion to it, and no bound of the steps is known.
const SHORTENED_MAX: usize = 100_000;

/// A drawing whose parts have places, in pixels.
#[derive(Debug)]
#[non_exhaustive]
pub struct Placed {
    /// The width of the drawing, with a margin.
    pub width: f64,
    /// The height of the drawing, with a margin.
    pub height: f64,
    /// One for each node of the drawing.
    pub boxes: Vec<PlacedBox>,
    /// One for each edge of the drawing.
    pub arrows: Vec<Arrow>,
}

/// The box of a node.
#[derive(Debug)]
#[non_exhaustive]
pub struct PlacedBox {
    /// The middle of the box, from the left.
    pub x: f64,
    /// The middle of the box, from the top.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The first line: label and location.
    pub heading: String,
    /// The code, wrapped.
    pub lines: Vec<String>,
}

/// The line of an edge.
#[derive(Debug)]
#[non_exhaustive]
pub struct Arrow {
    /// The ends of the line, and the points between them at which it bends.
    pub points: Vec<(f64, f64)>,
    /// The text beside the line.
    pub text: String,
    /// The middle of the text.
    pub text_at: (f64, f64),
}

impl Drawing {
    /// Places the nodes and edges, for a program that draws them itself. Texts have the invisible characters
    /// of the graph as escapes.
    ///
    /// **Cost**: about half a second for 500 nodes, at most some seconds. A thread that places nodes cannot
    /// be interrupted.
    ///
    /// # Errors
    /// [`DrawError::TooDense`] if that would take too long.
    pub fn placed(&self) -> Result<Placed> {
        Placed::of(self)
    }
}

impl Placed {
    /// Places the nodes and edges of a drawing.
    ///
    /// # Errors
    /// [`DrawError::TooDense`] if that would take too long.
    pub(crate) fn of(drawing: &Drawing) -> Result<Self> {
        let walk = Walk::of(drawing);
        if walk.passes(drawing) > PASSES_MAX {
            return Err(DrawError::TooDense { nodes: drawing.nodes.len(), edges: drawing.edges.len() });
        }
        let is_mixed = drawing.edge_labels().len() > 1;
        let mut boxes: Vec<PlacedBox> = drawing.nodes.iter().map(PlacedBox::unplaced).collect();
        let texts: Vec<String> = drawing.edges.iter().map(|edge| arrow_text(edge, is_mixed)).collect();
        let mut graph = unplaced(drawing, &walk, &boxes, &texts);
        dagre::layout(&mut graph, Some(options(drawing)));
        for (node, placed) in boxes.iter_mut().enumerate() {
            let found = graph.node(&node.to_string());
            (placed.x, placed.y) = found.and_then(|node| node.x.zip(node.y)).unwrap_or_default();
        }
        let arrows: Vec<Arrow> =
            drawing.edges.iter().zip(texts).enumerate().map(|item| arrow(&graph, &walk, item)).collect();
        let (width, height) = size(&boxes, &arrows);
        Ok(Self { width, height, boxes, arrows })
    }
}

fn options(drawing: &Drawing) -> LayoutOptions {
    let is_large = drawing.nodes.len().saturating_mul(drawing.edges.len()) > SHORTENED_MAX;
    LayoutOptions {
        ranker: if is_large { Ranker::LongestPath } else { Ranker::NetworkSimplex },
        nodesep: 24.0,
        edgesep: 12.0,
        ranksep: 36.0,
        marginx: MARGIN,
        marginy: MARGIN,
        ..LayoutOptions::default()
    }
}

/// The graph of the library: each node is named by its position, and each edge too. It has no cycles: the
/// library would turn other edges, and the number of layers that edges pass could be ten times as large.
fn unplaced(
    drawing: &Drawing,
    walk: &Walk,
    boxes: &[PlacedBox],
    texts: &[String],
) -> Graph<NodeLabel, EdgeLabel> {
    let mut graph = Graph::with_options(GraphOptions { directed: true, multigraph: true, compound: false });
    for (node, unplaced) in boxes.iter().enumerate() {
        let (width, height) = (unplaced.width, unplaced.height);
        graph.set_node(node.to_string(), Some(NodeLabel { width, height, ..NodeLabel::default() }));
    }
    for (position, (edge, text)) in drawing.edges.iter().zip(texts).enumerate() {
        let (width, height) = match text.chars().count() {
            0 => (0.0, 0.0),
            chars => (chars as f64 * CHAR_WIDTH, LINE_HEIGHT),
        };
        let label = EdgeLabel { width, height, ..EdgeLabel::default() };
        let [upper, lower] = walk.ends(edge).map(|node| node.to_string());
        graph.set_edge(upper, lower, Some(label), Some(&position.to_string()));
    }
    graph
}

impl PlacedBox {
    fn unplaced(node: &DrawnNode) -> Self {
        let place = node.place().map(|place| format!(" {}", shortened_front(&place))).unwrap_or_default();
        let heading = escaped(&format!("{}{place}", node.label)).into_owned();
        let lines = wrapped(&node.text);
        let longest = lines.iter().chain([&heading]).map(|line| line.chars().count()).max().unwrap_or(0);
        Self {
            x: 0.0,
            y: 0.0,
            width: longest as f64 * CHAR_WIDTH + 2.0 * PADDING,
            height: (lines.len() + 1) as f64 * LINE_HEIGHT + 2.0 * PADDING,
            heading,
            lines,
        }
    }
}

/// The end of a long path, which says more than its beginning.
fn shortened_front(place: &str) -> String {
    let excess = place.chars().count().saturating_sub(CHARS_MAX);
    match excess {
        0 => place.to_owned(),
        _ => format!("…{}", place.chars().skip(excess + 1).collect::<String>()),
    }
}

/// Code in lines, without blanks at their ends. Lines that are left out are replaced by `…`.
fn wrapped(code: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let shown: Vec<char> = escaped(line).chars().take(CHARS_MAX * (LINES_MAX + 1)).collect();
        lines.extend(shown.chunks(CHARS_MAX).map(|chunk| chunk.iter().collect()));
        if lines.len() > LINES_MAX {
            lines.truncate(LINES_MAX - 1);
            lines.push("…".to_owned());
            break;
        }
    }
    lines
}

fn arrow_text(edge: &DrawnEdge, is_mixed: bool) -> String {
    shortened(&escaped(&edge.text(is_mixed)), CHARS_MAX).into_owned()
}

fn arrow(
    graph: &Graph<NodeLabel, EdgeLabel>,
    walk: &Walk,
    (position, (edge, text)): (usize, (&DrawnEdge, String)),
) -> Arrow {
    let [upper, lower] = walk.ends(edge).map(|node| node.to_string());
    let Some(placed) = graph.edge(&upper, &lower, Some(&position.to_string())) else {
        return Arrow { points: Vec::new(), text, text_at: (0.0, 0.0) };
    };
    let mut points: Vec<(f64, f64)> = placed.points.iter().map(|point| (point.x, point.y)).collect();
    if walk.is_turned(edge) {
        points.reverse();
    }
    Arrow { points, text, text_at: placed.x.zip(placed.y).unwrap_or_default() }
}

/// The size of the drawing, with its margin.
fn size(boxes: &[PlacedBox], arrows: &[Arrow]) -> (f64, f64) {
    let corners = boxes.iter().map(|placed| (placed.x + placed.width / 2.0, placed.y + placed.height / 2.0));
    let points = arrows.iter().flat_map(|arrow| {
        let half = arrow.text.chars().count() as f64 * CHAR_WIDTH / 2.0;
        arrow.points.iter().copied().chain([(arrow.text_at.0 + half, arrow.text_at.1 + LINE_HEIGHT)])
    });
    let (width, height) =
        corners.chain(points).fold((0.0, 0.0), |size: (f64, f64), (x, y)| (size.0.max(x), size.1.max(y)));
    (width + MARGIN, height + MARGIN)
}

/// The order in which a walk along the edges takes the nodes: each after all of its sources. If only nodes of
/// cycles are left, the first of them goes on. An edge that leads to an earlier node is drawn from its lower
/// end to its upper one.
struct Walk {
    nodes: Vec<usize>,
    /// The place of each node in the order.
    places: Vec<usize>,
}

impl Walk {
    fn of(drawing: &Drawing) -> Self {
        let count = drawing.nodes.len();
        let (mut targets, mut sources_left) = (vec![Vec::new(); count], vec![0_usize; count]);
        for edge in drawing.edges.iter().filter(|edge| edge.source != edge.target) {
            targets[edge.source].push(edge.target);
            sources_left[edge.target] += 1;
        }
        let (mut nodes, mut is_taken) = (Vec::with_capacity(count), vec![false; count]);
        let mut ready: VecDeque<usize> = (0..count).filter(|node| sources_left[*node] == 0).collect();
        let mut others = 0..count;
        while let Some(node) = ready.pop_front().or_else(|| others.find(|node| !is_taken[*node])) {
            if std::mem::replace(&mut is_taken[node], true) {
                continue;
            }
            nodes.push(node);
            for target in targets[node].iter().copied().filter(|target| !is_taken[*target]) {
                sources_left[target] -= 1;
                if sources_left[target] == 0 {
                    ready.push_back(target);
                }
            }
        }
        let mut places = vec![0; count];
        nodes.iter().enumerate().for_each(|(place, node)| places[*node] = place);
        Self { nodes, places }
    }

    fn is_turned(&self, edge: &DrawnEdge) -> bool {
        self.places[edge.source] > self.places[edge.target]
    }

    /// The upper and the lower end of an edge.
    fn ends(&self, edge: &DrawnEdge) -> [usize; 2] {
        if self.is_turned(edge) { [edge.target, edge.source] } else { [edge.source, edge.target] }
    }

    /// At least the number of layers that all edges pass: each node lies right above the highest of its
    /// targets, as in the first layers of the library, and later steps only shorten edges.
    fn passes(&self, drawing: &Drawing) -> usize {
        let mut targets = vec![Vec::new(); drawing.nodes.len()];
        for [upper, lower] in drawing.edges.iter().map(|edge| self.ends(edge)) {
            if upper != lower {
                targets[upper].push(lower);
            }
        }
        let mut heights = vec![0_usize; drawing.nodes.len()];
        for node in self.nodes.iter().rev() {
            heights[*node] = targets[*node].iter().map(|target| heights[*target] + 1).max().unwrap_or(0);
        }
        drawing.edges.iter().map(|edge| heights[edge.source].abs_diff(heights[edge.target])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(nodes: usize, edges: &[(usize, usize)]) -> Drawing {
        let edge = |(source, target): &(usize, usize)| DrawnEdge {
            source: *source,
            target: *target,
            label: "CFG".to_owned(),
            count: 1,
            variables: Vec::new(),
        };
        Drawing {
            nodes: (0..nodes as u32).map(|id| DrawnNode { id, ..DrawnNode::default() }).collect(),
            edges: edges.iter().map(edge).collect(),
            ..Drawing::default()
        }
    }

    fn passes(drawing: &Drawing) -> usize {
        Walk::of(drawing).passes(drawing)
    }

    #[test]
    fn passes_are_the_layers_between_the_ends_of_edges() {
        assert_eq!(passes(&drawing(4, &[(0, 1), (1, 2), (2, 3), (0, 3)])), 6);
        assert_eq!(passes(&drawing(3, &[(0, 0), (1, 2), (2, 1)])), 2, "a loop, and a cycle");
        assert_eq!(passes(&drawing(0, &[])), 0);
    }

    #[test]
    fn a_drawing_that_would_take_too_long_is_refused() {
        let edges: Vec<(usize, usize)> =
            (0..100).flat_map(|source| (source + 1..100).map(move |target| (source, target))).collect();
        assert!(matches!(
            Placed::of(&drawing(100, &edges)),
            Err(DrawError::TooDense { nodes: 100, edges: 4950 })
        ));
    }

    /// Edges between any nodes, as of a function full of jumps: the same ones each time.
    fn jumps(nodes: usize, degree: usize) -> Vec<(usize, usize)> {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % nodes
        };
        (0..nodes).flat_map(|node| vec![node; degree]).map(|source| (source, random())).collect()
    }

    #[test]
    fn a_drawing_full_of_cycles_is_refused_or_placed_in_time() {
        let mut refused = 0;
        for nodes in [60, 120, 240, 500] {
            for degree in [1, 2, 3] {
                let begin = std::time::Instant::now();
                refused += usize::from(Placed::of(&drawing(nodes, &jumps(nodes, degree))).is_err());
                let passed = begin.elapsed().as_secs();
                assert!(passed < 30, "{nodes} nodes, {degree} edges each: {passed} s");
            }
        }
        assert!((1..12).contains(&refused), "{refused}");
    }

    #[test]
    fn an_edge_that_closes_a_cycle_begins_at_its_source() {
        let placed = Placed::of(&drawing(3, &[(0, 1), (1, 2), (2, 1)])).unwrap();
        let [.., back] = &placed.arrows[..] else { panic!("three arrows") };
        let (first, last) = (back.points[0], back.points[back.points.len() - 1]);
        assert!(first.1 > last.1, "from the lower box to the upper one: {:?}", back.points);
    }

    #[test]
    fn each_node_lies_below_its_source_and_no_two_boxes_meet() {
        let placed = Placed::of(&drawing(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 3)])).unwrap();
        let [first, left, right, last, _] = &placed.boxes[..] else { panic!("five boxes") };
        assert!(first.y < left.y && left.y < last.y && left.y == right.y);
        for (one, other) in [(left, right), (first, left), (right, last)] {
            let apart = |distance: f64, sizes: f64| distance.abs() * 2.0 >= sizes;
            assert!(
                apart(one.x - other.x, one.width + other.width)
                    || apart(one.y - other.y, one.height + other.height)
            );
        }
        assert!(placed.arrows.iter().all(|arrow| arrow.points.len() >= 2), "{:?}", placed.arrows);
    }

    #[test]
    fn code_is_wrapped_and_cut() {
        assert_eq!(wrapped("a = 1;\n\n  b"), ["a = 1;", "b"]);
        assert_eq!(wrapped(&"x".repeat(41)), ["x".repeat(40), "x".to_owned()]);
        let long = wrapped(&"y".repeat(1000));
        assert_eq!((long.len(), &*long[5]), (6, "…"));
        assert_eq!(wrapped("\u{202e}"), ["\\u{202e}"], "a sign that turns text around is shown");
        assert_eq!(shortened_front(&"p/".repeat(30)).chars().count(), 40);
    }
}
