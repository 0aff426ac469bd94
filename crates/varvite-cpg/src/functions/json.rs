//! [`FunctionJson`]: writes a function as a line of JSON.
//!
//! ```json
//! {"method":7,"full_name":"f","file":"a.c","line":1,
//!  "nodes":{"id":[7,8],"type":["METHOD","BLOCK"],"line":[1,null],"code":["int f()","{ }"],
//!           "tokens":[["int","f","(",")"],["{","}"]]},
//!  "edges":{"source":[0],"target":[1],"type":["AST"]}}
//! ```
//!
//! Sources and targets are indexes into the lists of `nodes`. A missing value is null, and then has no
//! tokens.

use std::io::{self, Write};

use varvite::error::optional;
use varvite::{Graph, Property};

use super::batch::FunctionBatch;
use super::tokens::tokens_of;
use crate::error::Result;

/// The names of a graph that its functions refer to.
#[derive(Debug)]
pub struct FunctionJson {
    labels: Vec<String>,
    edge_labels: Vec<String>,
    full_name: Option<Property>,
    file: Option<Property>,
    line: Option<Property>,
}

impl FunctionJson {
    /// Opens the columns. `edge_labels` are those of the functions.
    ///
    /// # Errors
    /// Fails if the graph can't be read. Missing properties are not errors.
    pub fn open(graph: &Graph, edge_labels: &[String]) -> Result<Self> {
        Ok(Self {
            labels: graph.labels().iter().map(|label| label.name.clone()).collect(),
            edge_labels: edge_labels.to_vec(),
            full_name: optional(graph.property("FULL_NAME"))?,
            file: optional(graph.property("FILENAME"))?,
            line: optional(graph.property("LINE_NUMBER"))?,
        })
    }

    /// Writes a function of a batch, with a line end.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, batch: &FunctionBatch, index: usize, out: &mut impl Write) -> io::Result<()> {
        let method = batch.methods.get(index).copied().unwrap_or_default();
        write!(out, "{{\"method\":{method},\"full_name\":")?;
        write_text(out, text_of(self.full_name.as_ref(), method).as_deref())?;
        write!(out, ",\"file\":")?;
        write_text(out, text_of(self.file.as_ref(), method).as_deref())?;
        write!(out, ",\"line\":")?;
        write_number(out, self.line.as_ref().and_then(|line| line.number(method)).unwrap_or(-1))?;
        self.write_nodes(batch, range(&batch.node_offsets, index), out)?;
        self.write_edges(batch, range(&batch.edge_offsets, index), out)?;
        writeln!(out, "}}")
    }

    fn write_nodes(
        &self,
        batch: &FunctionBatch,
        nodes: std::ops::Range<usize>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let label = |number: i64| self.labels.get(usize::try_from(number).ok()?).map(String::as_str);
        let code = |code: i64| (code >= 0).then(|| batch.text(code));
        write!(out, ",\"nodes\":{{\"id\":")?;
        write_list(out, &batch.nodes[nodes.clone()], |out, id| write!(out, "{id}"))?;
        write!(out, ",\"type\":")?;
        write_list(out, &batch.node_types[nodes.clone()], |out, number| write_text(out, label(*number)))?;
        write!(out, ",\"line\":")?;
        write_list(out, &batch.lines[nodes.clone()], |out, line| write_number(out, *line))?;
        write!(out, ",\"code\":")?;
        write_list(out, &batch.codes[nodes.clone()], |out, number| write_text(out, code(*number)))?;
        write!(out, ",\"tokens\":")?;
        write_list(out, &batch.codes[nodes], |out, number| {
            let tokens: Vec<&str> = code(*number).map(|text| tokens_of(text).collect()).unwrap_or_default();
            write_list(out, &tokens, |out, token| write_text(out, Some(token)))
        })?;
        write!(out, "}}")
    }

    fn write_edges(
        &self,
        batch: &FunctionBatch,
        edges: std::ops::Range<usize>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let label = |number: i64| self.edge_labels.get(usize::try_from(number).ok()?).map(String::as_str);
        write!(out, ",\"edges\":{{\"source\":")?;
        write_list(out, &batch.sources[edges.clone()], |out, node| write!(out, "{node}"))?;
        write!(out, ",\"target\":")?;
        write_list(out, &batch.targets[edges.clone()], |out, node| write!(out, "{node}"))?;
        write!(out, ",\"type\":")?;
        write_list(out, &batch.edge_types[edges], |out, number| write_text(out, label(*number)))?;
        write!(out, "}}")
    }
}

/// The text of a property of a METHOD.
fn text_of(property: Option<&Property>, method: u32) -> Option<String> {
    Some(property?.str(method)?.to_string())
}

fn range(offsets: &[i64], index: usize) -> std::ops::Range<usize> {
    let at = |index: usize| offsets.get(index).map_or(0, |offset| *offset as usize);
    at(index)..at(index + 1)
}

fn write_list<T, W: Write>(
    out: &mut W,
    items: &[T],
    mut write: impl FnMut(&mut W, &T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write(out, item)?;
    }
    out.write_all(b"]")
}

fn write_text(out: &mut impl Write, text: Option<&str>) -> io::Result<()> {
    match text {
        Some(text) => Ok(serde_json::to_writer(out, text)?),
        None => out.write_all(b"null"),
    }
}

fn write_number(out: &mut impl Write, number: i64) -> io::Result<()> {
    match number {
        -1 => out.write_all(b"null"),
        number => write!(out, "{number}"),
    }
}
