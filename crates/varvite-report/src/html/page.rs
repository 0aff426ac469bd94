//! [`Page`]: the text of a report while it is written.

use std::io::Write as _;

use varvite_profile::layer::{DRAWING_STYLE, FLAME_SCRIPT, FLAME_STYLE};

use super::policy::policy;
use super::table::Table;
use super::text::{escaped, shortened};

const STYLE: &str = include_str!("report.css");
/// What hides a script from readers of XML.
const SCRIPT_BEGIN: &str = "//<![CDATA[\n";
const SCRIPT_END: &str = "//]]>";

/// A page. Its methods escape their texts, apart from [`Page::drawing`].
pub(crate) struct Page {
    html: Vec<u8>,
}

impl Page {
    /// Begins a page with this title, and links to its sections by their names and titles.
    pub(crate) fn begin<'s>(title: &str, sections: impl Iterator<Item = (&'s str, &'s str)>) -> Self {
        let style = format!("\n{STYLE}{DRAWING_STYLE}\n{FLAME_STYLE}");
        let policy = policy(&style, &script());
        let title = escaped(title);
        let mut page = Self { html: Vec::new() };
        page.put(&format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"/>\n\
             <meta name=\"referrer\" content=\"no-referrer\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n\
             <header><h1>{title}</h1></header>\n<nav aria-label=\"Sections\"><ul>\n"
        ));
        for (name, title) in sections {
            page.put(&format!("<li><a href=\"#{name}\">{}</a></li>\n", escaped(title)));
        }
        page.put("</ul></nav>\n<main>\n");
        page
    }

    /// Ends the page, and returns its text.
    pub(crate) fn end(mut self) -> Vec<u8> {
        self.put(&format!("</main>\n<script>{}</script>\n</body>\n</html>\n", script()));
        self.html
    }

    /// Begins a section. `name` is its address in the page, and no text of a graph.
    pub(crate) fn begin_section(&mut self, name: &str, title: &str) {
        self.put(&format!("<section id=\"{name}\">\n<h2>{}</h2>\n", escaped(title)));
    }

    pub(crate) fn end_section(&mut self) {
        self.put("</section>\n");
    }

    /// The heading of a part of a section.
    pub(crate) fn heading(&mut self, text: &str) {
        self.put(&format!("<h3>{}</h3>\n", escaped(text)));
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        self.put(&format!("<p>{}</p>\n", escaped(text)));
    }

    /// A paragraph in a smaller type: a source, a caveat, an explanation.
    pub(crate) fn note(&mut self, text: &str) {
        self.put(&format!("<p class=\"note\">{}</p>\n", escaped(text)));
    }

    /// A text in its own lines, such as a query.
    pub(crate) fn listing(&mut self, text: &str) {
        let lines: Vec<String> = text.lines().map(escaped).collect();
        self.put(&format!("<pre>{}</pre>\n", lines.join("\n")));
    }

    /// Names with their values.
    pub(crate) fn facts(&mut self, facts: &[(&str, String)]) {
        self.put("<dl>\n");
        for (name, value) in facts {
            self.put(&format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(&shortened(value))));
        }
        self.put("</dl>\n");
    }

    /// A table. A table without rows is left out.
    pub(crate) fn table(&mut self, table: &Table) {
        table.write(&mut self.html);
    }

    /// Tables side by side, as far as the page is wide enough.
    pub(crate) fn tables(&mut self, tables: &[Table]) {
        self.put("<div class=\"row\">\n");
        for table in tables {
            self.put("<div>\n");
            self.table(table);
            self.put("</div>\n");
        }
        self.put("</div>\n");
    }

    /// A drawing, which its writer has escaped.
    pub(crate) fn drawing(&mut self, svg: &[u8]) {
        self.put("<figure>\n");
        self.html.extend_from_slice(svg);
        self.put("</figure>\n");
    }

    fn put(&mut self, html: &str) {
        self.html.write_all(html.as_bytes()).expect("writing to memory does not fail");
    }
}

fn script() -> String {
    format!("{SCRIPT_BEGIN}{FLAME_SCRIPT}{SCRIPT_END}")
}
