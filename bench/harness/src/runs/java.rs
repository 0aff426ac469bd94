//! The page of `cargo xtask bench-java`: the measurements of JMH, and Rust's time for the same loops beside
//! it.
//!
//! `cargo xtask bench-java` runs the loops in Java and in Rust by turns, and writes one JSON file with the
//! outputs of JMH and of [`time_loops`]. This module makes tables of both.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use varvite::Graph;

use crate::Failure;
use crate::peers::peer::ask_own;
use crate::record::figures::{Figures, Unit, ratio, ratio_text, text_of};
use crate::record::machine;
use crate::record::results_file;
use crate::report::prose::wrapped;

/// The loops: for each the workload of this program, the method of the Java benchmark, and the title.
const LOOPS: [(&str, &str, &str); 4] = [
    ("ast_below_methods", "astBelowMethods", "AST below every METHOD, by a stack"),
    ("cfg_reachability", "cfgReachability", "CFG reachability per METHOD"),
    ("identifier_up", "identifierUp", "IDENTIFIER up to METHOD"),
    ("callee_names", "calleeNames", "names of the callees of every CALL"),
];
const SIZES: [u32; 4] = [16, 1 << 10, 4 << 10, 64 << 10];
/// Rounds of each loop in Rust, in a turn.
const ROUNDS: &str = "7";
/// The target for a loop in Java, as a multiple of Rust's time.
const LOOP_RATIO: f64 = 1.15;
/// The targets of opening a graph: for each the counter of the Java benchmark, the title, the unit, and the
/// limit.
const OPENING: [(&str, &str, Unit, f64); 2] = [
    ("nanoseconds", "open and first answer", Unit::Time, 20e6),
    ("heapBytes", "Java heap after opening", Unit::Size, 5e6),
];
/// JMH's metrics of allocation: megabytes a second, and bytes for each call.
const RATES: [&str; 2] = ["gc.alloc.rate", "gc.alloc.rate.norm"];
const BORROWED_NS: f64 = 150.0;
/// The megabytes a second that JMH's own threads allocate at most.
const NOISE_RATE: f64 = 0.5;

/// The command of a run, and its paths.
#[derive(Clone, Debug)]
pub struct Options {
    /// The outputs of JMH and of [`time_loops`], as the fields `jmh` and `rust`, in the order of measurement.
    pub measured: PathBuf,
    /// The graph, imported.
    pub graph: PathBuf,
    /// The name of the graph in the results.
    pub name: String,
    /// Root of the repository.
    pub root: PathBuf,
    /// The command.
    pub command: String,
}

/// Everything that was measured.
pub struct JavaResults {
    circumstances: Value,
    jmh: Vec<Value>,
    /// The measurements of the loops in Rust, one item for each loop and turn.
    rust: Vec<Value>,
    name: String,
}

impl JavaResults {
    /// Reads the measurements.
    ///
    /// # Errors
    /// Files that cannot be read, or results of another form.
    pub fn collect(options: &Options) -> Result<Self, Failure> {
        let mut measured: Value = serde_json::from_slice(&std::fs::read(&options.measured)?)?;
        let jmh: Vec<Value> = serde_json::from_value(measured["jmh"].take())?;
        let rust: Vec<Value> = serde_json::from_value(measured["rust"].take())?;
        let settings = |class| jmh.iter().find(|run| is_of(run, class)).map(settings_of);
        let graph = Graph::open(&options.graph)?;
        let circumstances = json!({
            "date": machine::today(),
            "command": options.command,
            "commit": machine::commit(&options.root),
            "machine": machine::machine(),
            "rustc": machine::rustc_version(),
            "java": jmh.first().map(|run| run["vmVersion"].clone()),
            "loops": settings("CodeLoopsBenchmark"),
            "turns": rust.len() / LOOPS.len(),
            "values": settings("VarviteGet"),
            "flatgraph": settings("FlatgraphLoopsBenchmark"),
            "nodes": graph.node_count(),
            "edges": graph.edge_count(),
        });
        Ok(Self::new(circumstances, &jmh, &rust, &options.name))
    }

