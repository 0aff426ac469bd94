//! Draws a [`FlameTree`] as a self-contained SVG file or a self-contained HTML page.
//!
//! The width of a frame shows its count, and a frame is drawn on top of its caller. Names are not trusted:
//! all text is escaped, and characters that XML can't contain are replaced.

use std::borrow::Cow;
use std::io::{self, Write};

use varvite_cpg::characters::shortened;

use super::flame::{FlameTree, Joined};
use super::svg::{Host, STYLE, escaped, thousands, title_of, write_head};
use super::tree::NONE;

/// The width of the drawing, the height of a frame, and the margin around the drawing, in pixels.
const WIDTH: f64 = 1200.0;
const ROW: f64 = 17.0;
const MARGIN: f64 = 10.0;
/// Height of the title.
const HEAD: f64 = 40.0;
/// Frames narrower than this width in pixels are left out, since they would be invisible.
const NARROWEST: f64 = 0.1;
/// The width of a character in pixels, and the minimum number of characters of a name: if fewer fit in the
/// frame, none are drawn.
const CHARACTER: f64 = 7.0;
const CHARACTERS_MIN: usize = 3;

/// The limits of a drawing in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureLimits {
    /// The most frames.
    pub frames: usize,
    /// The most bytes of all frames.
    pub bytes: usize,
}

impl FigureLimits {
    const NONE: Self = Self { frames: usize::MAX, bytes: usize::MAX };
}

/// A frame, and its position in the drawing.
#[derive(Clone, Copy)]
struct Drawn {
    frame: u32,
    depth: usize,
    left: f64,
    width: f64,
}

