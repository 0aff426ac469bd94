//! The table of a program: a row for each way to run it, with medians, and the least and the most of the
//! times.

use std::fmt::Write;

use super::measure::{Measured, Recorded, Run, Way};

const HEAD: &str = "\
| how | s | least to most | slow-down | processor s | records | M records/s | bytes a record | MB |
|---|---|---|---|---|---|---|---|---|
";

/// The table as Markdown.
pub(super) fn of(program: &str, measured: &[Measured]) -> String {
    let mut text = format!("{program}\n\n{HEAD}");
    for row in measured {
        let seconds = sorted(row, |run| run.seconds);
        let base = measured.iter().find(|other| other.way == row.way.base());
        let base = base.map_or(f64::NAN, |base| median(&sorted(base, |run| run.seconds)));
        let (least, most) = (seconds[0], seconds[seconds.len() - 1]);
        let processor = median(&sorted(row, |run| run.processor_seconds));
        let time = median(&seconds);
        let _ = writeln!(
            text,
            "| {} | {time:.3} | {least:.3} to {most:.3} | {} | {processor:.2} | {} |",
            row.way.words(),
            slow_down(row.way, time / base),
            of_recording(row, time),
        );
    }
    text
}

fn slow_down(way: Way, factor: f64) -> String {
    if way == way.base() { String::new() } else { format!("{factor:.1}") }
}

/// The cells about the trace; empty if the program was not recorded.
fn of_recording(measured: &Measured, seconds: f64) -> String {
    let of = |number: fn(&Recorded) -> f64| {
        let numbers = sorted(measured, |run| run.recorded.as_ref().map_or(f64::NAN, number));
        median(&numbers)
    };
    let records = of(|recorded| recorded.records as f64);
    if records.is_nan() {
        return " | | | ".to_owned();
    }
    format!(
        "{records:.0} | {:.1} | {:.3} | {:.0}",
        records / seconds / 1e6,
        of(|recorded| recorded.file_bytes as f64) / records,
        of(|recorded| recorded.memory_bytes as f64) / 1e6,
    )
}

fn sorted(measured: &Measured, number: impl Fn(&Run) -> f64) -> Vec<f64> {
    let mut numbers: Vec<f64> = measured.runs.iter().map(number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        len if len % 2 == 1 => sorted[len / 2],
        len => f64::midpoint(sorted[len / 2 - 1], sorted[len / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(way: Way, seconds: &[f64], records: Option<u64>) -> Measured {
        let recorded =
            records.map(|records| Recorded { records, file_bytes: records / 2, memory_bytes: 7_000_000 });
        let run = |seconds: &f64| Run { seconds: *seconds, processor_seconds: 2.0 * seconds, recorded };
        Measured { way, runs: seconds.iter().map(run).collect() }
    }

    #[test]
    fn rows_have_medians_spreads_and_factors_of_the_run_alone() {
        let measured =
            [runs(Way::Alone, &[0.2, 0.1, 0.4], None), runs(Way::Recorded, &[4.0, 8.0], Some(12_000_000))];
        let rows = "\
| alone | 0.200 | 0.100 to 0.400 |  | 0.40 |  | | |  |
| varvite trace record | 6.000 | 4.000 to 8.000 | 30.0 | 12.00 | 12000000 | 2.0 | 0.500 | 7 |
";
        assert_eq!(of("zlib", &measured), format!("zlib\n\n{HEAD}{rows}"));
    }
}
