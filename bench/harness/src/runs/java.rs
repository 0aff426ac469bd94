//! Turns the measurements of `cargo xtask bench-java` into rows: the output of JMH, and the time of the same
//! loops in Rust.
//!
//! `cargo xtask bench-java` runs the loops in Java and in Rust by turns, and writes one JSON file with the
//! outputs of JMH and of [`time_loops`].

use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::peers::peer::ask_own;
use crate::record::figures::Unit;
use crate::record::results::{FLATGRAPH, Results, merge};
use crate::report::java::{ALLOCATED, ROUNDS};

/// The loops: for each, the name of its workload in this program, its method in the Java benchmark, and its
/// title.
const LOOPS: [(&str, &str, &str); 4] = [
    ("ast_below_methods", "astBelowMethods", "AST below every METHOD, by a stack"),
    ("cfg_reachability", "cfgReachability", "CFG reachability per METHOD"),
    ("identifier_up", "identifierUp", "IDENTIFIER up to METHOD"),
    ("callee_names", "calleeNames", "names of the callees of every CALL"),
];
/// The measures of the benchmark of opening: for each, the name of JMH's counter, the name of the row, its
/// title and its unit.
const OPENING: [(&str, &str, &str, Unit); 2] = [
    ("nanoseconds", "open", "open and first answer", Unit::Time),
    ("heapBytes", "heap", "Java heap after opening", Unit::Size),
];
/// The classes of JMH benchmarks, each with its side in results.
const SIDES: [(&str, &str); 7] = [
    ("CodeLoopsBenchmark", "java"),
    ("FlatgraphLoopsBenchmark", FLATGRAPH),
    ("OpeningBenchmark", "java"),
    ("FlatgraphOpeningBenchmark", FLATGRAPH),
    ("VarviteGet", "varvite"),
    ("RocksdbGet", "rocksdb"),
    ("LmdbGet", "lmdb"),
];
/// The maximum rate at which JMH's own threads allocate, in megabytes per second.
const NOISE_RATE: f64 = 0.5;

/// Makes results from the JSON object of measurements: circumstances, the runs of JMH (`jmh`) and the turns
/// of the Rust loops (`rust`). `None` if the object has another form.
pub fn results_of(mut measured: Value) -> Option<Results> {
    let fields = measured.as_object_mut()?;
    let mut taken = |name: &str| serde_json::from_value::<Vec<Value>>(fields.remove(name)?).ok();
    let (jmh, rust) = (taken("jmh")?, taken("rust")?);
    let mut results = Results { circumstances: measured, rows: Vec::new() };
    merge(&mut results.circumstances, circumstances(&jmh, &rust));
    for (workload, _, title) in LOOPS {
        results.row_mut(workload, title, Unit::Time);
    }
    for (_, name, title, unit) in OPENING {
        results.row_mut(name, title, unit);
    }
    jmh.iter().for_each(|run| _ = add_run(&mut results, run));
    for turn in rust {
        let workload = turn["workload"].as_str()?;
        results.row_mut(workload, workload, Unit::Time).extend("rust", numbers_of(&turn["samples"]));
    }
    results.rows.retain(|row| !row.sides.is_empty());
    Some(results)
}

/// Adds a run of JMH. Returns `None` for a benchmark that is on no page.
fn add_run(results: &mut Results, run: &Value) -> Option<()> {
    let mut words = run["benchmark"].as_str()?.rsplit('.');
    let (method, class) = (words.next()?, words.next()?);
    let (_, side) = SIDES.iter().find(|(known, _)| *known == class)?;
    if method == "open" {
        for (counter, name, title, unit) in OPENING {
            let samples = samples_of(run["secondaryMetrics"].get(counter)?);
            results.row_mut(name, title, unit).extend(side, samples);
        }
        return Some(());
    }
    let (name, title, side) = match run["params"]["size"].as_str() {
        None => {
            let (name, _, title) = LOOPS.iter().find(|(_, known, _)| *known == method)?;
            ((*name).to_owned(), (*title).to_owned(), (*side).to_owned())
        }
        Some(size) => {
            let (way, read) = match method.strip_prefix("copy") {
                Some(read) => ("copied", read),
                None => ("borrowed", method.strip_prefix("slice")?),
            };
            (
                format!("{}_{size}", read.to_lowercase()),
                size_text(size.parse().ok()?),
                format!("{side}_{way}"),
            )
        }
    };
    let scale = match run["primaryMetric"]["scoreUnit"].as_str()? {
        "ns/op" => 1.0,
        "us/op" => 1e3,
        "ms/op" => 1e6,
        "s/op" => 1e9,
        _ => return None,
    };
    let samples = samples_of(&run["primaryMetric"]).map(|sample| sample * scale);
    results.row_mut(&name, &title, Unit::Time).extend(&side, samples);
    if let Some(bytes) = allocated_bytes(run) {
        results.row_mut(&format!("{ALLOCATED}{name}"), &title, Unit::Size).add(&side, bytes);
    }
    Some(())
}