impl FlameTree {
    /// Writes the drawing as SVG. Each frame has a title (a tooltip) with its name and count.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_svg(&self, title: &str, out: &mut impl Write) -> io::Result<()> {
        self.write_frames(Host::File, title, FigureLimits::NONE, out)
    }

    /// Writes an HTML page with the drawing. In the page, a click on a frame widens the frame. A search by a
    /// regular expression marks the frames with matching names, and shows the sum of their counts.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_html(&self, title: &str, out: &mut impl Write) -> io::Result<()> {
        let (head, tail) = PAGE.split_once("@figure@").unwrap_or((PAGE, ""));
        let style = format!("{STYLE}\n{FLAME_STYLE}");
        write!(out, "{}", head.replace("@style@", &style).replace("@title@", &title_of(title)))?;
        self.write_figure(title, FigureLimits::NONE, out)?;
        write!(out, "{}", tail.replace("@script@", FLAME_SCRIPT))
    }

    /// Writes the drawing and the controls of its search, for a page that has [`DRAWING_STYLE`],
    /// [`FLAME_STYLE`] and [`FLAME_SCRIPT`]. Draws the widest frames that are within the limits; a line says
    /// how many are left out, and how many names are cut. The text is XML too.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_figure(&self, title: &str, limits: FigureLimits, out: &mut impl Write) -> io::Result<()> {
        write!(out, "<div class=\"flame\">\n{CONTROLS}")?;
        self.write_frames(Host::Page, title, limits, out)?;
        writeln!(out, "</div>")
    }

    fn write_frames(
        &self,
        host: Host,
        title: &str,
        limits: FigureLimits,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (drawn, narrow) = self.within(limits);
        let rows = drawn.iter().map(|drawn| drawn.depth + 1).max().unwrap_or(0);
        let height = HEAD + ROW * rows as f64 + MARGIN;
        write_head(host, title, (WIDTH, height), MARGIN, out)?;
        let omitted = self.omitted(&drawn, narrow);
        if !omitted.is_empty() {
            let omitted = omitted.join("; ");
            writeln!(
                out,
                "<text class=\"head omitted\" x=\"{MARGIN}\" y=\"37\" font-size=\"11\">{omitted}</text>"
            )?;
        }
        for drawn in &drawn {
            self.write_frame(drawn, height, out)?;
        }
        writeln!(out, "</svg>")
    }

    /// What the drawing lacks, in escaped words.
    fn omitted(&self, drawn: &[Drawn], narrow: usize) -> Vec<String> {
        let long = drawn.iter().filter(|drawn| self.name(drawn).chars().nth(TITLE_MAX).is_some()).count();
        let of_long = (long > 0).then(|| {
            let most = thousands(TITLE_MAX as i64);
            format!("the names of {} frames are cut after {most} characters", thousands(long as i64))
        });
        [self.told_of_deep().map(|told| escaped(&told)), told_of_narrow(narrow), of_long]
            .into_iter()
            .flatten()
            .collect()
    }

    /// A line about stacks that are deeper than a drawing.
    pub(super) fn told_of_deep(&self) -> Option<String> {
        let deep = self.too_deep();
        (deep > 0).then(|| {
            format!(
                "{} {} of stacks deeper than {} calls: the drawing omits deeper calls",
                self.told(deep),
                self.noun,
                thousands(Self::DEPTH_MAX.into()),
            )
        })
    }

    /// The widest frames that are within the limits, and the number of the others.
    fn within(&self, limits: FigureLimits) -> (Vec<Drawn>, usize) {
        let (all, thin) = self.layout();
        let (count, mut frames) = (all.len() + thin, limits.frames);
        let mut drawn = widest(all, frames);
        // The lengths of names differ, so one estimate may not be enough.
        loop {
            let bytes: usize = drawn.iter().map(|drawn| self.bytes_of(drawn)).sum();
            if bytes <= limits.bytes || frames == 0 {
                let narrow = count - drawn.len();
                return (drawn, narrow);
            }
            let share = limits.bytes as f64 / bytes as f64;
            frames = (drawn.len() as f64 * share) as usize;
            drawn = widest(drawn, frames);
        }
    }

    /// At least the bytes of a frame in a drawing.
    fn bytes_of(&self, drawn: &Drawn) -> usize {
        let name = self.name(drawn);
        FRAME_BYTES + escaped(&title(name)).len() + escaped(&fitted(name, drawn.width)).len()
    }

    fn name(&self, drawn: &Drawn) -> &str {
        &self.names[self.frames[drawn.frame as usize].name as usize]
    }

    /// The positions of frames in the drawing, callers before their callees, and the number of frames that
    /// are too narrow to be seen.
    fn layout(&self) -> (Vec<Drawn>, usize) {
        let (sizes, mut thin) = (self.sizes(), 0);
        let (firsts, nexts, first) = self.by_name();
        let scale = (WIDTH - 2.0 * MARGIN) / self.total.max(1) as f64;
        let (mut drawn, mut waiting) = (Vec::new(), vec![(first, 0, MARGIN)]);
        while let Some((frame, depth, left)) = waiting.pop() {
            if frame == NONE {
                continue;
            }
            let width = self.frames[frame as usize].all as f64 * scale;
            waiting.push((nexts[frame as usize], depth, left + width));
            if depth >= Self::DEPTH_MAX as usize {
                continue;
            }
            if width < NARROWEST {
                thin += sizes[frame as usize];
                continue;
            }
            waiting.push((firsts[frame as usize], depth + 1, left));
            drawn.push(Drawn { frame, depth, left, width });
        }
        (drawn, thin)
    }

    /// For each frame, the number of frames with a count above it, itself included.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.frames.iter().map(|frame| usize::from(frame.all > 0)).collect();
        for frame in (0..self.frames.len()).rev() {
            let parent = self.frames[frame].parent;
            if parent != NONE {
                sizes[parent as usize] += sizes[frame];
            }
        }
        sizes
    }

    fn write_frame(&self, drawn: &Drawn, height: f64, out: &mut impl Write) -> io::Result<()> {
        let frame = &self.frames[drawn.frame as usize];
        let name = self.name(drawn);
        let (left, width) = (drawn.left, drawn.width);
        let top = height - MARGIN - ROW * (drawn.depth + 1) as f64;
        let share = 100.0 * frame.all as f64 / self.total.max(1) as f64;
        write!(
            out,
            "<g><title>{}: {} {} ({share:.1} %), {} itself</title><rect x=\"{left:.2}\" y=\"{top:.1}\" \
             width=\"{width:.2}\" height=\"{:.1}\" rx=\"1\" fill=\"{}\"/>",
            escaped(&title(name)),
            self.told(frame.all),
            escaped(&self.noun),
            self.told(frame.own),
            ROW - 1.0,
            colour(shade(name), frame.method != Joined::None || !self.has_methods),
        )?;
        let fitted = fitted(name, width);
        if !fitted.is_empty() {
            let (x, y) = (left + 3.0, top + ROW - 5.0);
            write!(out, "<text x=\"{x:.2}\" y=\"{y:.1}\">{}</text>", escaped(&fitted))?;
        }
        writeln!(out, "</g>")
    }
}

/// A line about frames that a drawing lacks.
pub(super) fn told_of_narrow(narrow: usize) -> Option<String> {
    (narrow > 0).then(|| format!("{} narrow frames are left out", thousands(narrow as i64)))
}

