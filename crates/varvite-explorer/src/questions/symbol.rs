//! The question `symbol`: a node with its source, its surroundings, and what ran there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite_cpg::is_operator;

use super::heat;
use super::names::Names;
use super::on_lines::NodesOnLines;
use super::source::Source;
use super::subject::{Lines, Subject};
use crate::content::{Columns, Room, of_owner};
use crate::fault::Result;
use crate::limits::Work;
use crate::shared::Shared;

/// The most rows of a list.
const ROWS_MAX: usize = 200;
/// The memory of a METHOD that is called, in a tree.
const CALLEE_BYTES: usize = 32;
/// The most bytes of the properties of a node.
const PROPERTY_BYTES_MAX: usize = 4 << 20;

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
            let on_lines = NodesOnLines::of(self, &source)?;
            let names = Names::of(self, &source, &on_lines)?;
            answer["names"] = json!(names.names);
            answer["names_cut"] = names.is_cut.into();
            answer["heat"] = heat::of(self, &source, &on_lines)?;
            answer["source"] = json!(source);
        }
        Ok(answer)
    }

    /// All properties of the node.
    fn properties(&self) -> Result<Vec<Json>> {
        let (mut found, mut room) = (Vec::new(), Room::of(PROPERTY_BYTES_MAX, self.work.budget()));
        for (id, info) in self.graph.property_ids().zip(self.graph.properties()) {
            if info.edge_label.is_some() {
                continue;
            }
            self.work.check()?;
            let property = self.graph.property_at(id)?;
            if property.is_present(self.node) {
                // A page shows that there is a value, even if there is no room for it.
                let value = room.take(of_owner(&property, self.node))?.unwrap_or_else(|| json!("…"));
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
        let calls = self.sorted(self.graph.in_("CALL")?.neighbors(self.node))?;
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
        for callee in self.work.watch(self.called()?) {
            let (method, calls) = callee?;
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
        let mut nodes = self.columns.nodes();
        let (mut found, mut count) = (Vec::new(), 0);
        for node in self.work.watch(references.neighbors(self.node)) {
            let node = node?;
            if is_use(&node) {
                count += 1;
                if found.len() < ROWS_MAX {
                    found.push(json!(nodes.of(node)));
                }
            }
        }
        Ok(rows(found, count))
    }

    /// The METHODs that the METHOD may call, each with the number of calls.
    fn called(&self) -> Result<BTreeMap<u32, u64>> {
        let (contents, targets) = (self.graph.out("CONTAINS")?, self.graph.out("CALL")?);
        let (mut called, budget) = (BTreeMap::new(), self.work.budget());
        for node in self.work.watch(contents.neighbors(self.node)) {
            for method in self.work.watch(targets.neighbors(node?)) {
                let calls = called.entry(method?).or_insert(0);
                if *calls == 0 {
                    budget.take(CALLEE_BYTES)?;
                }
                *calls += 1;
            }
        }
        Ok(called)
    }

    /// Nodes in ascending order, each once.
    fn sorted(&self, nodes: impl Iterator<Item = u32>) -> Result<Vec<u32>> {
        let (mut found, budget, mut held) = (Vec::new(), self.work.budget(), 0);
        for node in self.work.watch(nodes) {
            budget.make_room(&mut found, 1, &mut held)?;
            found.push(node?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
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
