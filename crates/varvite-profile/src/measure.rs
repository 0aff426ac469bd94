//! [`Measures`]: the measures of a profile. [`Counts`]: an amount of each measure.
//!
//! A profile of heaptrack has four measures, a CPU profile counts samples and their periods, and a file of
//! pprof may have any measures, each with a name. So a profile has a list of its measures, and counts are
//! numbers in the order of this list.

use std::collections::BTreeSet;
use std::ops::{AddAssign, Index, IndexMut};

/// Maximum number of measures in a profile.
pub const MEASURES_MAX: usize = 8;
/// A measure's name becomes the suffix of a property's name. `NAME_KEPT` is the number of characters to which
/// it is cut; `NAME_MAX` is the maximum length of the resulting suffix.
const NAME_KEPT: usize = 40;
const NAME_MAX: usize = 64;
/// Suffixes that measures can't have, since layers use these property names for other values.
const TAKEN: [&str; 50] = [
    "address",
    "allocates_at",
    "at",
    "began_unix_ns",
    "called_at",
    "command",
    "default_measure",
    "duration_ns",
    "event_count",
    "file",
    "function",
    "in",
    "kind_bytes",
    "kind_site",
    "line",
    "match",
    "measures",
    "module",
    "moment",
    "parent",
    "peak_event_count",
    "peak_resident_bytes",
    "period",
    "period_type",
    "period_unit",
    "place",
    "profile",
    "runtime_ms",
    "sampled",
    "site_step",
    "source",
    "spent_at",
    "step",
    "stretch",
    "stretch_before",
    "stretch_calls",
    "stretch_events",
    "stretch_live_blocks",
    "stretch_live_bytes",
    "stretch_ms",
    "stretch_stamp",
    "stretch_temporary",
    "suppressed_bytes",
    "time_calls",
    "time_live_bytes",
    "time_ms",
    "time_peak_bytes",
    "time_resident_bytes",
    "tool",
    "version",
];

/// The unit of measures that are counted in millionths, and the prefix of their names.
pub(crate) const MILLIONTHS: &str = "millionths";
pub(crate) const MICRO: &str = "micro";

/// The kind of a profile, which decides the name of its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Memory: counts of allocations and their bytes.
    #[default]
    Heap,
    /// Time, and any other sampled measure.
    Cpu,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Heap, Self::Cpu];

    /// The name of the layer for an unnamed profile of this kind.
    pub fn layer(self) -> &'static str {
        match self {
            Self::Heap => "heap",
            Self::Cpu => "cpu",
        }
    }
}

/// The sampling from which values were estimated, if they were not counted exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sampling {
    /// The number of units that one sample represents; 0 if it is not known.
    pub period: i64,
    /// The unit of the period: `bytes`, `nanoseconds`, or the name of an event.
    pub unit: String,
    /// The type of the period, as pprof names it: `cpu`, `space` or another name; empty if unknown.
    pub kind: String,
}

/// A counted quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    name: String,
    unit: String,
}

impl Measure {
    /// The name of the measure in results. It has lowercase letters, digits and `_`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The unit: `count`, `bytes`, `nanoseconds`, or another word.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// The number by which a count is divided to get whole units: a million for a measure in millionths,
    /// otherwise 1.
    pub fn scale(&self) -> i64 {
        if self.unit == MILLIONTHS { 1_000_000 } else { 1 }
    }

    /// The name of the measure without the prefix for millionths.
    pub fn whole_name(&self) -> &str {
        let whole = self.name.strip_prefix(MICRO).filter(|name| self.scale() > 1 && !name.is_empty());
        whole.unwrap_or(&self.name)
    }

    /// An amount of the measure in whole units, for example `14.5` for 14,500,000 millionths.
    pub fn decimal(&self, value: i64) -> String {
        decimal(value, self.scale())
    }

    /// The noun for an amount of the measure.
    pub fn noun(&self) -> &str {
        match self.name.as_str() {
            "temporary" => "temporary allocations",
            "leaked_bytes" => "bytes leaked",
            "peak_bytes" => "bytes at the peak",
            "live_bytes" => "bytes in use",
            "live_blocks" => "allocations in use",
            "time_ns" => "ns",
            name => name,
        }
    }
}

