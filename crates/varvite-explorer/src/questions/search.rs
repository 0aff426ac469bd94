//! The question `search`: finds nodes while the user types.
//!
//! A text is a node's number, a line of a file, a label, or a part of a name. The names of labels that
//! declare something are in an index, which a thread makes while the page is loaded. For the names of one
//! label, its nodes are visited: each distinct name is compared once, and a byte for each text remembers the
//! outcome.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite::{Budget, ErrorCode, Graph, Property};
use varvite_show::nodes_at_within;

use crate::content::Columns;
use crate::fault::Result;
use crate::graphs::OpenGraph;
use crate::limits::Work;
use crate::names::{Best, Hit, Match, NAME_BYTES_MAX, NODES_OF_NAME, NameKind, Needle};
use crate::shared::Shared;

/// The number of rows if the question has no limit, and the most rows.
const ROWS: usize = 20;
const ROWS_MAX: usize = NODES_OF_NAME;
/// The most characters of a text. Longer texts find nothing.
const CHARS_MAX: usize = 500;

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
        let (files, mut skipped) = (self.files(shared), Vec::new());
        if hint.is_none() && !text.is_empty() && text.chars().count() <= CHARS_MAX {
            for file in &files {
                match found_in(shared, work, *file, (text, limit)) {
                    Ok((found, described)) => {
                        // The kind of the best rows: a text may be a label in one file alone.
                        if rows.is_empty() {
                            kind = found.kind;
                        }
                        has_more |= found.has_more;
                        rows.extend(described);
                    }
                    // A file that cannot be read does not stop the search in the others, and is named.
                    Err(fault) if skipped.len() + 1 < files.len() && work.check().is_ok() => {
                        skipped.push(json!({ "file": file, "message": fault.message() }));
                    }
                    Err(fault) => return Err(fault),
                }
            }
        }
        rows.sort_by_key(|(hit, _)| *hit);
        has_more |= rows.len() > limit;
        let rows: Vec<Json> = rows.into_iter().take(limit).map(|(_, row)| row).collect();
        Ok(json!({
            "kind": kind.name(), "rows": rows, "more": has_more, "hint": hint, "skipped": skipped,
        }))
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

/// The nodes of a file, best first, and their rows.
fn found_in(
    shared: &Shared,
    work: &Work,
    file: usize,
    (text, limit): (&str, usize),
) -> Result<(Found, Vec<(Hit, Json)>)> {
    let (number, file) = (file, shared.graphs.file(file)?);
    let open = file.current()?;
    super::about_open(file, &open, work, |graph| {
        let found = Subject { open: &open, graph, work, text, limit }.find()?;
        let described = described(graph, &found, number)?;
        Ok((found, described))
    })
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
    open: &'a Arc<OpenGraph>,
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
            return self.of_label(label, name);
        }
        if let Some(nodes) = optional(self.graph.nodes(self.text))? {
            return Ok(self.exactly(Kind::Label, nodes.iter().take(self.limit + 1)));
        }
        self.declared()
    }

    /// The innermost METHODs around a line; none if there is no such file.
    fn on_line(&self) -> Result<Vec<u32>> {
        match nodes_at_within(self.graph, self.text, &self.work.task()) {
            Ok(nodes) => Ok(nodes),
            Err(error) if error.code() == ErrorCode::Unknown => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    fn exactly(&self, kind: Kind, nodes: impl IntoIterator<Item = u32>) -> Found {
        let hit = |node| Hit { fit: Match::Exact, rank: 0, name_len: 0, node };
        let mut hits: Vec<Hit> = nodes.into_iter().take(self.limit + 1).map(hit).collect();
        let has_more = hits.len() > self.limit;
        hits.truncate(self.limit);
        Found { kind, hits, has_more }
    }

    /// The declarations whose names contain a text.
    fn declared(&self) -> Result<Found> {
        let mut best = Best::of(self.limit);
        // Only a full name has these signs, but the name of a file has a point.
        if self.text.contains([':', '(', '.']) {
            self.open.names_of(NameKind::FullName, self.work)?.find(self.text, &mut best, self.work)?;
        }
        self.open.names_of(NameKind::Name, self.work)?.find(self.text, &mut best, self.work)?;
        Ok(Found { kind: Kind::Name, has_more: best.has_more, hits: best.into_sorted() })
    }

    /// The nodes of a label whose names contain a text.
    fn of_label(&self, label: &str, name: &str) -> Result<Found> {
        let mut best = Best::of(self.limit);
        if let Some(property) = optional(self.graph.property("NAME"))? {
            Names::of(self, &property, name)?.visit(label, &mut best)?;
        }
        Ok(Found { kind: Kind::Name, has_more: best.has_more, hits: best.into_sorted() })
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
    fn visit(&mut self, label: &str, best: &mut Best) -> Result<()> {
        let Some(nodes) = optional(self.subject.graph.nodes(label))? else { return Ok(()) };
        let property = self.property;
        let Some(texts) = property.strings() else { return Ok(()) };
        let mut reader = texts.reader();
        for node in self.subject.work.watch(nodes.iter()) {
            let node = node?;
            let code = property.number(node).and_then(|code| u32::try_from(code).ok());
            let Some((code, known)) = code.and_then(|code| Some((code, self.known.get_mut(code as usize)?)))
            else {
                continue;
            };
            if *known == 0 {
                let is_short = texts.text_len(code).is_some_and(|len| len <= NAME_BYTES_MAX);
                let name = if is_short { reader.bytes(code) } else { None };
                let fit = name.and_then(|name| self.needle.find(name));
                *known = fit.map_or(1, |fit| fit as u8 + 2);
            }
            let Some(fit) = known.checked_sub(2).and_then(|fit| MATCHES.get(usize::from(fit))) else {
                continue;
            };
            let name_len = texts.text_len(code).and_then(|len| u32::try_from(len).ok()).unwrap_or(u32::MAX);
            let is_external = self.is_external.as_ref().and_then(|external| external.number(node)) == Some(1);
            best.push(Hit { fit: *fit, rank: u8::from(is_external), name_len, node });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_and_plans_are_not_searched() {
        assert_eq!(hint_of("cpg.method"), Some("ask"));
        assert_eq!(hint_of("{\"version\":1}"), Some("plan"));
        assert_eq!(hint_of("cpgutil"), None);
    }
}
