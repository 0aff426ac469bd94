//! Writes a profile in speedscope's format (`file-format-schema.json` of www.speedscope.app), as one document
//! with all measures.

use std::io::{self, Write};

use serde_json::json;

use super::stored::HeapLayer;
use crate::measure::{Measure, Slot};
use crate::speedscope::{SCHEMA, exporter};

impl HeapLayer {
    /// Writes the profile in speedscope's format; speedscope will show `measure` first. Stacks with a zero or
    /// negative count are left out.
    ///
    /// **Cost**: linear in the total length of all stacks.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_speedscope(&self, measure: Slot, out: &mut dyn Write) -> io::Result<()> {
        let shown = self.measures.iter().position(|(slot, _)| slot == measure);
        let head = json!({
            "$schema": SCHEMA, "exporter": exporter(self.sampling.is_some()), "name": self.command,
            "activeProfileIndex": shown,
        });
        // Stacks may be much longer than all other data, so they are written one by one and not collected
        // first.
        write!(out, "{},\n\"shared\": {{\"frames\": [", head.to_string().trim_end_matches('}'))?;
        for number in 0..self.places.len() as u32 {
            let place = self.known_place(number);
            let mut frame = json!({ "name": place.function });
            if !place.file.is_empty() {
                frame["file"] = place.file.as_str().into();
            }
            if place.line > 0 {
                frame["line"] = place.line.into();
            }
            if !place.module.is_empty() {
                frame["module"] = place.module.as_str().into();
            }
            write!(out, "{}{frame}", if number == 0 { "" } else { ",\n" })?;
        }
        write!(out, "]}},\n\"profiles\": [")?;
        for (number, (slot, measure)) in self.measures.iter().enumerate() {
            write!(out, "{}", if number == 0 { "" } else { ",\n" })?;
            self.write_samples((slot, measure), out)?;
        }
        writeln!(out, "]}}")
    }

    fn write_samples(&self, (slot, measure): (Slot, &Measure), out: &mut dyn Write) -> io::Result<()> {
        let counted =
            || (0..).zip(&self.tree.own).map(|(node, own)| (node, slot.of(own))).filter(|it| it.1 > 0);
        let unit = if matches!(measure.unit(), "bytes" | "nanoseconds") { measure.unit() } else { "none" };
        let total = counted().map(|(_, value)| value).fold(0, i64::saturating_add);
        let head = json!({ "type": "sampled", "name": measure.whole_name(), "unit": unit, "startValue": 0 });
        let (head, end) = (head.to_string(), measure.decimal(total));
        write!(out, "{}, \"endValue\": {end}, \"samples\": [", head.trim_end_matches('}'))?;
        let mut stack: Vec<u32> = Vec::new();
        for (number, (node, _)) in counted().enumerate() {
            stack.clear();
            stack.extend(self.tree.stack(node));
            write!(out, "{}[", if number == 0 { "" } else { ",\n" })?;
            for (depth, at) in stack.iter().rev().enumerate() {
                write!(out, "{}{}", if depth == 0 { "" } else { "," }, self.tree.place_of[*at as usize])?;
            }
            write!(out, "]")?;
        }
        write!(out, "], \"weights\": [")?;
        for (number, (_, value)) in counted().enumerate() {
            write!(out, "{}{}", if number == 0 { "" } else { "," }, measure.decimal(value))?;
        }
        write!(out, "]}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, heaptrack};

    #[test]
    fn stacks_begin_with_the_outermost_call() {
        let text = "v 10400 3\nX ./run \"}\ns 4 main\ns 3 f.c\ns 4 make\ni 1 0 1 2 5\ni 2 0 3 2 9\ni 3\nt 1 0\nt 2 1\nt 3 2\n\
            a 8 2\na 4 3\n+ 0\n+ 0\n+ 1\n- 1\n";
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        let layer = HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room");
        let mut out = Vec::new();
        layer.write_speedscope(heaptrack::LEAKED_BYTES, &mut out).expect("memory takes it");
        let document: serde_json::Value = serde_json::from_slice(&out).expect("it is JSON");
        assert_eq!((&document["$schema"], &document["activeProfileIndex"]), (&json!(SCHEMA), &json!(2)));
        assert_eq!(document["name"], "./run \"}");
        let frames = json!([
            { "name": "main", "file": "f.c", "line": 5 }, { "name": "make", "file": "f.c", "line": 9 }, { "name": "0x3" },
        ]);
        assert_eq!(document["shared"]["frames"], frames);
        let profiles = document["profiles"].as_array().expect("it is a list");
        let stacks = |number: usize| (&profiles[number]["samples"], &profiles[number]["weights"]);
        assert_eq!(stacks(0), (&json!([[0, 1], [0, 1, 2]]), &json!([2, 1])));
        assert_eq!(stacks(2), (&json!([[0, 1]]), &json!([16])));
        assert_eq!((&profiles[2]["unit"], &profiles[2]["endValue"]), (&json!("bytes"), &json!(16)));
    }
}
