//! The answer as Markdown, for a comment on a pull request.

use std::io::{self, Write};

use varvite::Graph;
use varvite_cpg::{SiteCursor, Sites};
use varvite_profile::layer::CodeMeasure;

use super::markdown_text::code;
use super::remarks;
use super::report::{Report, Row};
use crate::failure::Outcome;
use crate::output::{stdout, thousands};

/// A section of the page: its heading, and the METHODs that it lists.
type Section = (&'static str, fn(&Row) -> bool);

/// Writes the page: the sentence, a table for each section, and what the answer lacks.
pub(super) fn write(graph: &Graph, report: &Report) -> Outcome {
    let sites = Sites::open(graph)?;
    let mut page = Page { report, sites: sites.cursor(), out: stdout() };
    page.write_head()?;
    let depth = report.depth;
    page.write_section(("Touched METHODs", |row| row.distance == 0), u32::MAX)?;
    page.write_section(("Callers", |row| row.distance > 0), depth)?;
    page.write_section(("Entry points", |row| row.is_entry), u32::MAX)?;
    if report.has_tests {
        page.write_section(("Tests", |row| row.is_test), u32::MAX)?;
    }
    page.write_remarks()?;
    Ok(page.out.flush()?)
}

struct Page<'p, W: Write> {
    report: &'p Report,
    sites: SiteCursor<'p>,
    out: W,
}

impl<W: Write> Page<'_, W> {
    fn write_head(&mut self) -> io::Result<()> {
        let of = self.report.patch.as_deref().map(|patch| format!(" of {}", code(patch))).unwrap_or_default();
        writeln!(self.out, "## Impact{of}\n\n{}.", self.report.sentence())
    }

    /// Writes the table of the METHODs that belong to a section and are at most `depth` calls away.
    fn write_section(&mut self, (heading, is_in): Section, depth: u32) -> io::Result<()> {
        let report = self.report;
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.distance <= depth && is_in(row)).collect();
        writeln!(self.out, "\n### {heading} ({})", rows.len())?;
        if rows.is_empty() {
            return Ok(());
        }
        let measures: Vec<&CodeMeasure> = report.ran.measures(true).collect();
        let titles: String = measures.iter().map(|measure| format!(" {} |", code(&measure.name))).collect();
        let lines = "---:|".repeat(measures.len());
        writeln!(self.out, "\n| calls away | METHOD | location | changed lines | entry point |{titles}")?;
        writeln!(self.out, "|---:|---|---|---:|---|{lines}")?;
        rows.into_iter().try_for_each(|row| self.write_row(row, &measures))
    }

    fn write_row(&mut self, row: &Row, measures: &[&CodeMeasure]) -> io::Result<()> {
        let site = self.sites.at(row.node);
        let line = site.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = format!("{}{line}", site.file.unwrap_or("?"));
        let name = code(site.method_name.unwrap_or_default());
        let lines = if row.distance == 0 { thousands(row.lines) } else { String::new() };
        let entry = if row.is_entry { "yes" } else { "" };
        write!(self.out, "| {} | {name} | {} | {lines} | {entry} |", row.distance, code(&place))?;
        for measure in measures {
            let value = measure.of(row.node).map(|value| value.to_string()).unwrap_or_default();
            write!(self.out, " {value} |")?;
        }
        writeln!(self.out)
    }

    fn write_remarks(&mut self) -> io::Result<()> {
        let remarks = remarks::of(self.report);
        if !remarks.is_empty() {
            writeln!(self.out, "\n### Not in this answer\n")?;
        }
        remarks.iter().try_for_each(|remark| writeln!(self.out, "- {}", code(remark)))
    }
}
