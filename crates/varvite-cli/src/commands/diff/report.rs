//! [`Report`]: describes differences as text for users: the number of differences of each kind, and the first
//! of them in words.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value as Json;
use varvite::compare::{Beside, ChangeCounts, Difference, EdgeAt, Edit};
use varvite::{Adjacency, Graph, Property, ValueType};

use super::element::{Elements, open, values_of};
use super::rows::only_labels;
use crate::failure::Failure;
use crate::output::{Cell, counted, shortened, thousands};

/// Maximum length of a list that is shown with all its values. Of a longer list, only the first value that
/// differs is shown.
const VALUES_SHOWN: usize = 16;

/// Collects the first differences of each kind.
pub(super) struct Report<'d> {
    graphs: &'d [Graph; 2],
    difference: &'d Difference<'d>,
    limit: usize,
    parents: [Option<Adjacency>; 2],
    /// For each graph, the first nodes that the other graph lacks. Descendants of these nodes are left out.
    only: [Vec<u32>; 2],
    /// The first nodes with changed values, each with its changed properties. The key is the node's ids in
    /// both graphs.
    values: BTreeMap<[u32; 2], Vec<u32>>,
    edges: Vec<Edit>,
    orders: Vec<Edit>,
    /// Lines about differences that are not in nodes, values or edges.
    beside: Vec<String>,
    /// The first roots whose order differs between the graphs, and the number of all such roots.
    roots: Vec<[u32; 2]>,
    root_count: u64,
}

impl<'d> Report<'d> {
    pub(super) fn new(
        graphs: &'d [Graph; 2],
        difference: &'d Difference<'d>,
        limit: usize,
    ) -> Result<Self, Failure> {
        let parents = |graph: &Graph| graph.tree_label().map(|tree| graph.in_(tree)).transpose();
        Ok(Self {
            graphs,
            difference,
            limit,
            parents: [parents(&graphs[0])?, parents(&graphs[1])?],
            only: Default::default(),
            values: BTreeMap::new(),
            edges: Vec::new(),
            orders: Vec::new(),
            beside: Vec::new(),
            roots: Vec::new(),
            root_count: 0,
        })
    }

    /// Adds a difference to the report.
    pub(super) fn add(&mut self, change: &Edit) {
        match *change {
            Edit::NodeRemoved(node) => self.add_node(0, node),
            Edit::NodeAdded(node) => self.add_node(1, node),
            Edit::NodeValue { property, nodes } => {
                self.values.entry(nodes).or_default().push(property);
                if self.values.len() > self.limit {
                    self.values.pop_last();
                }
            }
            Edit::EdgeRemoved { .. } | Edit::EdgeAdded { .. } | Edit::EdgeValue { .. } => {
                if self.edges.len() < self.limit && self.is_between_known(change) {
                    self.edges.push(*change);
                }
            }
            Edit::Order { .. } => {
                if self.orders.len() < self.limit {
                    self.orders.push(*change);
                }
            }
        }
    }

    /// Adds a difference that is not in nodes, values or edges. `files` are the names of both graphs.
    pub(super) fn add_beside(&mut self, beside: &Beside, files: [&str; 2]) {
        if let Beside::RootOrder { nodes } = beside {
            self.root_count += 1;
            if self.roots.len() < self.limit {
                self.roots.push(*nodes);
            }
            return;
        }
        self.beside.push(beside_words(beside, files));
    }

    fn add_node(&mut self, side: usize, node: u32) {
        if self.only[side].len() >= self.limit {
            return;
        }
        let parent = self.parents[side].as_ref().and_then(|parents| parents.first(node));
        if parent.is_none_or(|parent| self.is_known(side, parent)) {
            self.only[side].push(node);
        }
    }

    /// Whether the other graph has a node that is paired with this one.
    fn is_known(&self, side: usize, node: u32) -> bool {
        let other = if side == 0 { self.difference.second_of(node) } else { self.difference.first_of(node) };
        other.is_some()
    }

    /// Whether both ends of a changed edge exist in both graphs. Edges of removed or added nodes are not
    /// shown.
    fn is_between_known(&self, change: &Edit) -> bool {
        let are_known =
            |side: usize, edge: &EdgeAt| self.is_known(side, edge.source) && self.is_known(side, edge.target);
        match change {
            Edit::EdgeRemoved { edge, .. } => are_known(0, edge),
            Edit::EdgeAdded { edge, .. } => are_known(1, edge),
            _ => true,
        }
    }

