//! The question `drawing`: a part of the graph, with places for its nodes and edges.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite::memory::Reserved;
use varvite::{Adjacency, Graph, Property};
use varvite_cpg::{Part, PartKind, PartLimits, is_operator};
use varvite_draw::{Arrow, Drawing, DrawnEdge, DrawnNode, PlacedBox};
use varvite_show::Beginning;

use crate::content::Columns;
use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::shared::Shared;

/// The most nodes of a drawing. More cannot be read, and take long to place.
const NODES_MAX: usize = 500;

/// The memory of a neighbour in a tree.
const NEIGHBOUR_BYTES: usize = 16;
/// The bytes of a name that tell whether it is that of an operator.
const OPERATOR_BYTES: usize = 32;

/// The views by their names.
pub(super) const VIEWS: [(&str, PartKind); 6] = [
    ("ast", PartKind::Ast),
    ("cfg", PartKind::Cfg),
    ("ddg", PartKind::Ddg),
    ("pdg", PartKind::Pdg),
    ("calls", PartKind::Calls),
    ("dominators", PartKind::Dominators),
];

/// Asks for a drawing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DrawingOf {
    #[serde(default)]
    file: usize,
    node: u32,
    view: String,
    limit: Option<usize>,
    /// Nodes whose neighbours are drawn too, as far as there is room for them.
    #[serde(default)]
    grown: Vec<u32>,
    /// Whether the answer has the drawing as SVG too.
    #[serde(default)]
    svg: bool,
}

impl DrawingOf {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let kind = VIEWS.iter().find(|(name, _)| *name == self.view).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| {
            let known = VIEWS.map(|(name, _)| name).join(", ");
            Fault::bad_question(&format!("there is no view {:?}: there are {known}", self.view))
        })?;
        super::about(shared, work, self.file, |graph| self.drawn(graph, shared, work, kind))
    }

    fn drawn(&self, graph: &Graph, shared: &Shared, work: &Work, kind: PartKind) -> Result<Json> {
        for node in self.grown.iter().chain([&self.node]) {
            super::check_node(graph, *node)?;
        }
        let nodes = self.limit.unwrap_or(NODES_MAX).clamp(1, NODES_MAX);
        let (task, budget) = (work.task(), work.budget());
        let limits = PartLimits { nodes, budget: &budget, cancel: task.flag() };
        let neighbours = Neighbours::open(graph, kind, work)?;
        let part = self.part(graph, kind, &neighbours, limits)?;
        work.check()?;
        let title = Columns::open(graph)?.nodes().of(self.node).name.unwrap_or_default();
        let drawing = Drawing::of(graph, &part, &title)?;
        let (drawing, placed) = shared.layouts.run(work, move || {
            let placed = drawing.placed();
            (drawing, placed)
        })?;
        let placed = placed?;
        let mut more = neighbours.missing(&part)?.into_iter();
        let nodes = drawing.nodes.iter().zip(&placed.boxes).map(|drawn| node(drawn, more.next()));
        let edges = drawing.edges.iter().zip(&placed.arrows).map(edge);
        let mut answer = json!({
            "title": title, "width": placed.width, "height": placed.height, "left_off": drawing.cut,
            "nodes": nodes.collect::<Json>(), "edges": edges.collect::<Json>(),
        });
        work.check()?;
        if self.svg {
            let mut svg = Vec::new();
            drawing.write_svg_of(&placed, "", &mut svg)?;
            answer["svg"] = String::from_utf8_lossy(&svg).into();
        }
        Ok(answer)
    }

    /// The part of the node, and the neighbours of the nodes from which it grows.
    fn part(
        &self,
        graph: &Graph,
        kind: PartKind,
        neighbours: &Neighbours<'_>,
        limits: PartLimits<'_>,
    ) -> Result<Part> {
        if kind == PartKind::Calls {
            let callers: Vec<u32> = [self.node].into_iter().chain(self.grown.iter().copied()).collect();
            return Ok(Part::of(graph, kind, &callers, limits)?);
        }
        let part = Part::of(graph, kind, &[self.node], limits)?;
        if self.grown.is_empty() {
            return Ok(part);
        }
        let (mut nodes, mut left_off) = (part.nodes, part.cut);
        for grown in &self.grown {
            for node in neighbours.of(*grown)? {
                match nodes.binary_search(&node) {
                    Err(at) if nodes.len() < limits.nodes => {
                        nodes.insert(at, node);
                        left_off = left_off.saturating_sub(1);
                    }
                    _ => {}
                }
            }
        }
        let part = Part::among(graph, nodes, kind.labels(), limits)?;
        Ok(Part { cut: left_off, ..part })
    }
}

/// The neighbours of nodes along the edges of a view.
struct Neighbours<'a> {
    work: &'a Work,
    /// The METHODs that METHODs call: CONTAINS, then CALL.
    calls: Option<[Adjacency; 2]>,
    edges: Vec<Adjacency>,
    names: Option<Property>,
}

impl<'a> Neighbours<'a> {
    fn open(graph: &Graph, kind: PartKind, work: &'a Work) -> Result<Self> {
        let mut edges = Vec::new();
        if kind == PartKind::Calls {
            let calls = Some([graph.out("CONTAINS")?, graph.out("CALL")?]);
            return Ok(Self { work, calls, edges, names: optional(graph.property("FULL_NAME"))? });
        }
        for label in kind.labels() {
            edges.extend([graph.out(label)?, graph.in_(label)?]);
        }
        Ok(Self { work, calls: None, edges, names: None })
    }

    /// The neighbours of a node, ascending, each once.
    fn of(&self, node: u32) -> Result<Vec<u32>> {
        let (mut found, mut held) = (BTreeSet::new(), Reserved::nothing_of(&self.work.budget()));
        let mut add = |node: u32| -> Result<()> {
            if found.insert(node) {
                held.take(NEIGHBOUR_BYTES)?;
            }
            Ok(())
        };
        for edges in &self.edges {
            self.work.watch(edges.neighbors(node)).try_for_each(|node| add(node?))?;
        }
        if let Some([contents, targets]) = &self.calls {
            for call in self.work.watch(contents.neighbors(node)) {
                let callees = targets.neighbors(call?).filter(|callee| !self.is_operator(*callee));
                self.work.watch(callees).try_for_each(|node| add(node?))?;
            }
        }
        Ok(found.into_iter().collect())
    }

    fn is_operator(&self, method: u32) -> bool {
        let name = self.names.as_ref().and_then(|names| Beginning::of(names, method, OPERATOR_BYTES));
        name.is_some_and(|name| is_operator(&name.text))
    }

    /// For each node of a part, the number of its neighbours that the part lacks.
    fn missing(&self, part: &Part) -> Result<Vec<usize>> {
        let is_missing = |node: &u32| part.nodes.binary_search(node).is_err();
        part.nodes
            .iter()
            .map(|node| Ok(self.of(*node)?.iter().filter(|node| is_missing(node)).count()))
            .collect()
    }
}

fn node((node, placed): (&DrawnNode, &PlacedBox), more: Option<usize>) -> Json {
    json!({
        "more": more.unwrap_or(0), "node": node.id, "label": node.label, "place": node.place(), "heading": placed.heading,
        "lines": placed.lines, "x": placed.x, "y": placed.y, "width": placed.width, "height": placed.height,
    })
}

fn edge((edge, arrow): (&DrawnEdge, &Arrow)) -> Json {
    json!({
        "source": edge.source, "target": edge.target, "label": edge.label, "text": arrow.text,
        "text_x": arrow.text_at.0, "text_y": arrow.text_at.1, "points": arrow.points,
    })
}
