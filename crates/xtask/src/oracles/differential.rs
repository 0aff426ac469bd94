//! `cargo xtask differential [PLANS] [--seed N]`: compares Varvite with another engine, plan by plan.
//!
//! The other engine is a simple interpreter of plans, written in Python (`conformance/interpreter`). It reads
//! flatgraph's listing of a graph. The interpreter itself is first checked against the answers in
//! `conformance/cases`. Two graphs are real graphs from the repository; flatgraph makes the others from the
//! seed. The command prints the seed; the same seed gives the same plans again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::built::{self, Profile};
use crate::java::Peer;
use crate::process;
use crate::{Failure, Outcome, cannot};

const INTERPRETER: &str = "conformance";
const DOCUMENT: &str = "docs/plan.md";
const REAL: [&str; 2] = ["zlib", "content"];
/// The number of graphs that are made from a seed. Every second one has no tree.
const ODD: u64 = 2;
const PROFILES: [&str; 3] = ["direct", "compact", "archive"];
const ADVICE: &str = "install Python 3.10 or newer (Debian: apt install python3)";

/// Compares the answers to the given number of plans, 500 by default.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let Words { plans, seed } = Words::parse(words)?;
    cases(root)?;
    println!("differential: {plans} plans, seed {seed}");
    let flatgraph = Peer::flatgraph(root)?;
    let scratch = Scratch::new(root, flatgraph)?;
    let mut names: Vec<String> = REAL.map(str::to_owned).to_vec();
    for name in REAL {
        scratch.prepare(name, &root.join(format!("examples/data/{name}.cpg.bin")))?;
    }
    for odd in seed..seed + ODD {
        let (name, graph) = (format!("odd{odd}"), scratch.folder.join(format!("odd{odd}.cpg.bin")));
        scratch.flatgraph.write("odd", Path::new(&odd.to_string()), &graph)?;
        scratch.prepare(&name, &graph)?;
        names.push(name);
    }
    let mut python = Command::new("python3");
    python.current_dir(root.join(INTERPRETER)).args(["-m", "interpreter", "--varvite"]).arg(&scratch.varvite);
    python.arg("--document").arg(root.join(DOCUMENT));
    for name in &names {
        python.arg("--graph").arg(name).arg(&scratch.folder);
    }
    process::run(python.args(["--plans", &plans.to_string(), "--seed", &seed.to_string()]), ADVICE)
}

/// Compares the interpreter's answers with the expected answers of the cases.
pub(crate) fn cases(root: &Path) -> Outcome {
    let mut python = Command::new("python3");
    python.current_dir(root.join(INTERPRETER)).args(["-m", "interpreter.cases", "cases"]);
    process::run(&mut python, ADVICE)
}

/// The arguments of the command.
#[derive(Debug, PartialEq, Eq)]
struct Words {
    plans: u64,
    seed: u64,
}

impl Words {
    fn parse(words: &[String]) -> Outcome<Self> {
        let wrong = || Failure("differential takes a number of plans, and --seed N".to_owned());
        let mut found = Self { plans: 500, seed: seed_of_now() };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let (place, number) = match word.as_str() {
                "--seed" => (&mut found.seed, rest.next().ok_or_else(wrong)?),
                _ => (&mut found.plans, word),
            };
            *place = number.parse().map_err(|_| wrong())?;
        }
        Ok(found)
    }
}

/// A seed from the current time, so that a later run may find a fault that this one misses.
fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs() % 1_000_000)
}

/// The folder for graphs, and the programs that make them.
struct Scratch {
    folder: PathBuf,
    varvite: PathBuf,
    flatgraph: Peer,
}

impl Scratch {
    fn new(root: &Path, flatgraph: Peer) -> Outcome<Self> {
        let varvite = built::varvite(root, Profile::Dev)?;
        let folder = process::target_dir(root).join("differential");
        fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
        Ok(Self { folder, varvite, flatgraph })
    }

    /// Runs flatgraph to list the content of a graph, and imports the graph in every profile.
    fn prepare(&self, name: &str, graph: &Path) -> Outcome {
        self.flatgraph.write("dump", graph, &self.folder.join(format!("{name}.jsonl")))?;
        PROFILES.iter().try_for_each(|profile| {
            let file = self.folder.join(format!("{name}.{profile}.varvite"));
            let mut import = Command::new(&self.varvite);
            import.arg("import").arg(graph).arg("-o").arg(file).args(["--force", "--profile", profile]);
            process::output(&mut import, "").map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Outcome<Words> {
        Words::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_number_of_plans_and_a_seed_are_taken() {
        assert_eq!(parse(&[]).unwrap().plans, 500);
        assert_eq!(parse(&["7", "--seed", "3"]).unwrap(), Words { plans: 7, seed: 3 });
        assert_eq!(parse(&["--seed", "3"]).unwrap(), Words { plans: 500, seed: 3 });
        for wrong in [&["many"][..], &["--seed"], &["--speed", "3"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
