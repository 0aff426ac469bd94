//! Options of the command: paths, and the number of rounds.

use std::path::PathBuf;

use varvite_bench::Failure;

const HELP: &str = "\
usage: varvite-bench-codecs --root DIR --scratch DIR --frame PROGRAM --graph GRAPH.cpg.bin [--rounds N]

`make bench-codecs` gives all of them. FRAME is the example of varvite-codec, which is traced at its work.
";

/// Options of the command.
pub(crate) struct Options {
    pub(crate) root: PathBuf,
    pub(crate) scratch: PathBuf,
    pub(crate) frame: PathBuf,
    pub(crate) graph: PathBuf,
    pub(crate) rounds: usize,
}

impl Options {
    /// Parses the arguments of the command line.
    ///
    /// # Errors
    /// If an argument is missing, the usage text of the command.
    pub(crate) fn of(words: &[String]) -> Result<Self, Failure> {
        let value = |name: &str| {
            let at = words.iter().position(|word| word == name)?;
            words.get(at + 1)
        };
        let path = |name: &str| value(name).map(PathBuf::from).ok_or_else(|| Failure(HELP.trim_end().into()));
        let rounds = value("--rounds").map_or(Ok(5), |text| text.parse());
        Ok(Self {
            root: path("--root")?,
            scratch: path("--scratch")?,
            frame: path("--frame")?,
            graph: path("--graph")?,
            rounds: rounds
                .ok()
                .filter(|rounds| *rounds > 0)
                .ok_or_else(|| Failure(HELP.trim_end().into()))?,
        })
    }
}