/// The most characters of a name in the text that a mouse shows.
const TITLE_MAX: usize = 1000;
/// The most bytes of a frame beside its name: its numbers have at most 20 digits each.
const FRAME_BYTES: usize = 400;

/// The beginning of a name that is too long to be read.
pub(super) fn title(name: &str) -> Cow<'_, str> {
    shortened(name, TITLE_MAX)
}

/// The `count` widest frames in their order. No frame is without its caller: the caller is at least as wide,
/// and comes before it.
fn widest(mut drawn: Vec<Drawn>, count: usize) -> Vec<Drawn> {
    if drawn.len() <= count {
        return drawn;
    }
    let mut widths: Vec<f64> = drawn.iter().map(|drawn| drawn.width).collect();
    widths.sort_by(|one, other| other.total_cmp(one));
    let least = count.checked_sub(1).map_or(f64::INFINITY, |last| widths[last]);
    let mut room = count - widths.partition_point(|width| *width > least);
    drawn.retain(|drawn| {
        let is_least = drawn.width == least && room > 0;
        room -= usize::from(is_least);
        drawn.width > least || is_least
    });
    drawn
}

/// The part of a name that fits in a frame of this width.
fn fitted(name: &str, width: f64) -> String {
    let room = ((width - 6.0) / CHARACTER).max(0.0) as usize;
    match name.chars().count() {
        _ if room < CHARACTERS_MIN => String::new(),
        length if length <= room => name.to_owned(),
        _ => name.chars().take(room - 2).chain("..".chars()).collect(),
    }
}

/// The shade of a name, from 0 to 31, which is always the same.
pub(super) fn shade(name: &str) -> u32 {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash >> 8 & 0x1f
}

/// The colour of a shade: warm for functions of the graph, grey for others. Without a graph, all colours are
/// warm.
fn colour(shade: u32, is_method: bool) -> String {
    match is_method {
        true => format!("rgb({},{},{})", 224 + shade, 130 + 2 * shade, 60 + shade),
        false => format!("rgb({0},{0},{0})", 200 + shade),
    }
}

/// The HTML page into which a drawing is inserted.
const PAGE: &str = include_str!("flame.html");
/// The controls of a search. The script shows them, since they do nothing without it.
const CONTROLS: &str = "<p class=\"controls\" hidden=\"hidden\"><input class=\"word\" type=\"search\" \
    size=\"40\" placeholder=\"mark functions (regular expression)\" aria-label=\"mark functions (regular \
    expression)\"/>\n<label><input class=\"case\" type=\"checkbox\"/> match case</label> <output \
    class=\"matched\"></output>\n<button class=\"all\" type=\"button\">show all</button></p>\n";
/// The style of all drawings in a page.
pub const DRAWING_STYLE: &str = STYLE;
/// The style of flame graphs in a page.
pub const FLAME_STYLE: &str = include_str!("flame.css");
/// The script of flame graphs in a page.
pub const FLAME_SCRIPT: &str = include_str!("flame.js");

#[cfg(test)]
mod tests {
    use super::super::flame::FlameFrame;
    use super::super::flame::tests::flame;
    use super::*;
    use crate::heaptrack::{CALLS, LEAKED_BYTES};

