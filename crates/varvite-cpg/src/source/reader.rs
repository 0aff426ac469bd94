//! [`Sources`]: reads lines of the texts in a graph.
//!
//! The line that is wanted is found from the nearest offset in CONTENT_LINES before it, so at most
//! [`LINES_OF_MARK`] lines are read in vain. Texts that came with the graph have no such offsets, and are
//! read from their start.

use std::ops::Range;

use varvite::error::{Fault, optional};
use varvite::memory::Reserved;
use varvite::{Budget, Graph, GraphError, LabelNodes, Property, Texts};

use super::content::is_text;
use super::folder::is_placeholder;
use super::{CONTENT, CONTENT_LINES, LINES_OF_MARK};

/// The number of bytes of a text that are read at once. A few times fewer than a block has, because a
/// function is usually shorter.
const PART_LEN: usize = 32 << 10;

/// The texts of the FILEs of a graph.
#[derive(Debug)]
pub struct Sources<'g> {
    graph: &'g Graph,
    files: LabelNodes,
    names: Property,
    content: Property,
    marks: Option<Property>,
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: u64,
    /// The line without its end.
    pub text: String,
}

/// Lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLines {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The number of lines of the whole text, if it was read to its end.
    pub total: Option<u64>,
}

impl<'g> Sources<'g> {
    /// Opens the texts; `None` if the graph has none.
    ///
    /// # Errors
    /// Fails if the graph can't be read.
    pub fn open(graph: &'g Graph) -> Result<Option<Self>, GraphError> {
        let (files, names) = (optional(graph.nodes("FILE"))?, optional(graph.property("NAME"))?);
        let (content, marks) = (optional(graph.texts(CONTENT))?, optional(graph.numbers(CONTENT_LINES))?);
        let Some(((files, names), content)) = files.zip(names).zip(content) else { return Ok(None) };
        let sources = Self { graph, files, names, content, marks };
        let has_some = sources.files.iter().any(|file| sources.has_text(file));
        Ok(has_some.then_some(sources))
    }

    /// Whether a FILE has a text.
    pub fn has_text(&self, file: u32) -> bool {
        self.content.is_present(file) && (self.is_marked(file) || is_text(&self.content, file))
    }

    fn is_marked(&self, file: u32) -> bool {
        self.marks.as_ref().is_some_and(|marks| marks.is_present(file))
    }

    /// The FILEs with this name, ascending.
    pub fn files_named(&self, name: &str) -> Vec<u32> {
        self.files.iter().filter(|file| self.names.str(*file).is_some_and(|it| *it == *name)).collect()
    }

    /// The FILEs whose path ends in this path, ascending.
    pub fn files_ending_in(&self, path: &str) -> Vec<u32> {
        let ends = |name: &str| {
            let rest = name.strip_suffix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
        };
        self.files.iter().filter(|file| self.names.str(*file).is_some_and(|name| ends(&name))).collect()
    }

    /// The name of a FILE; empty if it has none.
    pub fn name(&self, file: u32) -> String {
        self.names.str(file).map(|name| name.to_string()).unwrap_or_default()
    }

