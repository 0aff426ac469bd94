//! The page of `cargo xtask bench-java`: what JMH measured, and Rust's time for the same loops beside it.
//!
//! The loops in Java and in Rust take turns, for which `cargo xtask bench-java` calls; it leaves one JSON file with what JMH wrote and
//! what [`time_loops`] answered, and this makes tables of both. Which figure must be under which limit is in the tables themselves.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use varvite::Graph;

use crate::figures::{Figures, Unit, ratio, ratio_text, text_of};
use crate::peer::ask_own;
use crate::{Failure, machine};

/// The loops: the workload of this program, the method of the benchmark in Java, and what people read.
const LOOPS: [(&str, &str, &str); 3] = [
    ("ast_below_methods", "astBelowMethods", "AST below every METHOD, by a stack"),
    ("cfg_reachability", "cfgReachability", "CFG reachability per METHOD"),
    ("identifier_up", "identifierUp", "IDENTIFIER up to METHOD"),
];
const SIZES: [u32; 4] = [16, 1 << 10, 4 << 10, 64 << 10];
/// Rounds of each loop in Rust, in a turn.
const ROUNDS: &str = "7";
/// How many times Rust's time a loop in Java may take.
const LOOP_RATIO: f64 = 1.15;
const OPEN_NS: f64 = 20e6;
const HEAP_BYTES: f64 = 5e6;
const BORROWED_NS: f64 = 150.0;
/// Megabytes a second that are JMH's own.
const NOISE_RATE: f64 = 0.5;

/// What was run, and where things are.
#[derive(Clone, Debug)]
pub struct Options {
    /// What JMH wrote and what [`time_loops`] answered, as the fields `jmh` and `rust`, in the order they were measured.
    pub measured: PathBuf,
    /// The graph, imported.
    pub graph: PathBuf,
    /// Its name in the results.
    pub name: String,
    /// Root of the repository.
    pub root: PathBuf,
    /// What was typed.
    pub command: String,
}

/// Everything that was measured.
pub struct JavaResults {
    circumstances: Value,
    jmh: Vec<Value>,
    /// A loop in one turn each.
    rust: Vec<Value>,
    name: String,
}

impl JavaResults {
    /// Reads what was measured.
    ///
    /// # Errors
    /// Files that cannot be read, or results of another form.
    pub fn collect(options: &Options) -> Result<Self, Failure> {
        let mut measured: Value = serde_json::from_slice(&std::fs::read(&options.measured)?)?;
        let mut jmh: Vec<Value> = serde_json::from_value(measured["jmh"].take())?;
        let rust: Vec<Value> = serde_json::from_value(measured["rust"].take())?;
        jmh.iter_mut().for_each(leave_out_paths);
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
        Ok(Self { circumstances, jmh, rust, name: options.name.clone() })
    }

    /// Writes the JSON and the page beside the other results; answers their name.
    ///
    /// # Errors
    /// What the file system says.
    pub fn keep(&self, folder: &Path) -> Result<String, Failure> {
        std::fs::create_dir_all(folder)?;
        let stem = format!("{}-java-{}", self.word("date"), self.name);
        let all = json!({"circumstances": self.circumstances, "rust": self.rust, "jmh": self.jmh});
        std::fs::write(folder.join(format!("{stem}.json")), serde_json::to_string_pretty(&all)? + "\n")?;
        std::fs::write(folder.join(format!("{stem}.md")), format!("# Java, {stem}\n\n{}", self.page()))?;
        Ok(stem)
    }