/// The index of a measure in the list of its profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u8);

impl Slot {
    /// The slot with the index `number`; the last slot if the index is too large.
    pub const fn new(number: usize) -> Self {
        Self(if number < MEASURES_MAX { number as u8 } else { MEASURES_MAX as u8 - 1 })
    }

    /// The index of the measure.
    pub(crate) fn number(self) -> usize {
        self.0.into()
    }

    /// The count of this measure.
    pub fn of(self, counts: &Counts) -> i64 {
        counts.0[self.0 as usize]
    }
}

/// The measures of a profile, in the order of its counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures(Vec<Measure>);

impl Measures {
    /// Makes measures from names and units, which may be any text. Names are changed into distinct, valid
    /// names of properties. Measures beyond [`MEASURES_MAX`] are left out.
    pub fn of(names: &[(&str, &str)]) -> Self {
        let (mut taken, mut all) = (BTreeSet::new(), Vec::new());
        for (name, unit) in names.iter().take(MEASURES_MAX) {
            let stem = usable(name);
            let stem = if is_of_sums(&stem) { format!("own_{stem}") } else { stem };
            let is_free = |name: &String| !is_taken(name) && !taken.contains(name);
            let others = (2..).map(|number| format!("{stem}_{number}"));
            let name = std::iter::once(stem.clone()).chain(others).find(is_free).unwrap_or_default();
            taken.insert(name.clone());
            all.push(Measure { name, unit: usable(unit) });
        }
        Self(all)
    }

    /// Parses a text that [`Measures::text`] wrote; `None` for any other text.
    pub fn of_text(text: &str) -> Option<Self> {
        let mut all: Vec<Measure> = Vec::new();
        for (name, unit) in text.split(',').map(|it| it.split_once(' ').unwrap_or_default()) {
            let is_free = !is_taken(name) && !is_of_sums(name) && all.iter().all(|other| other.name != name);
            if all.len() == MEASURES_MAX || !is_free || !is_usable(name) || !is_usable(unit) {
                return None;
            }
            all.push(Measure { name: name.to_owned(), unit: unit.to_owned() });
        }
        Some(Self(all))
    }

    /// All names and units in one line, as layers store them.
    pub fn text(&self) -> String {
        let all: Vec<String> = self.0.iter().map(|it| format!("{} {}", it.name, it.unit)).collect();
        all.join(",")
    }

    /// All measures, each with its slot.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Slot, &Measure)> + Clone {
        self.0.iter().enumerate().map(|(number, measure)| (Slot::new(number), measure))
    }

    /// Those measures that `others` also has, in the order of `self`.
    #[must_use]
    pub fn in_common(&self, others: &Self) -> Self {
        Self(self.0.iter().filter(|measure| others.0.contains(measure)).cloned().collect())
    }

    /// The number of measures.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no measures.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The measure of a slot; `None` if the slot has no measure.
    pub fn get(&self, slot: Slot) -> Option<&Measure> {
        self.0.get(slot.0 as usize)
    }

    /// The slot of the measure named `name`.
    pub fn find(&self, name: &str) -> Option<Slot> {
        self.0.iter().position(|it| it.name == name).map(Slot::new)
    }

    /// The names of all measures.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(Measure::name)
    }
}

/// A number divided by `scale`, as a decimal fraction.
pub(crate) fn decimal(value: i64, scale: i64) -> String {
    let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    let scale = scale.unsigned_abs().max(1);
    let (whole, part) = (size / scale, size % scale);
    let digits = scale.ilog10() as usize;
    match part {
        0 => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{}", format!("{part:0digits$}").trim_end_matches('0')),
    }
}

/// Changes a text into a valid suffix for a property's name, in lowercase letters.
fn usable(text: &str) -> String {
    let letters = text.chars().take(NAME_KEPT).map(|it| it.to_ascii_lowercase());
    let name: String = letters.map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    let name = name.trim_matches('_');
    match name.as_bytes().first() {
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        _ => format!("value{}{name}", if name.is_empty() { "" } else { "_" }),
    }
}

