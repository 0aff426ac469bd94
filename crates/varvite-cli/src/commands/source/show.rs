//! `varvite source FILE WHAT`: shows a function, or the lines around a place, with line numbers.

use std::io::{self, Write};

use clap::Args;
use serde_json::json;
use varvite::error::optional;
use varvite::{Budget, Graph};
use varvite_cpg::source::{Line, Sources};
use varvite_show::Passage;

use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, escaped_code, note, stdout, write_document};

/// Arguments of `varvite source FILE WHAT`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The code to show: a METHOD, by FULL_NAME, NAME or id; another node, such as TYPE_DECL:z_stream; or a
    /// line of a file, such as inflate.c:1200, with the function around it
    #[arg(value_name = "WHAT", required = true)]
    what: Option<String>,
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
        Ok(Self { file, node, passage, lines: found.lines })
    }

    fn write(&self, format: Format) -> Outcome {
        match format {
            Format::Table => self.write_lines()?,
            Format::Json | Format::Jsonl => write_document(&format!("{:#}", self.document()), format)?,
            Format::Csv => {
                let mut rows = begin_rows(format, vec![Column::number("line"), Column::text("text")])?;
                for line in &self.lines {
                    rows.push(vec![line.number.into(), line.text.as_str().into()])?;
                }
                rows.finish()?;
            }
        }
        Ok(())
    }

    /// Writes a head, and each line with its number; the line that the user named has a mark.
    fn write_lines(&self) -> io::Result<()> {
        let mut out = stdout();
        let node =
            self.node.as_ref().map_or_else(String::new, |(_, name)| format!("  {}", escaped_code(name)));
        writeln!(out, "{}:{}{node}", escaped_code(&self.file), self.first())?;
        let width = self.lines.last().map_or(0, |line| line.number.to_string().len());
        for Line { number, text } in &self.lines {
            let mark = if self.passage.marked == Some(*number) { '>' } else { ' ' };
            let line = format!("{mark}{number:>width$}  {}", escaped_code(text));
            writeln!(out, "{}", line.trim_end())?;
        }
        out.flush()
    }

    fn first(&self) -> u64 {
        self.lines.first().map_or(self.passage.first, |line| line.number)
    }

    fn document(&self) -> serde_json::Value {
        let lines = self.lines.iter().map(|line| json!({ "line": line.number, "text": line.text }));
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
