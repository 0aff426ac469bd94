//! The command `varvite-bench`. `cargo xtask bench` and similar commands build it, and pass it the paths of
//! its inputs.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};
use varvite::IfExists;
use varvite_bench::Failure;
use varvite_bench::peers::column_process;
use varvite_bench::peers::jvm::Jvm;
use varvite_bench::peers::keyed;
use varvite_bench::peers::session::{measure, serve};
use varvite_bench::record::column_engine::ENGINES;
use varvite_bench::record::interval::{PAIRS_MIN, Paired};
use varvite_bench::record::machine;
use varvite_bench::record::memory;
use varvite_bench::record::results::{CHANGED, COMPACT, Results, Row, merge};
use varvite_bench::report::{graph, page};
use varvite_bench::runs::columns::time_columns;
use varvite_bench::runs::copies;
use varvite_bench::runs::java;
use varvite_bench::runs::limited;
use varvite_bench::runs::paired::{self, OURS, THEIRS};
use varvite_bench::runs::plans::time_plans;
use varvite_bench::runs::readers;
use varvite_bench::runs::run::run;
use varvite_bench::workloads::question::{Question, import_to, profile_of};

const HELP: &str = "\
usage: varvite-bench COMMAND

  run GRAPH.cpg.bin OPTIONS       measure all sides; `cargo xtask bench GRAPH` gives the options
  paired GRAPH.cpg.bin OPTIONS    hold this build against another; `cargo xtask bench-against` gives the options
  workload NAME FILE ITERATIONS   ask one workload of a .varvite file (import_PROFILE: of a cpg.bin)
  changed FILE SCRATCH OPTIONS    ask a .varvite file and copies of it that were changed; [--pairs 15] [--only PREFIX]
  serve FILE [THREADS]            answer commands from standard input, as a peer; threads of questions about columns
  import SOURCE TARGET PROFILE    import once; time and peak memory
  loops FILE                      time the loops that Java is held against
  columns FILE                    time all values of each property, by every way of reading them
  changes FILE FOLDER SAMPLES     time commits to a copy of FILE in FOLDER, beside those of a key-value store
  readers FILE FOLDER COMMITS     time a process that reads a copy of FILE, alone and while another one commits
  plans FILE [PREFIX]             time every plan of examples/plans on one thread and on two
  limited FILE MEGABYTES [PREFIX] ask plans and pipelines in a process that may have so much memory, and in one without a limit
  algorithms --scratch FOLDER OPTIONS
                                  distances and PageRank on a Kronecker graph, beside igraph and NetworKit of a --python;
                                  [--root DIR] [--scale 20] [--samples 7]
  dominators FILE [SAMPLES]       time the dominators of the calls between METHODs
  keep MEASURED.json OPTIONS      keep what `cargo xtask bench-java`, `bench-joern` or `bench-record` measured, which give
                                  the options; [--root DIR] [--results DIR]
  report RESULTS.json [--readme] [--root DIR]
                                  the page of results that were kept, made again; with --readme the README too
  copies FOLDER COUNT GRAPH ...   make COUNT small graphs with names of their own, copies of these, for `bench-corpus`
  keyed TARGET COUNT SIZE PROFILE write a file of COUNT values of SIZE bytes, by keys of 16 bytes