    /// The text of the whole report, and whether the graphs are equal.
    pub(super) fn text(&self, counts: &ChangeCounts, files: [&str; 2]) -> Result<(String, bool), Failure> {
        let names = self.names(files);
        if counts.is_empty() && names.is_empty() && self.beside.is_empty() && self.root_count == 0 {
            return Ok(("equal\n".to_owned(), true));
        }
        let mut text = format!("{} in both graphs\n", counted(counts.matched, "node"));
        for line in names.iter().chain(&self.beside) {
            let _ = writeln!(text, "{line}");
        }
        self.count(counts, &mut text);
        let elements = [Elements::of(&self.graphs[0])?, Elements::of(&self.graphs[1])?];
        for (side, nodes) in self.only.iter().enumerate() {
            let total = [counts.all_nodes().removed, counts.all_nodes().added][side];
            let title = format!("nodes only in {} ({} with those below them)", files[side], thousands(total));
            section(&mut text, &title, nodes.iter().map(|node| elements[side].words(*node)));
        }
        let total = counts.all_nodes().changed;
        let title = format!("nodes with different values ({})", thousands(total));
        section(
            &mut text,
            &title,
            self.values.iter().map(|(nodes, changed)| {
                let changed = changed.iter().map(|property| self.value_words(*property, *nodes));
                format!("{}: {}", elements[1].words(nodes[1]), changed.collect::<Vec<_>>().join("; "))
            }),
        );
        let title = "edges between nodes of both graphs";
        section(&mut text, title, self.edges.iter().map(|change| self.edge_words(change, &elements)));
        let title = "common edges in a different order";
        section(&mut text, title, self.orders.iter().map(|change| self.edge_words(change, &elements)));
        let title = format!("common roots in a different order ({})", thousands(self.root_count));
        section(&mut text, &title, self.roots.iter().map(|[_, second]| elements[1].words(*second)));
        let _ = writeln!(
            text,
            "\nthis table shows at most {} of each kind; --format jsonl shows all",
            self.limit
        );
        Ok((text, false))
    }

    /// The labels and properties that only one graph has.
    fn names(&self, files: [&str; 2]) -> Vec<String> {
        let mut lines = Vec::new();
        for (side, file) in files.into_iter().enumerate() {
            lines.extend(
                only_labels(self.graphs, side)
                    .map(|name| format!("label {} is only in {file}", shortened(name))),
            );
            let labels = self.difference.edge_labels().iter();
            let only = labels.filter(|label| label.ids[side].is_some() && label.ids[1 - side].is_none());
            lines
                .extend(only.map(|label| format!("edge label {} is only in {file}", shortened(&label.name))));
            let properties = self.difference.properties().iter();
            let only = properties.filter(|it| it.ids[side].is_some() && it.ids[1 - side].is_none());
            lines.extend(only.map(|it| {
                let name =
                    it.edge_label.as_ref().map_or(it.name.clone(), |label| format!("{label}.{}", it.name));
                format!(
                    "property {} ({}, {}) is only in {file}",
                    shortened(&name),
                    it.value_type.name(),
                    it.cardinality.name()
                )
            }));
        }
        lines
    }

    fn count(&self, counts: &ChangeCounts, text: &mut String) {
        let nodes =
            counts.nodes.iter().map(|(label, of)| (label.as_str(), vec![of.removed, of.added, of.changed]));
        table(text, &["nodes", "removed", "added", "changed"], nodes);
        let values = counts.values.iter().map(|(name, count)| (name.as_str(), vec![*count]));
        table(text, &["property", "changed nodes"], values);
        let edges = counts
            .edges
            .iter()
            .map(|(label, of)| (label.as_str(), vec![of.removed, of.added, of.reordered_lists]));
        table(text, &["edges", "removed", "added", "lists in a different order"], edges);
        let values = counts.edge_values.iter().map(|(name, count)| (name.as_str(), vec![*count]));
        table(text, &["edge property", "changed edges"], values);
    }

    fn value_words(&self, property: u32, owners: [u32; 2]) -> String {
        let shared = &self.difference.properties()[property as usize];
        let sides = [0, 1].map(|side| (open(&self.graphs[side], shared.ids[side]), owners[side]));
        if let [(Some(one), first), (Some(other), second)] = &sides
            && let Some(words) = long_list_words([(one, *first), (other, *second)])
        {
            return format!("{}: {words}", shared.name);
        }
        let [was, is] = sides.map(|(property, owner)| {
            value_word(&property.map_or(Json::Null, |property| values_of(&property, owner)))
        });
        format!("{} was {was}, is {is}", shared.name)
    }

