//! What changed between two runs: the costs of functions in profiles that both graphs have.

use std::cmp::Reverse;

use varvite::Graph;
use varvite_profile::layer::{DiffFrame, DiffRow, HeapDiff, HeapLayer, Names};
use varvite_profile::{Limits, Slot};

use super::super::runs::RUNS;
use super::ROWS;
use crate::error::{ReportError, Result};
use crate::html::{Cell, Page, Table, Title};
use crate::report::{Before, Facts};

pub(super) fn write(before: &Before<'_>, facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let known = HeapLayer::names_in(before.graph);
    let both = HeapLayer::names_in(facts.code.graph).into_iter().filter(|names| known.contains(names));
    for names in both.take(RUNS) {
        page.heading(&format!("Profile {}", names.layer));
        let old = open((before.graph, &before.file), facts, &names)?;
        let new = open((facts.code.graph, &facts.report.made.file), facts, &names)?;
        compare(old, new, page);
    }
    Ok(())
}

fn open((graph, file): (&Graph, &str), facts: &Facts<'_>, names: &Names) -> Result<HeapLayer> {
    let memory_bytes = graph.task_beside(facts.report.task.clone()).memory_bytes() / 2;
    let limits = Limits { memory_bytes, ..Limits::default() };
    HeapLayer::open(graph, names, &limits).map_err(|error| ReportError::of_layer(file, error))
}

fn compare(before: HeapLayer, after: HeapLayer, page: &mut Page) {
    let common = after.measures.in_common(&before.measures);
    if common.is_empty() || before.sampling.is_some() != after.sampling.is_some() {
        page.note("The two profiles count different things, so they are not compared.");
        return;
    }
    let [before, after] = [before, after].map(|layer| layer.in_slots_of(&common));
    let measure = after.default_measure();
    page.paragraph(&format!(
        "{}: {} before, {} after.",
        name(&after, measure),
        told(&after, measure, before.totals.counts[measure]),
        told(&after, measure, after.totals.counts[measure])
    ));
    let mut rows: Vec<(DiffFrame, DiffRow)> = HeapDiff::of(&before, &after).by_function();
    rows.retain(|(_, row)| row.change(measure) != 0);
    rows.sort_by_cached_key(|(frame, row)| (Reverse(row.change(measure).unsigned_abs()), frame.clone()));
    page.table(&table(&after, measure, &rows));
}

fn table(layer: &HeapLayer, measure: Slot, rows: &[(DiffFrame, DiffRow)]) -> Table {
    let texts = ["function", "file"].map(Title::text).into_iter();
    let titles = ["before", "after", "change"].map(Title::number);
    let caption = format!("Functions by the change of {}", name(layer, measure));
    let mut table = Table::new(&caption, texts.chain(titles).collect());
    let amount = |value| told(layer, measure, value);
    for (frame, row) in rows.iter().take(ROWS) {
        let sign = if row.change(measure) > 0 { "+" } else { "" };
        table.push(vec![
            Cell::Code(frame.function.clone()),
            Cell::Code(frame.file.clone()),
            Cell::Amount(amount(measure.of(&row.before))),
            Cell::Amount(amount(measure.of(&row.after))),
            Cell::Amount(format!("{sign}{}", amount(row.change(measure)))),
        ]);
    }
    table.of_all(rows.len() as u64, "function");
    table
}

fn name(layer: &HeapLayer, measure: Slot) -> &str {
    layer.measures.get(measure).map_or("", |measure| measure.whole_name())
}

/// An amount in whole units of the measure.
fn told(layer: &HeapLayer, measure: Slot, value: i64) -> String {
    layer.measures.get(measure).map_or_else(String::new, |measure| measure.decimal(value))
}
