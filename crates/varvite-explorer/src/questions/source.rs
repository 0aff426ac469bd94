//! [`Source`]: the lines around a node: those of its file, or, in a graph without sources, its CODE.

use serde::Serialize;
use varvite::Budget;
use varvite_cpg::characters::whole;
use varvite_cpg::source::Sources;
use varvite_show::{Passage, ShowError};

use super::subject::Subject;
use crate::fault::Result;

/// The most lines, and the most bytes of all of them.
const LINES_MAX: u64 = 2_000;
const BYTES_MAX: usize = 2 << 20;
/// The memory for reading lines.
const READ_BYTES_MAX: usize = 16 << 20;

/// Lines of a program.
#[derive(Debug, Serialize)]
pub(super) struct Source {
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The number of the first line in its file; 1 if it is not known.
    pub(super) first_line: u64,
    pub(super) lines: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marked: Option<u64>,
    /// Whether the file has lines before these, and after these.
    has_before: bool,
    has_after: bool,
    /// Whether the last line, or the CODE, is longer than what is shown of it.
    is_cut: bool,
}

/// The origin of lines.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    File,
    Code,
}

impl Source {
    /// The lines for a question; `None` if the graph has none.
    pub(super) fn of(subject: &Subject<'_>) -> Result<Option<Self>> {
        let found = match Sources::open(subject.graph)? {
            Some(sources) => Self::of_file(subject, &sources)?,
            None => None,
        };
        Ok(found.or_else(|| Self::of_code(subject)).map(Self::within_limit))
    }

    fn of_file(subject: &Subject<'_>, sources: &Sources<'_>) -> Result<Option<Self>> {
        let asked = subject.lines;
        let Some((file, first, last)) = place_of(subject, sources)? else { return Ok(None) };
        let first = asked.first.unwrap_or(first).max(1);
        let last = asked.last.unwrap_or(if asked.first.is_some() { u64::MAX } else { last }).max(first);
        let end = last.min(first.saturating_add(LINES_MAX - 1));
        // One line more tells whether there are any.
        let found = sources.lines(file, (first, end.saturating_add(1)), &Budget::new(READ_BYTES_MAX))?;
        let count = usize::try_from(end - first + 1).unwrap_or(usize::MAX);
        let has_after = found.lines.len() > count;
        let is_marked = subject.method != Some(subject.node);
        let own = || subject.columns.nodes().of(subject.node).line.and_then(|line| u64::try_from(line).ok());
        Ok(Some(Self {
            kind: Kind::File,
            path: Some(sources.name(file)),
            first_line: first,
            lines: found.lines.into_iter().take(count).map(|line| line.text).collect(),
            marked: asked.marked.or_else(|| own().filter(|_| is_marked)),
            has_before: first > 1,
            has_after,
            is_cut: false,
        }))
    }

    /// The CODE of the METHOD, or of the node.
    fn of_code(subject: &Subject<'_>) -> Option<Self> {
        let node = subject.method.unwrap_or(subject.node);
        let described = subject.columns.nodes().of(node);
        let code = subject.columns.code(node, BYTES_MAX).filter(|code| !code.text.is_empty())?;
        let lines = code.text.lines().take(LINES_MAX as usize + 1);
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        let is_cut = code.is_cut || lines.len() as u64 > LINES_MAX;
        lines.truncate(LINES_MAX as usize);
        let first_line = described.line.and_then(|line| u64::try_from(line).ok()).unwrap_or(1).max(1);
        let path = described.path;
        let (has_before, has_after) = (false, false);
        Some(Self { kind: Kind::Code, path, first_line, lines, marked: None, has_before, has_after, is_cut })
    }

    /// The lines up to the limit of bytes. A longer line is cut too.
    fn within_limit(mut self) -> Self {
        let mut left = BYTES_MAX;
        for place in 0..self.lines.len() {
            let Some(line) = self.lines.get_mut(place) else { break };
            if line.len() > left {
                line.truncate(whole(line, left).len());
                (self.is_cut, left) = (true, 0);
            } else {
                left -= line.len();
            }
            if left == 0 {
                self.has_after |= matches!(self.kind, Kind::File) && place + 1 < self.lines.len();
                self.lines.truncate(place + 1);
                break;
            }
        }
        self
    }

    /// The file and the first and last of the lines, if they are lines of a file.
    pub(super) fn place(&self) -> Option<(&str, u64, u64)> {
        let path = self.path.as_deref().filter(|_| matches!(self.kind, Kind::File))?;
        Some((path, self.first_line, self.first_line + (self.lines.len() as u64).saturating_sub(1)))
    }

    /// The text of a line of the file.
    pub(super) fn line(&self, number: i64) -> Option<&str> {
        let place = u64::try_from(number).ok()?.checked_sub(self.first_line)?;
        self.lines.get(usize::try_from(place).ok()?).map(String::as_str)
    }
}

/// The FILE of a node that is shown, and its lines.
fn place_of(subject: &Subject<'_>, sources: &Sources<'_>) -> Result<Option<(u32, u64, u64)>> {
    if subject.columns.has_label(subject.node, "FILE") {
        return Ok(sources.has_text(subject.node).then_some((subject.node, 1, u64::MAX)));
    }
    let node = subject.method.unwrap_or(subject.node);
    match Passage::of(subject.graph, sources, &node.to_string()) {
        Ok(passage) => Ok(Some((passage.file, passage.first, passage.last))),
        Err(ShowError::NoSource(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
