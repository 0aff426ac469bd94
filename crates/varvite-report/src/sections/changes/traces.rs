//! What changed between two traces: the counts of functions in layers that both graphs have.

use std::cmp::Reverse;

use varvite::Property;
use varvite_show::thousands;

use super::super::runs::RUNS;
use super::super::runs::trace::TraceLayer;
use super::ROWS;
use crate::code::Code;
use crate::error::Result;
use crate::functions::Function;
use crate::html::{Cell, Page, Table, Title};

/// A count of a function in both graphs.
struct Row {
    function: Function,
    before: i64,
    after: i64,
}

impl Row {
    fn change(&self) -> i64 {
        self.after.saturating_sub(self.before)
    }
}

/// Compares the first count of each trace: in Varvite's own layers, that of instructions.
pub(super) fn write(
    before: &Code<'_>,
    after: &Code<'_>,
    pairs: &[[Function; 2]],
    page: &mut Page,
) -> Result<()> {
    let known = TraceLayer::all(before.graph);
    for layer in TraceLayer::all(after.graph).iter().take(RUNS) {
        let Some(earlier) = known.iter().find(|earlier| earlier.name == layer.name) else { continue };
        let (old, new) = (earlier.columns(before.graph)?, layer.columns(after.graph)?);
        let Some((name, column)) = new.first() else { continue };
        let Some((_, earlier)) = old.iter().find(|(known, _)| known == name) else { continue };
        page.heading(&format!("Trace {}", layer.name));
        page.table(&table(
            after,
            &format!("Functions by the change of {name}"),
            rows(pairs, earlier, column),
        ));
    }
    Ok(())
}

fn rows(pairs: &[[Function; 2]], before: &Property, after: &Property) -> Vec<Row> {
    let row = |[old, new]: &[Function; 2]| Row {
        function: *new,
        before: before.number(old.node).unwrap_or(0),
        after: after.number(new.node).unwrap_or(0),
    };
    let mut rows: Vec<Row> = pairs.iter().map(row).filter(|row| row.change() != 0).collect();
    rows.sort_by_key(|row| (Reverse(row.change().unsigned_abs()), row.function.node));
    rows
}

fn table(code: &Code<'_>, caption: &str, rows: Vec<Row>) -> Table {
    let titles = ["before", "after", "change"].map(Title::number).into_iter();
    let texts = ["function", "place"].map(Title::text).into_iter();
    let mut table = Table::new(caption, texts.chain(titles).collect());
    for row in rows.iter().take(ROWS) {
        let sign = if row.change() > 0 { "+" } else { "-" };
        table.push(vec![
            Cell::Code(code.name(row.function.node)),
            Cell::Code(code.place(row.function.node).words()),
            Cell::Amount(row.before.to_string()),
            Cell::Amount(row.after.to_string()),
            Cell::Amount(format!("{sign}{}", thousands(row.change().unsigned_abs()))),
        ]);
    }
    table.of_all(rows.len() as u64, "function");
    table
}