fn is_usable(name: &str) -> bool {
    let is_letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.len() <= NAME_MAX
        && name.bytes().all(is_letter)
}

/// Whether layers use the name for other values.
fn is_taken(name: &str) -> bool {
    TAKEN.contains(&name)
}

/// Whether a layer may use the name for the sums of another measure.
fn is_of_sums(name: &str) -> bool {
    name.starts_with("all_") || name.starts_with("total_")
}

/// An amount of each measure, by its slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([i64; MEASURES_MAX]);

impl Counts {
    /// Makes counts from numbers. Missing numbers are 0, and numbers beyond the last slot are left out.
    pub fn of(numbers: &[i64]) -> Self {
        let mut counts = Self::default();
        counts.0.iter_mut().zip(numbers).for_each(|(count, number)| *count = *number);
        counts
    }

    /// Whether all counts are zero.
    pub fn is_zero(&self) -> bool {
        self.0 == [0; MEASURES_MAX]
    }

    /// The increase of each measure since `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self(std::array::from_fn(|slot| self.0[slot].saturating_sub(before.0[slot])))
    }

    /// Adds `other`. A sum that does not fit in 64 bits is limited to the range of 64 bits. Returns whether
    /// all sums fit.
    pub(crate) fn add(&mut self, other: &Self) -> bool {
        let fits = self.0.iter().zip(other.0).all(|(count, more)| count.checked_add(more).is_some());
        *self += *other;
        fits
    }

    /// Whether any count is below 0.
    pub(crate) fn has_negative(&self) -> bool {
        self.0.iter().any(|count| *count < 0)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count = count.saturating_add(more));
    }
}

impl Index<Slot> for Counts {
    type Output = i64;

    fn index(&self, slot: Slot) -> &i64 {
        &self.0[slot.0 as usize]
    }
}

impl IndexMut<Slot> for Counts {
    fn index_mut(&mut self, slot: Slot) -> &mut i64 {
        &mut self.0[slot.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ends_of_properties_that_nothing_else_has() {
        let names = [("alloc_space", "bytes"), ("L1-dcache/misses", "Count"), ("line", "count"), ("", "")];
        let more = [
            ("9", "x"),
            ("alloc space", "bytes"),
            ("all_calls", "count"),
            ("ns;,", "count"),
            ("left out", "count"),
        ];
        let measures = Measures::of(&[&names[..], &more].concat());
        let found: Vec<&str> = measures.names().collect();
        let expected = [
            "alloc_space",
            "l1_dcache_misses",
            "line_2",
            "value",
            "value_9",
            "alloc_space_2",
            "own_all_calls",
            "ns",
        ];
        assert_eq!(found, expected);
        assert_eq!(Measures::of_text(&measures.text()), Some(measures));
        for wrong in ["", "calls", "calls count,calls count", "Calls count", "calls count;", "line count"] {
            assert_eq!(Measures::of_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn millionths_are_told_as_fractions() {
        let measures =
            Measures::of(&[("microsamples", MILLIONTHS), ("micro", MILLIONTHS), ("micros", "count")]);
        let names: Vec<&str> = measures.iter().map(|(_, it)| it.whole_name()).collect();
        assert_eq!(names, ["samples", "micro", "micros"]);
        for (value, told) in [(14_500_000, "14.5"), (-1, "-0.000001"), (3_000_000, "3"), (0, "0")] {
            assert_eq!(decimal(value, 1_000_000), told);
        }
        assert_eq!((decimal(7, 1), decimal(i64::MIN, 1)), ("7".to_owned(), i64::MIN.to_string()));
    }

    #[test]
    fn sums_stay_at_the_most_that_there_is() {
        let mut counts = Counts::of(&[1, i64::MAX, i64::MIN]);
        assert!(counts.add(&Counts::of(&[1])) && counts.has_negative());
        assert!(!counts.add(&Counts::of(&[0, 1])) && !counts.add(&Counts::of(&[0, 0, -1])));
        assert_eq!(counts, Counts::of(&[2, i64::MAX, i64::MIN]));
        assert_eq!(counts.since(&Counts::of(&[3, -1, 1])), Counts::of(&[-1, i64::MAX, i64::MIN]));
    }
}
