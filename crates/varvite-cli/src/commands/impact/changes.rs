//! [`Changes`]: the changed lines, from a patch or from arguments.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use varvite::error::nearest;
use varvite::memory::Reserved;
use varvite::{Budget, Graph, GraphError};
use varvite_cpg::CodeFiles;
use varvite_cpg::impact::{ChangedFile, FileState, Impact, Patch, Side, Span};
use varvite_show::ShowError;

use crate::failure::Failure;

/// Bytes of memory that are charged for each byte of a patch: its text, and the lines that it names.
const BYTES_OF_BYTE: usize = 4;
/// The number of bytes that one read requests.
const READ_BYTES: usize = 1 << 16;

/// The changed lines.
#[derive(Debug, Args)]
pub(super) struct ChangeArgs {
    /// The change, as a unified diff that `git diff` or `diff -u` wrote; - for standard input
    #[arg(
        long,
        value_name = "PATCH",
        requires = "base",
        required_unless_present = "lines",
        conflicts_with = "lines"
    )]
    diff: Option<PathBuf>,
    /// Side of the patch from which the graph was made, on which lines are counted
    #[arg(long, value_enum, value_name = "SIDE", requires = "diff")]
    base: Option<Base>,
    /// Changed lines instead of a patch, such as deflate.c:100-120 or deflate.c:7; may be repeated
    #[arg(long, value_name = "FILE:A-B", value_parser = parse_lines)]
    lines: Vec<(String, Span)>,
}

/// A side of a patch.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Base {
    /// The files before the change
    Old,
    /// The files after the change
    New,
}

impl From<Base> for Side {
    fn from(base: Base) -> Self {
        match base {
            Base::Old => Self::Old,
            Base::New => Self::New,
        }
    }
}

/// Parses `FILE:A-B` or `FILE:A`.
fn parse_lines(words: &str) -> Result<(String, Span), String> {
    let parts = words.rsplit_once(':').filter(|(file, _)| !file.is_empty());
    let lines = parts.and_then(|(file, lines)| {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |digits: &str| digits.parse::<u32>().ok().filter(|line| (1..u32::MAX).contains(line));
        let (first, last) = (number(first)?, number(last)?);
        (first <= last).then(|| (file.to_owned(), Span::lines(first, last)))
    });
    lines.ok_or_else(|| "expected FILE:LINE or FILE:FIRST-LAST, with lines from 1".to_owned())
}

/// The changed lines, by file.
pub(super) struct Changes {
    pub(super) files: Vec<ChangedFile>,
    /// The name of the patch, for the answer; `None` if the lines are arguments.
    pub(super) patch: Option<String>,
    /// The side of the patch on which lines are counted.
    pub(super) side: Side,
    _bytes: Reserved,
}

impl Changes {
    /// Reads the patch, or takes the lines of the arguments.
    pub(super) fn read(args: &ChangeArgs, budget: &Budget) -> Result<Self, Failure> {
        let mut bytes = budget.reserve(0).map_err(GraphError::from)?;
        let side = args.base.map_or(Side::Old, Side::from);
        let Some(path) = &args.diff else {
            return Ok(Self { files: by_file(&args.lines), patch: None, side, _bytes: bytes });
        };
        let name = if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() };
        let text = read_text(path, &name, &mut bytes)?;
        let patch =
            Patch::read(&text, side).map_err(|source| Failure::Patch { patch: name.clone(), source })?;
        Ok(Self { files: patch.files, patch: Some(name), side, _bytes: bytes })
    }

    /// If the lines are arguments, refuses a file that the graph lacks, or has several times. Files of a
    /// patch are only counted, since a patch may change files that are no code.
    pub(super) fn check(&self, graph: &Graph, impact: &Impact, budget: &Budget) -> Result<(), Failure> {
        if self.patch.is_some() {
            return Ok(());
        }
        let wrong = impact.files.iter().find(|file| !matches!(file.state, FileState::Known(_)));
        let Some(file) = wrong else { return Ok(()) };
        let (label, name) = ("FILE".to_owned(), file.path.clone());
        if let FileState::Ambiguous(names) = &file.state {
            let list = names.join(", ");
            let what = format!("--lines: the graph has several files {name}: {list}; give more of the path");
            return Err(Failure::Usage(what));
        }
        let files = CodeFiles::of(graph, budget)?;
        let nearest = nearest(&name, files.names());
        Err(ShowError::NoName { label, name, nearest }.into())
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Joins the lines of each file.
fn by_file(lines: &[(String, Span)]) -> Vec<ChangedFile> {
    let mut files: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for (path, span) in lines {
        files.entry(path).or_default().push(*span);
    }
    let file = |(path, spans): (&str, Vec<Span>)| ChangedFile {
        path: path.to_owned(),
        is_there: true,
        is_binary: false,
        spans,
    };
    files.into_iter().map(file).collect()
}

/// Reads a file, and charges its bytes.
fn read_text(path: &Path, name: &str, bytes: &mut Reserved) -> Result<Vec<u8>, Failure> {
    let unreadable = |error| Failure::source(Path::new(name), format!("cannot be read: {error}"));
    let mut input: Box<dyn Read> = match is_stdin(path) {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(File::open(path).map_err(unreadable)?),
    };
    let mut text = Vec::new();
    loop {
        bytes.resize(BYTES_OF_BYTE * (text.len() + READ_BYTES)).map_err(GraphError::from)?;
        let more = input.by_ref().take(READ_BYTES as u64).read_to_end(&mut text).map_err(unreadable)?;
        if more == 0 {
            return Ok(text);
        }
    }
}
