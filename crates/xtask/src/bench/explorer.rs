//! `cargo xtask bench-explorer [GRAPH] [--short] [--command FILE]`: measures the page of `varvite explore` in
//! a browser, reports, and a flame graph beside that of speedscope.
//!
//! GRAPH is a `cpg.bin` or a graph file. The report is that of the graph of sqlite, if it is there. `--short`
//! takes fewer rounds, and fewer stacks. `--command` measures a command that is built already.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::explorer;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

/// The graph without an argument, and that of the report. Without this file, which is not in the repository,
/// that of zlib.
const GRAPH: &str = "../shared/data/sqlite.cpg.bin";
const SMALL_GRAPH: &str = "examples/data/zlib.cpg.bin";
/// The peer, a package of npm with the files that its page consists of.
const PEER: &str = "bench/peers/speedscope";
const PEER_FILES: &str = "node_modules/speedscope/dist/release";
const RESULTS: &str = "results.jsonl";

/// The options of the command line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    graph: Option<PathBuf>,
    command: Option<PathBuf>,
    is_short: bool,
}

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let options = Options::parse(words)?;
    let browser = explorer::browser().ok_or_else(|| Failure(explorer::BROWSER_ADVICE.to_owned()))?;
    let folder = target_dir(root).join("bench-explorer");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    explorer::build(root)?;
    explorer::install(&root.join(PEER))?;
    let command = match options.command {
        Some(command) => command,
        None => built::varvite(root, Profile::Release)?,
    };
    let reported = [root.join(GRAPH), root.join(SMALL_GRAPH)].into_iter().find(|path| path.exists());
    let reported = reported.unwrap_or_default();
    let imported = |graph: &Path| imported(&command, graph, &folder);
    let graph = imported(options.graph.as_deref().unwrap_or(&reported))?;
    let (reported, small) = (imported(&reported)?, imported(&root.join(SMALL_GRAPH))?);
    let results = folder.join(RESULTS);
    fs::write(&results, "").map_err(|error| cannot("write", &results, &error))?;
    let mut bench = explorer::npm(&root.join(explorer::FOLDER));
    bench.args(["run", "--silent", "bench"]);
    bench.env("VARVITE_COMMAND", &command).env("VARVITE_CHROMIUM", browser);
    bench.env("VARVITE_PAGE_RESULTS", folder.join("browser")).env("VARVITE_BENCH_RESULTS", &results);
    bench.env("VARVITE_BENCH_GRAPH", graph).env("VARVITE_BENCH_REPORTED", reported);
    bench.env("VARVITE_BENCH_SMALL", small).env("VARVITE_BENCH_FOLDER", &folder);
    bench.env("VARVITE_BENCH_SPEEDSCOPE", root.join(PEER).join(PEER_FILES));
    if options.is_short {
        bench.env("VARVITE_BENCH_SHORT", "1");
    }
    process::run(&mut bench, explorer::ADVICE)
}

impl Options {
    fn parse(words: &[String]) -> Outcome<Self> {
        let (mut options, mut words) = (Self::default(), words.iter());
        while let Some(word) = words.next() {
            match word.as_str() {
                "--short" => options.is_short = true,
                "--command" => {
                    let file = words
                        .next()
                        .ok_or_else(|| Failure("bench-explorer wants a file behind --command".to_owned()))?;
                    options.command = Some(found(file)?);
                }
                graph if !graph.starts_with('-') => options.graph = Some(found(graph)?),
                other => {
                    let known = "a graph, --short and --command FILE";
                    return Err(Failure(format!("bench-explorer knows {known}, not '{other}'")));
                }
            }
        }
        Ok(options)
    }
}

/// A graph as a file of ours.
fn imported(command: &Path, graph: &Path, folder: &Path) -> Outcome<PathBuf> {
    if graph.extension().is_some_and(|extension| extension == "varvite") {
        return Ok(graph.to_owned());
    }
    let imported = folder.join(graph.file_name().unwrap_or_default()).with_extension("varvite");
    if !imported.exists() {
        let mut import = Command::new(command);
        process::output(import.arg("import").arg(graph).arg("-o").arg(&imported), "")?;
    }
    Ok(imported)
}

fn found(path: &str) -> Outcome<PathBuf> {
    fs::canonicalize(path).map_err(|error| cannot("find", Path::new(path), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Outcome<Options> {
        Options::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_known_options_are_taken() {
        assert!(parsed(&["--short"]).is_ok_and(|options| options.is_short));
        assert!(parsed(&["--long"]).is_err());
        assert!(parsed(&["--command"]).is_err());
        assert!(parsed(&["no such file"]).is_err());
    }
}