    /// Reads a results file of `bench/results`.
    ///
    /// # Errors
    /// A file that cannot be read, or that holds no results of this form.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let foreign = || Failure(format!("{}: no results of cargo xtask bench-java", path.display()));
        let kept: Value = serde_json::from_slice(&std::fs::read(path)?)?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let (_, name) = stem.split_once("-java-").ok_or_else(foreign)?;
        let (jmh, rust) = kept["jmh"].as_array().zip(kept["rust"].as_array()).ok_or_else(foreign)?;
        Ok(Self::new(kept["circumstances"].clone(), jmh, rust, name))
    }

    fn new(circumstances: Value, jmh: &[Value], rust: &[Value], name: &str) -> Self {
        let (jmh, rust) = (jmh.iter().map(run_as_read), rust.iter().map(turn_as_read));
        Self { circumstances, jmh: jmh.collect(), rust: rust.collect(), name: name.to_owned() }
    }

    /// The JSON of the results file.
    pub fn json(&self) -> Value {
        json!({"circumstances": self.circumstances, "rust": self.rust, "jmh": self.jmh})
    }

    /// Writes the JSON and the page to `folder`, and returns their file name without extension.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn keep(&self, folder: &Path) -> Result<String, Failure> {
        std::fs::create_dir_all(folder)?;
        let stem = format!("{}-java-{}", self.word("date"), self.name);
        std::fs::write(folder.join(format!("{stem}.json")), results_file::text_of(&self.json()))?;
        std::fs::write(folder.join(format!("{stem}.md")), self.page())?;
        Ok(stem)
    }

    /// The page: the tables and the circumstances of the run, for people.
    pub fn page(&self) -> String {
        format!(
            "# Java, {}-java-{}\n\n{}\n\n{}\n{}\n{}\n{}\n",
            self.word("date"),
            self.name,
            wrapped(&self.introduction()),
            self.loops_table(),
            self.get_table("copyFirst8", "sliceFirst8", "the first 8 bytes read"),
            self.get_table("copySum", "sliceSum", "all bytes summed"),
            wrapped(GET_WORDS),
        )
    }

    /// The part for the README of the binding: the loops, and a link to the page. Paths are those of that
    /// README.
    pub fn digest(&self) -> String {
        let link = format!("../../bench/results/{}-java-{}.md", self.word("date"), self.name);
        let words = format!(
            "{}: {} nodes, {} edges; {}, {} cores, Java {}. Medians (least-greatest); bytes allocated for each call in \
             brackets where there are any. [Full results]({link}), with values by key beside RocksDB and LMDB.",
            self.name,
            self.circumstances["nodes"],
            self.circumstances["edges"],
            self.circumstances["machine"]["processor"].as_str().unwrap_or("unknown"),
            self.circumstances["machine"]["cores"],
            self.word("java"),
        );
        format!("{}\n\n{}", wrapped(&words), self.loops_table())
    }

    /// One line for each limit, for developers of the binding: `pass` or `FAIL`.
    pub fn verdicts(&self) -> Vec<String> {
        let loops = LOOPS.iter().filter_map(|(workload, method, title)| {
            let ours = self.figures(&format!("CodeLoopsBenchmark.{method}"), None)?;
            let over = ratio(&ours, &self.rust_figures(workload))?;
            Some(verdict(over < LOOP_RATIO, title, "under 1.15 of Rust"))
        });
        let opening = OPENING.iter().filter_map(|(counter, title, unit, limit)| {
            let ours = self.counter("bench.OpeningBenchmark.open", counter)?.median()?;
            Some(verdict(ours < *limit, title, &format!("under {}", text_of(*limit, *unit))))
        });
        let values = SIZES.into_iter().flat_map(|size| self.value_verdicts(size));
        loops.chain(opening).chain(values).collect()
    }

    fn value_verdicts(&self, size: u32) -> Vec<String> {
        let figures = |name: &str, method: &str| self.figures(&format!("{name}.{method}"), Some(size));
        let ahead = |method: &str| {
            let ours = figures("VarviteGet", method)?;
            let peers = ["RocksdbGet", "LmdbGet"].map(|peer| ratio(&figures(peer, method)?, &ours));
            let is_ahead =
                peers.into_iter().collect::<Option<Vec<_>>>()?.into_iter().all(|ratio| ratio > 1.0);
            let title = format!("{}, {method}", size_text(size));
            Some(verdict(is_ahead, &title, "copied ahead of both"))
        };
        let borrowed = figures("VarviteGet", "sliceFirst8").and_then(|figures| figures.median());
        let title = format!("{}, sliceFirst8", size_text(size));
        let borrowed = borrowed.map(|ns| verdict(ns < BORROWED_NS, &title, "borrowed under 150 ns"));
        ["copyFirst8", "copySum"].into_iter().filter_map(ahead).chain(borrowed).collect()
    }

    fn introduction(&self) -> String {
        let machine = &self.circumstances["machine"];
        format!(
            "{}: {} nodes, {} edges. {}, {} cores, load {} when it ended; Java {}; {}; commit {}; `{}`. {} \
             turns of loops in Java ({}), {ROUNDS} rounds of each in Rust, and values by key ({}); flatgraph: {}. \
             Medians (least-greatest). Bytes allocated for each call in brackets where there are any.",
            self.name,
            self.circumstances["nodes"],
            self.circumstances["edges"],
            machine["processor"].as_str().unwrap_or("unknown"),
            machine["cores"],
            machine["load"],
            self.word("java"),
            self.word("rustc"),
            self.circumstances["commit"]["hash"].as_str().unwrap_or("unknown"),
            self.word("command"),
            self.circumstances["turns"],
            self.word("loops"),
            self.word("values"),
            self.word("flatgraph"),
        )
    }

    fn word(&self, key: &str) -> &str {
        self.circumstances[key].as_str().unwrap_or_default()
    }

    /// The table of the loops, of opening, and of the heap.
    fn loops_table(&self) -> String {
        let mut table = String::from(
            "|  | flatgraph 0.1.15 | Varvite, Java | Varvite, Rust | Java over Rust | times flatgraph |\n\
             | --- | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for (workload, method, title) in LOOPS {
            let rust = self.rust_figures(workload);
            let theirs = self.figures(&format!("FlatgraphLoopsBenchmark.{method}"), None);
            let ours = self.figures(&format!("CodeLoopsBenchmark.{method}"), None);
            // A results file may be older than this loop.
            if ours.is_none() && theirs.is_none() {
                continue;
            }
            let over = ours.as_ref().and_then(|ours| ratio(ours, &rust));
            table += &row(&[
                title.to_owned(),
                self.cell(&format!("FlatgraphLoopsBenchmark.{method}"), None),
                self.cell(&format!("CodeLoopsBenchmark.{method}"), None),
                rust.text(Unit::Time),
                over.map_or_else(|| "-".into(), |over| format!("{over:.2}")),
                times(theirs.as_ref(), ours.as_ref()),
            ]);
        }
        OPENING
            .iter()
            .for_each(|(counter, title, unit, _)| table += &self.opening_row(counter, title, *unit));
        table
    }

    fn opening_row(&self, counter: &str, title: &str, unit: Unit) -> String {
        let theirs = self.counter("FlatgraphOpeningBenchmark.open", counter);
        let ours = self.counter("bench.OpeningBenchmark.open", counter);
        let text = |figures: Option<&Figures>| figures.map_or_else(|| "-".into(), |f| f.text(unit));
        row(&[
            title.to_owned(),
            text(theirs.as_ref()),
            text(ours.as_ref()),
            String::new(),
            String::new(),
            times(theirs.as_ref(), ours.as_ref()),
        ])
    }

    /// The table of values by key, copied and borrowed, for one way of reading them.
    fn get_table(&self, copied: &str, borrowed: &str, reading: &str) -> String {
        let mut table = format!(
            "| get, {reading} | RocksDB 11.8.1 (JNI), copied | LMDB, copied | Varvite, copied | LMDB, borrowed | Varvite, borrowed |\n\
             | --- | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for size in SIZES {
            let of = |name: &str, method: &str| format!("{name}.{method}");
            table += &row(&[
                size_text(size),
                self.cell(&of("RocksdbGet", copied), Some(size)),
                self.cell(&of("LmdbGet", copied), Some(size)),
                self.cell(&of("VarviteGet", copied), Some(size)),
                self.cell(&of("LmdbGet", borrowed), Some(size)),
                self.cell(&of("VarviteGet", borrowed), Some(size)),
            ]);
        }
        table
    }

    /// The cell of a benchmark: its time, and the bytes that a call allocates.
    fn cell(&self, name: &str, size: Option<u32>) -> String {
        let Some(figures) = self.figures(name, size) else { return "-".into() };
        let bytes = self.run(name, size).and_then(allocated_bytes);
        let bytes = bytes.map_or_else(String::new, |bytes| format!(" [{}]", text_of(bytes, Unit::Size)));
        format!("{}{bytes}", figures.text(Unit::Time))
    }

    /// The rounds of a loop in Rust, in nanoseconds.
    fn rust_figures(&self, workload: &str) -> Figures {
        let turns = self.rust.iter().filter(|turn| turn["workload"] == workload);
        figures_of(turns.flat_map(|turn| numbers_of(&turn["samples"])))
    }

    /// The iterations of a benchmark, in nanoseconds.
    fn figures(&self, name: &str, size: Option<u32>) -> Option<Figures> {
        let scale = match self.run(name, size)?["primaryMetric"]["scoreUnit"].as_str()? {
            "ns/op" => 1.0,
            "us/op" => 1e3,
            "ms/op" => 1e6,
            "s/op" => 1e9,
            _ => return None,
        };
        let samples = self.runs(name, size).flat_map(|run| samples_of(&run["primaryMetric"]));
        Some(figures_of(samples.map(|sample| sample * scale)))
    }

    /// The values of a counter of a benchmark, one for each iteration.
    fn counter(&self, name: &str, counter: &str) -> Option<Figures> {
        let metric = self.run(name, None)?["secondaryMetrics"].get(counter)?;
        Some(figures_of(samples_of(metric)))
    }

    fn run(&self, name: &str, size: Option<u32>) -> Option<&Value> {
        self.runs(name, size).next()
    }

    /// The runs of a benchmark, one for each turn.
    fn runs(&self, name: &str, size: Option<u32>) -> impl Iterator<Item = &Value> {
        let size = size.map(|size| size.to_string());
        let name = name.to_owned();
        self.jmh.iter().filter(move |run| {
            run["benchmark"].as_str().is_some_and(|full| full.ends_with(&name))
                && run["params"]["size"].as_str() == size.as_deref()
        })
    }
}

