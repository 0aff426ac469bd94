//! The tools: their arguments, their schemas, and their answers.
//!
//! `definitions` describes each tool to clients. `explore`, `query`, `schema` and `paths` answer one
//! tool each; `places` describes nodes for them in a line.

mod definitions;
mod explore;
mod paths;
mod places;
mod query;
mod schema;

use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;

pub(crate) use self::definitions::{all, instructions};
use crate::fault::{Fault, Result};
use crate::graphs::Graphs;
use crate::limits::Call;
use crate::page::Page;

/// A call of a tool, whose arguments have the right form.
#[derive(Debug)]
pub(crate) struct Request {
    tool: Tool,
    cursor: Option<String>,
    tokens: Option<u64>,
    graph: Option<String>,
}

/// The tool of a call, with the arguments of its own.
#[derive(Debug)]
enum Tool {
    Explore(explore::Explore),
    Query(query::Query),
    Schema(schema::Schema),
    Paths(paths::Paths),
    /// A call that fails by a fault of ours, in tests.
    #[cfg(test)]
    Panic,
}

/// The names of the tools.
const NAMES: [&str; 4] = ["explore", "query", "schema", "paths"];

impl Request {
    /// Reads the arguments of a call. The fault is one of the protocol: no such tool, or arguments of a wrong
    /// form.
    pub(crate) fn read(name: &str, mut arguments: JsonObject) -> Result<Self> {
        let cursor = take(&mut arguments, "cursor")?;
        let tokens = take(&mut arguments, "tokens")?;
        let graph = take(&mut arguments, "graph")?;
        let tool = match name {
            "explore" => Tool::Explore(read(name, arguments)?),
            "query" => Tool::Query(query::Query::read(arguments)?),
            "schema" => Tool::Schema(read(name, arguments)?),
            "paths" => Tool::Paths(read(name, arguments)?),
            other => return Err(Fault::no_such("tool", other, &NAMES)),
        };
        Ok(Self { tool, cursor, tokens, graph })
    }

    #[cfg(test)]
    pub(crate) fn panicking() -> Self {
        Self { tool: Tool::Panic, cursor: None, tokens: None, graph: None }
    }

    /// Answers the call: one page, as text.
    pub(crate) fn answer(&self, graphs: &Graphs, call: &Call) -> Result<String> {
        let graph = graphs.find(self.graph.as_deref())?;
        let page = Page::of(&format!("{:?} {}", self.tool, graph.name), self.cursor.as_deref(), self.tokens)?;
        let reply = match &self.tool {
            Tool::Explore(tool) => tool.answer(graph, call, &page),
            Tool::Query(tool) => tool.answer(&graph.graph, call, &page),
            Tool::Schema(tool) => tool.answer(graph, call, &page),
            Tool::Paths(tool) => tool.answer(&graph.graph, call, &page),
            #[cfg(test)]
            Tool::Panic => std::panic::resume_unwind(Box::new("planted")),
        };
        // Damage may be the cause of any other fault, and must not look like the end of an answer.
        graph.graph.check()?;
        Ok(page.text(&reply?))
    }
}

/// Takes an argument that all tools have.
fn take<T: DeserializeOwned>(arguments: &mut JsonObject, name: &str) -> Result<Option<T>> {
    let Some(value) = arguments.remove(name) else { return Ok(None) };
    serde_json::from_value(value).map_err(|error| Fault::new(&format!("the argument {name}: {error}")))
}

/// Reads the arguments that are the tool's own.
fn read<T: DeserializeOwned>(name: &str, arguments: JsonObject) -> Result<T> {
    let read = serde_json::from_value(arguments.into());
    read.map_err(|error| Fault::new(&format!("the arguments of {name}: {error}")))
}
