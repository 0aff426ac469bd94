//! [`Fitted`]: tables that fit a width, with a line for each row. This module does not detect a terminal.
//!
//! Columns of code are cut first, then other texts, the widest first. Numbers, and columns that must stay
//! whole, are never cut; if they alone are wider than the terminal, lines are longer than its width. A column
//! without any value is left out if all rows are known before the first line is written.

use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;

use super::cells::{Cells, GAP};
use super::column::Column;

/// The minimum width of a text that was cut, including the mark of the cut.
const WIDTH_MIN: usize = 8;
/// The mark at the end of a text that was cut.
const CUT: &str = "…";
/// The escape sequences before and after a bold title.
const BOLD: [&str; 2] = ["\u{1b}[1m", "\u{1b}[0m"];

/// The width that a table must fit, and whether its title was written.
pub(super) struct Fitted {
    width: usize,
    is_titled: bool,
    has_bold_titles: bool,
    /// The indexes of the shown columns. `None` until the title is written.
    shown: Option<Vec<usize>>,
}

impl Fitted {
    /// Makes a table fit this width, in terminal columns.
    pub(super) fn to(width: u16, has_bold_titles: bool) -> Self {
        Self { width: width.into(), is_titled: false, has_bold_titles, shown: None }
    }

    /// Writes one line for each row. In the first call, the first row is the title. `are_all` means that no
    /// further rows will come.
    pub(super) fn write(
        &mut self,
        out: &mut impl Write,
        columns: &[Column],
        widths: &[usize],
        cells: &Cells,
        are_all: bool,
    ) -> io::Result<()> {
        let has_title = !std::mem::replace(&mut self.is_titled, true);
        let shown = self.shown.get_or_insert_with(|| match are_all && cells.row_count() > 1 {
            true => columns_with_values(columns.len(), cells),
            false => (0..columns.len()).collect(),
        });
        let fit = fit(columns, widths, shown, self.width);
        let mut line = String::new();
        for (number, row) in cells.rows().enumerate() {
            let row: Vec<(&str, usize)> = row.collect();
            line.clear();
            for (place, (index, most)) in shown.iter().zip(&fit).enumerate() {
                let (text, width) = cut(row[*index], *most);
                let blanks = most.saturating_sub(width);
                let before = if columns[*index].is_number { blanks } else { 0 };
                let gap = if place + 1 == shown.len() { 0 } else { GAP };
                let is_bold = has_title && number == 0 && self.has_bold_titles;
                let [begin, end] = if is_bold { BOLD } else { [""; 2] };
                line.extend(std::iter::repeat_n(' ', before));
                line.extend([begin, text.as_ref(), end]);
                line.extend(std::iter::repeat_n(' ', blanks - before + gap));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// The columns that have a non-empty cell in any row after the title; all columns if no cell has a value.
fn columns_with_values(columns: usize, cells: &Cells) -> Vec<usize> {
    let mut has_value = vec![false; columns];
    for row in cells.rows().skip(1) {
        has_value.iter_mut().zip(row).for_each(|(has, (text, _))| *has |= !text.is_empty());
    }
    let shown: Vec<usize> = (0..columns).filter(|index| has_value[*index]).collect();
    if shown.is_empty() { (0..columns).collect() } else { shown }
}

/// The width of each shown column.
fn fit(columns: &[Column], widths: &[usize], shown: &[usize], width: usize) -> Vec<usize> {
    let mut fit: Vec<usize> = shown.iter().map(|index| widths[*index]).collect();
    let total = fit.iter().sum::<usize>() + GAP * shown.len().saturating_sub(1);
    // Width 0 means that the width is unknown; then nothing is cut.
    let mut over = if width == 0 { 0 } else { total.saturating_sub(width) };
    for is_of_pass in [Column::is_code as fn(&Column) -> bool, Column::may_be_cut] {
        while over > 0 {
            let wide = (0..fit.len()).filter(|place| is_of_pass(&columns[shown[*place]]));
            let Some(widest) = wide.max_by_key(|place| fit[*place]).filter(|place| fit[*place] > WIDTH_MIN)
            else {
                break;
            };
            fit[widest] -= 1;
            over -= 1;
        }
    }
    fit
}

/// The text, cut if it is wider than `most`, and its width after the cut.
fn cut((text, width): (&str, usize), most: usize) -> (std::borrow::Cow<'_, str>, usize) {
    if width <= most {
        return (text.into(), width);
    }
    let (mut end, mut taken) = (0, 0);
    for (at, character) in text.char_indices() {
        let width = character.width().unwrap_or(0);
        if taken + width + 1 > most {
            break;
        }
        (end, taken) = (at + character.len_utf8(), taken + width);
    }
    (format!("{}{CUT}", &text[..end]).into(), taken + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: u16, columns: &[Column], rows: &[&[&str]]) -> String {
        let mut cells = Cells::new(columns.len());
        columns.iter().for_each(|column| cells.push(column.name()));
        rows.iter().flat_map(|row| row.iter()).for_each(|cell| cells.push(cell));
        let mut widths = vec![0; columns.len()];
        for row in cells.rows() {
            widths.iter_mut().zip(row).for_each(|(widest, (_, width))| *widest = width.max(*widest));
        }
        let mut out = Vec::new();
        Fitted::to(width, false).write(&mut out, columns, &widths, &cells, true).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn code_is_cut_before_names_and_places_never() {
        let columns = [Column::text("name"), Column::text("location").whole(), Column::text("CODE")];
        let row: [&str; 3] =
            ["deflate_stored", "src/deflate.c:1627", "local block_state deflate_stored(s, flush)"];
        let text = written(46, &columns, &[&row]);
        let expected = "name            location            CODE\n\
                        deflate_stored  src/deflate.c:1627  local blo…\n";
        assert_eq!(text, expected);
        let text = written(20, &columns, &[&row]);
        assert!(text.contains("src/deflate.c:1627") && text.contains("deflate…  "), "{text}");
    }

    #[test]
    fn a_column_without_values_is_left_out() {
        let columns = [Column::text("a"), Column::text("b"), Column::number("c")];
        assert_eq!(written(40, &columns, &[&["x", "", "1"], &["y", "", "22"]]), "a   c\nx   1\ny  22\n");
        assert_eq!(written(40, &columns, &[]), "a  b  c\n");
    }

    #[test]
    fn indentation_stays() {
        let columns = [Column::text("label").whole(), Column::text("CODE")];
        let text =
            written(24, &columns, &[&["METHOD", "int main()"], &["    CALL", "printf(\"long text\")"]]);
        assert_eq!(text, "label     CODE\nMETHOD    int main()\n    CALL  printf(\"long …\n");
    }

    #[test]
    fn wide_characters_are_cut_by_columns_of_the_terminal() {
        assert_eq!(cut(("大小大小", 8), 6), ("大小…".into(), 5));
    }
}
