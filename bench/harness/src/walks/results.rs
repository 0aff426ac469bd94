//! The results of the benchmark of walks, and its page.

use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::record::figures::{Figures, Unit, ratio, ratio_text, text_of, thousands};
use crate::record::results_file;
use crate::report::prose::wrapped;
use crate::report::table::{header, line};
use crate::runs::cancelling::{Cancelled, LATENCY_MAX};

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct WalkResults {
    /// Machine, versions, tree and command.
    pub circumstances: Value,
    /// The rows, one for each walk of each side.
    pub rows: Vec<WalkRow>,
    /// The time and memory of the import of the tables.
    pub import: Value,
    /// The results of walks through a larger tree; null if the run had none.
    pub limits: Value,
    /// The times of algorithms over whole graphs beside their peers, if the run measured them.
    pub algorithms: Value,
    /// The times from cancelling walks and algorithms to their ends.
    pub cancelled: Vec<Cancelled>,
}

/// A walk of one side.
#[derive(Clone, Debug)]
pub struct WalkRow {
    /// The side.
    pub side: String,
    /// The walk.
    pub walk: String,
    /// Nanoseconds of each round.
    pub time: Figures,
    /// Bytes that each round allocated.
    pub allocated: Figures,
    /// The counts of a walk: `results`, `expansions`, `label_tests`, `property_reads`.
    pub counts: Value,
}

/// The side with which the others are compared.
const PEER: &str = "Neo4j";

/// The targets of Varvite's walks: side, walk, and the least speed as a multiple of Neo4j's, or the greatest
/// median.
const LIMITS: [(&str, &str, Limit); 5] = [
    ("Varvite, Rust", "depth_first", Limit::Times(50.0)),
    ("Varvite, Java", "depth_first", Limit::Times(40.0)),
    ("Varvite, Java", "depth_first_function", Limit::Time(35e6)),
    ("Varvite, Rust", "breadth_first", Limit::Time(20e6)),
    ("Varvite, Java", "breadth_first", Limit::Time(20e6)),
];

#[derive(Clone, Copy, Debug)]
enum Limit {
    Times(f64),
    Time(f64),
}