const GET_WORDS: &str = "\
Values are random bytes, found by a 16-byte key; keys come in an order without a pattern, the same for all, and are in memory before the clock starts. \
RocksDB does not compress, was compacted before, and its block cache is larger than the data; LMDB reads in one transaction that stays open. \
Both stores also take writes, which a Varvite file does not.";

/// Runs one turn of the loops in Rust, each loop in a process of its own, and returns an array of their
/// output lines.
///
/// # Errors
/// A loop that fails.
pub fn time_loops(graph: &Path) -> Result<Value, Failure> {
    let time = |(workload, ..): &(&str, &str, &str)| {
        let words = ["workload", workload].map(std::ffi::OsStr::new);
        ask_own(&[words[0], words[1], graph.as_os_str(), ROUNDS.as_ref()])
    };
    LOOPS.iter().map(time).collect()
}

fn figures_of(samples: impl Iterator<Item = f64>) -> Figures {
    Figures { samples: samples.collect() }
}

/// The samples of a metric, of all forks and iterations.
fn samples_of(metric: &Value) -> impl Iterator<Item = f64> {
    metric["rawData"].as_array().into_iter().flatten().flat_map(numbers_of)
}

fn numbers_of(array: &Value) -> impl Iterator<Item = f64> {
    array.as_array().into_iter().flatten().filter_map(Value::as_f64)
}

