//! The questions `ask` and `plan`: run a query in the language of Joern, or a plan.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite::pipeline::{Pipeline, Plan, RowKind, Run};
use varvite_show::{EdgeLabels, Format, Selection, Shown, Sink};
use varvite_text::{Answer, AnswerOutput, Answering, Evaluation};

use crate::content::{Cells, Columns, Room, exact};
use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::shared::Shared;

/// The number of rows if the question has no limit, and the most rows.
const ROWS: u64 = 1_000;
const ROWS_MAX: u64 = 10_000;
/// The most bytes of the rows of an answer, and of a single value.
const BYTES_MAX: usize = 6 << 20;

/// Asks a query in the language of Joern.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    #[serde(default)]
    file: usize,
    text: String,
    #[serde(default)]
    offset: u64,
    limit: Option<u64>,
}

/// Asks a plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskPlan {
    #[serde(default)]
    file: usize,
    plan: Json,
    #[serde(default)]
    offset: u64,
    limit: Option<u64>,
}

/// The part of the rows that is wanted.
#[derive(Clone, Copy)]
struct Part {
    offset: u64,
    limit: u64,
}

impl Part {
    fn of(offset: u64, limit: Option<u64>) -> Self {
        Self { offset, limit: limit.unwrap_or(ROWS).clamp(1, ROWS_MAX) }
    }

    /// The plan for the part, with one row more, which tells whether there are more.
    fn cut(self, plan: Pipeline) -> Pipeline {
        let plan = if self.offset == 0 { plan } else { plan.skip(self.offset) };
        plan.limit(self.limit + 1)
    }
}

impl Ask {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let query =
            varvite_text::translate(&self.text).map_err(|error| Fault::of_text(&self.text, &error))?;
        let part = Part::of(self.offset, self.limit);
        super::about(shared, work, self.file, |graph| Asked::of(graph, work, part).answer(&query.answer))
    }
}

impl AskPlan {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let part = Part::of(self.offset, self.limit);
        super::about(shared, work, self.file, |graph| {
            let budget = work.budget();
            let plan = part.cut(Pipeline::from_json_within(&self.plan.to_string(), &budget)?);
            let plan = plan.compile_within(graph, work.task().flag(), &budget)?;
            Asked::of(graph, work, part).rows(&plan)
        })
    }
}

/// A query on a graph.
struct Asked<'a> {
    graph: &'a Graph,
    work: &'a Work,
    part: Part,
    /// The room of the whole answer: a tuple may have thousands of parts.
    room: RefCell<Room>,
}

impl<'a> Asked<'a> {
    fn of(graph: &'a Graph, work: &'a Work, part: Part) -> Self {
        Self { graph, work, part, room: Room::of(BYTES_MAX, work.budget()).into() }
    }
}

impl Asked<'_> {
    fn answer(&self, answer: &Answer) -> Result<Json> {
        match answer {
            Answer::Rows(plan) => {
                self.rows(&varvite_text::compile(&self.part.cut(plan.clone()), self.graph)?)
            }
            Answer::First { plan, .. } => {
                let plan = varvite_text::compile(&self.part.cut(plan.clone()), self.graph)?;
                // A single value, and the error if there is no row, are the library's.
                match plan.columns().row_kind() {
                    RowKind::Values => self.value(answer),
                    _ if self.has_row(answer)? => self.rows(&plan),
                    _ => self.value(answer),
                }
            }
            Answer::Tuple(answers) => {
                let parts = answers.iter().map(|answer| self.answer(answer)).collect::<Result<Vec<_>>>()?;
                Ok(json!({ "parts": parts }))
            }
            answer => self.value(answer),
        }
    }

    fn has_row(&self, answer: &Answer) -> Result<bool> {
        match answer {
            Answer::First { plan, is_optional } => Ok(*is_optional || self.evaluation().gives_rows(plan)?),
            _ => Ok(true),
        }
    }

    /// The rows of a plan.
    fn rows(&self, plan: &Plan) -> Result<Json> {
        let columns = Columns::open(self.graph)?;
        let mut room = self.room.borrow_mut();
        let is_first = room.left() == BYTES_MAX;
        let edges = EdgeLabels::of(self.graph);
        let mut cells = Cells { nodes: columns.nodes(), edges, room: &mut room };
        let titles: Vec<&str> = titles(plan);
        let mut run = plan.run(self.work.options());
        let (mut found, mut has_more) = (Vec::new(), false);
        while !has_more && let Some(rows) = run.next()? {
            for row in self.work.watch(0..rows.len()) {
                let row = row?;
                let is_wanted = (found.len() as u64) < self.part.limit;
                let row = if is_wanted { cells.row(&rows, row)? } else { None };
                let Some(row) = row else {
                    has_more = true;
                    break;
                };
                found.push(row);
            }
        }
        if has_more && found.is_empty() && is_first {
            return Err(too_long());
        }
        Ok(json!({ "columns": titles, "rows": found, "more": has_more }))
    }

    /// A single value.
    fn value(&self, answer: &Answer) -> Result<Json> {
        let value = Value::default();
        self.answering(&value).write(answer)?;
        let text = value.text();
        let value = exact(serde_json::from_str(&text).unwrap_or(Json::Null));
        let value = self.room.borrow_mut().take(value)?.ok_or_else(too_long)?;
        Ok(json!({ "value": value }))
    }

    fn evaluation(&self) -> Evaluation<'_> {
        Evaluation { graph: self.graph, options: self.work.options() }
    }

    fn answering<'s>(&'s self, output: &'s Value) -> Answering<'s> {
        let selection = Selection { format: Format::Json, task: self.work.task(), ..Selection::default() };
        Answering { graph: self.graph, options: self.work.options(), selection, output }
    }
}

/// The titles of the columns.
fn titles(plan: &Plan) -> Vec<&str> {
    plan.columns().map(|column| column.name()).collect()
}

/// The fault of an answer whose first row, or whose values, are too long.
fn too_long() -> Fault {
    let message = format!(
        "the first row or the values are longer than {BYTES_MAX} bytes: ask for fewer or shorter ones"
    );
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "over_memory", &message)
}

/// Receives a single value, as JSON.
#[derive(Default)]
struct Value(Arc<Mutex<Vec<u8>>>);

impl Value {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl AnswerOutput for Value {
    fn rows(&self) -> Sink<'_> {
        Sink::new(Bytes(&self.0))
    }

    fn value(&self, text: &str) -> io::Result<()> {
        Bytes(&self.0).write_all(text.as_bytes())
    }

    fn end_of_rows(&self, _: &Run, _: Option<Shown>) {}
}

/// Writes to the bytes of a value.
struct Bytes<'v>(&'v Mutex<Vec<u8>>);

impl Write for Bytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + bytes.len() > BYTES_MAX {
            return Err(io::Error::other("the value is too long to show: ask for a part of it"));
        }
        kept.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