/// The samples of a metric from all forks and iterations.
fn samples_of(metric: &Value) -> impl Iterator<Item = f64> {
    metric["rawData"].as_array().into_iter().flatten().flat_map(numbers_of)
}

fn numbers_of(array: &Value) -> impl Iterator<Item = f64> {
    array.as_array().into_iter().flatten().filter_map(Value::as_f64)
}

/// The bytes that a call allocates; `None` if the run allocates no more than JMH's own threads, which
/// allocate some kilobytes per second.
fn allocated_bytes(run: &Value) -> Option<f64> {
    let metrics = &run["secondaryMetrics"];
    let megabytes_per_second = metrics["gc.alloc.rate"]["score"].as_f64()?;
    let bytes = metrics["gc.alloc.rate.norm"]["score"].as_f64()?;
    (megabytes_per_second >= NOISE_RATE).then_some(bytes)
}

/// The Java version, the number of turns, and the settings of JMH.
fn circumstances(jmh: &[Value], rust: &[Value]) -> Value {
    let settings = |class: &str| {
        let is_of = |run: &&Value| run["benchmark"].as_str().is_some_and(|name| name.contains(class));
        jmh.iter().find(is_of).map(settings_of)
    };
    json!({
        "turns": rust.len() / LOOPS.len(),
        "versions": {"java": jmh.first().map(|run| run["vmVersion"].clone())},
        "settings": {
            "loops": settings(".CodeLoopsBenchmark."),
            "values": settings(".VarviteGet."),
            "flatgraph": settings(".FlatgraphLoopsBenchmark."),
        },
    })
}

/// The numbers of forks and iterations that were passed to JMH.
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

/// Runs one turn of the loops in Rust, each loop in a process of its own, and returns an array of their
/// output lines.
///
/// # Errors
/// A loop fails.
pub fn time_loops(graph: &Path) -> Result<Value, Failure> {
    let time = |(workload, ..): &(&str, &str, &str)| {
        let words = ["workload", workload].map(std::ffi::OsStr::new);
        ask_own(&[words[0], words[1], graph.as_os_str(), ROUNDS.as_ref()])
    };
    LOOPS.iter().map(time).collect()
}

fn size_text(size: u32) -> String {
    if size < 1 << 10 { format!("{size} B") } else { format!("{} KiB", size >> 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, unit: &str, samples: &[f64], bytes: f64) -> Value {
        json!({
            "benchmark": format!("varvite.bench.{name}"),
            "primaryMetric": {"scoreUnit": unit, "rawData": [samples]},
            "secondaryMetrics": {
                "gc.alloc.rate": {"score": if bytes > 1.0 { 100.0 } else { 0.01 }},
                "gc.alloc.rate.norm": {"score": bytes},
                "nanoseconds": {"rawData": [[2e6, 3e6]]},
                "heapBytes": {"rawData": [[1e5]]},
            },
        })
    }

    #[test]
    fn runs_of_jmh_become_rows_of_workloads_and_sides() {
        let mut get = run("get.LmdbGet.copyFirst8", "ns/op", &[80.0], 0.0);
        get["params"] = json!({"size": "1024"});
        let jmh = [
            get,
            run("CodeLoopsBenchmark.astBelowMethods", "ms/op", &[100.0], 0.01),
            run("CodeLoopsBenchmark.astBelowMethods", "ms/op", &[120.0], 0.01),
            run("flatgraph.FlatgraphLoopsBenchmark.astBelowMethods", "s/op", &[0.33], 2e6),
            run("OpeningBenchmark.open", "ms/op", &[9.0], 0.0),
            run("Unknown.open", "ms/op", &[9.0], 0.0),
        ];
        let rust = [json!({"workload": "ast_below_methods", "samples": [9e7], "rss_bytes": 5})];
        let results = results_of(json!({"bench": "java", "jmh": jmh, "rust": rust})).unwrap();
        let rows = results.rows;
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(
            names,
            ["ast_below_methods", "open", "heap", "first8_1024", "allocated_ast_below_methods"]
        );
        assert_eq!(rows[0].sides["java"].samples, [1e8, 1.2e8]);
        assert_eq!((rows[0].median("rust"), rows[0].median("flatgraph")), (Some(9e7), Some(3.3e8)));
        assert_eq!((rows[1].median("java"), rows[2].median("java")), (Some(2.5e6), Some(1e5)));
        assert_eq!((rows[4].sides.len(), rows[4].median("flatgraph")), (1, Some(2e6)));
        assert_eq!((rows[3].title.as_str(), rows[3].median("lmdb_copied")), ("1 KiB", Some(80.0)));
    }
}
