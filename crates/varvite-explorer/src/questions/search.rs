//! The question `search`: finds nodes while the user types.
//!
//! A text is a node's number, a line of a file, a label, or a part of a name. For a name, the nodes of labels
//! that declare something are visited, the most important labels first. Each distinct name is compared once: a
//! byte for each text of the property remembers the outcome.

use std::collections::BinaryHeap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite::{Budget, ErrorCode, Graph, Property};
use varvite_show::nodes_at;

use super::matches::{Match, Needle};
use crate::fault::Result;
use crate::limits::Work;
use crate::nodes::Columns;
use crate::routes::Shared;

/// The number of rows if the question has no limit, and the most rows.
const ROWS: usize = 20;
const ROWS_MAX: usize = 200;
/// The most characters of a text. Longer texts find nothing.
const CHARS_MAX: usize = 500;
/// The labels whose names are searched. Those of a later group are searched only if there is room for rows.
const GROUPS: [&[&str]; 3] = [
    &["METHOD", "TYPE_DECL", "FILE"],
    &["MEMBER", "NAMESPACE_BLOCK", "NAMESPACE"],
    &["METHOD_PARAMETER_IN", "LOCAL"],
];
/// The number of nodes between two looks at the clock.
const NODES_OF_LOOK: u32 = 4096;

/// Asks for nodes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    file: Option<usize>,
    text: String,
    limit: Option<usize>,
}

/// The meaning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Node,
    Line,
    Label,
    Name,
}

/// A node that was found. The order is that of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    fit: Match,
    group: u8,
    is_external: bool,
    name_len: u32,
    node: u32,
}

/// The best nodes of a file, in order.
struct Found {
    kind: Kind,
    hits: Vec<Hit>,
    has_more: bool,
}

impl Search {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let text = self.text.trim();
        let hint = hint_of(text);
        let limit = self.limit.unwrap_or(ROWS).clamp(1, ROWS_MAX);
        let (mut kind, mut has_more, mut rows) = (Kind::Name, false, Vec::new());
        if hint.is_none() && !text.is_empty() && text.chars().count() <= CHARS_MAX {
            for file in self.files(shared) {
                let found = super::about(shared, work, file, |graph| {
                    let found = Subject { graph, work, text, limit }.find()?;
                    let described = described(graph, &found, file)?;
                    Ok((found, described))
                });
                let (found, described) = match (found, self.file) {
                    // A file that is gone does not stop the search in the others.
                    (Err(_), None) if shared.graphs.all().len() > 1 => continue,
                    (found, _) => found?,
                };
                (kind, has_more) = (found.kind, has_more || found.has_more);
                rows.extend(described);
            }
        }
        rows.sort_by_key(|(hit, _)| *hit);
        has_more |= rows.len() > limit;
        let rows: Vec<Json> = rows.into_iter().take(limit).map(|(_, row)| row).collect();
        Ok(json!({ "kind": kind.name(), "rows": rows, "more": has_more, "hint": hint }))
    }

    fn files(&self, shared: &Shared) -> Vec<usize> {
        self.file.map_or_else(|| (0..shared.graphs.all().len()).collect(), |file| vec![file])
    }
}

/// The question that a text belongs to, if it is not a search.
fn hint_of(text: &str) -> Option<&'static str> {
    match text {
        _ if text.starts_with('{') => Some("plan"),
        _ if text.starts_with("cpg.") => Some("ask"),
        _ => None,
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Line => "line",
            Self::Label => "label",
            Self::Name => "name",
        }
    }
}

fn described(graph: &Graph, found: &Found, file: usize) -> Result<Vec<(Hit, Json)>> {
    let columns = Columns::open(graph)?;
    let mut nodes = columns.nodes();
    let mut row = |hit: &Hit| {
        let mut row = json!(nodes.of(hit.node));
        row["file"] = file.into();
        row["match"] = json!(hit.fit);
        (*hit, row)
    };
    Ok(found.hits.iter().map(&mut row).collect())
}

/// A search in one file.
struct Subject<'a> {
    graph: &'a Graph,
    work: &'a Work,
    text: &'a str,
    limit: usize,
}

