//! [`Passage`]: the lines that a user asks for, by a METHOD or by a file and a line.

use varvite::Graph;
use varvite::error::{nearest, optional};
use varvite_cpg::Sites;
use varvite_cpg::source::Sources;

use super::names::node_at;
use crate::error::{Candidate, Result, ShowError};

/// The number of lines before and after a line that is in no function.
const AROUND: u64 = 10;
/// The number of files in a message about a name that several files have.
const CANDIDATES_MAX: usize = 5;

/// Lines of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Passage {
    /// The FILE.
    pub file: u32,
    /// The node whose code the lines are; `None` for lines around a line.
    pub node: Option<u32>,
    /// The first line, from 1.
    pub first: u64,
    /// The last line; the file may end before it.
    pub last: u64,
    /// The line that the user named.
    pub marked: Option<u64>,
}

impl Passage {
    /// The lines that `words` describe: `inflate`, another description of one node, or `inflate.c:1200`.
    ///
    /// # Errors
    /// The errors of [`node_at`], and [`ShowError::NoSource`].
    pub fn of(graph: &Graph, sources: &Sources<'_>, words: &str) -> Result<Self> {
        match file_and_line(words) {
            Some((path, line)) if !sources.files_ending_in(path).is_empty() => {
                Self::at_line(graph, sources, path, line)
            }
            _ => match node_at(graph, words) {
                // A word such as x.c:12 describes a line, so the message is about the file.
                Err(ShowError::NoName { .. }) if file_and_line(words).is_some() => {
                    let (path, _) = file_and_line(words).unwrap_or_default();
                    Err(no_file(sources, path))
                }
                node => Self::of_node(graph, sources, node?),
            },
        }
    }

    fn of_node(graph: &Graph, sources: &Sources<'_>, node: u32) -> Result<Self> {
        let sites = Sites::open(graph)?;
        let mut cursor = sites.cursor();
        let site = cursor.at(node);
        let (Some(name), Some(first)) = (site.file, site.line.and_then(|line| u64::try_from(line).ok()))
        else {
            let what = "has no file or no line, so it has no source; frontends make such nodes for code that \
                        they do not see";
            return Err(ShowError::NoSource(format!("node {node} {what}")));
        };
        let last = optional(graph.numbers("LINE_NUMBER_END"))?.and_then(|lines| lines.number(node));
        let last = last.and_then(|line| u64::try_from(line).ok()).unwrap_or(first).max(first);
        let with_text = |file: &u32| sources.has_text(*file);
        let file = sources.files_named(name).into_iter().find(with_text);
        let file = file.ok_or_else(|| ShowError::NoSource(format!("the graph has no source of {name}")))?;
        Ok(Self { file, node: Some(node), first, last, marked: None })
    }

    fn at_line(graph: &Graph, sources: &Sources<'_>, path: &str, line: u64) -> Result<Self> {
        let file = file_at(sources, path)?;
        let around = Self {
            file,
            node: None,
            first: line.saturating_sub(AROUND).max(1),
            last: line.saturating_add(AROUND),
            marked: Some(line),
        };
        let Some(method) = sources.method_at(file, line)? else { return Ok(around) };
        match Self::of_node(graph, sources, method) {
            Ok(passage) if passage.file == file => Ok(Self { marked: Some(line), ..passage }),
            _ => Ok(around),
        }
    }
}

/// Splits `inflate.c:1200` into the path of a file and a line.
fn file_and_line(words: &str) -> Option<(&str, u64)> {
    let (path, line) = words.rsplit_once(':')?;
    Some((path, line.parse().ok().filter(|line| *line > 0 && !path.is_empty())?))
}

/// The only FILE with this name or, if there is none, the only one whose path ends in it.
fn file_at(sources: &Sources<'_>, path: &str) -> Result<u32> {
    let named = sources.files_named(path);
    let found = if named.is_empty() { sources.files_ending_in(path) } else { named };
    let with_text: Vec<u32> = found.iter().copied().filter(|file| sources.has_text(*file)).collect();
    match with_text[..] {
        [file] => Ok(file),
        [] => Err(ShowError::NoSource(format!("the graph has no source of {path}"))),
        ref several => Err(several_files(sources, path, several)),
    }
}

fn several_files(sources: &Sources<'_>, path: &str, files: &[u32]) -> ShowError {
    let candidate = |file: &u32| Candidate::at(*file, sources.name(*file));
    let candidates = files.iter().take(CANDIDATES_MAX).map(candidate).collect();
    ShowError::Several { label: "FILE".to_owned(), name: path.to_owned(), count: files.len(), candidates }
}

fn no_file(sources: &Sources<'_>, path: &str) -> ShowError {
    let known: Vec<String> = sources.names().collect();
    let nearest = nearest(path, known.iter().map(String::as_str));
    ShowError::NoName { label: "FILE".to_owned(), name: path.to_owned(), nearest }
}