/// The bytes that a call allocates; `None` if the run allocates no more than JMH's own threads do, some
/// kilobytes a second.
fn allocated_bytes(run: &Value) -> Option<f64> {
    let metrics = &run["secondaryMetrics"];
    let megabytes_per_second = metrics[RATES[0]]["score"].as_f64()?;
    let bytes = metrics[RATES[1]]["score"].as_f64()?;
    (megabytes_per_second >= NOISE_RATE).then_some(bytes)
}

fn is_of(run: &Value, class: &str) -> bool {
    run["benchmark"].as_str().is_some_and(|name| name.contains(&format!(".{class}.")))
}

/// Forks and iterations, as passed to JMH.
fn settings_of(run: &Value) -> String {
    format!(
        "{} fork, {} of {} to warm up, then {} of {}",
        run["forks"],
        run["warmupIterations"],
        run["warmupTime"].as_str().unwrap_or("?"),
        run["measurementIterations"],
        run["measurementTime"].as_str().unwrap_or("?"),
    )
}

fn times(theirs: Option<&Figures>, ours: Option<&Figures>) -> String {
    theirs.zip(ours).and_then(|(theirs, ours)| ratio(theirs, ours)).map_or_else(|| "-".into(), ratio_text)
}

/// The fields of a run of JMH that the results file keeps. JMH's output also has paths of the machine, and
/// every percentile.
fn run_as_read(run: &Value) -> Value {
    let (time, metrics) = (&run["primaryMetric"], &run["secondaryMetrics"]);
    let mut read = json!({
        "benchmark": run["benchmark"],
        "primaryMetric": {"scoreUnit": time["scoreUnit"], "rawData": time["rawData"]},
        "secondaryMetrics": {},
    });
    if let Some(params) = run.get("params") {
        read["params"] = params.clone();
    }
    for (names, field) in [(RATES, "score"), (OPENING.map(|(counter, ..)| counter), "rawData")] {
        for name in names.into_iter().filter(|name| metrics.get(name).is_some()) {
            read["secondaryMetrics"][name] = json!({field: metrics[name][field]});
        }
    }
    read
}

