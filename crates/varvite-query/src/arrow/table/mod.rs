//! [`Table`]: the nodes or the edges of a label with their properties, as record batches.
//!
//! A pipeline makes the same rows one by one. A table reads whole columns instead: the ids of a batch, then
//! the values of each property for all of these ids, then the texts that these values stand for. `rows` finds
//! the ids, `label_column` reads labels, `column` reads the values of one property, and `dictionary` turns
//! codes into texts.

mod batches;
mod column;
mod dictionary;
mod label_column;
mod rows;

use std::ops::Range;
use std::sync::Arc;

use varvite_format::{EdgeLabelId, LabelId, PropertyId};
use varvite_graph::internal::Damage;
use varvite_graph::{Cardinality, Graph, Property, Result};

pub use self::batches::TableBatches;
use self::label_column::LabelColumn;
use self::rows::RowSource;
use super::field::{DataType, Field};

/// The nodes or the edges of a label as a table: a row for each of them, a column for each chosen property.
///
/// Texts are codes into a dictionary that each batch has for its own texts. Values are nullable, and lists
/// are lists. A table keeps its columns open, so it can be read after the graph was dropped.
///
/// ```no_run
/// use varvite::arrow::Table;
/// use varvite::pipeline::Options;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let graph = varvite::Graph::open("zlib.varvite")?;
/// let columns = [graph.property_id("NAME")?, graph.property_id("LINE_NUMBER")?];
/// let methods = Table::of_nodes(&graph, Some(graph.label("METHOD")?), &columns)?;
/// for batch in methods.batches(Options { batch_rows: 1 << 16, ..Options::default() }) {
///     println!("{} rows", batch?.len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    fields: Arc<[Field]>,
    rows: RowSource,
    nodes: Range<u32>,
    labels: Option<LabelColumn>,
    properties: Vec<Property>,
    damage: Damage,
}

impl Table {
    /// The nodes with a label, or all nodes, ascending by id. The first column is `id`.
    ///
    /// # Errors
    /// [`GraphError`](varvite_graph::GraphError), if a column cannot be opened.
    pub fn of_nodes(graph: &Graph, label: Option<LabelId>, properties: &[PropertyId]) -> Result<Self> {
        Self::of(graph, RowSource::of_nodes(graph, label)?, properties)
    }

    /// All nodes, ascending by id. The first columns are `id` and `label`; several labels of a node are
    /// joined by `&`.
    ///
    /// # Errors
    /// [`GraphError`](varvite_graph::GraphError), if a column cannot be opened.
    pub fn of_labelled_nodes(graph: &Graph, properties: &[PropertyId]) -> Result<Self> {
        let table = Self::of(graph, RowSource::of_nodes(graph, None)?, properties)?;
        let (ids, rest) = table.fields.split_at(1);
        let fields = [ids, &[LabelColumn::field()], rest].concat().into();
        Ok(Self { fields, labels: Some(LabelColumn::of(graph)?), ..table })
    }

    /// The edges of a label, in the order of out-lists. The first columns are `source` and `target`. An
    /// edge's rank is the number of its row; if edges of the label have changed since its columns were
    /// written, the third column, `rank`, has it instead.
    ///
    /// # Errors
    /// [`GraphError`](varvite_graph::GraphError), if a column cannot be opened.
    pub fn of_edges(graph: &Graph, label: EdgeLabelId, properties: &[PropertyId]) -> Result<Self> {
        Self::of(graph, RowSource::of_edges(graph, label)?, properties)
    }

    fn of(graph: &Graph, rows: RowSource, ids: &[PropertyId]) -> Result<Self> {
        let mut fields: Vec<Field> =
            rows.names().iter().map(|name| Field::new(name, DataType::UInt32)).collect();
        let mut properties = Vec::with_capacity(ids.len());
        for id in ids {
            let property = graph.property_at(*id)?;
            let name = graph.properties().get(id.index()).map_or("", |info| info.name.as_str());
            fields.push(field_of(name, &property));
            properties.push(property);
        }
        let (fields, damage) = (fields.into(), graph.damage().clone());
        Ok(Self { fields, rows, nodes: 0..u32::MAX, labels: None, properties, damage })
    }

    /// The same table with a part of its rows: the nodes with ids in a range, or the edges whose sources are
    /// in it. Tables of ranges that follow each other have all rows, each once.
    #[must_use]
    pub fn within(self, nodes: Range<u32>) -> Self {
        Self { nodes, ..self }
    }

    /// Names and types of the columns.
    pub fn fields(&self) -> &Arc<[Field]> {
        &self.fields
    }
}

/// The field of a property. Its values may be missing; a list may be empty instead.
fn field_of(name: &str, property: &Property) -> Field {
    let data_type = match DataType::of(property.value_type()) {
        texts @ (DataType::LargeUtf8 | DataType::LargeBinary) => DataType::Dictionary(Box::new(texts)),
        data_type => data_type,
    };
    match property.cardinality() {
        Cardinality::List => {
            let item = Field::nullable("item", data_type);
            Field::new(name, DataType::LargeList(Box::new(item)))
        }
        _ => Field::nullable(name, data_type),
    }
}
