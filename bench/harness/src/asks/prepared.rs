//! [`Prepared`]: a query whose plans are compiled for a graph.

use varvite::pipeline::{Cell, Column, Options, Plan, Rows};
use varvite::{Graph, Value};
use varvite_text::Answer;

use crate::Failure;

/// A compiled query, ready to run again and again.
pub(super) struct Prepared {
    plans: Vec<Plan>,
    /// Whether the answer is the rows of the only plan; otherwise it is one value.
    is_rows: bool,
}

impl Prepared {
    /// Translates and compiles a query.
    pub(super) fn compile(text: &str, graph: &Graph) -> Result<Self, Failure> {
        let query = varvite_text::translate(text).map_err(|error| Failure(error.pointed(text)))?;
        let compile = |plan: &_| varvite_text::compile(plan, graph);
        let plans: Result<_, _> = match &query.answer {
            Answer::Exists(plan) | Answer::First { plan, .. } => {
                compile(&plan.clone().limit(1)).map(|plan| vec![plan])
            }
            _ => query.plans().into_iter().map(compile).collect(),
        };
        Ok(Self { plans: plans?, is_rows: matches!(query.answer, Answer::Rows(_)) })
    }

    /// Runs all plans, and reads every cell of their rows. Returns the number of the answer's rows.
    pub(super) fn run(&self) -> Result<u64, Failure> {
        let (mut rows, mut sum) = (0, 0);
        for plan in &self.plans {
            let (mut run, mut reader) = (plan.run(Options::default()), Reader::default());
            while let Some(batch) = run.next()? {
                rows += batch.len() as u64;
                sum += reader.read(batch);
            }
        }
        std::hint::black_box(sum);
        Ok(if self.is_rows { rows } else { 1 })
    }
}

/// Reads all cells as a program would that shows them. The sums keep the compiler from leaving reads out.
#[derive(Default)]
struct Reader {
    /// The numbers of texts that were read, for each column: a program keeps a text that it has decoded.
    texts: Vec<Seen>,
}

impl Reader {
    fn read(&mut self, rows: Rows<'_>) -> u64 {
        if let Some(nodes) = rows.nodes() {
            return nodes.iter().map(|node| u64::from(*node)).sum();
        }
        self.texts.resize_with(rows.width().max(self.texts.len()), Seen::default);
        let columns = (0..rows.width()).filter_map(|index| Some((index, rows.column(index)?)));
        columns.map(|(index, column)| read_column(&column, &mut self.texts[index])).sum()
    }
}

fn read_column(column: &Column<'_>, texts: &mut Seen) -> u64 {
    let is_text = column.texts().is_some() && !column.is_list();
    let cell = |row| match column.number(row).filter(|_| is_text) {
        Some(code) if !texts.insert(code) => 1,
        _ => column.get(row).map_or(0, weight),
    };
    (0..column.len()).map(cell).sum()
}

fn weight(cell: Cell<'_>) -> u64 {
    match cell {
        Cell::Node(node) => u64::from(node),
        Cell::Label(label) => label.len() as u64,
        Cell::Value(Value::Str(text)) => text.len() as u64,
        _ => 1,
    }
}

/// The numbers that were seen, as bits.
#[derive(Default)]
struct Seen(Vec<u64>);

impl Seen {
    /// Adds a number. Returns whether it is new; negative numbers always are.
    fn insert(&mut self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return true };
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_new_once() {
        let mut seen = Seen::default();
        assert_eq!(
            [5, 700, 5, -1, -1, 700].map(|number| seen.insert(number)),
            [true, true, false, true, true, false]
        );
    }
}
