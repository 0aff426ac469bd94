//! What the rows of a pipeline are shown as: nodes with what tells most about them, edges with their ends, values and
//! columns as they are.

use serde_json::{Value as Json, json};
use varvite::pipeline::{Cell, Edge, Rows as Batch, Run};
use varvite::{Graph, LabelNodes, Labels, Property, ValueType};

use crate::failure::{Failure, Outcome};
use crate::names::optional;
use crate::output::{Column, Format, Rows, all_of, is_number, json_of};

/// What tells most about a node of a code property graph, the longest last.
const TELLING: [&str; 5] = ["NAME", "FULL_NAME", "FILENAME", "LINE_NUMBER", "CODE"];
/// Nodes of a label that are asked whether they have a property.
const SAMPLE: usize = 64;

/// How rows are shown.
pub(crate) enum View {
    /// Nodes: the id, the labels unless they are known, and properties.
    Nodes(Vec<(String, Property)>, Option<LabelNames>),
    /// Edges: the label, both ends, and what properties edges have.
    Edges(EdgeView),
    /// Values and rows of columns, which may hold edges.
    Columns(Vec<Column>, EdgeLabels),
}

impl View {
    /// Nodes of one label, with the properties of these names or, without any, those that tell something about them.
    pub(crate) fn of_label(graph: &Graph, nodes: &LabelNodes, names: &[String]) -> Result<Self, Failure> {
        let has_it = |property: &Property| nodes.iter().take(SAMPLE).any(|node| property.is_present(node));
        let mut shown = shown(graph, names)?;
        shown.retain(|(_, property)| !names.is_empty() || has_it(property));
        Ok(Self::Nodes(shown, None))
    }

    /// Whatever rows of a run are. Names are the properties to show of nodes; other rows have their columns.
    pub(crate) fn of_rows(graph: &Graph, rows: &Batch<'_>, names: &[String]) -> Result<Self, Failure> {
        if rows.nodes().is_some() {
            return Ok(Self::Nodes(shown(graph, names)?, Some(LabelNames::of(graph)?)));
        }
        if !names.is_empty() {
            let what = "--columns is for plans that end with nodes; this one says itself what to show";
            return Err(Failure::Usage(what.into()));
        }
        if rows.edges().is_some() {
            return Ok(Self::Edges(EdgeView::of(graph)?));
        }
        let columns = rows.columns().map(|column| title(graph, &column)).collect();
        Ok(Self::Columns(columns, EdgeLabels::of(graph)))
    }

    /// Writes at most `limit` rows of a run to standard output, as they come: its results, or what passes the step `side` of a name.
    pub(crate) fn show(
        &self,
        graph: &Graph,
        run: &mut Run,
        side: Option<&str>,
        (format, limit): (Format, u64),
    ) -> Outcome {
        let mut answer = Rows::begin(format, self.titles(graph))?;
        let mut left = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut is_over = false;
        while left > 0 && !is_over {
            is_over = run.next()?.is_none();
            let Some(batch) = rows_of(run, side) else { break };
            for row in 0..batch.len().min(left) {
                answer.push(self.cells(&batch, row))?;
                left -= 1;
            }
        }
        answer.finish()
    }

    fn titles(&self, graph: &Graph) -> Vec<Column> {
        match self {
            Self::Nodes(shown, labels) => {
                let label = labels.iter().map(|_| Column::text("label"));
                let shown = shown.iter().map(|(name, property)| match is_number(property) {
                    true => Column::number(name),
                    false => Column::text(name),
                });
                std::iter::once(Column::node(graph)).chain(label).chain(shown).collect()
            }
            Self::Edges(edges) => {
                let shown = edges.properties.iter().map(|(name, _)| Column::text(name));
                let ends = ["source", "target"].map(Column::number);
                std::iter::once(Column::text("edge")).chain(ends).chain(shown).collect()
            }
            Self::Columns(columns, _) => columns.clone(),
        }
    }

    fn cells(&self, batch: &Batch<'_>, row: usize) -> Vec<Json> {
        match self {
            Self::Nodes(shown, labels) => {
                let Some(node) = batch.nodes().and_then(|nodes| nodes.get(row)).copied() else {
                    return Vec::new();
                };
                let label = labels.iter().map(|labels| labels.of_node(node).into());
                let shown = shown.iter().map(|(_, property)| all_of(property, node));
                std::iter::once(node.into()).chain(label).chain(shown).collect()
            }
            Self::Edges(edges) => {
                batch.edges().and_then(|all| all.get(row)).map_or_else(Vec::new, |edge| edges.cells(edge))
            }
            Self::Columns(_, labels) => batch
                .columns()
                .map(|column| match column.is_list() {
                    true => column.list(row).map(|cell| labels.json_of_cell(cell)).collect(),
                    false => column.get(row).map_or(Json::Null, |cell| labels.json_of_cell(cell)),
                })
                .collect(),
        }
    }
}

