//! A trace of memory references: the functions and source lines with the most of them.

use std::cmp::Reverse;

use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::label_test;
use varvite_show::thousands;

use super::ROWS;
use crate::code::Code;
use crate::error::Result;
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The bytes that are charged for a node with a value.
const ROW_BYTES: usize = size_of::<(i64, u32)>();

/// A layer of a trace: `trace`, or `trace/NAME`.
pub(in crate::sections) struct TraceLayer {
    pub(in crate::sections) name: String,
    /// The names of its properties, such as `TRACE_LOADS`, in the order of the file.
    properties: Vec<String>,
}

impl TraceLayer {
    pub(in crate::sections) fn all(graph: &Graph) -> Vec<Self> {
        let layers = (0..).zip(graph.layers());
        let traces = layers.filter(|(_, layer)| layer.name == "trace" || layer.name.starts_with("trace/"));
        let layer = |(number, layer): (u32, &varvite::inspect::Layer)| {
            let own = graph.properties().iter().filter(|property| property.layer == number);
            Self { name: layer.name.clone(), properties: own.map(|property| property.name.clone()).collect() }
        };
        traces.map(layer).collect()
    }

    /// The properties of counts, each with the end of its name in words.
    pub(in crate::sections) fn columns(&self, graph: &Graph) -> Result<Vec<(String, Property)>> {
        let mut columns = Vec::new();
        for name in &self.properties {
            let property = optional(graph.property(name))?;
            let counts = property.filter(|property| property.strings().is_none());
            columns.extend(counts.map(|property| (self.words(name), property)));
        }
        Ok(columns)
    }

    /// The end of a property's name in lowercase words: `cache lines`.
    fn words(&self, property: &str) -> String {
        let prefix = format!("{}_", self.name.to_uppercase().replace('/', "_"));
        property.strip_prefix(&prefix).unwrap_or(property).to_lowercase().replace('_', " ")
    }
}

pub(super) fn write(facts: &Facts<'_>, layer: &TraceLayer, page: &mut Page) -> Result<()> {
    let graph = facts.code.graph;
    let columns = layer.columns(graph)?;
    let Some((_, sorted_by)) = columns.first() else { return Ok(()) };
    let is_method = label_test(graph, "METHOD")?;
    let (mut methods, mut lines) = (Vec::new(), Vec::new());
    for node in sorted_by.owners() {
        facts.code.budget.take(ROW_BYTES)?;
        let rows = if is_method.matches(node) { &mut methods } else { &mut lines };
        rows.push((sorted_by.number(node).unwrap_or(0), node));
    }
    table("Functions", &facts.code, &columns, methods, page)?;
    // Counts that only functions have would be an empty column.
    let is_of_lines = |(_, property): &&(String, Property)| {
        lines.is_empty() || lines.iter().any(|(_, node): &(i64, u32)| property.number(*node).is_some())
    };
    let of_lines: Vec<_> = columns.iter().filter(is_of_lines).cloned().collect();
    for (name, _) in columns.iter().filter(|(name, _)| of_lines.iter().all(|(other, _)| other != name)) {
        page.note(&format!("The trace has counts of {name} for functions, and none for source lines."));
    }
    table("Source lines", &facts.code, &of_lines, lines, page)
}

fn table(
    what: &str,
    code: &Code<'_>,
    columns: &[(String, Property)],
    mut rows: Vec<(i64, u32)>,
    page: &mut Page,
) -> Result<()> {
    rows.sort_by_key(|(value, node)| (Reverse(*value), *node));
    let most = rows.first().map_or(0, |(value, _)| *value);
    let by = columns.first().map_or("", |(name, _)| name);
    let texts = ["place", "function", "source"].map(Title::text).into_iter();
    let titles = texts.chain(columns.iter().map(|(name, _)| Title::number(name)));
    let mut table = Table::new(&format!("{what} by {by}"), titles.collect());
    for (value, node) in rows.iter().take(ROWS) {
        let place = code.place(*node);
        let source = code.source_line(*node, &place)?;
        let mut cells =
            vec![Cell::Code(place.words()), Cell::Code(code.method_name(&place)), Cell::Code(source)];
        for (index, (_, property)) in columns.iter().enumerate() {
            let number = property.number(*node).and_then(|number| u64::try_from(number).ok());
            let share = *value as f64 / most.max(1) as f64;
            cells.push(match number.map(thousands) {
                None => Cell::Empty,
                Some(number) if index == 0 => Cell::Heat(number, share),
                Some(number) => Cell::Amount(number),
            });
        }
        table.push(cells);
    }
    table.of_all(rows.len() as u64, "row");
    page.table(&table);
    Ok(())
}
