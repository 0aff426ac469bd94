//! A [`Timeline`] as a drawing: what was in use, and how often memory was asked for, as time went by.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::svg::write_head;
use crate::timeline::{Moment, Timeline};

/// The drawing, and what is in it, in pixels: bytes above, calls below.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 10.0;
const INNER: f64 = WIDTH - 2.0 * LEFT;
const BYTES: Panel = Panel { top: 60.0, height: 240.0 };
const CALLS: Panel = Panel { top: 330.0, height: 90.0 };
/// Intervals that can be told apart.
const INTERVALS: usize = 590;

struct Panel {
    top: f64,
    height: f64,
}

impl Timeline {
    /// Writes the drawing as SVG: bytes in use, resident memory, and calls, each interval with a title that tells them.
    ///
    /// # Errors
    /// What `out` says.
    pub fn write_svg(&self, title: &str, out: &mut impl Write) -> io::Result<()> {
        let shown = self.in_intervals(INTERVALS);
        let most = |of: fn(&Moment) -> f64| shown.moments.iter().map(of).fold(1.0, f64::max);
        let (peak, resident) = (most(peak_of), most(resident_of));
        // Resident memory has a scale of its own: it is never less than what is in use, and may be many times as much.
        let (calls, end_ms) = (most(calls_of), shown.begins_at(shown.moments.len()));
        write_head(title, (WIDTH, HEIGHT), LEFT, out)?;
        let head = |panel: &Panel| panel.top - 8.0;
        writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"{}\">bytes in use, at most {peak}; line: resident memory, at most {resident}</text>\n\
             <text x=\"{LEFT}\" y=\"{}\">calls in {} ms, at most {calls}</text>\n\
             <text x=\"{LEFT}\" y=\"{}\">{} s</text>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.3} s</text>",
            head(&BYTES),
            head(&CALLS),
            shown.interval_ms,
            HEIGHT - 15.0,
            shown.from_ms as f64 / 1000.0,
            LEFT + INNER,
            HEIGHT - 15.0,
            end_ms as f64 / 1000.0,
        )?;
        for (place, moment) in shown.moments.iter().enumerate() {
            shown.write_moment(place, moment, [peak, calls], out)?;
        }
        if shown.moments.iter().any(|moment| moment.resident_bytes > 0) {
            shown.write_resident(resident, out)?;
        }
        writeln!(out, "</svg>")
    }

    fn left_of(&self, place: usize) -> f64 {
        LEFT + INNER * place as f64 / self.moments.len() as f64
    }

    fn write_moment(
        &self,
        place: usize,
        moment: &Moment,
        [peak, calls]: [f64; 2],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (left, width) = (self.left_of(place), INNER / self.moments.len() as f64);
        let from_s = self.begins_at(place) as f64 / 1000.0;
        let bar = |panel: &Panel, share: f64, colour: &str| {
            let height = panel.height * share.clamp(0.0, 1.0);
            let top = panel.top + panel.height - height;
            format!(
                "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{colour}\"/>"
            )
        };
        writeln!(
            out,
            "<g><title>{from_s:.3} s: {} bytes at most, {} at its end, {} calls</title>{}{}</g>",
            moment.peak_bytes,
            moment.live_bytes,
            moment.calls,
            bar(&BYTES, peak_of(moment) / peak, "rgb(228,150,70)"),
            bar(&CALLS, calls_of(moment) / calls, "rgb(120,140,180)"),
        )
    }

    fn write_resident(&self, most: f64, out: &mut impl Write) -> io::Result<()> {
        let mut points = String::new();
        for (place, moment) in self.moments.iter().enumerate() {
            let top = BYTES.top + BYTES.height * (1.0 - resident_of(moment) / most);
            for x in [self.left_of(place), self.left_of(place + 1)] {
                _ = write!(points, "{x:.2},{top:.2} ");
            }
        }
        writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"rgb(110,110,110)\"/>",
            points.trim_end()
        )
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
        let svg = drawn(vec![moment(4, 100, 5000), moment(1, 25, 10_000)]);
        assert!(svg.contains("<title>&lt;run&gt;</title>"), "{svg}");
        assert!(svg.contains("<title>0.010 s: 25 bytes at most, 1 at its end, 1 calls</title>"), "{svg}");
        assert!(svg.contains("x=\"10.00\" y=\"60.00\" width=\"590.00\" height=\"240.00\""), "{svg}");
        assert!(svg.contains("x=\"600.00\" y=\"240.00\" width=\"590.00\" height=\"60.00\""), "{svg}");
        assert!(svg.contains("points=\"10.00,180.00 600.00,180.00 600.00,60.00 1190.00,60.00\""), "{svg}");
        assert!(svg.contains("0.020 s</text>"), "{svg}");
    }

    #[test]
    fn a_run_without_time_is_drawn_too() {
        let svg = drawn(Vec::new());
        assert!(!svg.contains("NaN") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(
            !drawn(vec![Moment { calls: i64::MIN, peak_bytes: -1, ..Moment::default() }]).contains("NaN")
        );
    }
}