    fn text(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn frames_are_as_wide_as_what_they_come_to_and_text_is_escaped() {
        let flame = flame(LEAKED_BYTES);
        let svg = text(|out| flame.write_svg("<a & b>\u{1b}", out));
        assert!(svg.contains(r"<title>&lt;a &amp; b&gt;\u{1b}</title>"), "{svg}");
        assert!(
            svg.contains("<title>main: 26 bytes leaked (100.0 %), 0 itself</title><rect x=\"10.00\""),
            "{svg}"
        );
        assert!(
            svg.contains("<title>[x&lt;&gt;&quot;]: 10 bytes leaked (38.5 %), 10 itself</title>"),
            "{svg}"
        );
        // Without a graph, all functions have warm colours.
        assert!(
            svg.contains(&colour(shade("main"), true)) && !svg.contains(&colour(shade("main"), false)),
            "{svg}"
        );
        assert!(svg.contains(&format!("width=\"{:.2}\"", 1180.0 * 10.0 / 26.0)), "{svg}");
        assert_eq!((svg.matches("<g>").count(), svg.matches("</g>").count()), (3, 3));
    }

    #[test]
    fn a_page_holds_the_drawing_and_asks_nobody_for_anything() {
        let flame = flame(CALLS);
        let html = text(|out| flame.write_html("a run", out));
        assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
        assert!(html.contains("<title>a run</title>") && html.contains("main: 4 calls"));
        // The SVG namespace is a URL, but no viewer fetches it.
        assert_eq!(html.matches("://").count(), html.matches("http://www.w3.org/2000/svg").count());
        assert!(!["@figure@", "@title@", "@style@", "@script@"].iter().any(|mark| html.contains(mark)));
        for part in ["new RegExp(", "prefers-color-scheme: dark", "class=\"matched\"", "class=\"case\""] {
            assert!(html.contains(part), "{part}");
        }
    }

    #[test]
    fn the_widest_frames_stay_with_their_callers() {
        let frame = |frame, width| Drawn { frame, depth: 0, left: 0.0, width };
        let all = || vec![frame(0, 9.0), frame(1, 5.0), frame(2, 1.0), frame(3, 4.0), frame(4, 4.0)];
        let kept = |count| widest(all(), count).iter().map(|drawn| drawn.frame).collect::<Vec<_>>();
        assert_eq!(kept(9), [0, 1, 2, 3, 4]);
        assert_eq!(kept(4), [0, 1, 3, 4]);
        assert_eq!(kept(3), [0, 1, 3]);
        assert!(kept(0).is_empty());
        let flame = flame(LEAKED_BYTES);
        let limits = FigureLimits { frames: 1, ..FigureLimits::NONE };
        let figure = text(|out| flame.write_figure("a run", limits, out));
        assert!(figure.contains("2 narrow frames are left out") && !figure.contains("<style"), "{figure}");
    }

    #[test]
    fn frames_that_are_too_narrow_to_be_seen_are_counted() {
        let frame = |parent, name, own, all| FlameFrame { parent, name, own, all, ..FlameFrame::default() };
        let names = ["main", "wide", "thin", "leaf", "none"].map(str::to_owned).to_vec();
        let frames = vec![
            frame(NONE, 0, 0, 100_001),
            frame(0, 1, 100_000, 100_000),
            frame(0, 2, 0, 1),
            frame(2, 3, 1, 1),
            frame(0, 4, 0, 0),
        ];
        let flame = FlameTree { names, frames, total: 100_001, ..FlameTree::default() };
        let svg = text(|out| flame.write_svg("a run", out));
        assert!(svg.contains(">2 narrow frames are left out<"), "{svg}");
        assert_eq!(svg.matches("<g>").count(), 2);
    }

    #[test]
    fn a_page_has_as_many_frames_as_it_has_room_for() {
        let name = |number: u32| format!("{number:04}{}", "<".repeat(2 * TITLE_MAX));
        let frame = |name| FlameFrame { parent: NONE, name, own: 1, all: 1, ..FlameFrame::default() };
        let (names, frames) = ((0..1000).map(name).collect(), (0..1000).map(frame).collect());
        let flame = FlameTree { names, frames, total: 1000, ..FlameTree::default() };
        let limits = FigureLimits { frames: 500, bytes: 100_000 };
        let figure = text(|out| flame.write_figure(&"t".repeat(100_000), limits, out));
        assert!(figure.len() < 102_000, "{}", figure.len());
        let drawn = figure.matches("<g>").count();
        assert!((15..=25).contains(&drawn), "{drawn}");
        let left_out = thousands(1000 - drawn as i64);
        assert!(figure.contains(&format!("{left_out} narrow frames are left out")), "{left_out}");
        assert!(figure.contains(&format!("the names of {drawn} frames are cut after 1,000 characters")));
    }

    #[test]
    fn a_frame_without_room_for_its_name_has_no_element_for_it() {
        let names = vec!["function_with_a_name".to_owned(), "narrow".to_owned()];
        let frame = |parent, name, all| FlameFrame { parent, name, own: 0, all, ..FlameFrame::default() };
        let frames = vec![frame(NONE, 0, 1000), frame(0, 1, 5)];
        let flame = FlameTree { names, frames, total: 1000, ..FlameTree::default() };
        let svg = text(|out| flame.write_svg("a run", out));
        assert_eq!((svg.matches("<g>").count(), svg.matches("<text").count()), (2, 2), "{svg}");
    }

    #[test]
    fn names_are_cut_to_their_frames() {
        assert_eq!(fitted("deflateInit_", 1000.0), "deflateInit_");
        assert_eq!(fitted("deflateInit_", 62.0), "deflat..");
        assert_eq!(fitted("deflateInit_", 20.0), "");
        assert_eq!(fitted("größe", 27.0), "g..");
    }
}
