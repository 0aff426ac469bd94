//! Writes a [`FlameTree`] as an HTML page whose script draws the frames that can be seen.
//!
//! The page has each name once, and each frame as four numbers. So it has all frames of a large profile, a
//! frame that is too narrow to be seen appears when the frames below it are widened, and a search counts
//! every frame. Names are not trusted: they are in JSON in an element that browsers do not run, without a
//! character that could end this element, and the script writes them as text.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::flame::{FlameTree, Joined};
use super::flame_svg::{FigureLimits, shade, title as shown, told_of_narrow};
use super::svg::{title_of, visible};
use super::tree::NONE;

/// The page into which the frames are inserted.
const PAGE: &str = include_str!("flame_view.html");
const STYLE: &str = include_str!("flame_view.css");
const SCRIPT: &str = include_str!("flame_view.js");
/// The mark of a warm colour, beside a shade.
const WARM: u32 = 32;

/// The frames of a page in pre-order: a frame comes after its caller, and its callees follow it.
#[derive(Default)]
struct Frames {
    /// The functions: a name, a colour, and the METHOD if there is exactly one.
    symbols: Vec<Json>,
    symbol: Vec<u32>,
    depth: Vec<u32>,
    all: Vec<i64>,
    own: Vec<i64>,
    /// The number of frames that are left out.
    narrow: usize,
}

