//! [`CodeMeasures`]: what ran in METHODs, from the layers of profiles and traces.

use varvite::error::optional;
use varvite::inspect::LayerInfo;
use varvite::{Graph, GraphError, Property, ValueType};

use super::names::Names;
use super::stored::HeapLayer;

/// The layers of traces are `trace`, and `trace/NAME`.
const TRACE: &str = "trace";
/// The number of measurements of a layer that tables show.
const IN_TABLE: usize = 2;

/// The measurements of METHODs.
#[derive(Debug)]
pub struct CodeMeasures {
    measures: Vec<CodeMeasure>,
}

/// A measurement of METHODs.
#[derive(Debug)]
pub struct CodeMeasure {
    /// The name of the property.
    pub name: String,
    /// The name of the layer.
    pub layer: String,
    /// Whether tables show the measurement, as one of the first of its layer.
    is_foremost: bool,
    property: Property,
}

impl CodeMeasure {
    /// The value for a METHOD; `None` if the METHOD did not run.
    pub fn of(&self, node: u32) -> Option<i64> {
        self.property.number(node)
    }
}

impl CodeMeasures {
    /// Opens the measurements of all profiles and traces in a graph.
    ///
    /// # Errors
    /// Fails if the graph can't be read.
    pub fn of(graph: &Graph) -> Result<Self, GraphError> {
        let mut measures = Vec::new();
        for layer in LayerInfo::all(graph)? {
            let numbers = names_of(graph, &layer).into_iter().enumerate();
            for (number, name) in numbers {
                if let Some(property) = optional(graph.property(&name))?.filter(is_whole_number) {
                    let layer = layer.layer.name.clone();
                    measures.push(CodeMeasure { name, layer, is_foremost: number < IN_TABLE, property });
                }
            }
        }
        Ok(Self { measures })
    }

    /// All measurements, or those for tables alone.
    pub fn measures(&self, is_table: bool) -> impl Iterator<Item = &CodeMeasure> {
        self.measures.iter().filter(move |measure| !is_table || measure.is_foremost)
    }
}

/// The properties of METHODs in a layer: own counts of a profile before those with callees.
fn names_of(graph: &Graph, layer: &LayerInfo) -> Vec<String> {
    let name = &layer.layer.name;
    match Names::of_layer(name) {
        Some(names) => {
            let measures = HeapLayer::measures_in(graph, &names);
            [names.own(&measures), names.all(&measures)].concat()
        }
        None if name == TRACE || name.starts_with("trace/") => layer.properties.clone(),
        None => Vec::new(),
    }
}

fn is_whole_number(property: &Property) -> bool {
    use ValueType::{I8, I16, I32, I64, U8, U16, U32, U64};
    !property.is_list() && matches!(property.value_type(), I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
}
