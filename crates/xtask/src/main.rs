//! Commands for development that cargo does not have: `cargo xtask COMMAND`.
//!
//! Each command is a module with a function `run`. A command that cannot continue returns a [`Failure`], a
//! line that states the fault and a remedy. Nothing here is part of the product.

#![forbid(unsafe_code)]

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod bench;
mod built;
mod c;
mod checks;
mod conformance;
mod crash;
mod examples;
mod explorer;
mod generated;
mod hostile;
mod java;
mod jdk;
mod joern;
mod metadata;
mod oracles;
mod process;
mod python;
mod release;
mod skipped;
mod soak_memory;
mod stages;
mod tidy;
mod wheel;
mod writers;

const HELP: &str = "\
usage: cargo xtask COMMAND

  tidy                 check the house rules: headers, sizes, unsafe code, arrows between crates and modules, links
  deny                 check licences and advisories of dependencies, if cargo-deny is installed
  package              pack the published crates, and check their manifests
  msrv                 compile the published crates with their oldest Rust version, if rustup can install it
  systems              check the types of the command and of the C interface for other operating systems, if rustup can
                       install their libraries
  workflow             check the workflow of releases, if actionlint is installed
  jdk                  print the folder of a JDK that is new enough
  test-c               run the tests of the C interface: plain, static, with the address sanitizer and under valgrind
  explorer-page        bundle the page of the explorer with npm, for the next build of the command
  test-explorer [TESTS]
                       test that page in a browser; TESTS choose some, such as symbol, or --update-snapshots;
                       --short leaves out the pictures and the large graph
  examples             run the example programs in every language, and compare their output
  writers [--seconds N | --rounds N] [--seed N]
                       import, index, add layers and read one file at once, with kill -9 in between, and check for lost updates
  crash [--states N] [--kills N] [--long] [--release]
                       test power failures, failing disks, second writers, kills and flipped bits; then the planted bugs
  planted [--release]  plant known bugs, and check that the crash tests find each
  loom                 run models of threads that commit, sync, pin and evict, in every order
  hostile [WORD]       run every command on every hostile file (with WORD in its name), with little memory and time;
                       --eighth runs an eighth of the commands, --slow shows the slowest
  java                 build the Java parts with that JDK
  test-java            test the Java binding with that JDK
  python               build the wheel of the Python package, in target/wheels
  test-python          test the Python package, with NumPy, Polars, DuckDB and others of PyPI
  test-networkx        run NetworkX's own tests against the backend, and compare the counts with docs/networkx.md
  test-pyg             load functions with PyTorch Geometric, of which pip downloads some gigabytes
  test-spark           kill workers of Spark in the middle of reads and algorithms
  conformance          run the cases of conformance/ in C, in Java and in the Python interpreter
  release [NAME|--all] make the artefacts that users install, for this machine, the system NAME (linux-aarch64) or all
  test-release [--short]
                       install each artefact without a compiler, and ask it questions; --short makes and tests
                       artefacts from what cargo test has compiled
  joern-jar            build varvite-joern.jar, with which Joern opens graph files; prints its path
  test-joern [GRAPH ...]
                       run the same queries in Joern on flatgraph and on mapped files, and compare the answers
  test-joern --versions [VERSION ...]
                       run queries, a script and a frontend of each version of Joern on flatgraph and on mapped files
  test-joern --server  ask Joern's server the same questions on flatgraph and on a mapped file (needs Python)
  test-joern --text [NAME=GRAPH ...]
                       ask Joern and Varvite the queries of conformance/joern-text, and compare the answers; with BLESS=1
                       keep Joern's answers; VARVITE_TEXT_QUERIES names a file of further queries
  test-joern --text --graphs
                       make the graphs of conformance/joern-text again, by Joern's frontends
  test-joern --suites [PART ...]
                       run Joern's own tests on flatgraph, and on mapped files that are reopened after each change
  stages               run the stages of make test that are commands of this program, two at a time; print their seconds
  skipped              list the tests that were skipped for missing input since the last call
  soak-java [CYCLES]   open and close graphs in Java under readers [default: 10,000 cycles]
  soak-memory [CYCLES] [--rust]
                       open, query, evict and close a graph in Rust and in Java, 10,000 times each; private memory must not grow
  test-peers [GRAPH]   run the same queries on all peers of the benchmark, and compare their answers
  bench [GRAPH] ...    measure Varvite, flatgraph and column engines side by side; --readme, --samples N, --jvms N, --only PREFIX
  bench-against COMMIT [GRAPH] [--pairs N] [--only PREFIX]
                       measure this checkout and another commit in pairs; fails if this one is slower
  reference            compare compressed framings and Arrow structs with the reference libraries
  bench-ask [GRAPH] [--sources FOLDER] [--queries PREFIX,..] [--turns N] [--seconds N] [--only PART,..]
                       measure queries in Joern's language, warm beside Joern and cold; fifty processes on one file; and
                       questions of agents beside grep and ctags; parts are warm, cold, crowd and agent
  bench-codecs [GRAPH] measure every codec and checksum on real records; --rounds N
  bench-corpus [FOLDER] [--short] [--files N] [--samples N] [--only PART,..]
                       measure 10,000 graphs in one process and on Spark, beside Spark on Parquet and NetworkX; FOLDER has
                       graphs to copy; parts are open, find, nodes, components, executors and clones
  bench-algorithms [GRAPH.varvite] [--scale N] [--samples N]
                       measure distances and PageRank beside igraph and NetworKit, and the dominators of a call graph
  bench-explorer [GRAPH] [--short] [--command FILE]
                       measure the page of the explorer in a browser, a report, and a flame graph beside speedscope
  bench-java [GRAPH] [--short] [--readme] [JMH OPTIONS]
                       measure the Java binding beside flatgraph, RocksDB and LMDB in one JMH run
  bench-joern [GRAPH] [--profile NAME] [--rounds N] [--asks N] [--only PART,..]
                       measure Joern on flatgraph and on mapped files, in turns; parts are queries, flows, heap,
                       overlays, script and aot
  bench-python [GRAPH] [--pyg] [--samples N] [--only PREFIX]
                       measure the Python package beside NetworkX, igraph, a script of Joern, and Polars and DuckDB on Parquet
  bench-record [--rounds N] [--percent N] [--only PREFIX] [--no-lackey] [--short] [--command FILE]
                       measure how much recording slows zlib, sqlite and Lua down, beside valgrind's own tools
  bench-walks [--rounds N] [--long] [--readme]
                       measure walks through a tree beside Neo4j and TinkerGraph; --long also with little memory
  bench-values         measure values of decoded blocks, copied and pinned, in C and in Java: the threshold of fillOrPin
  differential [PLANS] [--seed N]
                       compare random plans [default: 500] with a plain interpreter over flatgraph's own data
  differential-walks [GRAPHS]
                       compare random walks through random graphs [default: 60] with Neo4j's traversal framework
  roundtrip GRAPH ...  import, export, load the result with flatgraph, and compare the facts