impl FlameTree {
    /// Writes an HTML page whose script draws the flame graph, with the largest frames that are within the
    /// limits; a line says how many are left out. Keys and clicks choose and widen frames. In a frame of
    /// another page, the script sends and takes messages:
    ///
    /// - sends `{"varvite":"frame","function":NAME,"node":NODE}` if a user wants to see a function; NODE is
    ///   null if the graph has no METHOD of it, or several;
    /// - sends `{"varvite":"state","frame":NUMBER,"mark":TEXT}` if the widened frame or the search changes,
    ///   and `{"varvite":"ready"}` once;
    /// - takes `{"varvite":"show","frame":NUMBER,"mark":TEXT,"theme":"light"}`, where each part may be
    ///   missing, and `{"varvite":"save"}`, which it answers by `{"varvite":"svg","text":TEXT}`.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_view(&self, title: &str, limits: FigureLimits, out: &mut impl Write) -> io::Result<()> {
        let data = self.data_within(title, limits)?;
        let (head, tail) = PAGE.split_once("@frames@").unwrap_or((PAGE, ""));
        write!(out, "{}", head.replace("@style@", STYLE).replace("@title@", &title_of(title)))?;
        out.write_all(data.as_bytes())?;
        write!(out, "{}", tail.replace("@script@", SCRIPT))
    }

    /// The frames as JSON, as many as the limits allow.
    fn data_within(&self, title: &str, limits: FigureLimits) -> io::Result<String> {
        let mut most = limits.frames;
        // The lengths of names differ, so one estimate may not be enough.
        loop {
            let frames = self.in_pre_order(most);
            let kept = frames.symbol.len();
            let data = self.data(title, frames)?;
            if data.len() <= limits.bytes || kept == 0 {
                return Ok(data);
            }
            most = (kept as f64 * 0.9 * limits.bytes as f64 / data.len() as f64) as usize;
        }
    }

    fn data(&self, title: &str, frames: Frames) -> io::Result<String> {
        let notes: Vec<String> =
            [self.told_of_deep(), told_of_narrow(frames.narrow)].into_iter().flatten().collect();
        let data = json!({
            "title": visible(title), "noun": visible(&self.noun), "scale": self.scale, "total": self.total,
            "notes": notes, "symbols": frames.symbols, "symbol": frames.symbol, "depth": frames.depth,
            "all": frames.all, "own": frames.own,
        });
        // No text ends the element of the data.
        Ok(serde_json::to_string(&data)?.replace('<', "\\u003c"))
    }

    /// The `most` largest frames with a count, in pre-order; siblings are sorted by name.
    fn in_pre_order(&self, most: usize) -> Frames {
        let mut frames = Frames::default();
        let mut symbols: HashMap<(u32, Joined), u32> = HashMap::new();
        for (frame, depth) in self.largest(most, &mut frames.narrow) {
            let it = &self.frames[frame as usize];
            let symbol = *symbols.entry((it.name, it.method)).or_insert_with(|| {
                frames.symbols.push(self.symbol(it.name, it.method));
                frames.symbols.len() as u32 - 1
            });
            frames.symbol.push(symbol);
            frames.depth.push(depth);
            frames.all.push(it.all);
            frames.own.push(it.own);
        }
        frames
    }

    /// The largest frames with their depths, in pre-order. A caller is at least as large as its callees and
    /// comes first, so no frame is without its caller.
    fn largest(&self, most: usize, narrow: &mut usize) -> Vec<(u32, u32)> {
        let (firsts, nexts, first) = self.by_name();
        let (mut found, mut waiting) = (Vec::new(), vec![(first, 0)]);
        while let Some((frame, depth)) = waiting.pop() {
            if frame == NONE {
                continue;
            }
            waiting.push((nexts[frame as usize], depth));
            if self.frames[frame as usize].all > 0 && depth < Self::DEPTH_MAX {
                waiting.push((firsts[frame as usize], depth + 1));
                found.push((frame, depth));
            }
        }
        *narrow = found.len().saturating_sub(most);
        if *narrow > 0 {
            let size = |(frame, _): &(u32, u32)| self.frames[*frame as usize].all;
            let mut sizes: Vec<i64> = found.iter().map(size).collect();
            sizes.sort_unstable_by_key(|size| Reverse(*size));
            let least = most.checked_sub(1).map_or(i64::MAX, |last| sizes[last]);
            let mut room = most - sizes.partition_point(|size| *size > least);
            found.retain(|frame| {
                let is_least = size(frame) == least && room > 0;
                room -= usize::from(is_least);
                size(frame) > least || is_least
            });
        }
        found
    }

    fn symbol(&self, name: u32, method: Joined) -> Json {
        let name = &self.names[name as usize];
        let is_warm = method != Joined::None || !self.has_methods;
        let colour = shade(name) + if is_warm { WARM } else { 0 };
        match method {
            Joined::One(method) => json!([visible(&shown(name)), colour, method]),
            _ => json!([visible(&shown(name)), colour]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::flame::FlameFrame;
    use super::*;

    const ALL: FigureLimits = FigureLimits { frames: usize::MAX, bytes: usize::MAX };

    fn frame(parent: u32, name: u32, own: i64, all: i64, method: Joined) -> FlameFrame {
        FlameFrame { parent, name, own, all, method }
    }

    /// `main` calls `b`, `a` and a function without a count; `a` calls `b`.
    fn flame() -> FlameTree {
        let names = ["main", "b", "a", "<none>"].map(str::to_owned).to_vec();
        let frames = vec![
            frame(NONE, 0, 1, 100_001, Joined::One(7)),
            frame(0, 1, 5, 5, Joined::None),
            frame(0, 2, 99_994, 99_995, Joined::Several),
            frame(0, 3, 0, 0, Joined::None),
            frame(2, 1, 1, 1, Joined::None),
        ];
        FlameTree { names, frames, total: 100_001, scale: 1, has_methods: true, ..FlameTree::default() }
    }

    fn data(flame: &FlameTree, limits: FigureLimits) -> Json {
        let mut page = Vec::new();
        flame.write_view("</script> a run", limits, &mut page).expect("memory takes it");
        let page = String::from_utf8(page).expect("it is text");
        assert_eq!(page.matches("</script>").count(), 2, "no text ends an element");
        let (_, data) =
            page.split_once("<script type=\"application/json\" id=\"frames\">").expect("the data");
        serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("it is JSON")
    }

    #[test]
    fn a_view_has_all_frames_with_a_count_however_narrow() {
        let data = data(&flame(), ALL);
        assert_eq!((&data["depth"], &data["all"]), (&json!([0, 1, 2, 1]), &json!([100_001, 99_995, 1, 5])));
        assert_eq!((&data["own"], &data["notes"]), (&json!([1, 99_994, 1, 5]), &json!([])));
        let name = |frame: usize| {
            let symbol = data["symbol"][frame].as_u64().expect("a number") as usize;
            data["symbols"][symbol].clone()
        };
        assert_eq!((&name(0)[0], &name(0)[2]), (&json!("main"), &json!(7)));
        // Without one METHOD there is nothing to open.
        assert_eq!((&name(1)[0], &name(1)[2]), (&json!("a"), &Json::Null));
        assert_eq!((&name(2), &name(3)), (&name(3), &name(2)));
    }

    #[test]
    fn frames_beyond_the_limits_are_counted_in_a_line() {
        for limits in [FigureLimits { frames: 2, ..ALL }, FigureLimits { bytes: 200, ..ALL }] {
            let data = data(&flame(), limits);
            let kept = data["depth"].as_array().expect("a list").len();
            assert!(kept <= 2, "{data}");
            let note = format!("{} narrow frames are left out", 4 - kept);
            assert_eq!(data["notes"], json!([note]));
        }
    }
}
