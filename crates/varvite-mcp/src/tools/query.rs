//! The tool `query`: runs a plan, or a query in the language of Joern.

use std::cell::RefCell;
use std::io::{self, Write};

use rmcp::model::JsonObject;
use serde::Deserialize;
use serde_json::Value as Json;
use varvite::Graph;
use varvite::pipeline::{Pipeline, Plan, Run};
use varvite_show::{Answer as ShownRows, Format, Selection, Shown, Sink, escaped_code, escaped_json};
use varvite_text::{Answer, AnswerOutput, Answering};

use crate::fault::{Fault, Result};
use crate::limits::Call;
use crate::page::{Page, Reply};

/// The bytes of rows that are kept for each byte of a page: a row may not fit, and escapes are longer.
const KEPT_OF_BYTE: usize = 2;
/// The most bytes of an answer that is no list of rows.
const VALUES_BYTES_MAX: usize = 4 << 20;
/// The least number of bytes of a row on a page, with its end.
const ROW_BYTES: usize = 3;

/// The arguments.
#[derive(Debug)]
pub(super) struct Query {
    asked: Asked,
    format: Form,
}

/// The question: a query in the language of Joern, or the JSON of a plan.
#[derive(Debug)]
enum Asked {
    Text(String),
    Plan(String),
}

/// The form of rows.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Form {
    #[default]
    Csv,
    Jsonl,
}

/// The arguments as they are sent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    text: Option<String>,
    plan: Option<Json>,
    #[serde(default)]
    format: Form,
}

impl Query {
    pub(super) fn read(arguments: JsonObject) -> Result<Self> {
        let Sent { text, plan, format } = super::read("query", arguments)?;
        let asked = match (text, plan) {
            (Some(text), None) => Asked::Text(text),
            (None, Some(plan @ Json::Object(_))) => Asked::Plan(plan.to_string()),
            (None, Some(_)) => {
                return Err(Fault::new("the argument plan is an object with version and steps"));
            }
            _ => return Err(Fault::new("query takes one of text and plan")),
        };
        Ok(Self { asked, format })
    }

    pub(super) fn answer(&self, graph: &Graph, call: &Call, page: &Page) -> Result<Reply> {
        match &self.asked {
            Asked::Plan(json) => {
                let budget = call.budget(graph);
                let plan = cut(Pipeline::from_json_within(json, &budget)?, page);
                let plan = plan.compile_within(graph, call.task(graph).flag(), &budget)?;
                self.rows(&plan, graph, call, page)
            }
            Asked::Text(text) => {
                let query = varvite_text::translate(text).map_err(|error| Fault::of_text(text, &error))?;
                match &query.answer {
                    Answer::Rows(plan) => {
                        let plan = varvite_text::compile(&cut(plan.clone(), page), graph)?;
                        self.rows(&plan, graph, call, page)
                    }
                    answer => self.values(answer, graph, call, page),
                }
            }
        }
    }

    fn format(&self) -> Format {
        match self.format {
            Form::Csv => Format::Csv,
            Form::Jsonl => Format::Jsonl,
        }
    }

    fn selection(&self, graph: &Graph, call: &Call) -> Selection<'static> {
        Selection { format: self.format(), task: call.task(graph), ..Selection::default() }
    }

    /// The rows of a plan that begins at the page.
    fn rows(&self, plan: &Plan, graph: &Graph, call: &Call, page: &Page) -> Result<Reply> {
        let shown = ShownRows::of_columns(graph, plan.columns(), self.format())?;
        let kept = Kept::new(page.bytes * KEPT_OF_BYTE, self.format);
        let mut run = plan.run(call.options(graph));
        let written = shown.write(&mut run, None, kept.rows(), self.selection(graph, call));
        if !kept.is_full() {
            written?;
        }
        let mut lines = self.lines(&kept);
        // The last row that is kept may not be whole. Alone it stays: it fills the page, which says so.
        if kept.is_full() && lines.len() > self.titles() + 1 {
            lines.pop();
        }
        let most = rows_max(page);
        let is_whole = !kept.is_full() && lines.len() as u64 <= most + self.titles() as u64;
        let head: Vec<String> = lines.drain(..self.titles().min(lines.len())).collect();
        lines.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        if lines.is_empty() && page.offset == 0 {
            return Ok(Reply { head: Vec::new(), lines: vec!["no rows".to_owned()], is_whole: true });
        }
        Ok(Reply { head, lines, is_whole })
    }

    /// The number of lines above the rows.
    fn titles(&self) -> usize {
        usize::from(self.format == Form::Csv)
    }

    /// A single value, or several answers.
    fn values(&self, answer: &Answer, graph: &Graph, call: &Call, page: &Page) -> Result<Reply> {
        let kept = Kept::new(VALUES_BYTES_MAX, self.format);
        let selection = self.selection(graph, call);
        let outcome =
            Answering { graph, options: call.options(graph), selection, output: &kept }.write(answer);
        let mut lines = self.lines(&kept);
        match kept.is_full() {
            true => lines.push(format!("[the answer ends here: it has more than {VALUES_BYTES_MAX} bytes]")),
            false => outcome?,
        }
        Ok(Reply::of(Vec::new(), lines, page))
    }

    fn lines(&self, kept: &Kept) -> Vec<String> {
        let text = String::from_utf8_lossy(&kept.bytes.borrow()).into_owned();
        let line = |line: &str| match self.format {
            Form::Csv => escaped_code(line),
            Form::Jsonl => escaped_json(line),
        };
        text.lines().map(line).collect()
    }
}

/// The plan of a page: as many rows as may fit, and one more, which tells whether there are more.
fn cut(plan: Pipeline, page: &Page) -> Pipeline {
    let plan = if page.offset == 0 { plan } else { plan.skip(page.offset) };
    plan.limit(rows_max(page) + 1)
}

fn rows_max(page: &Page) -> u64 {
    (page.bytes / ROW_BYTES) as u64
}

/// The beginning of what is written: a line for each row.
struct Kept {
    bytes: RefCell<Vec<u8>>,
    most: usize,
    form: Form,
}

impl Kept {
    fn new(most: usize, form: Form) -> Self {
        Self { bytes: RefCell::default(), most, form }
    }

    fn is_full(&self) -> bool {
        self.bytes.borrow().len() >= self.most
    }

    /// Keeps bytes. Once no more is kept, this fails, which ends the run.
    fn push(&self, bytes: &[u8]) -> io::Result<()> {
        let mut kept = self.bytes.borrow_mut();
        let more = bytes.len().min(self.most - kept.len());
        kept.extend_from_slice(&bytes[..more]);
        if more < bytes.len() { Err(io::Error::other("no more fits the page")) } else { Ok(()) }
    }
}

impl AnswerOutput for Kept {
    fn rows(&self) -> Sink<'_> {
        Sink::new(RowLines { kept: self, is_quoted: false })
    }

    fn value(&self, text: &str) -> io::Result<()> {
        self.push(format!("{text}\n").as_bytes())
    }

    fn end_of_rows(&self, _: &Run, _: Option<Shown>) {}
}

/// Keeps rows. A text of CSV may have line ends inside its quotes. They become `\n`, so that a row is a line.
struct RowLines<'k> {
    kept: &'k Kept,
    is_quoted: bool,
}

impl Write for RowLines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.kept.form != Form::Csv {
            return self.kept.push(bytes).map(|()| bytes.len());
        }
        let mut lines = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.is_quoted ^= *byte == b'"';
            match byte {
                b'\n' if self.is_quoted => lines.extend(b"\\n"),
                byte => lines.push(*byte),
            }
        }
        self.kept.push(&lines).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
