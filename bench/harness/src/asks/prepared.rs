//! [`Prepared`]: a query whose plans are compiled for a graph.

use varvite::pipeline::{Cell, Column, Options, Plan, Rows};
use varvite::{Graph, Value, ValueType};
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
                sum = u64::wrapping_add(sum, reader.read(batch));
            }
        }
        std::hint::black_box(sum);
        Ok(if self.is_rows { rows } else { 1 })
    }
}

/// Reads all cells as a program would that shows them. The sums keep the compiler from leaving reads out.
#[derive(Default)]
struct Reader {
    /// The codes of texts and labels that were read, for each column: a program keeps a text that it has
    /// read.
    seen: Vec<Seen>,
}

impl Reader {
    fn read(&mut self, rows: Rows<'_>) -> u64 {
        if let Some(nodes) = rows.nodes() {
            return nodes.iter().map(|node| u64::from(*node)).sum();
        }
        self.seen.resize_with(rows.width().max(self.seen.len()), Seen::default);
        match (rows.numbers(), rows.column(0)) {
            (Some(numbers), Some(column)) => read_numbers(&column, numbers, &mut self.seen[0]),
            _ => rows.columns().zip(&mut self.seen).map(|(column, seen)| read_column(&column, seen)).sum(),
        }
    }
}

/// Reads rows that are values.
fn read_numbers(column: &Column<'_>, numbers: &[i64], seen: &mut Seen) -> u64 {
    if is_whole(column) {
        return numbers.iter().fold(0, |sum, number| sum.wrapping_add(*number as u64));
    }
    read_codes(column, numbers.iter().copied(), seen).unwrap_or_else(|| read_cells(column))
}

fn read_column(column: &Column<'_>, seen: &mut Seen) -> u64 {
    if column.is_list() {
        return read_cells(column);
    }
    let codes = (0..column.len()).filter_map(|row| column.number(row));
    read_codes(column, codes, seen).unwrap_or_else(|| read_cells(column))
}

/// Reads each text or label at its first occurrence. `None` if the column has neither.
fn read_codes(column: &Column<'_>, codes: impl Iterator<Item = i64>, seen: &mut Seen) -> Option<u64> {
    if let Some(names) = column.names() {
        let length = |code: i64| names[code as usize].len() as u64;
        return Some(codes.map(|code| if seen.insert(code) { length(code) } else { 1 }).sum());
    }
    let mut reader = column.texts()?.reader();
    let mut length = |code: i64| reader.str(u32::try_from(code).ok()?).map(|text| text.len() as u64);
    Some(codes.map(|code| if seen.insert(code) { length(code).unwrap_or(0) } else { 1 }).sum())
}

/// Reads all cells, those of lists too.
fn read_cells(column: &Column<'_>) -> u64 {
    (0..column.len()).flat_map(|row| column.list(row)).map(weight).sum()
}

/// Whether the numbers of a column are its values.
fn is_whole(column: &Column<'_>) -> bool {
    use ValueType::{I8, I16, I32, I64, U8, U16, U32, U64};
    matches!(column.value_type(), Some(I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64))
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
