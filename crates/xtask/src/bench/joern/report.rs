//! Writes the report of a run, as a page and as JSON in `bench/results`, with Varvite's targets.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use serde_json::json;

use super::script::Script;
use super::{Bench, Both};
use crate::process;
use crate::{Outcome, cannot};

/// A measure, and the target for Varvite: an upper limit, or a multiple of flatgraph's value.
struct Row {
    name: &'static str,
    unit: &'static str,
    must: Must,
}

enum Must {
    AtMost(f64),
    TimesFlatgraph(f64),
    Nothing,
}

const ROWS: [Row; 14] = [
    row("open, new JVM", "ms", Must::Nothing),
    row("open, new JVM, AOT cache", "ms", Must::Nothing),
    row("open, warm JVM", "ms", Must::AtMost(50.0)),
    row("heap after opening", "MB", Must::AtMost(5.0)),
    row("heap after the queries", "MB", Must::Nothing),
    row("resident at most", "MB", Must::Nothing),
    row("first round", "ms", Must::TimesFlatgraph(0.7)),
    row("first round, AOT cache", "ms", Must::TimesFlatgraph(0.7)),
    row("best round", "ms", Must::TimesFlatgraph(1.0)),
    row("best round, AOT cache", "ms", Must::TimesFlatgraph(1.0)),
    row("first: data flow", "ms", Must::Nothing),
    row("best: data flow", "ms", Must::TimesFlatgraph(1.0)),
    row("smallest heap for the queries", "MB", Must::TimesFlatgraph(0.2)),
    row("smallest heap for the overlays", "MB", Must::TimesFlatgraph(0.5)),
];
/// The target of each query, as a multiple of flatgraph's time.
const QUERY: Must = Must::TimesFlatgraph(1.3);
/// The target of a script: its time beyond the same script on a graph without nodes, in milliseconds.
const SCRIPT_MAX: f64 = 500.0;

const fn row(name: &'static str, unit: &'static str, must: Must) -> Row {
    Row { name, unit, must }
}

impl Must {
    /// The target in words, and whether it is met.
    fn verdict(&self, [theirs, ours]: [f64; 2]) -> String {
        let (words, limit) = match self {
            Self::AtMost(limit) => (format!("at most {limit}"), *limit),
            Self::TimesFlatgraph(times) => (format!("{times} of flatgraph's"), times * theirs),
            Self::Nothing => return String::new(),
        };
        format!("{words}: {}", if ours <= limit { "yes" } else { "**no**" })
    }
}

/// The results of a run.
pub(super) struct Report {
    pub(super) theirs: Both,
    /// The number of answers that differ, and of all answers; `None` if the run did not compare them.
    pub(super) differing: Option<[usize; 2]>,
    /// The names of scripts, and their times.
    pub(super) scripts: Vec<(&'static str, Script)>,
}

impl Report {
    /// Writes both files, and prints the page.
    pub(super) fn write(&self, bench: &Bench) -> Outcome {
        let said = |program: &str, words: &[&str]| {
            process::output(Command::new(program).args(words).current_dir(&bench.root), "")
                .map(|text| text.trim().to_owned())
        };
        let date = said("date", &["+%F"])?;
        let graph = bench.options.graph.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let head = format!(
            "# Joern on {graph}, {date}\n\nProfile `{}`; {}; {} processors; Java {}; commit {};\nmedians of {} virtual machines of \
             each side that took turns, serial collector. Queries and data flow: time of the\nprocessors. `cargo xtask bench-joern`.\n",
            bench.options.profile,
            processor(),
            std::thread::available_parallelism().map_or(1, usize::from),
            bench.paths.java_version(),
            said("git", &["rev-parse", "--short=12", "HEAD"])?,
            bench.options.rounds,
        );
        let page = format!("{head}\n{}", self.tables());
        print!("{page}");
        let name = graph.split('.').next().unwrap_or_default();
        let only = bench
            .options
            .only
            .as_ref()
            .map_or_else(String::new, |parts| format!("-{}", parts.replace(',', "-")));
        let path =
            bench.root.join(format!("bench/results/{date}-joern-{name}-{}{only}", bench.options.profile));
        let script = |(name, script): &(&str, Script)| json!({ "java": name, "flatgraph": script.theirs, "mapped": script.ours, "empty": script.empty });
        let scripts: Vec<_> = self.scripts.iter().map(script).collect();
        let json = json!({
            "graph": graph,
            "measures": self.theirs,
            "answers that differ": self.differing,
            "scripts": scripts,
        });
        for (extension, text) in [("md", page), ("json", format!("{json:#}\n"))] {
            let path = path.with_extension(extension);
            fs::write(&path, text).map_err(|error| cannot("write", &path, &error))?;
        }
        Ok(())
    }