`workload`, `import`, `columns`, `readers`, `limited` and `loops` print one JSON line for each answer.
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["run", graph, options @ ..] => compare(Path::new(graph), options),
        ["paired", graph, options @ ..] => pair(Path::new(graph), options),
        ["workload", name, file, iterations] => workload(name, Path::new(file), iterations),
        ["changed", graph, scratch, options @ ..] => changed(Path::new(graph), Path::new(scratch), options),
        ["loops", graph] => java::time_loops(Path::new(graph)).map(|loops| println!("{loops}")),
        ["columns", graph] => time_columns(Path::new(graph)).map(print),
        ["changes", graph, folder, samples] => {
            number(samples).and_then(|samples| tell_changes(Path::new(graph), Path::new(folder), samples))
        }
        ["readers", graph, folder, commits] => number(commits)
            .and_then(|commits| readers::time_readers(Path::new(graph), Path::new(folder), commits))
            .map(print),
        ["read", graph, label] => readers::read(Path::new(graph), label),
        ["plans", graph, prefix @ ..] if prefix.len() < 2 => {
            time_plans(Path::new(graph), prefix.first().unwrap_or(&"")).map(|rows| tell(rows, graph::plans))
        }
        ["limited", graph, megabytes, prefix @ ..] if prefix.len() < 2 => number(megabytes)
            .and_then(|megabytes| limited::tell(Path::new(graph), megabytes, prefix.first().unwrap_or(&"")))
            .map(print),
        ["within", graph, megabytes, prefix] => within(Path::new(graph), megabytes, prefix),
        ["algorithms", options @ ..] => algorithms(options),
        ["dominators", graph] => varvite_bench::runs::algorithms::dominators(Path::new(graph), 7),
        ["dominators", graph, samples] => number(samples)
            .and_then(|samples| varvite_bench::runs::algorithms::dominators(Path::new(graph), samples)),
        ["keep", measured, options @ ..] => keep(Path::new(measured), options),
        ["report", kept, options @ ..] => report_again(Path::new(kept), options),
        ["serve", file] => answer(file, all_cores()),
        ["serve", file, threads] => number(threads).and_then(|threads| answer(file, threads as usize)),
        ["import", source, target, profile] => import(Path::new(source), Path::new(target), profile),
        ["copies", folder, count, sources @ ..] => number(count)
            .and_then(|count| copies::make(Path::new(folder), count, sources))
            .map(|facts| println!("{facts}")),
        ["keyed", target, count, size, profile] => number(count)
            .and_then(|count| keyed::write(Path::new(target), count, number(size)?, profile_of(profile)?)),
        _ => Err(Failure(HELP.trim_end().into())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn tell_changes(graph: &Path, folder: &Path, samples: u32) -> Result<(), Failure> {
    varvite_bench::runs::changes::time_changes(graph, folder, samples).map(|rows| tell(rows, graph::commits))
}

/// Prints rows as the table that they have on the page of a run.
fn tell(rows: Vec<Row>, section: fn(&Results) -> Option<String>) {
    print!("{}", section(&Results { circumstances: json!({}), rows }).unwrap_or_default());
}

fn print(rows: Vec<Value>) {
    rows.iter().for_each(|row| println!("{row}"));
}

fn answer(file: &str, threads: usize) -> Result<(), Failure> {
    serve(Path::new(file), threads, std::io::stdin().lock(), std::io::stdout())
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Measures Varvite and its peers, writes the results to files, and prints the page.
fn compare(graph: &Path, words: &[&str]) -> Result<(), Failure> {
    let root = PathBuf::from(value_of(words, "--root")?.unwrap_or("."));
    let needed =
        |name: &str| value_of(words, name)?.ok_or_else(|| Failure(format!("run needs {name} VALUE")));
    let options = varvite_bench::runs::run::Options {
        graph: graph.to_owned(),
        jvm: Jvm { java: needed("--java")?.into(), version: number(needed("--java-version")?)? },
        flatgraph: needed("--flatgraph")?.into(),
        joern: needed("--joern")?.into(),
        columns: columns(&root, words)?,
        scratch: needed("--scratch")?.into(),
        samples: number(value_of(words, "--samples")?.unwrap_or("7"))?,
        jvms: number(value_of(words, "--jvms")?.unwrap_or("1"))?,
        only: value_of(words, "--only")?.map(str::to_owned),
        command: command_line(graph, words),
        root,
    };
    keep_all(&run(&options)?, &options.root.join("bench/results"), &options.root, words)
}

/// Writes results and their page to a folder, and prints the page. With `--readme`, also puts the digest of
/// the results into a page below `root`.
fn keep_all(results: &Results, folder: &Path, root: &Path, words: &[&str]) -> Result<(), Failure> {
    page::keep(results, folder)?;
    if words.contains(&"--readme") { page::put_digest(results, root) } else { Ok(()) }
}

/// Options of column engines: the command that exports tables, and the engines whose Python program the
/// arguments name.
fn columns(root: &Path, words: &[&str]) -> Result<column_process::Options, Failure> {
    let mut engines = Vec::new();
    for engine in ENGINES {
        let python = value_of(words, &format!("--{}", engine.name))?;
        engines.extend(python.map(|python| (engine, PathBuf::from(python))));
    }
    // cargo builds the command into the same folder as this program.
    let varvite = std::env::current_exe()?.with_file_name("varvite");
    Ok(column_process::Options { varvite, engines, root: root.to_owned() })
}

/// Measures this build and another one in pairs, and fails if this build is slower in any row of the results.
fn pair(graph: &Path, words: &[&str]) -> Result<(), Failure> {
    let needed =
        |name: &str| value_of(words, name)?.ok_or_else(|| Failure(format!("paired needs {name} VALUE")));
    let options = paired::Options {
        graph: graph.to_owned(),
        other: needed("--other")?.into(),
        scratch: needed("--scratch")?.into(),
        pairs: number(value_of(words, "--pairs")?.unwrap_or("15"))?,
        only: value_of(words, "--only")?.map(str::to_owned),
    };
    println!(
        "question, median ratio of {} pairs (95 % interval), this build against the other",
        options.pairs
    );
    let is_slower =
        |row: &Row| Paired::of(row, THEIRS, OURS).is_some_and(|ratio| ratio.is_above(paired::SLOWER));
    let tell = |row: &Row| {
        println!("{}{}", pair_text(row, THEIRS, OURS), if is_slower(row) { "  SLOWER" } else { "" })
    };
    let rows = paired::measure(&options, tell)?;
    match rows.iter().filter(|row| is_slower(row)).count() {
        0 => Ok(()),
        slower => Err(Failure(format!("slower: {slower} of {} rows", rows.len()))),
    }
}

/// The line to print for a row that was measured in pairs.
fn pair_text(row: &Row, before: &str, after: &str) -> String {
    let ratio = Paired::of(row, before, after).map_or_else(|| "-".into(), |ratio| format!("{ratio:.3}"));
    format!("{:42} {ratio}  {} against {}", row.name, row.text(after), row.text(before))
}

/// Measures algorithms in Varvite and, if the arguments name a Python program that has the peers' packages,
/// in the peers.
fn algorithms(words: &[&str]) -> Result<(), Failure> {
    let scratch = value_of(words, "--scratch")?;
    varvite_bench::runs::algorithms::run(&varvite_bench::runs::algorithms::Options {
        scratch: scratch.ok_or_else(|| Failure("algorithms needs --scratch FOLDER".into()))?.into(),
        root: value_of(words, "--root")?.unwrap_or(".").into(),
        python: value_of(words, "--python")?.map(PathBuf::from),
        scale: number(value_of(words, "--scale")?.unwrap_or("20"))?.min(26),
        samples: number(value_of(words, "--samples")?.unwrap_or("7"))?,
        json: value_of(words, "--json")?.map(PathBuf::from),
    })
}

/// Writes the results and the page of measurements that `cargo xtask` made. `measured` is a JSON file of the
/// circumstances, with either rows or the outputs of JMH and of `loops`. With `--graph FILE` the
/// circumstances get the size of this graph; `--results DIR` is another folder than `bench/results`.
fn keep(measured: &Path, words: &[&str]) -> Result<(), Failure> {
    let root = PathBuf::from(value_of(words, "--root")?.unwrap_or("."));
    let measured: Value = serde_json::from_slice(&std::fs::read(measured)?)?;
    let results =
        if measured.get("jmh").is_some() { java::results_of(measured) } else { Results::of_json(measured) };
    let mut results = results.ok_or_else(|| Failure("these are not the results of a benchmark".into()))?;
    let mut circumstances = machine::circumstances(&root);
    merge(&mut circumstances["versions"], results.circumstances["versions"].take());
    merge(&mut results.circumstances, circumstances);
    if let Some(file) = value_of(words, "--graph")? {
        let graph = varvite::Graph::open(Path::new(file))?;
        let size = json!({"nodes": graph.node_count(), "edges": graph.edge_count()});
        merge(&mut results.circumstances["graph"], size);
    }
    let folder = value_of(words, "--results")?.map_or_else(|| root.join("bench/results"), PathBuf::from);
    keep_all(&results, &folder, &root, words)
}

/// Makes the page and the results file from a results file, in the same way as the run that wrote it.
fn report_again(kept: &Path, words: &[&str]) -> Result<(), Failure> {
    let root = PathBuf::from(value_of(words, "--root")?.unwrap_or("."));
    keep_all(&Results::read(kept)?, kept.parent().unwrap_or(Path::new(".")), &root, words)
}

/// The command line that repeats this measurement. It has the name of the graph file without the folder.
fn command_line(graph: &Path, words: &[&str]) -> String {
    let mut line = format!("cargo xtask bench {}", graph.file_name().unwrap_or_default().to_string_lossy());
    for option in ["--samples", "--jvms", "--only"] {
        if let Ok(Some(value)) = value_of(words, option) {
            line.push_str(&format!(" {option} {value}"));
        }
    }
    line
}

/// The argument after an option.
fn value_of<'a>(words: &[&'a str], option: &str) -> Result<Option<&'a str>, Failure> {
    let Some(at) = words.iter().position(|word| *word == option) else { return Ok(None) };
    let value = words.get(at + 1).copied();
    value.map(Some).ok_or_else(|| Failure(format!("{option} needs a value")))
}

