//! Writes a drawing as SVG, which browsers draw, and editors embed.
//!
//! A node has its label and location above its code. Edges of different labels differ in their dashes, so a
//! print without colours shows them too. Colours follow the light or dark theme of the reader.

use std::fmt::Write as _;
use std::io::Write;

use quick_xml::escape::escape;
use varvite_show::escaped;

use crate::drawing::{Drawing, DrawnNode};
use crate::error::Result;
use crate::placed::{Arrow, CHAR_WIDTH, LINE_HEIGHT, PADDING, Placed, PlacedBox};

/// Colours, for light and dark themes.
const STYLE: &str = ".paper{fill:#fff}.box{fill:#f6f6f4;stroke:#555}.METHOD .box{stroke-width:2.5}\
    .code,.title{fill:#000}.head,.edge-text{fill:#444}.edge{fill:none;stroke:#444}.tip{fill:#444}\
    a .head{text-decoration:underline}\
    @media (prefers-color-scheme:dark){.paper{fill:#1c1c1e}.box{fill:#2a2a2e;stroke:#aaa}\
    .code,.title{fill:#eee}.head,.edge-text{fill:#bbb}.edge{stroke:#bbb}.tip{fill:#bbb}}\
    @media print{.paper{fill:#fff}.box{fill:#fff;stroke:#000}.code,.title,.head,.edge-text,.tip{fill:#000}\
    .edge{stroke:#000}}";
/// The dashes of edges by the position of their label; further labels have the last ones.
const DASHES: [&str; 4] = ["none", "6 3", "2 3", "9 3 2 3"];
/// The space above the drawing for its title, and for the list of edge labels.
const TITLE_HEIGHT: f64 = 30.0;

impl Drawing {
    /// Writes the drawing as SVG. The location of a node is a link to `links` followed by its file and `#L`
    /// with its line, as GitHub and GitLab name lines; with an empty `links`, to the file beside the drawing.
    ///
    /// **Cost**: that of [`Drawing::placed`].
    ///
    /// # Errors
    /// [`DrawError`](crate::DrawError) if the part is too dense, or for an error of the writer.
    pub fn write_svg(&self, links: &str, out: &mut dyn Write) -> Result<()> {
        self.write_svg_of(&self.placed()?, links, out)
    }

    /// The same as [`Drawing::write_svg`], with the places that [`Drawing::placed`] has given.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_svg_of(&self, placed: &Placed, links: &str, out: &mut dyn Write) -> Result<()> {
        let labels = self.edge_labels();
        self.write_head(placed, &labels, out)?;
        writeln!(out, "<g transform=\"translate(0 {TITLE_HEIGHT})\">")?;
        for (edge, arrow) in self.edges.iter().zip(&placed.arrows) {
            let dashes = labels.iter().position(|label| *label == edge.label).unwrap_or(0);
            write_arrow(arrow, DASHES[dashes.min(DASHES.len() - 1)], out)?;
        }
        for (node, placed) in self.nodes.iter().zip(&placed.boxes) {
            write_box(node, placed, links, out)?;
        }
        Ok(writeln!(out, "</g>\n</svg>")?)
    }

    fn write_head(&self, placed: &Placed, labels: &[&str], out: &mut dyn Write) -> Result<()> {
        let mut title = self.title.clone();
        if self.cut > 0 {
            _ = write!(title, " (+{} more)", self.cut);
        }
        if labels.len() > 1 {
            _ = write!(title, ": {}", labels.join(", "));
        }
        let title = text(&title);
        let width = placed.width.max((title.chars().count() + 4) as f64 * CHAR_WIDTH);
        let height = placed.height + TITLE_HEIGHT;
        Ok(writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"monospace\" font-size=\"12\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
             markerHeight=\"8\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"16\" y=\"22\" font-size=\"14\">{title}</text>"
        )?)
    }
}

fn write_arrow(arrow: &Arrow, dashes: &str, out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "<path class=\"edge\" d=\"{}\" stroke-dasharray=\"{dashes}\" marker-end=\"url(#tip)\"/>",
        curve(&arrow.points)
    )?;
    if !arrow.text.is_empty() {
        let (x, y) = (arrow.text_at.0, arrow.text_at.1 + LINE_HEIGHT / 4.0);
        writeln!(
            out,
            "<text class=\"edge-text\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
            text(&arrow.text)
        )?;
    }
    Ok(())
}