";

/// The reason why a command stopped, as one line for the user.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

/// The result of a command.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "varvite: {}", self.0)
    }
}

/// The failure of an operation on a file; `what` is the verb, such as `read`.
pub(crate) fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure(format!("cannot {what} {}: {error}", path.display()))
}

/// The root of the repository, determined when xtask is compiled.
pub(crate) fn root() -> PathBuf {
    // The path must not contain `..`, which Neo4j refuses.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2).take(1).collect()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = words.split_first().map_or(("help", &[][..]), |(c, rest)| (c.as_str(), rest));
    match run(command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, rest: &[String]) -> Outcome {
    match command {
        "tidy" => tidy::run(&root()),
        "deny" => checks::deny::run(&root()),
        "package" => checks::package::run(&root()),
        "msrv" => checks::msrv::run(&root()),
        "systems" => checks::systems::run(&root()),
        "workflow" => checks::workflow::run(&root()),
        "jdk" => jdk::run(),
        "test-c" => c::test(&root()),
        "explorer-page" => explorer::bundle(&root(), rest),
        "test-explorer" => explorer::test(&root(), rest),
        "examples" => examples::test(&root()),
        "writers" => writers::run(&root(), rest),
        "crash" => crash::run(&root(), rest),
        "loom" => checks::loom::run(&root()),
        "planted" => crash::planted(&root(), rest),
        "hostile" => hostile::run(&root(), rest),
        "java" => java::build(&root()),
        "test-java" => java::test(&root()),
        "python" => wheel::build(&root()),
        "test-python" => wheel::test(&root()),
        "test-pyg" => wheel::test_pyg(&root()),
        "test-networkx" => wheel::test_networkx(&root()),
        "test-spark" => wheel::test_spark(&root()),
        "conformance" => conformance::run(&root()),
        "release" => release::run(&root(), rest),
        "test-release" => release::test(&root(), rest),
        "joern-jar" => joern::jar(&root()),
        "test-joern" => joern::test(&root(), rest),
        "soak-java" => java::soak(&root(), rest),
        "soak-memory" => soak_memory::run(&root(), rest),
        "bench-ask" => bench::ask::run(&root(), rest),
        "bench-codecs" => bench::codecs::run(&root(), rest),
        "bench-corpus" => bench::corpus::run(&root(), rest),
        "bench-algorithms" => bench::algorithms::run(&root(), rest),
        "bench-explorer" => bench::explorer::run(&root(), rest),
        "bench-java" => bench::java::run(&root(), rest),
        "bench-joern" => bench::joern::run(&root(), rest),
        "bench-python" => bench::python_package::run(&root(), rest),
        "bench-record" => bench::record::run(&root(), rest),
        "bench-values" => bench::values::run(&root()),
        "bench-walks" => bench::walks::run(&root(), rest),
        "test-peers" => oracles::peers::test(&root(), rest),
        "bench" => bench::run(&root(), rest),
        "bench-against" => bench::against::run(&root(), rest),
        "reference" => oracles::reference::run(&root()),
        "differential" => oracles::differential::run(&root(), rest),
        "differential-walks" => oracles::differential_walks::run(&root(), rest),
        "stages" => stages::run(&root()),
        "skipped" => skipped::run(&root()),
        "roundtrip" => oracles::roundtrip::run(&root(), rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(Failure(format!("no command '{other}': see cargo xtask help"))),
    }
}
