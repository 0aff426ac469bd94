//! `varvite source FILE WHAT`: shows a function, or the lines around a place, with line numbers.

use std::io::{self, Write};

use clap::Args;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite::{Budget, Graph};
use varvite_cpg::source::{Line, Sources};
use varvite_show::Passage;

use super::line_counts::{LineCounts, NAMES};
use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, escaped_code, note, stdout, thousands, write_document};

/// The width of a count in a table.
const COUNT_WIDTH: usize = 13;

/// Arguments of `varvite source FILE WHAT`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The code to show: a METHOD, by FULL_NAME, NAME or id; another node, such as TYPE_DECL:z_stream; or a
    /// line of a file, such as inflate.c:1200, with the function around it
    #[arg(value_name = "WHAT", required = true)]
    what: Option<String>,
    /// Show the instructions, loads and stores of each line, from the trace that was imported with --name
    /// NAME [without NAME: from the one without a name]
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    trace: Option<String>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the lines.
pub(super) fn run(graph: &GraphArgs, args: &ShowArgs) -> Outcome {
    let what = args.what.as_deref().unwrap_or_default();
    graph.ask_within(&args.memory, |graph| Answer::of(graph, what, args)?.write(args.format.format))
}

/// Lines of a file, ready to be shown.
struct Answer {
    file: String,
    /// The METHOD or other node, and its name.
    node: Option<(u32, String)>,
    passage: Passage,
    lines: Vec<Line>,
    counts: Option<LineCounts>,
}

impl Answer {
    fn of(graph: &Graph, what: &str, args: &ShowArgs) -> Result<Self, Failure> {
        let Some(sources) = Sources::open(graph)? else {
            return Err(Failure::NoSource(
                "the graph has no sources: `varvite source add GRAPH DIR` adds the files of its program"
                    .to_owned(),
            ));
        };
        let passage = Passage::of(graph, &sources, what)?;
        let budget = Budget::new(args.memory.bytes());
        let found = sources.lines(passage.file, (passage.first, passage.last), &budget)?;
        let file = sources.name(passage.file);
        let wanted = passage.marked.unwrap_or(passage.first);
        if !found.lines.iter().any(|line| line.number == wanted) {
            let total = found.total.unwrap_or(0);
            let what = "has fewer lines than the graph says; the sources may be of another version";
            let what = if passage.node.is_some() { what } else { "has fewer lines" };
            return Err(Failure::NoSource(format!("{file} {what}: {total} lines, line {wanted} is wanted")));
        }
        if let (Some(total), Some(_)) = (found.total.filter(|total| *total < passage.last), passage.node) {
            note(&format!("{file} ends at line {total}, but the code at line {}", passage.last));
        }
        let names = optional(graph.texts("FULL_NAME"))?.into_iter().chain(optional(graph.texts("NAME"))?);
        let names: Vec<_> = names.collect();
        let name_of = |node: u32| names.iter().find_map(|names| names.str(node).map(|it| it.to_string()));
        let node = passage.node.map(|node| (node, name_of(node).unwrap_or_default()));
        let shown = passage.first..=passage.last;
        let counts =
            args.trace.as_deref().map(|trace| LineCounts::of(graph, trace, &file, &shown)).transpose()?;
        if counts.as_ref().is_some_and(|counts| counts.is_sampled) {
            note("the trace is a sample: its counts are those of the recorded parts");
        }
        Ok(Self { file, node, passage, lines: found.lines, counts })
    }

    fn write(&self, format: Format) -> Outcome {
        match format {
            Format::Table => self.write_lines()?,
            Format::Json | Format::Jsonl => write_document(&format!("{:#}", self.document()), format)?,
            Format::Csv => self.write_rows()?,
        }
        Ok(())
    }

    fn write_rows(&self) -> io::Result<()> {
        let names: &[&str] = if self.counts.is_some() { &NAMES } else { &[] };
        let counts = names.iter().map(|name| Column::number(*name));
        let columns = [Column::number("line")].into_iter().chain(counts).chain([Column::text("text")]);
        let mut rows = begin_rows(Format::Csv, columns.collect())?;
        for Line { number, text } in &self.lines {
            let counts = self.counts.iter().flat_map(|counts| match counts.at(*number) {
                Some(counts) => counts.map(Json::from),
                None => NAMES.map(|_| Json::Null),
            });
            rows.push([(*number).into()].into_iter().chain(counts).chain([text.as_str().into()]).collect())?;
        }
        rows.finish()
    }

    /// Writes a head, and each line with its number; the line that the user named has a mark.
    fn write_lines(&self) -> io::Result<()> {
        let mut out = stdout();
        let node =
            self.node.as_ref().map_or_else(String::new, |(_, name)| format!("  {}", escaped_code(name)));
        writeln!(out, "{}:{}{node}", escaped_code(&self.file), self.first())?;
        if self.counts.is_some() {
            writeln!(out, "{}", NAMES.map(|name| format!("{name:>COUNT_WIDTH$}")).join(" "))?;
        }
        let width = self.lines.last().map_or(0, |line| line.number.to_string().len());
        for Line { number, text } in &self.lines {
            let mark = if self.passage.marked == Some(*number) { '>' } else { ' ' };
            let counts = self.counts_before(*number);
            let line = format!("{counts}{mark}{number:>width$}  {}", escaped_code(text));
            writeln!(out, "{}", line.trim_end())?;
        }
        out.flush()
    }

    /// The counts of a line, as columns of a table; empty if no counts are shown.
    fn counts_before(&self, line: u64) -> String {
        let Some(counts) = &self.counts else { return String::new() };
        let cells = counts.at(line).map_or(NAMES.map(|_| String::new()), |counts| counts.map(thousands));
        cells.map(|cell| format!("{cell:>COUNT_WIDTH$} ")).concat()
    }

    fn first(&self) -> u64 {
        self.lines.first().map_or(self.passage.first, |line| line.number)
    }

    fn document(&self) -> Json {
        let lines = self.lines.iter().map(|line| {
            let mut document = json!({ "line": line.number, "text": line.text });
            for (at, name) in NAMES.iter().enumerate().filter(|_| self.counts.is_some()) {
                let counts = self.counts.as_ref().and_then(|counts| counts.at(line.number));
                document[*name] = counts.map(|counts| counts[at]).into();
            }
            document
        });
        json!({
            "file": self.file,
            "node": self.node.as_ref().map(|(node, _)| node),
            "name": self.node.as_ref().map(|(_, name)| name),
            "first_line": self.first(),
            "last_line": self.lines.last().map(|line| line.number),
            "lines": lines.collect::<Vec<_>>(),
        })
    }
}