impl Subject<'_> {
    fn find(&self) -> Result<Found> {
        if let Ok(node) = self.text.trim_start_matches('#').parse::<u32>() {
            let is_there = node < self.graph.node_count() && !self.graph.is_removed(node)?;
            return Ok(self.exactly(Kind::Node, is_there.then_some(node)));
        }
        if let Some((before, line)) = self.text.rsplit_once(':')
            && line.parse::<u32>().is_ok()
            && self.graph.label(before).is_err()
        {
            return Ok(self.exactly(Kind::Line, self.on_line()?));
        }
        if let Some((label, name)) = self.text.split_once(':')
            && self.graph.label(label).is_ok()
        {
            return self.named(&[&[label]], name);
        }
        if let Some(nodes) = optional(self.graph.nodes(self.text))? {
            return Ok(self.exactly(Kind::Label, nodes.iter().take(self.limit + 1)));
        }
        self.named(&GROUPS, self.text)
    }

    /// The innermost METHODs around a line; none if there is no such file.
    fn on_line(&self) -> Result<Vec<u32>> {
        match nodes_at(self.graph, self.text) {
            Ok(nodes) => Ok(nodes),
            Err(error) if error.code() == ErrorCode::Unknown => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    fn exactly(&self, kind: Kind, nodes: impl IntoIterator<Item = u32>) -> Found {
        let hit = |node| Hit { fit: Match::Exact, group: 0, is_external: false, name_len: 0, node };
        let mut hits: Vec<Hit> = nodes.into_iter().take(self.limit + 1).map(hit).collect();
        let has_more = hits.len() > self.limit;
        hits.truncate(self.limit);
        Found { kind, hits, has_more }
    }

    /// The nodes of some labels whose names contain a text.
    fn named(&self, groups: &[&[&str]], text: &str) -> Result<Found> {
        let mut best = Best { hits: BinaryHeap::new(), limit: self.limit, has_more: false };
        // Only a qualified name has these signs, but the name of a file has a point.
        let is_qualified = text.contains([':', '(', '.']);
        let names = if is_qualified { &["FULL_NAME", "NAME"][..] } else { &["NAME"] };
        for property in names {
            if let Some(property) = optional(self.graph.property(property))? {
                let mut names = Names::of(self, &property, text)?;
                for (group, labels) in (0..).zip(groups) {
                    if group > 0 && best.hits.len() == self.limit {
                        best.has_more = true;
                        break;
                    }
                    labels.iter().try_for_each(|label| names.visit(label, group, &mut best))?;
                }
            }
        }
        Ok(Found { kind: Kind::Name, has_more: best.has_more, hits: best.into_sorted() })
    }
}

/// The best hits so far.
struct Best {
    hits: BinaryHeap<Hit>,
    limit: usize,
    has_more: bool,
}

impl Best {
    fn push(&mut self, hit: Hit) {
        if self.hits.len() < self.limit {
            self.hits.push(hit);
            return;
        }
        self.has_more = true;
        if let Some(mut worst) = self.hits.peek_mut()
            && hit < *worst
        {
            *worst = hit;
        }
    }

    fn into_sorted(self) -> Vec<Hit> {
        let mut hits = self.hits.into_sorted_vec();
        let mut known = std::collections::HashSet::new();
        hits.retain(|hit| known.insert(hit.node));
        hits
    }
}

/// The names of a property, each compared once.
struct Names<'a> {
    subject: &'a Subject<'a>,
    property: &'a Property,
    is_external: Option<Property>,
    needle: Needle,
    /// For each text of the property: 0 if it was not compared, 1 if it does not fit, else 2 and its match.
    known: Vec<u8>,
}

/// The matches by their numbers.
const MATCHES: [Match; 4] = [Match::Exact, Match::Prefix, Match::Word, Match::Inside];

impl<'a> Names<'a> {
    fn of(subject: &'a Subject<'a>, property: &'a Property, text: &str) -> Result<Self> {
        let texts = property.strings().map_or(0, |texts| texts.len()) as usize;
        let budget: Budget = subject.work.budget();
        budget.take(texts)?;
        Ok(Self {
            subject,
            property,
            is_external: optional(subject.graph.property("IS_EXTERNAL"))?,
            needle: Needle::of(text),
            known: vec![0; texts],
        })
    }

    /// Visits the nodes of a label, which the graph may lack.
    fn visit(&mut self, label: &str, group: u8, best: &mut Best) -> Result<()> {
        let Some(nodes) = optional(self.subject.graph.nodes(label))? else { return Ok(()) };
        let property = self.property;
        let Some(texts) = property.strings() else { return Ok(()) };
        let mut reader = texts.reader();
        for (count, node) in (0_u32..).zip(nodes.iter()) {
            if count % NODES_OF_LOOK == 0 {
                self.subject.work.check()?;
            }
            let code = property.number(node).and_then(|code| u32::try_from(code).ok());
            let Some((code, known)) = code.and_then(|code| Some((code, self.known.get_mut(code as usize)?)))
            else {
                continue;
            };
            if *known == 0 {
                let fit = reader.bytes(code).and_then(|name| self.needle.find(name));
                *known = fit.map_or(1, |fit| fit as u8 + 2);
            }
            let Some(fit) = known.checked_sub(2).and_then(|fit| MATCHES.get(usize::from(fit))) else {
                continue;
            };
            let name_len = texts.text_len(code).and_then(|len| u32::try_from(len).ok()).unwrap_or(u32::MAX);
            let is_external = self.is_external.as_ref().and_then(|external| external.number(node)) == Some(1);
            best.push(Hit { fit: *fit, group, is_external, name_len, node });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_hits_are_kept_and_each_node_once() {
        let mut best = Best { hits: BinaryHeap::new(), limit: 2, has_more: false };
        let hit = |fit, node| Hit { fit, group: 0, is_external: false, name_len: 3, node };
        for (fit, node) in [(Match::Inside, 1), (Match::Word, 2), (Match::Exact, 3), (Match::Prefix, 4)] {
            best.push(hit(fit, node));
        }
        assert!(best.has_more);
        assert_eq!(best.into_sorted(), [hit(Match::Exact, 3), hit(Match::Prefix, 4)]);
    }

    #[test]
    fn queries_and_plans_are_not_searched() {
        assert_eq!(hint_of("cpg.method"), Some("ask"));
        assert_eq!(hint_of("{\"version\":1}"), Some("plan"));
        assert_eq!(hint_of("cpgutil"), None);
    }
}
