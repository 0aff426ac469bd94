//! The files by size, with the heat of what ran in them, or of their complexity.

use std::cmp::Reverse;

use varvite_cpg::{CodeFile, CodeFiles};
use varvite_profile::layer::CodeMeasures;

use crate::error::Result;
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The number of files in the table.
const ROWS: usize = 60;
/// The number of measurements of runs that the table shows.
const MEASURES: usize = 6;
/// The bytes that are charged for a row, without its measurements.
const ROW_BYTES: usize = 64;

/// The numbers of a file.
struct Row<'f> {
    name: &'f str,
    lines: u64,
    functions: u64,
    complexity: u64,
    /// The sum of each measurement over the functions of the file.
    measures: Vec<u64>,
}

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let code = &facts.code;
    let (files, measures) = (CodeFiles::of(code.graph, &code.budget)?, CodeMeasures::of(code.graph)?);
    let names: Vec<&str> = measures.measures(true).take(MEASURES).map(|it| it.name.as_str()).collect();
    let mut rows = Vec::new();
    for file in files.files() {
        code.budget.take(ROW_BYTES + names.len() * size_of::<u64>())?;
        rows.push(Row::of(facts, file, &measures)?);
    }
    rows.sort_by_key(|row| (Reverse(row.lines), row.name));
    if rows.is_empty() {
        page.paragraph("The graph has no files.");
        return Ok(());
    }
    page.table(&table(&rows, &names, facts.functions.has_flow));
    page.note(match code.source_count() {
        0 => "Lines are those up to the end of the last function, because the graph has no sources.",
        _ => {
            "Lines are those of the source or, for files without source in the graph, those up to the end of \
              the last function."
        }
    });
    Ok(())
}

impl<'f> Row<'f> {
    fn of(facts: &Facts<'_>, file: &'f CodeFile, measures: &CodeMeasures) -> Result<Self> {
        let own = file.methods().iter().filter_map(|method| facts.functions.at(method.node));
        let last = file.methods().iter().filter(|method| !method.is_external).map(|method| method.last);
        let last = last.max().unwrap_or(0).into();
        let sum = |of: &dyn Fn(u32) -> Option<i64>| {
            let values = own.clone().filter_map(|function| u64::try_from(of(function.node)?).ok());
            values.fold(0_u64, u64::saturating_add)
        };
        Ok(Self {
            name: file.name(),
            lines: facts.code.lines_of_file(file.name())?.unwrap_or(last),
            functions: own.clone().count() as u64,
            complexity: own.clone().map(|function| function.complexity).fold(0, u64::saturating_add),
            measures: measures.measures(true).take(MEASURES).map(|it| sum(&|node| it.of(node))).collect(),
        })
    }
}

fn table(rows: &[Row<'_>], measures: &[&str], has_flow: bool) -> Table {
    let most = |of: &dyn Fn(&Row<'_>) -> u64| rows.iter().map(of).max().unwrap_or(0);
    let most_complex = most(&|row| row.complexity);
    let most_measured: Vec<u64> = (0..measures.len()).map(|index| most(&|row| row.measures[index])).collect();
    let numbers = ["lines", "functions"].into_iter().chain(has_flow.then_some("complexity"));
    let numbers = numbers.chain(measures.iter().copied()).map(Title::number);
    let caption = "Files by lines; shades show the share of the largest number of a column";
    let mut table = Table::new(caption, [Title::text("file")].into_iter().chain(numbers).collect());
    for row in rows.iter().take(ROWS) {
        let mut cells =
            vec![Cell::Code(row.name.to_owned()), Cell::Number(row.lines), Cell::Number(row.functions)];
        cells.extend(has_flow.then(|| Cell::heat(row.complexity, most_complex)));
        let measured = row.measures.iter().zip(&most_measured);
        cells.extend(measured.map(|(number, most)| Cell::heat(*number, *most)));
        table.push(cells);
    }
    table.of_all(rows.len() as u64, "file");
    table
}
