//! The command that measures walks. `cargo xtask bench-walks` builds it, and passes it the paths of its
//! inputs. It is a separate program because its allocator counts allocations, which would slow down the other
//! benchmarks.
#![forbid(unsafe_code)]

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use varvite_bench::Failure;
use varvite_bench::peers::jvm::Jvm;
use varvite_bench::report::page::{keep, put_digest};
use varvite_bench::walks::run::{Options, run};
use varvite_bench::walks::serve::serve;
use varvite_bench::walks::tree::Tree;

const HELP: &str = "\
usage: varvite-bench-walks COMMAND

  run OPTIONS                    measure all sides; `cargo xtask bench-walks` gives the options
  tree LEVELS FANOUT FOLDER      write the tables of a tree
  serve GRAPH                    answer commands from standard input, as a peer
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["run", options @ ..] => measure(options),
        ["tree", levels, fanout, folder] => write_tree(levels, fanout, Path::new(folder)),
        ["serve", graph] => serve(Path::new(graph), allocated, io::stdin().lock(), io::stdout().lock()),
        _ => Err(Failure(HELP.to_owned())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn allocated(work: &mut dyn FnMut()) -> u64 {
    allocation_counter::measure(work).bytes_total
}

fn measure(words: &[&str]) -> Result<(), Failure> {
    let options = options(words)?;
    let results = run(&options)?;
    keep(&results, &options.root.join("bench/results"))?;
    if words.contains(&"--readme") { put_digest(&results, &options.root) } else { Ok(()) }
}

fn options(words: &[&str]) -> Result<Options, Failure> {
    let value =
        |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied();
    let path =
        |name: &str| value(name).map(PathBuf::from).ok_or_else(|| Failure(format!("run needs {name}")));
    let number = |name: &str, default: u32| match value(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| Failure(format!("{name} needs a number, not {text}"))),
    };
    let (rounds, is_long) = (number("--rounds", 30)?, words.contains(&"--long"));
    let long = if is_long { " --long" } else { "" };
    Ok(Options {
        root: path("--root")?,
        scratch: path("--scratch")?,
        command: path("--command")?,
        library: value("--library").map(PathBuf::from),
        jvm: Jvm { java: path("--java")?, version: number("--java-version", 0)? },
        tree: Tree { levels: number("--levels", 5)?, fanout: number("--fanout", 4)? },
        rounds,
        is_long,
        algorithms: value("--algorithms").map(PathBuf::from),
        line: format!("cargo xtask bench-walks --rounds {rounds}{long}"),
    })
}

fn write_tree(levels: &str, fanout: &str, folder: &Path) -> Result<(), Failure> {
    let tables = Tree { levels: levels.parse()?, fanout: fanout.parse()? }.write(folder)?;
    println!("{} nodes, {} results", tables.census.nodes, tables.census.true_b);
    Ok(())
}
