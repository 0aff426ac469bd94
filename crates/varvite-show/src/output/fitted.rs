//! [`Fitted`]: tables that fit a width. Nothing here looks for a terminal.

use std::io::{self, Write};

use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, TableStyle, Width,
};

use super::cells::{Cells, GAP};
use super::column::Column;

/// The width that a table must fit, and whether its title is still to be written.
pub(super) struct Fitted {
    width: u16,
    is_titled: bool,
    has_bold_titles: bool,
}

impl Fitted {
    /// Tables of so many columns of a terminal.
    pub(super) fn to(width: u16, has_bold_titles: bool) -> Self {
        Self { width, is_titled: false, has_bold_titles }
    }

    /// Writes the rows, a line for each; of the first ones, the title is the first.
    pub(super) fn write(
        &mut self,
        out: &mut impl Write,
        columns: &[Column],
        widths: &[usize],
        cells: &Cells,
    ) -> io::Result<()> {
        let mut table = Table::new();
        table.force_no_tty();
        if self.has_bold_titles {
            table.enforce_styling();
        }
        table.load_style(TableStyle::new());
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(self.width);
        let mut rows = cells.rows();
        if !self.is_titled {
            table.set_header(title(rows.next().into_iter().flatten(), self.has_bold_titles));
            self.is_titled = true;
        }
        for row in rows {
            let mut row = Row::from(row.map(|(text, _)| text));
            row.max_height(1);
            table.add_row(row);
        }
        for (index, (column, width)) in columns.iter().zip(widths).enumerate() {
            let Some(shown) = table.column_mut(index) else { continue };
            shown.set_padding((0, GAP as u16));
            if column.is_number {
                shown.set_cell_alignment(CellAlignment::Right);
                let width = u16::try_from(width + GAP).unwrap_or(u16::MAX);
                shown.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
            }
        }
        table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
    }
}

fn title<'a>(names: impl Iterator<Item = (&'a str, usize)>, is_bold: bool) -> Row {
    let bold = |cell: Cell| if is_bold { cell.add_attribute(Attribute::Bold) } else { cell };
    names.map(|(name, _)| bold(Cell::new(name))).collect::<Vec<Cell>>().into()
}
