//! Common parts of drawings: their beginning, and formatted text.

use std::fmt::Write as _;
use std::io::{self, Write};

use varvite_cpg::characters::{is_treacherous, shortened};

/// What a drawing is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// A file of its own.
    File,
    /// A page that has [`STYLE`].
    Page,
}

/// Colours of everything except the bars, for light and dark themes.
pub(super) const STYLE: &str = ".paper { fill: #fff } .head { fill: #000 } .axis { stroke: #888 } \
    @media (prefers-color-scheme: dark) { .paper { fill: #1c1c1e } .head { fill: #ddd } }";

/// The most characters of a title. It may have the name of a layer, or the command line of a program.
const TITLE_MAX: usize = 200;

/// The beginning of a title, for XML.
pub(super) fn title_of(title: &str) -> String {
    escaped(&shortened(title, TITLE_MAX))
}

/// Writes the beginning of a drawing with this title and this size in pixels. The caller must end the drawing
/// with `</svg>`.
pub(super) fn write_head(
    host: Host,
    title: &str,
    (width, height): (f64, f64),
    left: f64,
    out: &mut impl Write,
) -> io::Result<()> {
    let style = match host {
        Host::File => format!("<style>{STYLE}</style>\n"),
        Host::Page => String::new(),
    };
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{0}</title>\n{style}<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n\
         <text class=\"head\" x=\"{left}\" y=\"24\" font-size=\"15\">{0}</text>",
        title_of(title)
    )
}

/// A number with a comma between groups of three digits.
pub(super) fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut told = String::from(if number < 0 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

/// A number of bytes in a unit in which it has one to four digits, such as `1.5 MiB`.
pub(super) fn bytes(number: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut units = UNITS.iter();
    let (mut number, mut unit) = (number, "bytes");
    while number >= 1024.0 {
        let Some(next) = units.next() else { break };
        (number, unit) = (number / 1024.0, next);
    }
    if unit == "bytes" || number.fract() < 0.05 {
        format!("{number:.0} {unit}")
    } else {
        format!("{number:.1} {unit}")
    }
}

/// Text in which characters that mislead are shown by their numbers.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|character| push_visible(character, &mut shown));
    shown
}

fn push_visible(character: char, shown: &mut String) {
    match has_to_be_numbered(character) {
        true => {
            write!(shown, "\\u{{{:x}}}", u32::from(character)).expect("writing to a string does not fail")
        }
        false => shown.push(character),
    }
}

/// Text for XML: characters that have a meaning in XML are escaped. Characters that XML can't contain, and
/// those that would hide or reverse the text beside them, are shown by their numbers, such as `\u{202e}`.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            character => push_visible(character, &mut escaped),
        }
    }
    escaped
}

/// Whether XML can't contain a character, or the character misleads.
fn has_to_be_numbered(character: char) -> bool {
    is_treacherous(character) || matches!(character, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_neither_ends_an_element_nor_turns_its_neighbours_around() {
        assert_eq!(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
        assert_eq!(escaped("a\u{202e}b\u{1b}[2J\u{2066}\u{ffff}ä"), r"a\u{202e}b\u{1b}[2J\u{2066}\u{ffff}ä");
    }

    #[test]
    fn numbers_are_written_for_people() {
        for (number, told) in
            [(0, "0"), (-999, "-999"), (1000, "1,000"), (i64::MIN, "-9,223,372,036,854,775,808")]
        {
            assert_eq!(thousands(number), told);
        }
        for (number, told) in
            [(0.0, "0 bytes"), (1023.0, "1023 bytes"), (1536.0, "1.5 KiB"), (1048576.0, "1 MiB")]
        {
            assert_eq!(bytes(number), told);
        }
    }
}
