//! [`Table`]: a table of a page.

use std::io::Write as _;

use varvite_show::{counted, thousands};

use super::text::{escaped, shortened};

/// The number of shades of heat.
const SHADES: f64 = 9.0;

/// A table with a caption. Its rows are the first of a list, of which the others are only counted.
pub(crate) struct Table {
    caption: String,
    titles: Vec<Title>,
    rows: Vec<Vec<Cell>>,
    /// The number of rows that are left out, and their noun.
    more: (u64, &'static str),
}

/// The title of a column.
pub(crate) enum Title {
    Text(String),
    Number(String),
}

/// A cell.
pub(crate) enum Cell {
    Empty,
    Text(String),
    /// Code, in a type whose characters have one width.
    Code(String),
    Number(u64),
    /// A text that is a number, such as a size.
    Amount(String),
    /// A number or size, and its share of the largest one of its column, from 0 to 1.
    Heat(String, f64),
}

impl Title {
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(crate) fn number(text: &str) -> Self {
        Self::Number(text.to_owned())
    }
}

impl Cell {
    /// A number and its heat. `most` is the largest number of the column.
    pub(crate) fn heat(number: u64, most: u64) -> Self {
        Self::Heat(thousands(number), number as f64 / most.max(1) as f64)
    }
}

impl Table {
    pub(crate) fn new(caption: &str, titles: Vec<Title>) -> Self {
        Self { caption: caption.to_owned(), titles, rows: Vec::new(), more: (0, "row") }
    }

    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.titles.len());
        self.rows.push(row);
    }

    /// The number of rows of the whole list, in the singular of their noun.
    pub(crate) fn of_all(&mut self, all: u64, noun: &'static str) {
        self.more = (all.saturating_sub(self.rows.len() as u64), noun);
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        if self.rows.is_empty() {
            return;
        }
        let mut put = |html: &str| out.write_all(html.as_bytes()).expect("writing to memory does not fail");
        put(&format!("<table>\n<caption>{}</caption>\n<thead><tr>", escaped(&self.caption)));
        for title in &self.titles {
            match title {
                Title::Text(text) => put(&format!("<th scope=\"col\">{}</th>", escaped(text))),
                Title::Number(text) => put(&format!("<th scope=\"col\" class=\"n\">{}</th>", escaped(text))),
            }
        }
        put("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            put("<tr>");
            row.iter().for_each(|cell| put(&cell.html()));
            put("</tr>\n");
        }
        put("</tbody>\n</table>\n");
        if let (more @ 1.., noun) = self.more {
            put(&format!("<p class=\"more\">and {}</p>\n", counted(more, &format!("more {noun}"))));
        }
    }
}

impl Cell {
    fn html(&self) -> String {
        match self {
            Self::Empty => "<td></td>".to_owned(),
            Self::Text(text) => format!("<td>{}</td>", escaped(&shortened(text))),
            Self::Code(text) => format!("<td><code>{}</code></td>", escaped(&shortened(text))),
            Self::Number(number) => format!("<td class=\"n\">{}</td>", thousands(*number)),
            Self::Amount(text) => format!("<td class=\"n\">{}</td>", escaped(&shortened(text))),
            Self::Heat(text, share) => {
                let shade = (share.clamp(0.0, 1.0) * SHADES).ceil() as u32;
                format!("<td class=\"n h{shade}\">{}</td>", escaped(text))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(table: &Table) -> String {
        let mut out = Vec::new();
        table.write(&mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    #[test]
    fn a_table_says_how_many_rows_it_leaves_out() {
        let mut table = Table::new("<names>", vec![Title::text("name"), Title::number("count")]);
        assert_eq!(html(&table), "");
        table.push(vec![Cell::Code("a<b".to_owned()), Cell::heat(1234, 2468)]);
        table.of_all(1, "name");
        assert!(!html(&table).contains("more"));
        table.of_all(1002, "name");
        let text = html(&table);
        for part in [
            "<caption>&lt;names&gt;</caption>",
            "<th scope=\"col\" class=\"n\">count</th>",
            "<code>a&lt;b</code></td><td class=\"n h5\">1,234</td>",
            "<p class=\"more\">and 1,001 more names</p>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
