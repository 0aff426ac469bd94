//! Draws a [`Timeline`]: memory in use, resident memory, and calls of the allocator over time. Each curve has
//! its own axis.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::svg::{Host, bytes, thousands, write_head};
use crate::timeline::{Moment, Timeline};

/// Widths in pixels: of the whole drawing, of the numbers left of the curves, and of the curves.
const WIDTH: f64 = 1200.0;
const LEFT: f64 = 90.0;
const INNER: f64 = WIDTH - LEFT - 10.0;
/// Heights in pixels: of the title, of the words above a panel, and of the time axis below the last panel.
const HEAD: f64 = 40.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 40.0;
/// The maximum number of intervals that can be distinguished in the drawing.
const INTERVALS: usize = 550;
/// Number of parts of the time axis.
const TIMES: usize = 5;

/// A curve: the function that returns its value for a moment, its maximum, and its position in the drawing.
struct Panel {
    title: String,
    of: fn(&Moment) -> f64,
    told: fn(f64) -> String,
    most: f64,
    top: f64,
    height: f64,
    colour: &'static str,
}

impl Timeline {
    /// Writes the drawing as SVG. It shows the bytes in use, the resident memory if it is known, and the
    /// calls. Each interval has a title (a tooltip) with these numbers.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_svg(&self, title: &str, out: &mut impl Write) -> io::Result<()> {
        self.write_for(Host::File, title, out)
    }

    /// Writes the same drawing for a page that has [`DRAWING_STYLE`](super::DRAWING_STYLE).
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_part(&self, title: &str, out: &mut impl Write) -> io::Result<()> {
        self.write_for(Host::Page, title, out)
    }

    fn write_for(&self, host: Host, title: &str, out: &mut impl Write) -> io::Result<()> {
        let shown = self.in_intervals(INTERVALS);
        let panels = shown.panels();
        let bottom = panels.last().map_or(HEAD, |panel| panel.top + panel.height);
        write_head(host, title, (WIDTH, bottom + BELOW), 10.0, out)?;
        panels.iter().try_for_each(|panel| panel.write_axis(out))?;
        for (place, moment) in shown.moments.iter().enumerate() {
            shown.write_moment(place, moment, &panels, out)?;
        }
        shown.write_times(bottom, out)?;
        writeln!(out, "</svg>")
    }

    /// The panels of the drawing, from top to bottom.
    fn panels(&self) -> Vec<Panel> {
        let calls_title =
            format!("calls in {} ms", thousands(self.interval_ms.try_into().unwrap_or(i64::MAX)));
        let of_calls: fn(f64) -> String = |calls| thousands(calls as i64);
        let (peak, resident) =
            ("bytes in use, at most".to_owned(), "resident memory of the process".to_owned());
        let most = |of: fn(&Moment) -> f64| self.moments.iter().map(of).fold(0.0, f64::max);
        let panel = |title, of, told, height, colour| Panel {
            title,
            of,
            told,
            most: most(of).max(1.0),
            top: 0.0,
            height,
            colour,
        };
        let mut panels = vec![panel(peak, peak_of, bytes, 200.0, "rgb(228,150,70)")];
        if most(resident_of) > 0.0 {
            panels.push(panel(resident, resident_of, bytes, 100.0, "rgb(150,150,150)"));
        }
        panels.push(panel(calls_title, calls_of, of_calls, 90.0, "rgb(120,140,180)"));
        let mut top = HEAD;
        for panel in &mut panels {
            panel.top = top + ABOVE;
            top = panel.top + panel.height;
        }
        panels
    }

    fn left_of(&self, place: usize) -> f64 {
        LEFT + INNER * place as f64 / self.moments.len().max(1) as f64
    }

    fn write_moment(
        &self,
        place: usize,
        moment: &Moment,
        panels: &[Panel],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (left, width) = (self.left_of(place), INNER / self.moments.len().max(1) as f64);
        let from_s = self.begins_at(place) as f64 / 1000.0;
        let mut bars = String::new();
        for panel in panels {
            let height = panel.height * ((panel.of)(moment) / panel.most).clamp(0.0, 1.0);
            let (top, colour) = (panel.top + panel.height - height, panel.colour);
            _ = write!(
                bars,
                "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{colour}\"/>"
            );
        }
        let resident = match moment.resident_bytes {
            0 => String::new(),
            resident => format!(", {} bytes resident", thousands(resident.try_into().unwrap_or(i64::MAX))),
        };
        writeln!(
            out,
            "<g><title>{from_s:.3} s: {} bytes at most, {} at its end{resident}, {} calls</title>{bars}</g>",
            thousands(moment.peak_bytes),
            thousands(moment.live_bytes),
            thousands(moment.calls),
        )
    }

    /// Writes the axis of time.
    fn write_times(&self, bottom: f64, out: &mut impl Write) -> io::Result<()> {
        let (begin, end) = (self.from_ms as f64, self.begins_at(self.moments.len()) as f64);
        for part in 0..=TIMES {
            let share = part as f64 / TIMES as f64;
            let (x, seconds) = (LEFT + INNER * share, (begin + (end - begin) * share) / 1000.0);
            let anchor = if part == TIMES { "end" } else { "middle" };
            writeln!(
                out,
                "<line class=\"axis\" x1=\"{x:.2}\" y1=\"{bottom:.2}\" x2=\"{x:.2}\" y2=\"{:.2}\"/>\
                 <text class=\"head\" x=\"{x:.2}\" y=\"{:.2}\" text-anchor=\"{anchor}\">{seconds:.3} s</text>",
                bottom + 5.0,
                bottom + 20.0,
            )?;
        }
        Ok(())
    }
}

