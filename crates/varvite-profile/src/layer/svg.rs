//! What drawings have in common: how they begin, and text in them.

use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes the head of a drawing of so many pixels, with its title above what follows. It ends with `</svg>`.
pub(super) fn write_head(
    title: &str,
    (width, height): (f64, f64),
    left: f64,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"24\" font-size=\"15\">{0}</text>",
        escaped(title)
    )
}

/// Text for XML: without characters that it gives a meaning to, or can't hold.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => {
                _ = write!(escaped, "{}", char::REPLACEMENT_CHARACTER);
            }
            character => escaped.push(character),
        }
    }
    escaped
}
