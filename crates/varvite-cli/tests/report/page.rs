//! [`Page`]: a report, read by a strict parser.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// The elements of a report. Anything else would come from a text that was not escaped.
const ELEMENTS: [&str; 44] = [
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "nav", "ul", "li", "a",
    "main", "section", "p", "pre", "code", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr",
    "th", "td", "figure", "script", "div", "input", "label", "output", "button", "svg", "g", "rect", "text",
    "line", "br", "strong", "span",
];
/// The attributes of a report: no handlers, no styles, no sources.
const ATTRIBUTES: [&str; 37] = [
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "id",
    "class",
    "href",
    "aria-label",
    "scope",
    "hidden",
    "type",
    "size",
    "placeholder",
    "xmlns",
    "viewBox",
    "width",
    "height",
    "font-family",
    "font-size",
    "x",
    "y",
    "rx",
    "fill",
    "x1",
    "x2",
    "y1",
    "y2",
    "text-anchor",
    "stroke-opacity",
    "role",
    "tabindex",
    "for",
    "min",
    "max",
    "value",
    "colspan",
];

/// A report.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) text: String,
    pub(super) tables: Vec<Table>,
    /// The headings of sections and of their parts.
    pub(super) headings: Vec<String>,
    pub(super) listings: Vec<String>,
    /// Names with values.
    pub(super) facts: Vec<(String, String)>,
    pub(super) paragraphs: Vec<String>,
    /// The number of frames of flame graphs and of intervals of timelines.
    pub(super) groups: usize,
}

/// A table: the caption, the titles, the rows, and the number of rows that are left out.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) titles: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) more: u64,
}

impl Page {
    /// Reads a page to its end. Fails on a page that is not well-formed, and on elements and attributes that
    /// no report has.
    pub(super) fn read(html: &str) -> Self {
        let (mut page, mut open, mut text) = (Self::default(), Vec::new(), String::new());
        let mut reader = Reader::from_str(html);
        reader.config_mut().check_comments = true;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) => {
                    page.begin(&element);
                    open.push(name(&element));
                    text.clear();
                }
                Event::Empty(element) => page.begin(&element),
                Event::End(_) => page.end(&open.pop().unwrap(), &text),
                Event::Text(part) => text.push_str(&part.xml_content(XmlVersion::Explicit1_0)),
                Event::CData(_) => assert_eq!(open.last().unwrap(), "script"),
                Event::GeneralRef(reference) => text.push(character(&reference)),
                Event::DocType(_) => assert!(open.is_empty()),
                Event::Eof => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(open.is_empty());
        page.text = html.to_owned();
        page
    }

    fn begin(&mut self, element: &BytesStart<'_>) {
        let name = name(element);
        assert!(ELEMENTS.contains(&&*name), "element {name}");
        for attribute in element.attributes() {
            let attribute = attribute.unwrap();
            let key = attribute.key.as_ref().to_owned();
            assert!(ATTRIBUTES.contains(&&*key), "attribute {key} of {name}");
            assert!(key != "href" || attribute.value.starts_with('#'), "{:?}", attribute.value);
        }
        match &*name {
            "table" => self.tables.push(Table::default()),
            "tr" => self.tables.last_mut().unwrap().rows.push(Vec::new()),
            "g" => self.groups += 1,
            _ => {}
        }
    }

    fn end(&mut self, name: &str, text: &str) {
        let text = text.trim().to_owned();
        match name {
            "h2" | "h3" => self.headings.push(text),
            "pre" => self.listings.push(text),
            "dt" => self.facts.push((text, String::new())),
            "dd" => self.facts.last_mut().unwrap().1 = text,
            "caption" => self.tables.last_mut().unwrap().caption = text,
            "th" => self.tables.last_mut().unwrap().titles.push(text),
            // The text of a cell is that of the code in it, if there is some.
            "td" => self.tables.last_mut().unwrap().rows.last_mut().unwrap().push(text),
            "thead" => self.tables.last_mut().unwrap().rows.clear(),
            "p" => {
                if let Some((more, _)) = text.strip_prefix("and ").and_then(|rest| rest.split_once(" more "))
                {
                    self.tables.last_mut().unwrap().more = number(more);
                }
                self.paragraphs.push(text);
            }
            _ => {}
        }
    }

    /// The only table whose caption begins with these words.
    pub(super) fn table(&self, caption: &str) -> &Table {
        let mut tables = self.tables.iter().filter(|table| table.caption.starts_with(caption));
        let table = tables.next().unwrap_or_else(|| panic!("no table {caption}"));
        assert!(tables.next().is_none(), "two tables {caption}");
        table
    }

    pub(super) fn fact(&self, name: &str) -> &str {
        let mut facts = self.facts.iter().filter(|(known, _)| known == name);
        facts.next().map_or_else(|| panic!("no {name}"), |(_, value)| value)
    }
}

impl Table {
    /// A column by its title.
    pub(super) fn column(&self, title: &str) -> Vec<&str> {
        let place = self.titles.iter().position(|known| known == title);
        let place = place.unwrap_or_else(|| panic!("no column {title}"));
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }

    pub(super) fn numbers(&self, title: &str) -> Vec<u64> {
        self.column(title).into_iter().map(number).collect()
    }
}

/// A number with commas between groups of digits.
pub(super) fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn name(element: &BytesStart<'_>) -> String {
    element.name().as_ref().to_owned()
}

fn character(reference: &str) -> char {
    match reference {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" | "#39" => '\'',
        other => panic!("&{other};"),
    }
}
