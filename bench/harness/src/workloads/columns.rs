//! Questions about columns, which column engines answer too. Varvite answers them by plans, on a given number
//! of threads.
//!
//! `bench/peers/columns/README.md` defines the questions and their answers. The measured time ends when the
//! plan has run and every cell of its rows is stored in a `Table`. The answer, which is compared with that of
//! other sides, is computed from the cells after this time.

use std::path::{Path, PathBuf};

use varvite::pipeline::{Pipeline, Plan, all_nodes, between, gt};
use varvite::{Graph, Property, Task};

use super::Answer;
use super::table::Table;
pub use super::text_output::{Format, TextOutput};
use crate::Failure;

/// The conversion of rows into an answer that does not depend on choices of the engine, such as the order of
/// rows.
#[derive(Clone, Copy, Debug)]
enum Compared {
    /// The only number, or 0 if there is no row.
    Number,
    /// The number of rows, and the checksum of their lines, which are sorted bytewise.
    AnyOrder,
    /// The numbers of the last column, in the order of rows. Rows with equal numbers may come in any order,
    /// so the other columns are no part of the answer.
    LastColumn,
    /// The total number of UTF-16 units in the texts.
    Chars,
}

/// Where the steps of a question come from.
#[derive(Clone, Copy, Debug)]
enum Steps {
    /// A plan in a file, by its path from the root of the repository.
    File(&'static str),
    /// A count of the nodes whose LINE_NUMBER is in the range around the median that holds this many
    /// thousandths of all LINE_NUMBERs.
    Lines(usize),
    /// A count as [`Lines`](Self::Lines), only of nodes whose ORDER is above 2.
    LinesAndOrder(usize),
}

use Compared::{AnyOrder, Chars, LastColumn, Number};
use Steps::{File, Lines, LinesAndOrder};

/// One question that a plan answers.
struct Asked {
    name: &'static str,
    steps: Steps,
    compared: Compared,
}

const fn asked(name: &'static str, steps: Steps, compared: Compared) -> Asked {
    Asked { name, steps, compared }
}

const ASKED: [Asked; 18] = [
    asked("column_order_sum", File("bench/harness/plans/order_sum.json"), Number),
    asked("column_call_order", File("bench/harness/plans/call_order.json"), Number),
    asked("column_labels", File("bench/harness/plans/node_labels.json"), AnyOrder),
    asked("column_call_names", File("examples/plans/call_names.json"), AnyOrder),
    asked("column_last_lines", File("examples/plans/last_lines.json"), LastColumn),
    asked("column_callees", File("examples/plans/callees.json"), Chars),
    asked("column_most_called", File("examples/plans/most_called.json"), LastColumn),
    asked("column_name_frequent", File("bench/harness/plans/name_frequent.json"), Number),
    asked("column_name_rare", File("bench/harness/plans/name_rare.json"), Number),
    asked("column_name_of_five", File("bench/harness/plans/name_of_five.json"), Number),
    asked("column_lines_1", Lines(1), Number),
    asked("column_lines_100", Lines(100), Number),
    asked("column_lines_900", Lines(900), Number),
    asked("column_lines_order_1", LinesAndOrder(1), Number),
    asked("column_lines_order_100", LinesAndOrder(100), Number),
    asked("column_lines_order_900", LinesAndOrder(900), Number),
    asked("column_line_by_file", File("bench/harness/plans/lines_of_files.json"), AnyOrder),
    asked("column_order_by_label", File("bench/harness/plans/order_by_label.json"), AnyOrder),
];

/// Questions that the command `varvite` answers, because they measure the writing of output.
const WRITTEN: [(&str, Format); 2] =
    [("column_nodes_csv", Format::Csv), ("column_nodes_jsonl", Format::JsonLines)];

/// Names of all questions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ASKED.iter().map(|asked| asked.name).chain(WRITTEN.map(|(name, _)| name))
}

/// Prepares the command that answers the question `name`; `None` if no command answers it.
///
/// # Errors
/// The command fails.
pub fn written(name: &str, file: &Path, threads: usize) -> Option<Result<TextOutput, Failure>> {
    let (_, format) = WRITTEN.into_iter().find(|(known, _)| *known == name)?;
    Some(TextOutput::prepare(format, file, &path_of("bench/harness/plans/five_columns.json"), threads))
}

/// A compiled question, with the rows of its last run.
pub struct ColumnQuestion {
    plan: Plan,
    threads: usize,
    compared: Compared,
    found: Table,
}

impl ColumnQuestion {
    /// Compiles the question `name`; `None` if no question has this name.
    ///
    /// # Errors
    /// The plan cannot be read, or the graph lacks a label or property that the plan names.
    pub fn prepare(name: &str, graph: &Graph, threads: usize) -> Option<Result<Self, Failure>> {
        let asked = ASKED.iter().find(|asked| asked.name == name)?;
        let plan = asked.steps.pipeline(graph).and_then(|pipeline| Ok(pipeline.compile(graph)?));
        Some(plan.map(|plan| Self { plan, threads, compared: asked.compared, found: Table::default() }))
    }

    /// Runs the plan and keeps its rows.
    ///
    /// # Errors
    /// Faults of the file.
    pub fn ask(&mut self) -> Result<(), Failure> {
        self.found.clear();
        let mut run = self.plan.run(Task::new().threads(self.threads));
        while let Some(rows) = run.next()? {
            let columns: Vec<_> = rows.columns().collect();
            for row in 0..rows.len() {
                columns.iter().for_each(|column| self.found.push(column.get(row)));
            }
            self.found.end_rows(rows.len());
        }
        Ok(())
    }

    /// The answer of the last run.
    pub fn answer(&self) -> Answer {
        let values = match self.compared {
            Number => vec![self.found.first_number().unwrap_or_default()],
            AnyOrder => self.found.checksum_in_any_order(),
            LastColumn => self.found.last_column(),
            Chars => vec![self.found.chars()],
        };
        Answer { values, operations: 1 }
    }
}

impl Steps {
    fn pipeline(self, graph: &Graph) -> Result<Pipeline, Failure> {
        let within = |share| -> Result<Pipeline, Failure> {
            let [low, high] = bounds(&graph.property("LINE_NUMBER")?, graph.node_count(), share);
            Ok(all_nodes().has("LINE_NUMBER", between(low, high)))
        };
        match self {
            File(plan) => read(&path_of(plan)),
            Lines(share) => Ok(within(share)?.count()),
            LinesAndOrder(share) => Ok(within(share)?.has("ORDER", gt(2)).count()),
        }
    }
}

/// The range around a property's median that holds about `share` thousandths of its values. The end is
/// exclusive.
fn bounds(property: &Property, nodes: u32, share: usize) -> [i64; 2] {
    let mut cursor = property.cursor();
    let mut values: Vec<i64> = (0..nodes).filter_map(|node| cursor.number(node)).collect();
    values.sort_unstable();
    let at = |rank: usize| values.get(rank).copied().unwrap_or_default();
    let count = values.len();
    [at(count * (1000 - share) / 2000), at(count.saturating_sub(1) * (1000 + share) / 2000) + 1]
}

/// Reads the pipeline in a file.
pub(crate) fn read(path: &Path) -> Result<Pipeline, Failure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure(format!("cannot read {}: {error}", path.display())))?;
    Ok(Pipeline::from_json(&text)?)
}

/// The full path of a file in the repository.
pub(crate) fn path_of(plan: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(plan)
}
