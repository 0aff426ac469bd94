//! Plans on one thread and on two, as Markdown.

use crate::record::figures::Figures;
use crate::record::results::{COMPACT_1, COMPACT_2, Results, Row};
use crate::report::prose::wrapped;
use crate::report::table::{figure, header, line};

/// The speed of each plan on two threads, as a multiple of that on one.
pub(crate) fn thread_ratios(results: &Results) -> Figures {
    let plans = results.rows.iter().filter(|row| row.is_about_plans());
    Figures { samples: plans.filter_map(thread_ratio).collect() }
}

fn thread_ratio(row: &Row) -> Option<f64> {
    row.ratio(COMPACT_1, COMPACT_2)
}

/// The section about plans: the table, with the plans that gain least first, and the text that explains it.
/// `None` for a run without plans.
pub(crate) fn plans_section(results: &Results) -> Option<String> {
    let mut rows: Vec<&Row> = results.rows.iter().filter(|row| row.is_about_plans()).collect();
    rows.sort_by(|a, b| thread_ratio(a).partial_cmp(&thread_ratio(b)).unwrap_or(std::cmp::Ordering::Equal));
    let ratios = thread_ratios(results);
    let words = format!(
        "Each plan of `examples/plans` in the profile `compact`, run to its last row in a process that has run it before, in \
         turns; text is not written. On two threads they are {:.2} times as fast in the median, {:.2} times at least. A plan of less \
         than a millisecond starts no second thread.",
        ratios.median()?,
        ratios.min()?,
    );
    let mut table = header(&["", "1 thread", "2 threads", "times as fast"]);
    for row in rows {
        let ratio = thread_ratio(row).map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}"));
        table.push_str(&line(&[row.title.clone(), figure(row, COMPACT_1), figure(row, COMPACT_2), ratio]));
    }
    Some(format!("## Plans on one thread and on two\n\n{}\n\n{table}", wrapped(&words)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use crate::record::results::Subject;
    use serde_json::Value;

    #[test]
    fn the_plan_that_gains_least_comes_first() {
        let row = |name: &str, one: f64, two: f64| {
            let mut row = Row::new(&format!("plan_{name}"), name, Unit::Time);
            row.add(COMPACT_1, one * 1e6);
            row.add(COMPACT_2, two * 1e6);
            row
        };
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 3, edges: 5 };
        let rows = vec![row("callers", 4.0, 2.0), row("labels", 3.0, 3.0), row("tokens", 6.0, 4.0)];
        let results = Results { subject, circumstances: Value::Null, rows, memory: Vec::new() };
        let section = plans_section(&results).unwrap();
        let names: Vec<&str> =
            section.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()).collect();
        assert_eq!(names[names.len() - 3..], ["labels", "tokens", "callers"]);
        assert!(section.contains("1.50 times as fast in the median, 1.00 times at least"), "{section}");
    }
}
