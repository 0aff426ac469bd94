//! The question `symbol`: a node with its source, its surroundings, and what ran there.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite_cpg::{callees_of, calls_of, is_operator};
use varvite_show::Cell;

use super::heat;
use super::names::names_in;
use super::source::Source;
use super::subject::{Lines, Subject};
use crate::cell::exact;
use crate::fault::Result;
use crate::limits::Work;
use crate::nodes::Columns;
use crate::shared::Shared;

/// The most rows of a list.
const ROWS_MAX: usize = 200;

/// Asks for a node.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Symbol {
    #[serde(default)]
    file: usize,
    node: u32,
    first: Option<u64>,
    last: Option<u64>,
    line: Option<u64>,
}

impl Symbol {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        super::about(shared, work, self.file, |graph| {
            super::check_node(graph, self.node)?;
            let columns = Columns::open(graph)?;
            let method = columns.nodes().method_of(self.node);
            let lines = Lines { first: self.first, last: self.last, marked: self.line };
            Subject { graph, work, columns: &columns, node: self.node, method, lines }.describe()
        })
    }
}

impl Subject<'_> {
    fn describe(&self) -> Result<Json> {
        let mut answer = json!({
            "node": self.columns.nodes().of(self.node),
            "properties": self.properties()?,
            "callers": self.callers()?,
            "callees": self.callees()?,
            "uses": self.uses()?,
        });
        if let Some(method) = self.method.filter(|method| *method != self.node) {
            answer["method"] = json!(self.columns.nodes().of(method));
        }
        self.work.check()?;
        if let Some(source) = Source::of(self)? {
            answer["names"] = json!(names_in(self, &source)?);
            answer["heat"] = heat::of(self, &source)?;
            answer["source"] = json!(source);
        }
        Ok(answer)
    }

    /// All properties of the node.
    fn properties(&self) -> Result<Vec<Json>> {
        let mut found = Vec::new();
        for (id, info) in self.graph.property_ids().zip(self.graph.properties()) {
            if info.edge_label.is_some() {
                continue;
            }
            let property = self.graph.property_at(id)?;
            if property.is_present(self.node) {
                let value = exact(Cell::of_owner(&property, self.node).to_json());
                found.push(json!({ "name": info.name, "value": value }));
            }
        }
        Ok(found)
    }

    /// The CALLs of the METHOD.
    fn callers(&self) -> Result<Json> {
        if !self.is_method() || optional(self.graph.edge_label("CALL"))?.is_none() {
            return Ok(rows(Vec::new(), 0));
        }
        let calls = calls_of(self.graph, &[self.node])?;
        let mut nodes = self.columns.nodes();
        let mut row = |call: &u32| {
            let mut row = json!(nodes.of(*call));
            if let Some(method) = nodes.method_of(*call) {
                row["method"] = json!(nodes.of(method));
            }
            row
        };
        Ok(rows(calls.iter().take(ROWS_MAX).map(&mut row).collect(), calls.len()))
    }

    /// The METHODs that the METHOD may call, without operators.
    fn callees(&self) -> Result<Json> {
        let has =
            |label: &str| Ok::<bool, varvite::GraphError>(optional(self.graph.edge_label(label))?.is_some());
        if !self.is_method() || !has("CALL")? || !has("CONTAINS")? {
            return Ok(rows(Vec::new(), 0));
        }
        let mut nodes = self.columns.nodes();
        let (mut found, mut count) = (Vec::new(), 0);
        for (method, calls) in callees_of(self.graph, &[self.node])? {
            let callee = nodes.of(method);
            if callee.name.as_deref().is_some_and(is_operator) {
                continue;
            }
            count += 1;
            if found.len() < ROWS_MAX {
                let mut row = json!(callee);
                row["calls"] = calls.into();
                found.push(row);
            }
        }
        Ok(rows(found, count))
    }

    /// The nodes that refer to this one: identifiers to a variable, references to a function.
    fn uses(&self) -> Result<Json> {
        let Some(references) = optional(self.graph.in_("REF"))? else { return Ok(rows(Vec::new(), 0)) };
        // A BINDING only says which type a METHOD belongs to.
        let is_use = |node: &u32| !self.columns.has_label(*node, "BINDING");
        let found = || references.neighbors(self.node).filter(is_use);
        let mut nodes = self.columns.nodes();
        Ok(rows(found().take(ROWS_MAX).map(|node| json!(nodes.of(node))).collect(), found().count()))
    }

    fn is_method(&self) -> bool {
        self.method == Some(self.node)
    }
}

/// A list, with the number of rows that it lacks.
fn rows(rows: Vec<Json>, count: usize) -> Json {
    let left_off = count - rows.len();
    json!({ "rows": rows, "left_off": left_off })
}