impl WalkResults {
    /// The results as JSON, for the results file.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "side": row.side, "walk": row.walk, "time": row.time.json(), "allocated": row.allocated.json(),
                "counts": row.counts,
            })
        });
        let mut value = self.circumstances.clone();
        value["import"] = self.import.clone();
        value["limits"] = self.limits.clone();
        value["algorithms"] = self.algorithms.clone();
        value["cancelled"] = self.cancelled.iter().map(Cancelled::json).collect();
        value["rows"] = rows.collect();
        value
    }

    /// Reads the JSON of the results file; `None` if a field is missing.
    pub fn of_json(value: &Value) -> Option<Self> {
        let row = |row: &Value| {
            Some(WalkRow {
                side: row["side"].as_str()?.to_owned(),
                walk: row["walk"].as_str()?.to_owned(),
                time: Figures::of_json(&row["time"])?,
                allocated: Figures::of_json(&row["allocated"])?,
                counts: row["counts"].clone(),
            })
        };
        let mut circumstances = value.clone();
        let fields = circumstances.as_object_mut()?;
        let rows = fields.remove("rows")?.as_array()?.iter().map(row).collect::<Option<_>>()?;
        let cancelled = fields.remove("cancelled")?;
        let cancelled = cancelled.as_array()?.iter().map(Cancelled::of_json).collect::<Option<_>>()?;
        let (import, limits) = (fields.remove("import")?, fields.remove("limits")?);
        let algorithms = fields.remove("algorithms")?;
        Some(Self { circumstances, rows, import, limits, algorithms, cancelled })
    }

    /// Writes the JSON and the page to `folder`, and returns their file name without extension.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn keep(&self, folder: &Path) -> Result<String, Failure> {
        std::fs::create_dir_all(folder)?;
        let stem = format!("{}-walks", self.word("date"));
        std::fs::write(folder.join(format!("{stem}.json")), results_file::text_of(&self.json()))?;
        std::fs::write(folder.join(format!("{stem}.md")), self.page())?;
        Ok(stem)
    }

    /// The page: the tables and the circumstances of the run, for people.
    pub fn page(&self) -> String {
        let mut page = format!(
            "# Walks, {}\n\n{}\n\n{}\n{}\n",
            self.word("date"),
            wrapped(&self.introduction()),
            self.table(),
            wrapped(WORDS),
        );
        if let Some(words) = self.limit_words() {
            page.push_str(&format!("\n{}\n", wrapped(&words)));
        }
        page.push_str(&self.algorithm_page());
        page.push_str(&self.cancelled_page());
        page
    }

    /// The table of algorithms: a line for each question of each side.
    fn algorithm_page(&self) -> String {
        let of = &self.algorithms;
        let Some(rows) = of["rows"].as_array() else { return String::new() };
        let words = format!(
            "A Kronecker graph of scale {}: {} nodes, {} edges, each followed both ways. Each side has it in memory in its own \
             form; answers are compared. Varvite uses all cores, and so does PageRank of the others; their breadth-first \
             searches use one.",
            of["scale"],
            thousands(of["nodes"].as_u64().unwrap_or(0)),
            thousands(of["edges"].as_u64().unwrap_or(0)),
        );
        let mut table = header(&["question", "side", "median (least-greatest)", "the fastest other takes"]);
        for row in rows {
            let time = Figures::of_json(&row["time"]).unwrap_or_default();
            table.push_str(&line(&[
                row["question"].as_str().unwrap_or_default().to_owned(),
                row["side"].as_str().unwrap_or_default().to_owned(),
                time.text(Unit::Time),
                fastest_other(rows, row)
                    .map_or_else(String::new, |times| format!("{} times as long", ratio_text(times))),
            ]));
        }
        format!("\n## Algorithms over whole graphs\n\n{}\n\n{table}", wrapped(&words))
    }

    /// The table of cancellation: a line for each walk and algorithm that was cancelled.
    fn cancelled_page(&self) -> String {
        if self.cancelled.is_empty() {
            return String::new();
        }
        let mut table = header(&["work", "median (least-greatest)"]);
        for cancelled in &self.cancelled {
            table.push_str(&line(&[cancelled.work.clone(), cancelled.latency.text(Unit::Time)]));
        }
        let words = "From the moment when another thread sets the flag to the error; algorithms with the decoding of their lists, \
                     in which the flag may be set too. In Java walks by the engine are cancelled, and the threads of others \
                     interrupted. Out of time: from the end of the time that the walk may take, with its compilation.";
        format!("\n## Cancelling\n\n{}\n\n{table}", wrapped(words))
    }

    /// The paragraph about walks in the README.
    pub fn digest(&self) -> String {
        let median = |side: &str, walk: &str| {
            let row = self.rows.iter().find(|row| row.side == side && row.walk == walk)?;
            let time = text_of(row.time.median()?, Unit::Time);
            Some(
                self.times_faster(row)
                    .map_or(time.clone(), |times| format!("{time} ({} times)", ratio_text(times))),
            )
        };
        let told = |side, walk| median(side, walk).unwrap_or_else(|| "-".into());
        let words = format!(
            "A [walk](docs/guide/walks.md) depth-first through {} nodes takes Neo4j embedded {}, Varvite {} in Rust, {} in Java, \
             and {} there with a function of the caller's; breadth-first {}, {} and {}. \
             [All results](bench/results/{}-walks.md).",
            thousands(self.circumstances["nodes"].as_u64().unwrap_or(0)),
            told(PEER, "depth_first"),
            told("Varvite, Rust", "depth_first"),
            told("Varvite, Java", "depth_first"),
            told("Varvite, Java", "depth_first_function"),
            told(PEER, "breadth_first"),
            told("Varvite, Rust", "breadth_first"),
            told("Varvite, Java", "breadth_first"),
            self.word("date"),
        );
        wrapped(&words)
    }

    fn introduction(&self) -> String {
        let of = &self.circumstances;
        let machine = &of["machine"];
        format!(
            "The tree of {} levels and fan-out {}: {} nodes, of which {} are found. {}, {} cores, load {} when it began; \
             Java {}; {}; commit {}; `{}`. Import of the tables by `varvite import --format neo4j-csv`: {:.2} s.",
            of["levels"],
            of["fanout"],
            thousands(of["nodes"].as_u64().unwrap_or(0)),
            thousands(of["results"].as_u64().unwrap_or(0)),
            machine["processor"].as_str().unwrap_or("unknown"),
            machine["cores"],
            machine["load"],
            self.word("java"),
            self.word("rustc"),
            of["commit"]["hash"].as_str().unwrap_or("unknown"),
            self.word("command"),
            self.import["seconds"].as_f64().unwrap_or(0.0),
        )
    }

    fn word(&self, key: &str) -> &str {
        self.circumstances[key].as_str().unwrap_or_default()
    }

    /// The table of walks: a line for each walk of each side.
    pub fn table(&self) -> String {
        let mut table = header(&[
            "walk",
            "side",
            "median (least-greatest)",
            "90 %",
            "99 %",
            "a node",
            "allocated",
            "reads of labels, a node",
            "times faster than Neo4j",
        ]);
        let nodes = self.circumstances["nodes"].as_f64().unwrap_or(1.0);
        for row in self.in_order() {
            let quantile =
                |part| row.time.quantile(part).map_or("-".into(), |time| text_of(time, Unit::Time));
            let per_node = row.time.median().map_or("-".into(), |time| text_of(time / nodes, Unit::Time));
            let labels = row.counts["label_tests"].as_f64().filter(|tests| *tests > 0.0);
            table.push_str(&line(&[
                row.walk.replace('_', " "),
                row.side.clone(),
                row.time.text(Unit::Time),
                quantile(0.9),
                quantile(0.99),
                per_node,
                row.allocated.median().map_or("-".into(), |bytes| text_of(bytes, Unit::Size)),
                labels.map_or("-".into(), |tests| format!("{:.2}", tests / nodes)),
                self.times_faster(row).map_or_else(String::new, ratio_text),
            ]));
        }
        table
    }

    /// The rows grouped by walk, in the order in which walks and sides first occur.
    fn in_order(&self) -> Vec<&WalkRow> {
        let mut walks: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !walks.contains(&&*row.walk) {
                walks.push(&row.walk);
            }
        }
        walks.iter().flat_map(|walk| self.rows.iter().filter(move |row| row.walk == **walk)).collect()
    }

    /// The time of Neo4j as a multiple of the row's time, for the same walk; if Neo4j has no walk of this
    /// name, for its depth-first walk.
    fn times_faster(&self, row: &WalkRow) -> Option<f64> {
        let of_peer = |walk: &str| self.rows.iter().find(|row| row.side == PEER && row.walk == walk);
        let peer = of_peer(&row.walk).or_else(|| of_peer("depth_first"))?;
        (row.side != PEER).then(|| ratio(&peer.time, &row.time)).flatten()
    }

    /// The sentence about walks through the larger tree; `None` if the run had none.
    fn limit_words(&self) -> Option<String> {
        let nodes = thousands(self.limits["nodes"].as_u64()?);
        Some(format!(
            "A tree of {nodes} nodes with {} for the state of a walk: depth-first takes {} and holds {} at most; breadth-first \
             ends with the error \"{}\".",
            text_of(self.limits["budget"].as_f64()?, Unit::Size),
            text_of(self.limits["depth_first_ns"].as_f64()?, Unit::Time),
            text_of(self.limits["depth_first_bytes"].as_f64()?, Unit::Size),
            self.limits["breadth_first_error"].as_str()?,
        ))
    }

    /// A line for each target that was measured: `pass` or `FAIL`.
    pub fn verdicts(&self) -> Vec<String> {
        let row_of =
            |side: &str, walk: &str| self.rows.iter().find(|row| row.side == side && row.walk == walk);
        let of_time = LIMITS.iter().filter_map(|(side, walk, limit)| {
            let row = row_of(side, walk)?;
            let (is_kept, words) = match limit {
                Limit::Times(times) => {
                    let found = self.times_faster(row)?;
                    (found >= *times, format!("{} times faster than Neo4j: {times} asked", ratio_text(found)))
                }
                Limit::Time(time) => {
                    let found = row.time.median()?;
                    (
                        found < *time,
                        format!("{}: under {} asked", text_of(found, Unit::Time), text_of(*time, Unit::Time)),
                    )
                }
            };
            Some(verdict(is_kept, &format!("{side}, {walk}: {words}")))
        });
        let of_memory = self.rows.iter().filter(|row| row.side.starts_with("Varvite")).filter_map(|row| {
            let bytes = row.allocated.median()?;
            let words =
                format!("{}, {}: {} allocated: 0 B asked", row.side, row.walk, text_of(bytes, Unit::Size));
            Some(verdict(bytes == 0.0, &words))
        });
        let of_algorithms = self.algorithms["rows"].as_array().into_iter().flatten().filter_map(|row| {
            let rows = self.algorithms["rows"].as_array()?;
            let times = fastest_other(rows, row).filter(|_| row["side"] == OWN)?;
            let words = format!(
                "{}: {} times as long as the fastest other: at most {BEHIND_MAX} asked",
                row["question"].as_str()?,
                ratio_text(1.0 / times)
            );
            Some(verdict(1.0 / times <= BEHIND_MAX, &words))
        });
        let of_cancelling = self.cancelled.iter().map(|cancelled| {
            let words =
                format!("cancelled, {}: at most {} ms asked", cancelled.text(), LATENCY_MAX.as_millis());
            verdict(cancelled.is_soon(), &words)
        });
        of_time.chain(of_memory).chain(of_algorithms).chain(of_cancelling).collect()
    }
}