fn number(text: &str) -> Result<u32, Failure> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| Failure(format!("not a number above 0: {text}")))
}

/// The work of one of the two processes that the command `limited` starts; 0 megabytes mean no limit.
fn within(graph: &Path, megabytes: &str, prefix: &str) -> Result<(), Failure> {
    let limit = number(megabytes).ok().map(|megabytes| u64::from(megabytes) << 20);
    println!("{}", limited::ask(graph, limit, prefix)?);
    Ok(())
}

/// Runs one workload. Every round is a sample, even the first, which takes all page faults.
fn workload(name: &str, file: &Path, iterations: &str) -> Result<(), Failure> {
    let mut question = Question::prepare(name, file)?;
    let mut line = json!({"workload": name, "unit": "ns", "setup_ns": question.setup_ns});
    let samples = measure(&mut question, number(iterations)?, &mut line)?;
    line["median"] = json!(samples.median());
    merge(&mut line, memory::now());
    println!("{line}");
    Ok(())
}

/// Compares reads of a graph with reads of changed copies; the copies stay in `scratch`.
fn changed(graph: &Path, scratch: &Path, words: &[&str]) -> Result<(), Failure> {
    let pairs = number(value_of(words, "--pairs")?.unwrap_or("15"))?.max(PAIRS_MIN);
    let only = value_of(words, "--only")?.unwrap_or("");
    println!("question, median ratio of {pairs} pairs (95 % interval), time of a step before and after");
    let tell = |row: Row| println!("{}", pair_text(&row, COMPACT, CHANGED));
    varvite_bench::runs::changed::measure(graph, scratch, pairs, only, tell)
}

fn import(source: &Path, target: &Path, profile: &str) -> Result<(), Failure> {
    let start = Instant::now();
    let bytes = import_to(source, target, profile_of(profile)?, IfExists::Replace)?;
    let mut line = json!({"ns": start.elapsed().as_nanos() as u64, "file_bytes": bytes});
    merge(&mut line, memory::now());
    println!("{line}");
    Ok(())
}
