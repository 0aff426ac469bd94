//! A profile: its flame graph, its timeline, and the functions and source lines that cost the most.

use std::cmp::Reverse;
use std::collections::HashMap;

use varvite_profile::layer::{By, CodeKind, CodeRow, FigureLimits, FlameTree, HeapLayer, Names};
use varvite_profile::{Counts, Limits, Measure, Slot};
use varvite_show::thousands;

use super::ROWS;
use crate::code::Code;
use crate::error::{ReportError, Result};
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The limits of a flame graph. Frames of usual names take about 600 kB of text.
const FIGURE: FigureLimits = FigureLimits { frames: 2000, bytes: 1 << 20 };

pub(super) fn write(facts: &Facts<'_>, names: &Names, page: &mut Page) -> Result<()> {
    let graph = facts.code.graph;
    let memory_bytes = graph.task_beside(facts.report.task.clone()).memory_bytes();
    let layer = HeapLayer::open(graph, names, &Limits { memory_bytes, ..Limits::default() })
        .map_err(|error| ReportError::of_layer(&facts.report.made.file, error))?;
    let measure = layer.default_measure();
    page.facts(&facts_of(&layer));
    if let Some(sampling) = &layer.sampling {
        let period = thousands(sampling.period.max(0) as u64);
        page.note(&format!("Values are estimates from samples, one for {period} {}.", sampling.unit));
    }
    draw(&layer, measure, page)?;
    functions(&layer, measure, page);
    source_lines(&facts.code, &layer, measure, page)
}

fn facts_of(layer: &HeapLayer) -> Vec<(&str, String)> {
    let mut facts = vec![("command", layer.command.clone())];
    facts.extend(
        layer
            .measures
            .iter()
            .map(|(slot, measure)| (measure.whole_name(), amount(&layer.totals.counts, (slot, measure)))),
    );
    if layer.totals.runtime_ms > 0 {
        facts.push(("run time", format!("{} ms", thousands(layer.totals.runtime_ms))));
    }
    if layer.totals.peak_resident_bytes > 0 {
        facts.push((
            "peak of resident memory",
            format!("{} bytes", thousands(layer.totals.peak_resident_bytes)),
        ));
    }
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// An amount of a measure in whole units.
fn amount(counts: &Counts, (slot, measure): (Slot, &Measure)) -> String {
    let value = counts[slot];
    match u64::try_from(value) {
        Ok(value) if measure.scale() == 1 => thousands(value),
        _ => measure.decimal(value),
    }
}

fn draw(layer: &HeapLayer, measure: Slot, page: &mut Page) -> Result<()> {
    let flame = FlameTree::of(layer, measure);
    let name = layer.measures.get(measure).map_or("", Measure::whole_name);
    if flame.total > 0 {
        let mut figure = Vec::new();
        let title = format!("{}: {} {name}", layer.names.layer, flame.told(flame.total));
        flame.write_figure(&title, FIGURE, &mut figure)?;
        page.drawing(&figure);
    }
    if layer.timeline.moments.iter().any(|moment| moment.calls != 0 || moment.peak_bytes != 0) {
        let mut drawing = Vec::new();
        layer.timeline.write_part(&format!("{}: memory over time", layer.names.layer), &mut drawing)?;
        page.drawing(&drawing);
    }
    Ok(())
}

/// The titles of the measures' columns.
fn titles(layer: &HeapLayer) -> impl Iterator<Item = Title> + '_ {
    layer.measures.iter().map(|(_, measure)| Title::number(measure.whole_name()))
}

/// The cells of the measures' columns; the measure by which rows are sorted has its heat.
fn cells(layer: &HeapLayer, counts: &Counts, sorted_by: Slot, most: i64) -> Vec<Cell> {
    let cell = |(slot, measure): (Slot, &Measure)| match slot == sorted_by {
        true => Cell::Heat(amount(counts, (slot, measure)), counts[slot] as f64 / most.max(1) as f64),
        false => Cell::Amount(amount(counts, (slot, measure))),
    };
    layer.measures.iter().map(cell).collect()
}

fn functions(layer: &HeapLayer, measure: Slot, page: &mut Page) {
    let mut rows = layer.top(By::Function);
    rows.retain(|row| row.own[measure] > 0);
    rows.sort_by_cached_key(|row| (Reverse(row.own[measure]), row.key()));
    let most = rows.first().map_or(0, |row| row.own[measure]);
    let texts = ["function", "file"].map(Title::text).into_iter();
    let mut table = Table::new("Functions by their own cost", texts.chain(titles(layer)).collect());
    for row in rows.iter().take(ROWS) {
        let place = if row.place.file.is_empty() { &row.place.module } else { &row.place.file };
        let mut cells_of_row = vec![Cell::Code(row.place.function.clone()), Cell::Code(place.clone())];
        cells_of_row.extend(cells(layer, &row.own, measure, most));
        table.push(cells_of_row);
    }
    table.of_all(rows.len() as u64, "function");
    page.table(&table);
}

/// The lines in the code of the graph at which memory was allocated, or time was spent: the sums of their
/// calls.
fn source_lines(code: &Code<'_>, layer: &HeapLayer, measure: Slot, page: &mut Page) -> Result<()> {
    let is_wanted = |row: &CodeRow| row.kind == CodeKind::Call && row.own[measure] > 0;
    let calls = layer.on_code().into_iter().filter(is_wanted);
    let mut lines = by_line(calls.map(|call| (code.place(call.node).words(), call.node, call.own)));
    lines.sort_by_key(|line| (Reverse(line.own[measure]), line.node));
    let most = lines.first().map_or(0, |line| line.own[measure]);
    let texts = ["place", "source"].map(Title::text).into_iter();
    let mut table = Table::new("Source lines by their own cost", texts.chain(titles(layer)).collect());
    for line in lines.iter().take(ROWS) {
        let source = code.source_line(line.node, &code.place(line.node))?;
        let mut cells_of_row = vec![Cell::Code(line.place.clone()), Cell::Code(source)];
        cells_of_row.extend(cells(layer, &line.own, measure, most));
        table.push(cells_of_row);
    }
    table.of_all(lines.len() as u64, "line");
    page.table(&table);
    Ok(())
}

/// A line of the source, with the first of its calls and the sum of all.
#[derive(Debug)]
struct Line {
    place: String,
    node: u32,
    own: Counts,
}

/// The calls, each with its place, by lines. Calls without a place stay apart.
fn by_line(calls: impl Iterator<Item = (String, u32, Counts)>) -> Vec<Line> {
    let (mut lines, mut known): (Vec<Line>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    for (place, node, own) in calls {
        let index = known.get(&place).filter(|_| !place.is_empty());
        let line = index.and_then(|index| lines.get_mut(*index));
        match line {
            Some(line) => {
                line.own += own;
                line.node = line.node.min(node);
            }
            None => {
                known.insert(place.clone(), lines.len());
                lines.push(Line { place, node, own });
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_on_one_line_are_one_row() {
        let call = |place: &str, node, own| (place.to_owned(), node, Counts::of(&[own]));
        let calls =
            [call("a.c:1", 7, 10), call("a.c:2", 3, 5), call("a.c:1", 4, 1), call("", 1, 2), call("", 2, 2)];
        let lines = by_line(calls.into_iter());
        let shown: Vec<_> =
            lines.iter().map(|line| (&*line.place, line.node, Slot::default().of(&line.own))).collect();
        assert_eq!(shown, [("a.c:1", 4, 11), ("a.c:2", 3, 5), ("", 1, 2), ("", 2, 2)]);
    }
}
