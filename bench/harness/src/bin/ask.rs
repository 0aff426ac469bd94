//! The command that measures queries in Joern's language and the questions of agents. `cargo xtask bench-ask`
//! builds it, and passes it the paths of its inputs.
#![forbid(unsafe_code)]

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use varvite_bench::Failure;
use varvite_bench::asks::run::{Joern, Options, PARTS, run};
use varvite_bench::asks::serve::serve;
use varvite_bench::peers::jvm::Jvm;
use varvite_bench::report::page::keep;

const HELP: &str = "\
usage: varvite-bench-ask COMMAND

  run OPTIONS             measure; `cargo xtask bench-ask` gives the options
  serve FILE QUERIES      answer commands from standard input, as a peer";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["run", options @ ..] => measure(options),
        ["serve", file, queries] => {
            serve(Path::new(file), Path::new(queries), io::stdin().lock(), io::stdout().lock())
        }
        _ => Err(Failure(HELP.to_owned())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("varvite: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(words: &[&str]) -> Result<(), Failure> {
    let options = options(words)?;
    let results = run(&options)?;
    let folder = Words(words).value("--results").map_or(options.root.join("bench/results"), PathBuf::from);
    keep(&results, &folder)
}

/// The options of the command line: pairs of a name and a value.
struct Words<'a>(&'a [&'a str]);

impl<'a> Words<'a> {
    fn value(&self, name: &str) -> Option<&'a str> {
        self.0.iter().position(|word| *word == name).and_then(|at| self.0.get(at + 1)).copied()
    }

    fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        self.value(name).map(PathBuf::from).ok_or_else(|| Failure(format!("run needs {name}")))
    }

    fn number(&self, name: &str, default: u32) -> Result<u32, Failure> {
        match self.value(name) {
            None => Ok(default),
            Some(text) => {
                let number = text.parse().ok().filter(|number| *number > 0);
                number.ok_or_else(|| Failure(format!("{name} needs a number above 0, not {text}")))
            }
        }
    }
}

fn options(words: &[&str]) -> Result<Options, Failure> {
    let words = Words(words);
    let joern = match words.value("--class-path") {
        None => None,
        Some(class_path) => Some(Joern {
            jvm: Jvm { java: words.path("--java")?, version: words.number("--java-version", 25)? },
            class_path: class_path.to_owned(),
            version: words.value("--joern-version").unwrap_or("unknown").to_owned(),
        }),
    };
    Ok(Options {
        root: words.path("--root")?,
        command: words.path("--command")?,
        cpg: words.path("--cpg")?,
        graph: words.path("--graph")?,
        queries: words.path("--queries")?,
        joern,
        sources: words.value("--sources").map(PathBuf::from),
        turns: words.number("--turns", 3)?,
        seconds: words.number("--seconds", 30)?,
        parts: parts(words.value("--only"))?,
        line: words.value("--line").unwrap_or("varvite-bench-ask").to_owned(),
    })
}

/// The parts that are named, separated by commas; all without names.
fn parts(names: Option<&str>) -> Result<Vec<String>, Failure> {
    let names: Vec<&str> = names.map_or(PARTS.to_vec(), |names| names.split(',').collect());
    match names.iter().find(|name| !PARTS.contains(name)) {
        Some(other) => Err(Failure(format!("'{other}' is no part: {}", PARTS.join(", ")))),
        None => Ok(names.into_iter().map(str::to_owned).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names() {
        assert_eq!(parts(None).unwrap(), PARTS);
        assert_eq!(parts(Some("cold,agent")).unwrap(), ["cold", "agent"]);
        assert_eq!(parts(Some("hot")).unwrap_err().0, "'hot' is no part: warm, cold, crowd, agent");
    }

    #[test]
    fn numbers_are_above_zero() {
        for wrong in ["0", "-1", "many"] {
            let failure = Words(&["--turns", wrong]).number("--turns", 3).unwrap_err().0;
            assert_eq!(failure, format!("--turns needs a number above 0, not {wrong}"));
        }
        assert_eq!(Words(&[]).number("--turns", 3).unwrap(), 3);
    }
}