/// A line from the first point to the last, which is straight at its ends and bends at the points between.
fn curve(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let [(x, y), between @ .., (last_x, last_y)] = points else { return path };
    _ = write!(path, "M{x:.1} {y:.1}");
    for (place, (x, y)) in between.iter().enumerate() {
        let (next_x, next_y) = points[place + 2];
        let is_last = place + 1 == between.len();
        let (end_x, end_y) =
            if is_last { (next_x, next_y) } else { ((x + next_x) / 2.0, (y + next_y) / 2.0) };
        _ = write!(path, "Q{x:.1} {y:.1} {end_x:.1} {end_y:.1}");
    }
    if between.is_empty() {
        _ = write!(path, "L{last_x:.1} {last_y:.1}");
    }
    path
}

fn write_box(node: &DrawnNode, placed: &PlacedBox, links: &str, out: &mut dyn Write) -> Result<()> {
    let (left, top) = (placed.x - placed.width / 2.0, placed.y - placed.height / 2.0);
    let (text_left, mut baseline) = (left + PADDING, top + PADDING + LINE_HEIGHT * 0.75);
    let class = if node.label == "METHOD" { " class=\"METHOD\"" } else { "" };
    writeln!(
        out,
        "<g{class}><title>#{} {}</title><rect class=\"box\" x=\"{left:.1}\" y=\"{top:.1}\" \
         width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>",
        node.id,
        text(&node.label),
        placed.width,
        placed.height
    )?;
    let heading = format!(
        "<text class=\"head\" x=\"{text_left:.1}\" y=\"{baseline:.1}\" font-size=\"11\">{}</text>",
        text(&placed.heading)
    );
    match link(node, links) {
        Some(link) => writeln!(out, "<a href=\"{}\">{heading}</a>", text(&link))?,
        None => writeln!(out, "{heading}")?,
    }
    for line in &placed.lines {
        baseline += LINE_HEIGHT;
        writeln!(
            out,
            "<text class=\"code\" x=\"{text_left:.1}\" y=\"{baseline:.1}\" xml:space=\"preserve\">{}</text>",
            text(line)
        )?;
    }
    Ok(writeln!(out, "</g>")?)
}

/// The link to the line of a node; `None` for placeholders such as `<includes>`.
fn link(node: &DrawnNode, links: &str) -> Option<String> {
    let file = node.file.as_deref().filter(|file| !file.starts_with('<'))?;
    // Two slashes at the beginning would name another host.
    let file = match file.strip_prefix('/') {
        Some(rest) if links.is_empty() => format!("/{}", rest.trim_start_matches('/')),
        _ => file.trim_start_matches('/').to_owned(),
    };
    let line = node.line.map(|line| format!("#L{line}")).unwrap_or_default();
    Some(format!("{links}{}{line}", percent_encoded(&file)))
}

/// A path in a URL (RFC 3986). A colon is encoded too, so no name of a file can be a scheme.
fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => write!(encoded, "%{byte:02X}").expect("writing to a string does not fail"),
        }
    }
    encoded
}

/// A text for XML, with invisible characters shown as escapes.
fn text(text: &str) -> String {
    let shown: String = escaped(text)
        .chars()
        .map(|character| if is_xml(character) { character } else { '\u{fffd}' })
        .collect();
    escape(&*shown).into_owned()
}

/// Whether XML may contain a character that is no control character.
fn is_xml(character: char) -> bool {
    !matches!(character, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(file: &str) -> DrawnNode {
        DrawnNode { file: Some(file.to_owned()), line: Some(7), ..DrawnNode::default() }
    }

    #[test]
    fn links_lead_to_files_and_to_nothing_else() {
        for (file, links, expected) in [
            ("src/a b.c", "", Some("src/a%20b.c#L7")),
            ("/usr/include/zlib.h", "", Some("/usr/include/zlib.h#L7")),
            ("/zlib.h", "https://host/main/", Some("https://host/main/zlib.h#L7")),
            ("//host/x", "", Some("/host/x#L7")),
            ("javascript:alert(1)", "", Some("javascript%3Aalert%281%29#L7")),
            ("<includes>", "", None),
        ] {
            assert_eq!(link(&node(file), links).as_deref(), expected, "{file}");
        }
    }

    #[test]
    fn curves_begin_and_end_at_their_points() {
        assert_eq!(curve(&[]), "");
        assert_eq!(curve(&[(0.0, 0.0), (0.0, 9.0)]), "M0.0 0.0L0.0 9.0");
        assert_eq!(curve(&[(0.0, 0.0), (4.0, 4.0), (0.0, 8.0)]), "M0.0 0.0Q4.0 4.0 0.0 8.0");
        assert_eq!(
            curve(&[(0.0, 0.0), (4.0, 4.0), (8.0, 8.0), (0.0, 12.0)]),
            "M0.0 0.0Q4.0 4.0 6.0 6.0Q8.0 8.0 0.0 12.0"
        );
    }

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(text("<b>\u{1b}[1m&\"'\u{ffff}"), "&lt;b&gt;\\u{1b}[1m&amp;&quot;&apos;\u{fffd}");
    }
}
