//! The input of the benchmark: a memory trace of a program that ran under lackey, and the columns of a graph.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use varvite::{Direction, Graph, IfExists, Profile};
use varvite_bench::Failure;
use varvite_bench::workloads::question::import_to;
use varvite_format::SegmentId;

use crate::options::Options;

/// The maximum number of bytes that one codec compresses in a round: more than the caches hold, but few
/// enough for slow codecs.
const PASS_LEN_MAX: usize = 32 << 20;

/// The input of the traced program, which compresses it: a text of this repository. A graph file would be no
/// good input: it is compressed already, so zlib would find no matches.
const WORK: &str = "docs/format.md";
/// The maximum number of bytes of the text that the program compresses.
const WORK_LEN: usize = 60_000;

/// A named input of the benchmark, uncompressed.
pub(crate) struct Stream {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Stream {
    pub(crate) fn new(name: &'static str, title: &'static str, bytes: Vec<u8>) -> Self {
        Self { name, title, bytes }
    }

    /// The measured part of the stream. It is taken from the middle; in a trace, the program then compresses.
    pub(crate) fn pass(&self) -> &[u8] {
        let len = self.bytes.len().min(PASS_LEN_MAX);
        // The part begins at a record; records have 12 bytes.
        let start = (self.bytes.len() - len) / 2 / 12 * 12;
        &self.bytes[start..start + len]
    }
}

/// A trace, as the text that lackey writes and as binary records.
pub(crate) struct Trace {
    pub(crate) text: Vec<u8>,
    pub(crate) references: Vec<u8>,
}

/// Runs Varvite's program `frame` under lackey while `frame` compresses a text with zlib, and returns the
/// trace.
pub(crate) fn lackey(options: &Options) -> Result<Trace, Failure> {
    let (log, work) = (options.scratch.join("lackey.txt"), options.scratch.join("work"));
    let source = std::fs::read(options.root.join(WORK))?;
    std::fs::write(&work, &source[..source.len().min(WORK_LEN)])?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=lackey", "--trace-mem=yes"]).arg(log_argument(&log));
    valgrind.arg(&options.frame).args(["write", "zlib", "6"]);
    let status = valgrind.stdin(File::open(&work)?).stdout(Stdio::null()).status();
    let advice = "needs valgrind (Debian: apt install valgrind)";
    let status = status.map_err(|error| Failure(format!("varvite: {advice}: {error}")))?;
    if !status.success() {
        return Err(Failure(format!("varvite: valgrind failed: {status}")));
    }
    parse(BufReader::new(File::open(&log)?))
}

fn log_argument(log: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from("--log-file=");
    argument.push(log);
    argument
}

fn parse(mut log: impl BufRead) -> Result<Trace, Failure> {
    let (mut text, mut references, mut line) = (Vec::new(), Vec::new(), Vec::new());
    while log.read_until(b'\n', &mut line)? > 0 {
        if append_references(&line, &mut references).is_some() {
            text.extend_from_slice(&line);
        }
        line.clear();
    }
    Ok(Trace { text, references })
}

/// Types of drmemtrace's records.
const READ: u16 = 0;
const WRITE: u16 = 1;
pub(crate) const INSTRUCTION: u16 = 10;

/// Appends the records of one line of lackey's output, such as `I  04001000,3` or ` L 1ffe,8`, and returns
/// `None` for a line of another form. A modification (`M`) becomes a read and a write.
fn append_references(line: &[u8], references: &mut Vec<u8>) -> Option<()> {
    let line = std::str::from_utf8(line).ok()?;
    let kinds: &[u16] = match line.as_bytes().first_chunk::<3>()? {
        b"I  " => &[INSTRUCTION],
        b" L " => &[READ],
        b" S " => &[WRITE],
        b" M " => &[READ, WRITE],
        _ => return None,
    };
    let (address, size) = line[3..].trim_end().split_once(',')?;
    let (address, size) = (u64::from_str_radix(address, 16).ok()?, size.parse::<u16>().ok()?);
    for kind in kinds {
        references.extend(kind.to_le_bytes());
        references.extend(size.to_le_bytes());
        references.extend(address.to_le_bytes());
    }
    Some(())
}

fn direct(options: &Options) -> Result<Graph, Failure> {
    let file = options.scratch.join("direct.varvite");
    import_to(&options.graph, &file, Profile::Direct, IfExists::Replace)?;
    Ok(Graph::open(&file)?)
}

/// The target ids of all edges, one edge label after another.
pub(crate) fn neighbours(options: &Options) -> Result<Vec<u8>, Failure> {
    let graph = direct(options)?;
    let mut bytes = Vec::new();
    for label in graph.edge_label_ids() {
        let adjacency = graph.adjacency(label, Direction::Out)?;
        adjacency.for_each_edge(|_, target| bytes.extend(target.to_le_bytes()));
    }
    graph.check()?;
    Ok(bytes)
}

/// All segments of the graph file in the profile `direct`, one after another.
pub(crate) fn columns(options: &Options) -> Result<Vec<u8>, Failure> {
    let graph = direct(options)?;
    let store = graph.store();
    let mut bytes = Vec::new();
    for number in 0..store.directory().segments.len() as u32 {
        if let Some(segment) = SegmentId::from_number(number) {
            bytes.extend_from_slice(&store.load(segment)?);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_records_and_other_lines_none() {
        let log = b"==1== Lackey\nI  0401ab70,3\n M 1fff000708,8\nnoise\n";
        let trace = parse(&log[..]).unwrap();
        assert_eq!(trace.text, b"I  0401ab70,3\n M 1fff000708,8\n");
        let expected: [[u8; 12]; 3] = [
            [10, 0, 3, 0, 0x70, 0xab, 0x01, 0x04, 0, 0, 0, 0],
            [0, 0, 8, 0, 0x08, 0x07, 0x00, 0xff, 0x1f, 0, 0, 0],
            [1, 0, 8, 0, 0x08, 0x07, 0x00, 0xff, 0x1f, 0, 0, 0],
        ];
        assert_eq!(trace.references, expected.concat());
    }
}
