//! [`Table`]: the rows that a question returned, stored cell by cell in buffers that the next round reuses.

use varvite::Value;
use varvite::pipeline::Cell;

use super::checksum::Crc32;

/// Rows of equal width.
#[derive(Default)]
pub(super) struct Table {
    cells: Vec<Kept>,
    /// All texts, one after another.
    texts: String,
    rows: usize,
}

#[derive(Clone, Copy)]
enum Kept {
    Nothing,
    Number(i64),
    Fraction(f64),
    /// A text, by its start and end in `Table::texts`.
    Text(usize, usize),
}

impl Table {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.texts.clear();
        self.rows = 0;
    }

    /// Adds the next cell of the row.
    pub(super) fn push(&mut self, cell: Option<Cell<'_>>) {
        let kept = match cell {
            Some(Cell::Node(node)) => Kept::Number(i64::from(node)),
            Some(Cell::Label(label)) => self.text(label),
            Some(Cell::Value(Value::Str(text))) => self.text(&text),
            Some(Cell::Value(Value::Int(number))) => Kept::Number(number),
            Some(Cell::Value(Value::Uint(number))) => Kept::Number(number as i64),
            Some(Cell::Value(Value::F64(number))) => Kept::Fraction(number),
            _ => Kept::Nothing,
        };
        self.cells.push(kept);
    }

    fn text(&mut self, text: &str) -> Kept {
        let start = self.texts.len();
        self.texts.push_str(text);
        Kept::Text(start, self.texts.len())
    }

    /// Marks `count` rows as complete.
    pub(super) fn end_rows(&mut self, count: usize) {
        self.rows += count;
    }

    pub(super) fn first_number(&self) -> Option<i64> {
        self.cells.first().and_then(number)
    }

    /// The number of rows, and the CRC-32 of their lines, which are sorted bytewise.
    pub(super) fn checksum_in_any_order(&self) -> Vec<i64> {
        let mut lines: Vec<String> = self.cells.chunks(self.width()).map(|row| self.line(row)).collect();
        lines.sort_unstable();
        let mut crc = Crc32::default();
        lines.iter().for_each(|line| crc.add(line.as_bytes()));
        vec![self.rows as i64, crc.value()]
    }

    /// The numbers of the last column, in the order of rows.
    pub(super) fn last_column(&self) -> Vec<i64> {
        self.cells.chunks(self.width()).filter_map(|row| number(row.last()?)).collect()
    }

    /// The number of UTF-16 units of all texts.
    pub(super) fn chars(&self) -> i64 {
        self.texts.encode_utf16().count() as i64
    }

    fn width(&self) -> usize {
        (self.cells.len() / self.rows.max(1)).max(1)
    }

    /// A row as a line of text in the form of the peers: cells are separated by tabs, `\N` is an absent
    /// value, and fractions have six digits.
    fn line(&self, row: &[Kept]) -> String {
        let cells = row.iter().map(|cell| match cell {
            Kept::Nothing => "\\N".to_owned(),
            Kept::Number(number) => number.to_string(),
            Kept::Fraction(number) => format!("{number:.6}"),
            Kept::Text(start, end) => self.texts[*start..*end].to_owned(),
        });
        cells.collect::<Vec<_>>().join("\t") + "\n"
    }
}

fn number(cell: &Kept) -> Option<i64> {
    if let Kept::Number(number) = cell { Some(*number) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(&'static str, i64)]) -> Table {
        let mut table = Table::default();
        for (label, count) in rows {
            table.push(Some(Cell::Label(label)));
            table.push(Some(Cell::Value(Value::Int(*count))));
        }
        table.end_rows(rows.len());
        table
    }

    #[test]
    fn columns_and_texts_are_read_back() {
        let table = table(&[("A", 1), ("größe", 2)]);
        assert_eq!(table.last_column(), [1, 2]);
        assert_eq!(table.chars(), 6);
        assert_eq!(table.line(&table.cells[2..]), "größe\t2\n");
    }

    #[test]
    fn the_order_of_groups_is_no_part_of_the_answer() {
        let (one, other) = (table(&[("A", 1), ("B", 2)]), table(&[("B", 2), ("A", 1)]));
        // python3 -c 'import zlib; print(zlib.crc32(b"A\t1\nB\t2\n"))'
        assert_eq!(one.checksum_in_any_order(), [2, 2742190646]);
        assert_eq!(other.checksum_in_any_order(), [2, 2742190646]);
        assert_ne!(table(&[("A", 2), ("B", 1)]).checksum_in_any_order(), [2, 2742190646]);
    }
}