/// The name of Varvite's side among those that run algorithms over whole graphs; below, the target: its time
/// as a multiple of the fastest other side's.
const OWN: &str = "Varvite";
const BEHIND_MAX: f64 = 1.3;

/// The time of the fastest other side as a multiple of this side's, for the same question.
fn fastest_other(rows: &[Value], row: &Value) -> Option<f64> {
    let median = |row: &Value| Figures::of_json(&row["time"])?.median();
    let is_other = |other: &&Value| other["question"] == row["question"] && other["side"] != row["side"];
    let fastest = rows.iter().filter(is_other).filter_map(median).min_by(f64::total_cmp)?;
    Some(fastest / median(row)?)
}

/// The text below the table of walks.
const WORDS: &str = "A round is one walk from the root: uniqueness none, `HAS_B` from an `A` and `HAS_A` from a `B`; a \
    `B` whose value is true is a result, and the walk counts its results. Sides are processes that take \
    turns, each with its tree in memory, and stand still between their turns; Neo4j's transaction is \
    inside the clock, finding the root outside. All sides find the same number. A walk depth first with \
    a function has an evaluator of the caller, as Neo4j's walks have. TinkerGraph runs loops over its \
    vertices, and Gremlin's `repeat`. Varvite reads a node's labels once; Neo4j calls `hasLabel` as many \
    times as the table shows. Walks of a name that Neo4j does not have are compared with its walk depth \
    first.";