    fn tables(&self) -> String {
        let mut text = String::from(
            "| measure | flatgraph | mapped | of flatgraph's | must |\n| --- | ---: | ---: | ---: | --- |\n",
        );
        for row in &ROWS {
            if let Some(sides) = self.theirs.get(row.name) {
                line(&mut text, row.name, row.unit, *sides, &row.must);
            }
        }
        for (java, script) in &self.scripts {
            let more = script.ours - script.empty;
            let must = if more <= SCRIPT_MAX { "yes" } else { "**no**" };
            let _ = writeln!(
                text,
                "| `joern --script`, {java} | {:.1} s | {:.1} s | {:.2} | {SCRIPT_MAX} ms above a graph without nodes: {more:.0} ms, {must} |",
                script.theirs / 1e3,
                script.ours / 1e3,
                script.ours / script.theirs
            );
        }
        if let Some([differing, all]) = self.differing {
            let _ = writeln!(text, "\nOf {all} answers {differing} differ.");
        }
        text.push_str("\n| query, best | flatgraph | mapped | of flatgraph's | must |\n| --- | ---: | ---: | ---: | --- |\n");
        for (name, sides) in &self.theirs {
            if let Some(query) = name.strip_prefix("best: ").filter(|query| *query != "data flow") {
                line(&mut text, query, "ms", *sides, &QUERY);
            }
        }
        text
    }
}

fn line(text: &mut String, name: &str, unit: &str, sides: [f64; 2], must: &Must) {
    let [theirs, ours] = sides;
    let digits = |value: f64| if value < 10.0 { 2 } else { 0 };
    let _ = writeln!(
        text,
        "| {name} | {theirs:.*} {unit} | {ours:.*} {unit} | {:.2} | {} |",
        digits(theirs),
        digits(ours),
        ours / theirs,
        must.verdict(sides)
    );
}

/// The name of the processor, as reported by Linux.
fn processor() -> String {
    let all = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = all.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "processor unknown".to_owned(), |(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_kept_is_told_from_one_that_is_not() {
        assert_eq!(Must::AtMost(5.0).verdict([100.0, 5.0]), "at most 5: yes");
        assert_eq!(Must::TimesFlatgraph(0.5).verdict([100.0, 51.0]), "0.5 of flatgraph's: **no**");
        assert_eq!(Must::Nothing.verdict([1.0, 2.0]), "");
    }

    #[test]
    fn each_query_has_a_line() {
        let theirs = Both::from([
            ("best: callers".to_owned(), [2.0, 1.0]),
            ("best: data flow".to_owned(), [9.0, 9.0]),
        ]);
        let text = Report { theirs, differing: Some([0, 1]), scripts: Vec::new() }.tables();
        assert!(text.contains("| callers | 2.00 ms | 1.00 ms | 0.50 | 1.3 of flatgraph's: yes |"), "{text}");
        assert!(text.contains("Of 1 answers 0 differ."), "{text}");
        assert_eq!(text.matches("data flow").count(), 1, "{text}");
    }
}
