//! [`Fitted`]: tables that fit a terminal.

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
}

impl Fitted {
    /// The terminal at hand.
    pub(super) fn of_terminal() -> Option<Self> {
        Self::to(Table::new().width())
    }

    /// A terminal that claims no columns at all does not know how many it has.
    pub(super) fn to(width: Option<u16>) -> Option<Self> {
        width.filter(|width| *width > 0).map(|width| Self { width, is_titled: false })
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
        table.load_style(TableStyle::new());
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(self.width);
        let mut rows = cells.rows();
        if !self.is_titled {
            table.set_header(title(rows.next().into_iter().flatten()));
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

fn title<'a>(names: impl Iterator<Item = (&'a str, usize)>) -> Row {
    let is_bold = wants_colour();
    let bold = |cell: Cell| if is_bold { cell.add_attribute(Attribute::Bold) } else { cell };
    names.map(|(name, _)| bold(Cell::new(name))).collect::<Vec<Cell>>().into()
}

/// Colour is for terminals, unless the user or the terminal says no: see <https://no-color.org>.
fn wants_colour() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
