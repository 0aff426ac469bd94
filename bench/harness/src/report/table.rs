//! The table that all pages use: a line for each row of results, a column for each side, and columns of
//! ratios to peers.

use crate::record::figures::ratio_text;
use crate::record::results::Row;

/// A column of a table: its title, and the text of a cell.
pub struct Column<'a> {
    title: String,
    cell: Box<dyn Fn(&Row) -> String + 'a>,
}

impl<'a> Column<'a> {
    /// A column whose cells are any texts.
    pub fn new(title: impl Into<String>, cell: impl Fn(&Row) -> String + 'a) -> Self {
        Self { title: title.into(), cell: Box::new(cell) }
    }

    /// A column of a side: its median and spread, or `-` if the side was not measured.
    pub fn side(title: impl Into<String>, side: &'a str) -> Self {
        Self::new(title, move |row| row.text(side))
    }

    /// A column of ratios, such as `3.1 / 2.0 / **0.9**`. A ratio is a peer's figure divided by that of a
    /// side, and is bold if the peer is better. The cell is empty if the row has no ratio.
    pub fn ratios(title: impl Into<String>, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self::ratios_as(ratio_text, title, pairs)
    }

    /// A column of ratios, whose texts the function `text` makes.
    pub fn ratios_as(
        text: fn(f64) -> String,
        title: impl Into<String>,
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let pairs: Vec<_> = pairs.into_iter().collect();
        Self::new(title, move |row| {
            let ratios: Vec<_> = pairs.iter().map(|(peer, side)| row.ratio(peer, side)).collect();
            let texts = ratios.iter().map(|ratio| match ratio {
                Some(ratio) if *ratio < 1.0 => format!("**{}**", text(*ratio)),
                Some(ratio) => text(*ratio),
                None => "-".into(),
            });
            let texts: Vec<String> = texts.collect();
            if ratios.iter().all(Option::is_none) { String::new() } else { texts.join(" / ") }
        })
    }
}

/// The text of a ratio with two decimals.
pub(crate) fn exact(ratio: f64) -> String {
    format!("{ratio:.2}")
}

/// A table in Markdown: a first column with the titles of the rows, then `columns`. Empty if there are no
/// rows.
pub fn table<'r>(corner: &str, rows: impl IntoIterator<Item = &'r Row>, columns: &[Column<'_>]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let with = |first: String, cell: &dyn Fn(&Column<'_>) -> String| {
        line(std::iter::once(first).chain(columns.iter().map(cell)).collect())
    };
    let lines: String =
        rows.into_iter().map(|row| with(row.title.clone(), &|column| (column.cell)(row))).collect();
    if lines.is_empty() {
        return lines;
    }
    let head = with(corner.into(), &|column| column.title.clone());
    format!("{head}{}{lines}", with("---".into(), &|_| "---:".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;

    #[test]
    fn a_row_has_a_figure_for_each_side_and_ratios() {
        let mut walk = Row::new("walk", "AST below", Unit::Time);
        [("peer", 635.0), ("direct", 290.0), ("archive", 800.0)]
            .into_iter()
            .for_each(|(side, ms)| walk.add(side, ms * 1e6));
        let mut import = Row::new("import", "import", Unit::Time);
        import.extend("direct", [2e9, 4e9]);
        let columns = [
            Column::side("theirs", "peer"),
            Column::side("ours", "direct"),
            Column::ratios("times better", [("peer", "direct"), ("peer", "compact"), ("peer", "archive")]),
            Column::ratios_as(exact, "exactly", [("peer", "direct")]),
        ];
        let expected = "\
| of | theirs | ours | times better | exactly |
| --- | ---: | ---: | ---: | ---: |
| AST below | 635 ms | 290 ms | 2.2 / - / **0.79** | 2.19 |
| import | - | 3.00 s (2.00-4.00) |  |  |
";
        assert_eq!(table("of", [&walk, &import], &columns), expected);
        assert_eq!(table("of", [], &columns), "");
    }
}