/// The fields of a turn of a loop in Rust that the results file keeps.
fn turn_as_read(turn: &Value) -> Value {
    json!({"workload": turn["workload"], "samples": turn["samples"]})
}

fn verdict(is_reached: bool, title: &str, limit: &str) -> String {
    format!("{}  {title}: target: {limit}", if is_reached { "pass" } else { "FAIL" })
}

fn size_text(size: u32) -> String {
    if size < 1 << 10 { format!("{size} B") } else { format!("{} KiB", size >> 10) }
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn run(name: &str, size: Option<u32>, unit: &str, samples: &[f64], bytes: f64) -> Value {
        let params = size.map_or(json!({}), |size| json!({"size": size.to_string()}));
        json!({
            "benchmark": format!("varvite.bench.{name}"),
            "params": params,
            "primaryMetric": {"scoreUnit": unit, "rawData": [samples]},
            "secondaryMetrics": {
                "gc.alloc.rate": {"score": if bytes > 1.0 { 100.0 } else { 0.01 }},
                "gc.alloc.rate.norm": {"score": bytes},
                "nanoseconds": {"rawData": [[2e6, 3e6, 4e6]]},
                "heapBytes": {"rawData": [[1e5]]},
            },
        })
    }

    fn results() -> JavaResults {
        let jmh = vec![
            run("CodeLoopsBenchmark.astBelowMethods", None, "ms/op", &[100.0], 0.01),
            run("CodeLoopsBenchmark.astBelowMethods", None, "ms/op", &[120.0], 0.01),
            run("flatgraph.FlatgraphLoopsBenchmark.astBelowMethods", None, "ms/op", &[330.0], 2e6),
            run("OpeningBenchmark.open", None, "ms/op", &[9.0], 0.0),
            run("flatgraph.FlatgraphOpeningBenchmark.open", None, "ms/op", &[9.0], 0.0),
            run("get.VarviteGet.copyFirst8", Some(16), "ns/op", &[90.0, 100.0, 110.0], 0.0),
            run("get.RocksdbGet.copyFirst8", Some(16), "ns/op", &[1600.0], 0.0),
            run("get.LmdbGet.copyFirst8", Some(16), "ns/op", &[80.0], 0.0),
            run("get.VarviteGet.sliceFirst8", Some(16), "ns/op", &[200.0], 0.0),
        ];
        let turn = |ns: f64| json!({"workload": "ast_below_methods", "samples": [ns]});
        JavaResults {
            circumstances: Value::Null,
            jmh,
            rust: vec![turn(90e6), turn(110e6)],
            name: "zlib".into(),
        }
    }

    #[test]
    fn results_keep_what_is_read_of_them() {
        let mut run = run("OpeningBenchmark.open", Some(16), "ms/op", &[9.0], 2.0);
        let read = run.clone();
        run["jvm"] = json!("/opt/java");
        run["primaryMetric"]["scorePercentiles"] = json!({"50.0": 9.0});
        run["secondaryMetrics"]["nanoseconds"]["score"] = json!(1);
        assert_eq!(run_as_read(&run), read);
        assert_eq!(
            turn_as_read(&json!({"workload": "a", "samples": [1], "rss_bytes": 5})),
            json!({"workload": "a", "samples": [1]})
        );
    }

    #[test]
    fn a_loop_is_held_against_rust_and_flatgraph() {
        let table = results().loops_table();
        let expected = "| AST below every METHOD, by a stack | 330 ms [2.00 MB] | 110 ms (100-120) | 100 ms (90.0-110) | 1.10 | 3.0 |";
        assert!(table.contains(expected), "{table}");
        assert!(table.contains("| open and first answer | 3.00 ms (2.00-4.00) |"), "{table}");
    }

    #[test]
    fn each_limit_has_a_verdict() {
        let expected = [
            "pass  AST below every METHOD, by a stack: target: under 1.15 of Rust",
            "pass  open and first answer: target: under 20.0 ms",
            "pass  Java heap after opening: target: under 5.00 MB",
            "FAIL  16 B, copyFirst8: target: copied ahead of both",
            "FAIL  16 B, sliceFirst8: target: borrowed under 150 ns",
        ];
        assert_eq!(results().verdicts(), expected);
    }

    #[test]
    fn values_have_a_row_for_each_size() {
        let table = results().get_table("copyFirst8", "sliceFirst8", "x");
        let expected = "| 16 B | 1.60 µs | 80.0 ns | 100 ns (90.0-110) | - | 200 ns |";
        assert!(table.contains(expected), "{table}");
        assert!(table.contains("| 64 KiB | - | - | - | - | - |"), "{table}");
    }
}