impl Panel {
    /// Writes the title, and the axis with marks at zero, at half the maximum, and at the maximum.
    fn write_axis(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { title, told, most, top, height, .. } = self;
        writeln!(out, "<text class=\"head\" x=\"{LEFT}\" y=\"{:.2}\">{title}</text>", top - 8.0)?;
        for share in [0.0, 0.5, 1.0] {
            let y = top + height * (1.0 - share);
            writeln!(
                out,
                "<line class=\"axis\" x1=\"{:.2}\" y1=\"{y:.2}\" x2=\"{:.2}\" y2=\"{y:.2}\" stroke-opacity=\"0.5\"/>\
                 <text class=\"head\" x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"end\">{}</text>",
                LEFT - 5.0,
                LEFT + INNER,
                LEFT - 8.0,
                y + 4.0,
                told(most * share),
            )?;
        }
        Ok(())
    }
}

fn peak_of(moment: &Moment) -> f64 {
    moment.peak_bytes.max(0) as f64
}

fn resident_of(moment: &Moment) -> f64 {
    moment.resident_bytes as f64
}

fn calls_of(moment: &Moment) -> f64 {
    moment.calls.max(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(moments: Vec<Moment>) -> String {
        let mut out = Vec::new();
        Timeline { from_ms: 0, interval_ms: 10, moments }
            .write_svg("<run>", &mut out)
            .expect("memory takes it");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn each_interval_is_as_high_as_what_was_in_use() {
        let moment =
            |calls, peak_bytes, resident_bytes| Moment { calls, live_bytes: 1, peak_bytes, resident_bytes };
        let svg = drawn(vec![moment(4, 2048, 5120), moment(1000, 512, 10_240)]);
        assert!(svg.contains("<title>&lt;run&gt;</title>"), "{svg}");
        let title =
            "<title>0.010 s: 512 bytes at most, 1 at its end, 10,240 bytes resident, 1,000 calls</title>";
        assert!(svg.contains(title), "{svg}");
        assert!(svg.contains("x=\"90.00\" y=\"70.00\" width=\"550.00\" height=\"200.00\""), "{svg}");
        assert!(svg.contains("x=\"640.00\" y=\"220.00\" width=\"550.00\" height=\"50.00\""), "{svg}");
        assert!(svg.contains("0.020 s</text>"), "{svg}");
        // Each panel has an axis of its own, up to its maximum.
        for most in [">2 KiB<", ">1 KiB<", ">10 KiB<", ">5 KiB<", ">1,000<", ">500<"] {
            assert!(svg.contains(most), "{most}: {svg}");
        }
    }

    #[test]
    fn a_run_without_time_or_resident_memory_is_drawn_too() {
        let svg = drawn(Vec::new());
        assert!(!svg.contains("NaN") && svg.trim_end().ends_with("</svg>"), "{svg}");
        let svg = drawn(vec![Moment { calls: i64::MIN, peak_bytes: -1, ..Moment::default() }]);
        assert!(!svg.contains("NaN") && !svg.contains("resident"), "{svg}");
    }
}