    /// The names of all FILEs.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.files.iter().map(|file| self.name(file))
    }

    /// The lines of a FILE from `first` to `last`, counted from 1; fewer if the text ends before.
    ///
    /// # Errors
    /// Damage of the graph, or lines that do not fit in the budget.
    pub fn lines(
        &self,
        file: u32,
        (first, last): (u64, u64),
        budget: &Budget,
    ) -> Result<SourceLines, GraphError> {
        let Some((texts, code)) = self.code(file) else { return Ok(SourceLines::default()) };
        let len = texts.text_len(code).unwrap_or(0);
        let (at, number) = self.mark_before(file, first, len)?;
        let (graph, part, charges) = (self.graph, Vec::new(), Vec::new());
        let mut reading = Reading { graph, budget, texts, code, len, part, at, begin: 0, number, charges };
        let lines = reading.lines(first, last);
        // An unreadable part is damage, and must not look like the end of the text.
        self.graph.check()?;
        lines
    }

    /// The innermost METHOD of a FILE with the code of a line. METHODs that stand for a whole file, such as
    /// `<global>`, and external ones, such as macros, do not count.
    ///
    /// # Errors
    /// Fails if the graph can't be read.
    pub fn method_at(&self, file: u32, line: u64) -> Result<Option<u32>, GraphError> {
        let property = |name| optional(self.graph.property(name));
        let (methods, file_names) = (optional(self.graph.nodes("METHOD"))?, property("FILENAME")?);
        let (first, last) = (property("LINE_NUMBER")?, property("LINE_NUMBER_END")?);
        let is_external = property("IS_EXTERNAL")?;
        let (Some(methods), Some(file_names), Some(first)) = (methods, file_names, first) else {
            return Ok(None);
        };
        let Some(code) = file_names.strings().and_then(|names| names.find(&self.name(file))) else {
            return Ok(None);
        };
        let is_here = |method: &u32| {
            file_names.number(*method) == Some(i64::from(code))
                && is_external.as_ref().and_then(|external| external.number(*method)) != Some(1)
                && !self.names.str(*method).is_some_and(|name| is_placeholder(&name) || name.starts_with(':'))
        };
        let number = |lines: &Property, method| u64::try_from(lines.number(method)?).ok();
        let length = |method: u32| {
            let first = number(&first, method)?;
            let last = last.as_ref().and_then(|last| number(last, method)).unwrap_or(first);
            (first..=last).contains(&line).then(|| (last - first, method))
        };
        Ok(methods.iter().filter(is_here).filter_map(length).min().map(|(_, method)| method))
    }

    fn code(&self, file: u32) -> Option<(&Texts, u32)> {
        self.content.strings().zip(u32::try_from(self.content.number(file)?).ok())
    }

    /// The greatest known offset of a line that is not after line `first`, and the number of that line.
    fn mark_before(&self, file: u32, first: u64, len: usize) -> Result<(usize, u64), GraphError> {
        let wanted = usize::try_from(first.max(1) - 1).unwrap_or(usize::MAX) / LINES_OF_MARK as usize;
        let mut found = (0, 1);
        let marked = if wanted > 0 { self.first_of_equals(file) } else { file };
        let marks = self.marks.iter().flat_map(|marks| marks.numbers(marked)).take(wanted.saturating_add(1));
        for (index, mark) in (0..).zip(marks) {
            let at = usize::try_from(mark).ok().filter(|at| *at < len.max(1) && (index == 0) == (*at == 0));
            let Some(at) = at.filter(|at| index == 0 || *at > found.0) else {
                return Err(self.bad_mark(index));
            };
            found = (at, 1 + index * LINES_OF_MARK);
        }
        match found.0 == 0 || self.byte_at(file, found.0 - 1) == Some(b'\n') {
            true => Ok(found),
            false => Err(self.bad_mark((found.1 - 1) / LINES_OF_MARK)),
        }
    }

    /// The first FILE with the text of a FILE: it has the offsets of all lines. The FILE itself if it has
    /// more offsets than that of its first line.
    fn first_of_equals(&self, file: u32) -> u32 {
        let has_only_first = |marks: &Property| marks.numbers(file).nth(1).is_none();
        if !self.marks.as_ref().is_some_and(has_only_first) {
            return file;
        }
        let code = self.content.number(file);
        let is_equal = |other: &u32| self.is_marked(*other) && self.content.number(*other) == code;
        self.files.iter().find(is_equal).unwrap_or(file)
    }

    fn byte_at(&self, file: u32, at: usize) -> Option<u8> {
        let (texts, code) = self.code(file)?;
        texts.part_of(code, at..at + 1)?.first().copied()
    }

    fn bad_mark(&self, index: u64) -> GraphError {
        self.graph.damaged(CONTENT_LINES, Fault::Missing { what: "start of a line", number: Some(index) })
    }
}

/// A text that is being read, part by part.
struct Reading<'s> {
    graph: &'s Graph,
    budget: &'s Budget,
    texts: &'s Texts,
    code: u32,
    /// The length of the text.
    len: usize,
    /// Bytes of the text that were read, and the offset of the first of them.
    part: Vec<u8>,
    at: usize,
    /// The start of the next line in `part`, and its number.
    begin: usize,
    number: u64,
    /// The memory of `part` beyond its usual length, and of lines.
    charges: Vec<Reserved>,
}

impl Reading<'_> {
    fn lines(&mut self, first: u64, last: u64) -> Result<SourceLines, GraphError> {
        let mut found = SourceLines::default();
        while self.number <= last {
            let number = self.number;
            let Some(line) = self.next_line()? else {
                found.total = Some(number - 1);
                break;
            };
            if number >= first {
                self.charges.push(self.budget.reserve(line.len())?);
                let text = str::from_utf8(&self.part[line]).map_err(|_| self.not_text())?;
                let text = text.strip_suffix('\n').unwrap_or(text);
                let text = text.strip_suffix('\r').unwrap_or(text).to_owned();
                found.lines.push(Line { number, text });
            }
        }
        Ok(found)
    }

    /// The place of the next line in `part`, with its end; `None` at the end of the text.
    fn next_line(&mut self) -> Result<Option<Range<usize>>, GraphError> {
        let mut searched = 0;
        let len = loop {
            let rest = &self.part[self.begin + searched..];
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                break searched + end + 1;
            }
            searched += rest.len();
            if !self.read_on()? {
                break searched;
            }
        };
        let line = self.begin..self.begin + len;
        (self.begin, self.number) = (line.end, self.number + 1);
        Ok((len > 0).then_some(line))
    }

    /// Appends the next bytes of the text to `part`, without the lines before the next one. Returns false at
    /// the end of the text, and if the bytes can't be read.
    fn read_on(&mut self) -> Result<bool, GraphError> {
        self.part.drain(..self.begin);
        self.at += std::mem::take(&mut self.begin);
        let from = self.at + self.part.len();
        let to = self.len.min(from + PART_LEN);
        if self.part.len() > PART_LEN {
            self.charges.push(self.budget.reserve(to - from)?);
        }
        let Some(bytes) = self.texts.part_of(self.code, from..to) else { return Ok(false) };
        self.part.extend_from_slice(&bytes);
        Ok(from < to)
    }

    fn not_text(&self) -> GraphError {
        self.graph.damaged(CONTENT, Fault::Unexpected { what: "bytes that are not UTF-8" })
    }
}
