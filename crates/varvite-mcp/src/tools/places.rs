//! [`Places`]: describes nodes in a line each: id, label, name, file and line.

use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::{SiteCursor, Sites};
use varvite_show::{LabelNames, shortened};

use crate::fault::Result;

/// The columns that describe nodes.
pub(super) struct Columns {
    labels: LabelNames,
    sites: Sites,
    names: Vec<Property>,
    code: Option<Property>,
}

impl Columns {
    pub(super) fn open(graph: &Graph) -> Result<Self> {
        let names = ["FULL_NAME", "NAME"].map(|name| optional(graph.property(name)));
        let names = names.into_iter().filter_map(std::result::Result::transpose);
        Ok(Self {
            labels: LabelNames::of(graph)?,
            sites: Sites::open(graph)?,
            names: names.collect::<std::result::Result<_, _>>()?,
            code: optional(graph.property("CODE"))?,
        })
    }

    pub(super) fn places(&self) -> Places<'_> {
        Places { columns: self, cursor: self.sites.cursor() }
    }

    pub(super) fn label(&self, node: u32) -> &str {
        self.labels.of_node(node)
    }

    /// The FULL_NAME or NAME of a node, shortened.
    pub(super) fn name(&self, node: u32) -> Option<String> {
        let name = self.names.iter().find_map(|names| names.str(node));
        name.map(|name| shortened(&name).into_owned())
    }

    /// The CODE of a node.
    pub(super) fn code(&self, node: u32) -> Option<String> {
        self.code.as_ref()?.str(node).map(String::from)
    }
}

/// Describes nodes, one after another.
pub(super) struct Places<'c> {
    columns: &'c Columns,
    cursor: SiteCursor<'c>,
}

impl Places<'_> {
    /// `#17 METHOD inflate  inflate.c:500`, with the parts that the node has.
    pub(super) fn line(&mut self, node: u32) -> String {
        let name = self.columns.name(node).map(|name| format!(" {name}")).unwrap_or_default();
        format!("#{node} {}{name}{}", self.columns.label(node), self.location(node))
    }

    /// `#17 inflate  inflate.c:500`: the same for a METHOD in a list of METHODs.
    pub(super) fn method(&mut self, node: u32) -> String {
        let name = self.columns.name(node).unwrap_or_default();
        format!("#{node} {name}{}", self.location(node))
    }

    /// A node within a METHOD: its METHOD, location and CODE.
    pub(super) fn within(&mut self, node: u32) -> String {
        let method = self.cursor.at(node).method_name.map(|name| shortened(name).into_owned());
        let code = self.columns.code(node).map(|code| format!("  {}", shortened(&code))).unwrap_or_default();
        let location = self.location(node);
        format!("#{node} in {}{location}{code}", method.unwrap_or_else(|| "no METHOD".to_owned()))
    }

    /// The METHOD that contains a node.
    pub(super) fn method_of(&mut self, node: u32) -> Option<u32> {
        self.cursor.method(node)
    }

    fn location(&mut self, node: u32) -> String {
        let site = self.cursor.at(node);
        let line = site.line.map(|line| format!(":{line}")).unwrap_or_default();
        site.file.map(|file| format!("  {}{line}", shortened(file))).unwrap_or_default()
    }
}
