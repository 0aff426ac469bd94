//! The questions of a page: their fields, and their answers.
//!
//! `files` lists the open files; `search` finds nodes; `ask` runs queries and plans; `symbol` shows a node
//! (`subject`) with its lines (`source`, `on_lines`, `names`, `heat`); `drawing` places a part of the graph;
//! `paths` finds shortest paths, with lines of the files in `source_files`; `runs` shows profiles; `code`
//! writes programs.

mod ask;
mod code;
mod drawing;
mod files;
mod heat;
mod names;
mod on_lines;
mod paths;
mod runs;
mod search;
mod source;
mod source_files;
mod subject;
mod symbol;

use std::io::{self, Write};

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value as Json;
use varvite::Graph;

use crate::fault::{Fault, Result};
use crate::graphs::{GraphFile, OpenGraph};
use crate::limits::Work;
use crate::shared::Shared;

/// The most bytes of an answer.
const ANSWER_BYTES_MAX: usize = 8 << 20;

/// A question. Fields that it does not have are refused.
#[derive(Debug, Deserialize)]
#[serde(tag = "question", rename_all = "snake_case")]
pub(crate) enum Question {
    Files(files::Files),
    Reopen(files::Reopen),
    Link(files::Link),
    Search(search::Search),
    Ask(ask::Ask),
    Plan(ask::AskPlan),
    Symbol(symbol::Symbol),
    Drawing(drawing::DrawingOf),
    Paths(paths::Paths),
    Runs(runs::Runs),
    Flame(runs::Flame),
    Timeline(runs::TimelineOf),
    Moment(runs::MomentOf),
    Compare(runs::Compare),
    Code(code::Code),
    /// A question that fails by a fault of ours, in tests.
    #[cfg(test)]
    Panic {},
}

impl Question {
    /// The answer, as JSON.
    pub(crate) fn answer(&self, shared: &Shared, work: &Work) -> Result<String> {
        let answer = match self {
            Self::Files(question) => question.answer(shared),
            Self::Reopen(question) => question.answer(shared),
            Self::Link(question) => question.answer(shared),
            Self::Search(question) => question.answer(shared, work),
            Self::Ask(question) => question.answer(shared, work),
            Self::Plan(question) => question.answer(shared, work),
            Self::Symbol(question) => question.answer(shared, work),
            Self::Drawing(question) => question.answer(shared, work),
            Self::Paths(question) => question.answer(shared, work),
            Self::Runs(question) => question.answer(shared, work),
            Self::Flame(question) => question.answer(shared, work),
            Self::Timeline(question) => question.answer(shared, work),
            Self::Moment(question) => question.answer(shared, work),
            Self::Compare(question) => question.answer(shared, work),
            Self::Code(question) => question.answer(shared, work),
            #[cfg(test)]
            Self::Panic {} => std::panic::resume_unwind(Box::new("planted")),
        };
        written(&answer?)
    }
}

/// Answers a question about one file. Fails if a read has found damage: damage may be the cause of any other
/// fault, and must not look like the end of an answer.
fn about<T>(
    shared: &Shared,
    work: &Work,
    file: usize,
    answer: impl FnOnce(&Graph) -> Result<T>,
) -> Result<T> {
    let file = shared.graphs.file(file)?;
    let open = file.current()?;
    about_open(file, &open, work, answer)
}

/// The same for a file that was looked up.
fn about_open<T>(
    file: &GraphFile,
    open: &OpenGraph,
    work: &Work,
    answer: impl FnOnce(&Graph) -> Result<T>,
) -> Result<T> {
    let outcome = answer(&open.graph);
    let complete = || -> Result<()> {
        open.graph.check()?;
        Ok(work.check()?)
    };
    complete().and(outcome).map_err(|fault| match fault.is_damage() {
        true => open.cause_of_damage(file).unwrap_or(fault),
        false => fault,
    })
}

/// Fails if a node is not one of the graph.
fn check_node(graph: &Graph, node: u32) -> Result<()> {
    if node >= graph.node_count() || graph.is_removed(node)? {
        let message = format!("there is no node {node}: this graph has {} nodes", graph.live_node_count());
        return Err(Fault::new(StatusCode::NOT_FOUND, "no_such_node", &message));
    }
    Ok(())
}

/// Writes an answer, unless it is too long.
fn written(answer: &Json) -> Result<String> {
    let mut out = Limited(Vec::new());
    serde_json::to_writer(&mut out, answer).map_err(|_| {
        let message = format!("the answer is longer than {ANSWER_BYTES_MAX} bytes: ask for less");
        Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "over_memory", &message)
    })?;
    Ok(String::from_utf8_lossy(&out.0).into_owned())
}

/// Takes as many bytes as an answer may have.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > ANSWER_BYTES_MAX {
            return Err(io::Error::other("too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
