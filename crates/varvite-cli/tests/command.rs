//! Runs the command, and makes the graphs for the tests.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value as Json;

/// The graph of zlib, as a file written by Joern.
pub(crate) const ZLIB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.cpg.bin");

/// A small graph, as a file written by Joern.
pub(crate) const CONTENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/content.cpg.bin");

/// The facts of the graph of zlib, as flatgraph computes them.
pub(crate) fn expected() -> Json {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.expected.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The fifteen most common names of CALL nodes, each with its count.
pub(crate) fn top_call_names() -> Vec<[Json; 2]> {
    serde_json::from_value(expected()["traversals"]["top_call_names"].clone()).unwrap()
}

/// The graph of zlib as a compact file, imported once for all tests that only read it.
pub(crate) fn zlib() -> &'static str {
    static GRAPH: OnceLock<String> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("zlib.varvite");
        let path = path.to_str().unwrap().to_owned();
        varvite(&["import", ZLIB, "-o", &path, "--force"]).text();
        path
    })
}

/// A folder for one test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Imports zlib into a new file.
    pub(crate) fn import(&self, name: &str, profile: &str) -> String {
        let path = self.path(name);
        varvite(&["import", ZLIB, "-o", &path, "--profile", profile]).text();
        path
    }

    /// The names of all files in the folder.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| PathBuf::from(entry.unwrap().file_name()));
        names.collect()
    }
}

/// The output and exit code of a command.
pub(crate) struct Answer(Output);

/// Runs the command.
pub(crate) fn varvite(words: &[&str]) -> Answer {
    Answer(command().args(words).output().unwrap())
}

/// The command, with the default handling of signals. If tests run in the background, they ignore some
/// signals, and child processes would inherit this.
pub(crate) fn listening() -> Command {
    let listen = "import os, signal, sys\n\
        for name in ('SIGHUP', 'SIGINT', 'SIGTERM'): signal.signal(getattr(signal, name), signal.SIG_DFL)\n\
        os.execv(sys.argv[1], sys.argv[1:])";
    let mut python = Command::new("python3");
    python.args(["-c", listen, env!("CARGO_BIN_EXE_varvite")]);
    python
}

/// The command, for tests that set it up and run it themselves.
pub(crate) fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_varvite"))
}

/// Runs the command with `plan` as its standard input.
pub(crate) fn send(plan: &str, words: &[&str]) -> Answer {
    let pipes =
        command().args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = pipes.unwrap();
    // If the command refuses its arguments, it does not read the plan, and this write fails.
    let _ = child.stdin.take().unwrap().write_all(plan.as_bytes());
    Answer::of(child.wait_with_output().unwrap())
}

impl Answer {
    /// The output of a command that a test ran itself.
    pub(crate) fn of(output: Output) -> Self {
        Self(output)
    }

    /// The number of lines on standard output.
    pub(crate) fn lines(&self) -> usize {
        self.0.stdout.split(|byte| *byte == b'\n').count() - 1
    }

    /// Standard output. Checks that the command succeeded without messages.
    pub(crate) fn text(self) -> String {
        assert_eq!((self.errors().as_str(), self.0.status.code()), ("", Some(0)));
        String::from_utf8(self.0.stdout).unwrap()
    }

    /// Standard output. Checks that the command succeeded; it may have written notes.
    pub(crate) fn text_beside_notes(self) -> String {
        assert_eq!(self.0.status.code(), Some(0), "{}", self.errors());
        assert!(self.errors().lines().all(|line| line.starts_with("varvite: note: ")), "{}", self.errors());
        String::from_utf8(self.0.stdout).unwrap()
    }

    /// Standard output as JSON. Checks that the command succeeded without messages.
    pub(crate) fn json(self) -> Json {
        serde_json::from_str(&self.text()).unwrap()
    }

    /// The values of one column, from rows in JSON.
    pub(crate) fn column(self, name: &str) -> Vec<Json> {
        self.json().as_array().unwrap().iter().map(|row| row[name].clone()).collect()
    }

    /// Checks that the command failed with `code`, and that its message is one line that contains all of
    /// `words`. Returns the line.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, words: &[&str]) -> String {
        let message = self.errors();
        assert_eq!(self.0.status.code(), Some(code), "{message}");
        assert!(message.starts_with("varvite: "), "{message}");
        words.iter().for_each(|word| assert!(message.contains(word), "{word:?} is missing in: {message}"));
        message
    }

    /// The exit code and standard output, whether or not the command succeeded.
    pub(crate) fn status_and_output(self) -> (Option<i32>, Vec<u8>) {
        (self.0.status.code(), self.0.stdout)
    }

    /// The exit code.
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    /// Standard output. Checks that the command succeeded; it may have written anything to standard error.
    pub(crate) fn text_beside_complaints(self) -> String {
        assert_eq!(self.0.status.code(), Some(0), "{}", self.errors());
        String::from_utf8(self.0.stdout).unwrap()
    }

    /// Standard output, whether or not the command succeeded.
    pub(crate) fn output(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).unwrap()
    }

    /// Standard error.
    pub(crate) fn errors(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }
}