/// The last rows of a run, or those that passed the step `side` of a name beside them.
pub(crate) fn rows_of<'r>(run: &'r Run, side: Option<&str>) -> Option<Batch<'r>> {
    side.map_or_else(|| run.rows(), |name| run.side(name))
}

/// Properties by name; without names those that tell most, as far as the graph has them.
fn shown(graph: &Graph, names: &[String]) -> Result<Vec<(String, Property)>, Failure> {
    if !names.is_empty() {
        return names.iter().map(|name| Ok((name.clone(), graph.property(name)?))).collect();
    }
    let mut found = Vec::new();
    for name in TELLING {
        found.extend(optional(graph.property(name))?.map(|property| (name.to_owned(), property)));
    }
    Ok(found)
}

fn title(graph: &Graph, column: &varvite::pipeline::Column<'_>) -> Column {
    let is_text = |value_type| matches!(value_type, ValueType::Bool | ValueType::String | ValueType::Bytes);
    match column.value_type() {
        _ if column.is_list() => Column::text(column.name()),
        Some(value_type) if !is_text(value_type) => Column::number(column.name()),
        None if column.name() == "node" => Column::node(graph),
        _ => Column::text(column.name()),
    }
}

/// The labels of nodes, in words.
pub(crate) struct LabelNames {
    labels: Labels,
    /// By the code of the label set.
    names: Vec<String>,
}

impl LabelNames {
    /// A reader of the labels of a graph.
    pub(crate) fn of(graph: &Graph) -> Result<Self, Failure> {
        let labels = graph.label_sets()?;
        let name_of = |code| {
            let known = labels.of_code(code).filter_map(|label| graph.labels().get(label.0 as usize));
            known.map(|label| label.name.as_str()).collect::<Vec<_>>().join("&")
        };
        let names = (0..labels.code_count()).map(name_of).collect();
        Ok(Self { labels, names })
    }

    /// The labels of a node, joined by `&`.
    pub(crate) fn of_node(&self, node: u32) -> &str {
        self.names.get(self.labels.code(node) as usize).map_or("", String::as_str)
    }
}

/// The names of edge labels.
pub(crate) struct EdgeLabels(Vec<String>);

impl EdgeLabels {
    /// Those of a graph.
    pub(crate) fn of(graph: &Graph) -> Self {
        Self(graph.edge_labels().iter().map(|label| label.name.clone()).collect())
    }

    /// The name of a label, by its index.
    pub(crate) fn name(&self, label: u32) -> &str {
        self.0.get(label as usize).map_or("", String::as_str)
    }

    fn json_of_cell(&self, cell: Cell<'_>) -> Json {
        match cell {
            Cell::Node(node) => node.into(),
            Cell::Edge(Edge { label, source, target, .. }) => {
                json!({"edge": self.name(label), "source": source, "target": target})
            }
            Cell::Label(label) => label.into(),
            Cell::Value(value) => json_of(Some(value)),
            _ => Json::Null,
        }
    }
}

/// Reads edges.
pub(crate) struct EdgeView {
    labels: EdgeLabels,
    /// Names of properties, each with the columns of it by edge label.
    properties: Vec<(String, Vec<Option<Property>>)>,
}

impl EdgeView {
    fn of(graph: &Graph) -> Result<Self, Failure> {
        let labels = EdgeLabels::of(graph);
        let mut properties: Vec<(String, Vec<Option<Property>>)> = Vec::new();
        for (index, info) in graph.properties().iter().enumerate() {
            let owner = labels.0.iter().position(|name| info.edge_label.as_ref() == Some(name));
            let Some(label) = owner else { continue };
            let place = properties.iter().position(|(name, _)| *name == info.name).unwrap_or_else(|| {
                properties.push((info.name.clone(), vec![None; labels.0.len()]));
                properties.len() - 1
            });
            properties[place].1[label] = Some(graph.property_at(index)?);
        }
        Ok(Self { labels, properties })
    }

    fn cells(&self, edge: &Edge) -> Vec<Json> {
        let ends = [self.labels.name(edge.label).into(), edge.source.into(), edge.target.into()];
        let values = self.properties.iter().map(|(_, columns)| {
            let column = columns.get(edge.label as usize).and_then(Option::as_ref);
            // An edge that was found from its target may not know its rank; then its label has no properties.
            column.map_or(Json::Null, |column| all_of(column, edge.rank))
        });
        ends.into_iter().chain(values).collect()
    }
}
