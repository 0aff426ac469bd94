//! [`Graphs`]: the graphs of a server, by name.

use std::sync::OnceLock;

use varvite::Graph;
use varvite::columns::Census;
use varvite_cpg::impact::Duplicates;

use crate::fault::{Fault, Result};
use crate::limits::Call;

/// An open graph, with the name by which a client asks for it.
#[derive(Debug)]
pub struct NamedGraph {
    pub(crate) name: String,
    pub(crate) graph: Graph,
    /// The counts of all values, which the first call of `schema` makes.
    census: OnceLock<Census>,
    /// The METHODs that share their names, which the first call of `explore` finds.
    duplicates: OnceLock<Duplicates>,
}

impl NamedGraph {
    /// A graph with this name.
    pub fn new(name: impl Into<String>, graph: Graph) -> Self {
        Self { name: name.into(), graph, census: OnceLock::new(), duplicates: OnceLock::new() }
    }

    /// The counts of all values and edges. The first call reads the whole graph.
    pub(crate) fn census(&self, call: &Call) -> Result<&Census> {
        if let Some(census) = self.census.get() {
            return Ok(census);
        }
        let census = Census::of(&self.graph, &call.task(&self.graph))?;
        Ok(self.census.get_or_init(|| census))
    }

    /// The METHODs that share their names. The first call reads a number of each METHOD.
    pub(crate) fn duplicates(&self, call: &Call) -> Result<&Duplicates> {
        if let Some(duplicates) = self.duplicates.get() {
            return Ok(duplicates);
        }
        let duplicates = Duplicates::of(&self.graph, &call.budget(&self.graph))?;
        Ok(self.duplicates.get_or_init(|| duplicates))
    }
}

/// The graphs of a server. The first one is the default.
#[derive(Debug)]
pub(crate) struct Graphs(Vec<NamedGraph>);

impl Graphs {
    pub(crate) fn new(graphs: Vec<NamedGraph>) -> Self {
        Self(graphs)
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|graph| graph.name.as_str()).collect()
    }

    /// The graph of this name, or the first one.
    pub(crate) fn find(&self, name: Option<&str>) -> Result<&NamedGraph> {
        let found = match name {
            None => self.0.first(),
            Some(name) => self.0.iter().find(|graph| graph.name == name),
        };
        found.ok_or_else(|| Fault::no_such("graph", name.unwrap_or_default(), &self.names()))
    }

    /// Fails if any read has found damage.
    pub(crate) fn check(&self) -> varvite::Result<()> {
        self.0.iter().try_for_each(|graph| graph.graph.check())
    }
}