    /// The tables with their circumstances, for people.
    pub fn page(&self) -> String {
        format!(
            "{}\n\n{}\n{}\n{}\n{}",
            self.introduction(),
            self.loops_table(),
            self.get_table("copyFirst8", "sliceFirst8", "the first 8 bytes read"),
            self.get_table("copySum", "sliceSum", "all bytes summed"),
            GET_WORDS,
        )
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

    /// The loops, opening, and the heap.
    fn loops_table(&self) -> String {
        let mut table = String::from(
            "|  | flatgraph 0.1.15 | Varvite, Java | Varvite, Rust | Java over Rust | times flatgraph | must |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | --- |\n",
        );
        for (workload, method, title) in LOOPS {
            let rust = self.rust_figures(workload);
            let theirs = self.figures(&format!("FlatgraphLoopsBenchmark.{method}"), None);
            let ours = self.figures(&format!("CodeLoopsBenchmark.{method}"), None);
            let over = ours.as_ref().and_then(|ours| ratio(ours, &rust));
            let verdict = over.map(|over| verdict(over < LOOP_RATIO, "under 1.15 of Rust"));
            table += &row(&[
                title.to_owned(),
                self.cell(&format!("FlatgraphLoopsBenchmark.{method}"), None),
                self.cell(&format!("CodeLoopsBenchmark.{method}"), None),
                rust.text(Unit::Time),
                over.map_or_else(|| "-".into(), |over| format!("{over:.2}")),
                times(theirs.as_ref(), ours.as_ref()),
                verdict.unwrap_or_default(),
            ]);
        }
        table += &self.opening_row("nanoseconds", "open and first answer", Unit::Time, OPEN_NS);
        table + &self.opening_row("heapBytes", "Java heap after opening", Unit::Size, HEAP_BYTES)
    }

    fn opening_row(&self, counter: &str, title: &str, unit: Unit, limit: f64) -> String {
        let theirs = self.counter("FlatgraphOpeningBenchmark.open", counter);
        let ours = self.counter("bench.OpeningBenchmark.open", counter);
        let text = |figures: Option<&Figures>| figures.map_or_else(|| "-".into(), |f| f.text(unit));
        let median = ours.as_ref().and_then(Figures::median);
        let verdict = median.map(|ns| verdict(ns < limit, &format!("under {}", text_of(limit, unit))));
        row(&[
            title.to_owned(),
            text(theirs.as_ref()),
            text(ours.as_ref()),
            String::new(),
            String::new(),
            times(theirs.as_ref(), ours.as_ref()),
            verdict.unwrap_or_default(),
        ])
    }

    /// Values by key, copied and borrowed, with one way of reading them.
    fn get_table(&self, copied: &str, borrowed: &str, reading: &str) -> String {
        let mut table = format!(
            "| get, {reading} | RocksDB 11.8.1 (JNI), copied | LMDB, copied | Varvite, copied | LMDB, borrowed | Varvite, borrowed | \
             must |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |\n",
        );
        for size in SIZES {
            let of = |name: &str, method: &str| format!("{name}.{method}");
            let figures = |name: &str, method: &str| self.figures(&of(name, method), Some(size));
            let ours = figures("VarviteGet", copied);
            let ahead = ["RocksdbGet", "LmdbGet"].map(|peer| {
                let theirs = figures(peer, copied);
                Some(ratio(theirs.as_ref()?, ours.as_ref()?)? > 1.0)
            });
            let mut verdicts = Vec::new();
            if let [Some(rocksdb), Some(lmdb)] = ahead {
                verdicts.push(verdict(rocksdb && lmdb, "copied ahead of both"));
            }
            let lent = figures("VarviteGet", borrowed).and_then(|figures| figures.median());
            if let Some(ns) = lent.filter(|_| borrowed == "sliceFirst8") {
                verdicts.push(verdict(ns < BORROWED_NS, "borrowed under 150 ns"));
            }
            table += &row(&[
                size_text(size),
                self.cell(&of("RocksdbGet", copied), Some(size)),
                self.cell(&of("LmdbGet", copied), Some(size)),
                self.cell(&of("VarviteGet", copied), Some(size)),
                self.cell(&of("LmdbGet", borrowed), Some(size)),
                self.cell(&of("VarviteGet", borrowed), Some(size)),
                verdicts.join("; "),
            ]);
        }
        table
    }

    /// A time and the bytes that a call allocates.
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

    /// The values of a counter, one for each iteration.
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
Both stores also take writes, which a Varvite file does not.\n";

/// One turn of the loops in Rust, each in a process of its own: an array of what [`crate::workloads`] answer.
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
    Figures { samples: samples.collect(), notes: Value::Null }
}

/// The iterations of all forks.
fn samples_of(metric: &Value) -> impl Iterator<Item = f64> {
    metric["rawData"].as_array().into_iter().flatten().flat_map(numbers_of)
}

fn numbers_of(array: &Value) -> impl Iterator<Item = f64> {
    array.as_array().into_iter().flatten().filter_map(Value::as_f64)
}

/// Bytes that a call allocates, where that is more than JMH's own threads do meanwhile: some kilobytes a second.
fn allocated_bytes(run: &Value) -> Option<f64> {
    let metrics = &run["secondaryMetrics"];
    let megabytes_per_second = metrics["gc.alloc.rate"]["score"].as_f64()?;
    let bytes = metrics["gc.alloc.rate.norm"]["score"].as_f64()?;
    (megabytes_per_second >= NOISE_RATE).then_some(bytes)
}

fn is_of(run: &Value, class: &str) -> bool {
    run["benchmark"].as_str().is_some_and(|name| name.contains(&format!(".{class}.")))
}

/// Forks and iterations, as JMH was told.
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

/// Takes out where things are on the machine that measured: nobody else has them there.
fn leave_out_paths(run: &mut Value) {
    let Some(run) = run.as_object_mut() else { return };
    run.remove("jvm");
    if let Some(words) = run.get_mut("jvmArgs").and_then(Value::as_array_mut) {
        let is_path = |word: &Value| word.as_str().is_some_and(|word| word.contains("=/"));
        words.retain(|word| !is_path(word));
    }
}

fn verdict(is_reached: bool, limit: &str) -> String {
    format!("{}: {limit}", if is_reached { "pass" } else { "**FAIL**" })
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
    fn results_do_not_tell_where_things_were() {
        let mut run = json!({"jvm": "/opt/java", "jvmArgs": ["-Xmx1g", "-Dgraph=/home/somebody/a.varvite"], "forks": 1});
        leave_out_paths(&mut run);
        assert_eq!(run, json!({"jvmArgs": ["-Xmx1g"], "forks": 1}));
    }

    #[test]
    fn a_loop_is_held_against_rust_and_flatgraph() {
        let table = results().loops_table();
        let expected = "| AST below every METHOD, by a stack | 330 ms [2.00 MB] | 110 ms (100-120) | 100 ms (90.0-110) | 1.10 | 3.0 | pass: under 1.15 of Rust |";
        assert!(table.contains(expected), "{table}");
        assert!(table.contains("| open and first answer | 3.00 ms (2.00-4.00) |"), "{table}");
        assert!(table.contains("pass: under 5.00 MB"), "{table}");
    }

    #[test]
    fn where_a_store_is_ahead_the_table_says_so() {
        let table = results().get_table("copyFirst8", "sliceFirst8", "x");
        let expected = "| 16 B | 1.60 µs | 80.0 ns | 100 ns (90.0-110) | - | 200 ns | **FAIL**: copied ahead of both; **FAIL**: borrowed under 150 ns |";
        assert!(table.contains(expected), "{table}");
        assert!(table.contains("| 64 KiB | - | - | - | - | - |  |"), "{table}");
    }
}
