//! The question `drawing`: a part of the graph, with places for its nodes and edges.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_cpg::{Part, PartKind};
use varvite_draw::{Arrow, Drawing, DrawnEdge, DrawnNode, PlacedBox};

use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::nodes::Columns;
use crate::shared::Shared;

/// The most nodes of a drawing. More cannot be read, and take long to place.
const NODES_MAX: usize = 500;

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
        super::about(shared, work, self.file, |graph| self.drawn(graph, work, kind))
    }

    fn drawn(&self, graph: &Graph, work: &Work, kind: PartKind) -> Result<Json> {
        super::check_node(graph, self.node)?;
        let limit = self.limit.unwrap_or(NODES_MAX).clamp(1, NODES_MAX);
        let part = Part::of(graph, kind, &[self.node], limit, &work.budget())?;
        work.check()?;
        let title = Columns::open(graph)?.nodes().of(self.node).name.unwrap_or_default();
        let drawing = Drawing::of(graph, &part, &title)?;
        let placed = drawing.placed()?;
        let nodes = drawing.nodes.iter().zip(&placed.boxes).map(node);
        let edges = drawing.edges.iter().zip(&placed.arrows).map(edge);
        let mut answer = json!({
            "title": title, "width": placed.width, "height": placed.height, "left_off": drawing.cut,
            "nodes": nodes.collect::<Json>(), "edges": edges.collect::<Json>(),
        });
        if self.svg {
            let mut svg = Vec::new();
            drawing.write_svg("", &mut svg)?;
            answer["svg"] = String::from_utf8_lossy(&svg).into();
        }
        Ok(answer)
    }
}

fn node((node, placed): (&DrawnNode, &PlacedBox)) -> Json {
    json!({
        "node": node.id, "label": node.label, "place": node.place(), "heading": placed.heading,
        "lines": placed.lines, "x": placed.x, "y": placed.y, "width": placed.width, "height": placed.height,
    })
}

fn edge((edge, arrow): (&DrawnEdge, &Arrow)) -> Json {
    json!({
        "source": edge.source, "target": edge.target, "label": edge.label, "text": arrow.text,
        "text_x": arrow.text_at.0, "text_y": arrow.text_at.1, "points": arrow.points,
    })
}