    fn edge_words(&self, change: &Edit, elements: &[Elements; 2]) -> String {
        let label = |label: u32| &self.difference.edge_labels()[label as usize].name;
        let edge = |side: usize, edge: EdgeAt| {
            format!("{} -> {}", elements[side].words(edge.source), elements[side].words(edge.target))
        };
        match *change {
            Edit::EdgeRemoved { edge_label, edge: at } => {
                format!("removed {}: {}", label(edge_label), edge(0, at))
            }
            Edit::EdgeAdded { edge_label, edge: at } => {
                format!("added {}: {}", label(edge_label), edge(1, at))
            }
            Edit::EdgeValue { property, edges } => {
                let name = self.difference.properties()[property as usize].edge_label.as_deref();
                let values = self.value_words(property, edges.map(|edge| edge.rank));
                format!("{} {}: {values}", name.unwrap_or_default(), edge(1, edges[1]))
            }
            Edit::Order { edge_label, direction, nodes } => {
                format!("{} {} of {}", label(edge_label), direction.name(), elements[1].words(nodes[1]))
            }
            Edit::NodeRemoved(_) | Edit::NodeAdded(_) | Edit::NodeValue { .. } => String::new(),
        }
    }
}

/// A difference that is not in nodes, values or edges, as a line.
fn beside_words(beside: &Beside, files: [&str; 2]) -> String {
    let of_both = |what: String, [first, second]: [&str; 2]| {
        let [first, second] = [first, second].map(shortened);
        format!("{what} is {first} in {} and {second} in {}", files[0], files[1])
    };
    match beside {
        Beside::RootOrder { nodes } => format!("root {} is at a different place", nodes[1]),
        Beside::Numbering => "common nodes have different ids".to_owned(),
        Beside::SourceNumbers { label } => {
            format!("nodes of label {} have different numbers in the imported file", shortened(label))
        }
        Beside::Declaration { kind, name, edge_label, what, of } => {
            let of_edges =
                edge_label.iter().map(|label| format!("{}.", shortened(label))).collect::<String>();
            let what = format!("{} of {kind} {of_edges}{}", what.name(), shortened(name));
            of_both(what, [&of[0], &of[1]])
        }
        Beside::Layer { name, side } => format!("layer {} is only in {}", shortened(name), files[*side]),
        Beside::TreeLabel { of } => {
            let labels = of.each_ref().map(|label| label.as_deref().unwrap_or("none"));
            of_both("edge label of the tree".to_owned(), labels)
        }
        other => format!("{other:?}"),
    }
}

/// A value as text that can be part of a line.
fn value_word(value: &Json) -> String {
    match value {
        Json::Null => "nothing".to_owned(),
        value => shortened(&value.to_string()).into_owned(),
    }
}

/// Describes the first index at which two long lists differ. `None` for lists that are short enough to be
/// shown, and for lists of references, since ids differ between the graphs anyway.
fn long_list_words([(one, first), (other, second)]: [(&Property, u32); 2]) -> Option<String> {
    let lens = [one.all(first).len(), other.all(second).len()];
    if lens.iter().all(|len| *len <= VALUES_SHOWN) || one.value_type() == ValueType::Ref {
        return None;
    }
    let (mut one, mut other) = (one.all(first), other.all(second));
    for number in 0..lens[0].max(lens[1]) {
        let [was, is] = [one.next(), other.next()].map(|value| Cell::of(value).to_json());
        if was != is {
            let [was, is] = [was, is].map(|value| value_word(&value));
            let [before, after] = lens.map(|len| thousands(len as u64));
            let number = thousands(number as u64);
            return Some(format!(
                "{before} values before, {after} after; the first difference, number {number}: was {was}, \
                 is {is}"
            ));
        }
    }
    None
}

/// Writes a title and lines below it; nothing if there are no lines.
fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        let _ = writeln!(text, "\n{title}:");
        lines.for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
    }
}

/// Writes a table of counts by name; nothing if there are no rows.
fn table<'n>(text: &mut String, titles: &[&str], rows: impl Iterator<Item = (&'n str, Vec<u64>)>) {
    let shown = |name: &'n str| if name.is_empty() { "(no label)".into() } else { shortened(name) };
    let rows: Vec<(Cow<'_, str>, Vec<u64>)> = rows.map(|(name, counts)| (shown(name), counts)).collect();
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let width = width.max(titles[0].len());
    let _ = write!(text, "\n{:width$}", titles[0]);
    titles[1..].iter().for_each(|title| {
        let _ = write!(text, "  {title:>9}");
    });
    text.push('\n');
    for (name, counts) in rows {
        let _ = write!(text, "{name:width$}");
        for (count, title) in counts.iter().zip(&titles[1..]) {
            let _ = write!(text, "  {:>1$}", thousands(*count), title.len().max(9));
        }
        text.push('\n');
    }
}