fn verdict(is_kept: bool, words: &str) -> String {
    format!("{} {words}", if is_kept { "pass" } else { "FAIL" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(side: &str, walk: &str, samples: &[f64], allocated: f64, label_tests: u64) -> WalkRow {
        WalkRow {
            side: side.to_owned(),
            walk: walk.to_owned(),
            time: Figures { samples: samples.to_vec() },
            allocated: Figures { samples: vec![allocated] },
            counts: json!({"label_tests": label_tests}),
        }
    }

    fn results() -> WalkResults {
        WalkResults {
            circumstances: json!({"date": "2026-11-25", "nodes": 100, "levels": 5, "fanout": 4, "results": 10}),
            rows: vec![
                row("Varvite, Rust", "depth_first", &[2e6, 1e6, 3e6], 0.0, 100),
                row("Varvite, Rust", "breadth_first", &[30e6], 8.0, 100),
                row("Neo4j", "depth_first", &[160e6], 720e6, 220),
            ],
            import: json!({"seconds": 1.5}),
            limits: Value::Null,
            algorithms: json!({"scale": 4, "nodes": 16, "edges": 64, "rows": [
                {"question": "PageRank", "side": "Varvite", "time": Figures { samples: vec![2e6] }.json()},
                {"question": "PageRank", "side": "igraph", "time": Figures { samples: vec![6e6] }.json()},
                {"question": "PageRank", "side": "NetworKit", "time": Figures { samples: vec![1e6] }.json()},
            ]}),
            cancelled: vec![
                Cancelled { work: "PageRank".to_owned(), latency: Figures { samples: vec![60e6] } },
                Cancelled { work: "walk".to_owned(), latency: Figures { samples: vec![2e6] } },
            ],
        }
    }

    #[test]
    fn a_walk_of_a_side_is_a_line() {
        let table = results().table();
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            lines[0],
            "| depth first | Varvite, Rust | 2.00 ms (1.00-3.00) | 3.00 ms | 3.00 ms | 20.0 µs | 0 B | 1.00 | 80 |"
        );
        assert_eq!(
            lines[1],
            "| depth first | Neo4j | 160 ms | 160 ms | 160 ms | 1.60 ms | 720 MB | 2.20 |  |"
        );
        assert!(lines[2].starts_with("| breadth first | Varvite, Rust |"), "{table}");
    }

    #[test]
    fn limits_are_held_against_what_was_measured() {
        let verdicts = results().verdicts();
        assert_eq!(verdicts[0], "pass Varvite, Rust, depth_first: 80 times faster than Neo4j: 50 asked");
        assert_eq!(verdicts[1], "FAIL Varvite, Rust, breadth_first: 30.0 ms: under 20.0 ms asked");
        assert_eq!(verdicts[2], "pass Varvite, Rust, depth_first: 0 B allocated: 0 B asked");
        assert_eq!(verdicts[3], "FAIL Varvite, Rust, breadth_first: 8.00 B allocated: 0 B asked");
        assert_eq!(verdicts[4], "FAIL PageRank: 2.0 times as long as the fastest other: at most 1.3 asked");
        assert_eq!(verdicts[5], "FAIL cancelled, PageRank: 60.0 ms: at most 50 ms asked");
        assert_eq!(verdicts[6], "pass cancelled, walk: 2.00 ms: at most 50 ms asked");
    }

    #[test]
    fn the_digest_says_how_many_times_faster_walks_are() {
        let digest = results().digest().replace('\n', " ");
        assert!(
            digest.contains("takes Neo4j embedded 160 ms, Varvite 2.00 ms (80 times) in Rust, - in Java"),
            "{digest}"
        );
    }

    #[test]
    fn results_come_back_from_their_file() {
        let results = results();
        let again = WalkResults::of_json(&results.json()).unwrap();
        assert_eq!((again.json(), again.page()), (results.json(), results.page()));
    }
}
