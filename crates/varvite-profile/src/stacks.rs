//! [`Stacks`]: builds a profile from stacks, one after another.
//!
//! All readers of profiles use `Stacks`, except the reader for heaptrack, whose files already have a tree of
//! calls. Stacks with the same outer calls share the steps of these calls, so memory grows only with distinct
//! calls.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::limits::LimitCharge;
use crate::measure::{Counts, Measures, Slot};
use crate::profile::{Frame, Location, Profile, Site, Step};
use crate::texts::TextId;
use crate::written_name::written;
use crate::{Limits, ProfileError};

/// Maximum depth of a stack. Threads with deeper calls would have run out of memory.
pub(crate) const DEPTH_MAX: u32 = 1 << 16;
/// Number of bytes for a text, a location and a step, in growing lists and look-up tables.
const TEXT_BYTES: usize = 128;
const LOCATION_BYTES: usize = 192;
const STEP_BYTES: usize = 256;
/// Number of bytes of an entry in the table of fractions.
const PART_BYTES: usize = 64;
/// Fractions are counted in millionths.
pub(crate) const MILLION: i128 = 1_000_000;

/// A place with at most one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Spot {
    pub(crate) module: TextId,
    pub(crate) frame: Frame,
    /// The address; 0 if the function is enough to identify the place.
    pub(crate) address: u64,
}

/// The position of a call in a stack: its step, and its depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    step: Option<u32>,
    depth: u32,
}

/// A profile under construction.
pub(crate) struct Stacks {
    pub(crate) profile: Profile,
    pub(crate) held: LimitCharge,
    known_texts: HashMap<Box<[u8]>, TextId>,
    known_spots: HashMap<Spot, u32>,
    known_steps: HashMap<(Option<u32>, Option<u32>), u32>,
    /// The own counts of each step.
    own: Vec<Counts>,
    /// The counts that belong to no step.
    outside: Counts,
    /// The fractional parts of counts, in millionths; each is less than one.
    parts: HashMap<(Option<u32>, Slot), i64>,
}

impl Stacks {
    pub(crate) fn new(tool: &str, limits: &Limits) -> Self {
        let mut profile = Profile::default();
        profile.recording.tool = tool.to_owned();
        Self {
            profile,
            held: LimitCharge::new(limits),
            known_texts: HashMap::new(),
            known_spots: HashMap::new(),
            known_steps: HashMap::new(),
            own: Vec::new(),
            outside: Counts::default(),
            parts: HashMap::new(),
        }
    }

    /// The id of a text. Equal bytes get the same id; empty bytes get [`TextId::NONE`].
    pub(crate) fn text(&mut self, bytes: &[u8]) -> Result<TextId, ProfileError> {
        if bytes.is_empty() {
            return Ok(TextId::NONE);
        }
        if let Some(known) = self.known_texts.get(bytes) {
            return Ok(*known);
        }
        self.held.take(TEXT_BYTES + bytes.len())?;
        let text = self.profile.texts.push(bytes, &mut self.held)?;
        self.known_texts.insert(bytes.into(), text);
        Ok(text)
    }

    /// The id of a function's name, after undoing the compiler's mangling.
    pub(crate) fn function(&mut self, name: &[u8]) -> Result<TextId, ProfileError> {
        self.text(&written(name))
    }

    /// The number of a location that has one function or none.
    pub(crate) fn spot(&mut self, spot: Spot) -> Result<u32, ProfileError> {
        if let Some(known) = self.known_spots.get(&spot) {
            return Ok(*known);
        }
        let frames = if spot.frame.function.is_some() { &[spot.frame][..] } else { &[] };
        let location = self.location(spot.module, spot.address, frames)?;
        self.known_spots.insert(spot, location);
        Ok(location)
    }

    /// Adds a location. `frames` begins with the function in whose source the code was written; the functions
    /// into which it was inlined follow.
    pub(crate) fn location(
        &mut self,
        module: TextId,
        address: u64,
        frames: &[Frame],
    ) -> Result<u32, ProfileError> {
        let Self { profile, held, .. } = self;
        held.take(LOCATION_BYTES + 4 * size_of_val(frames))?;
        let first = profile.frames.len();
        let (Ok(number), Ok(last)) =
            (u32::try_from(profile.locations.len()), u32::try_from(first + frames.len()))
        else {
            return Err(ProfileError::TooMany { what: "places", limit: u32::MAX.into() });
        };
        profile.frames.extend_from_slice(frames);
        profile.locations.push(Location { address, module, frames: first as u32..last });
        Ok(number)
    }

    /// The position of a call that is made at `at`. `location` is `None` if the profile lacks the location.
    pub(crate) fn below(&mut self, at: Position, location: Option<u32>) -> Result<Position, ProfileError> {
        let Position { step: parent, depth } = at;
        if depth >= DEPTH_MAX {
            return Ok(Position { depth: DEPTH_MAX + 1, ..at });
        }
        let step = match self.known_steps.entry((parent, location)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.held.take(STEP_BYTES)?;
                let number = u32::try_from(self.profile.steps.len()).ok().filter(|it| *it < u32::MAX);
                let number = number.ok_or(ProfileError::TooMany { what: "calls", limit: u32::MAX.into() })?;
                self.profile.steps.push(Step { parent, location });
                self.own.push(Counts::default());
                *new.insert(number)
            }
        };
        Ok(Position { step: Some(step), depth: depth + 1 })
    }

    /// Adds counts at the innermost call of a stack.
    pub(crate) fn count(&mut self, at: Position, counts: Counts) {
        let Self { profile, own, outside, .. } = self;
        let noticed = &mut profile.noticed;
        noticed.deep_stacks += u64::from(at.depth > DEPTH_MAX);
        noticed.has_negative |= counts.has_negative();
        let own = at.step.and_then(|step| own.get_mut(step as usize)).unwrap_or(outside);
        let fits = [own, &mut profile.totals.counts].map(|sum| sum.add(&counts));
        noticed.is_saturated |= fits.contains(&false);
    }

    /// Adds millionths of one measure at the innermost call of a stack. Fractions are added up exactly until
    /// [`round_parts`](Self::round_parts) rounds them, or [`keep_parts`](Self::keep_parts) makes millionths
    /// the unit.
    pub(crate) fn count_millionths(
        &mut self,
        at: Position,
        slot: Slot,
        value: i128,
    ) -> Result<(), ProfileError> {
        // Dividing a 64-bit number is several times as fast as dividing a 128-bit number, and nearly all
        // numbers fit in 64 bits.
        let (mut whole, mut part) = match i64::try_from(value) {
            Ok(value) => (i128::from(value.div_euclid(MILLION as i64)), value.rem_euclid(MILLION as i64)),
            Err(_) => (value.div_euclid(MILLION), value.rem_euclid(MILLION) as i64),
        };
        if part != 0 {
            let known = match self.parts.entry((at.step, slot)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    self.held.take(PART_BYTES)?;
                    new.insert(0)
                }
            };
            part += *known;
            whole += i128::from(part) / MILLION;
            *known = part % MILLION as i64;
        }
        let mut counts = Counts::default();
        counts[slot] = whole.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        self.profile.noticed.is_saturated |= i128::from(counts[slot]) != whole;
        self.count(at, counts);
        Ok(())
    }

    /// Whether any count of a measure has a fractional part.
    pub(crate) fn has_parts(&self, slot: Slot) -> bool {
        self.parts.iter().any(|((_, of), part)| *of == slot && *part != 0)
    }

    /// Rounds the counts of a measure to whole numbers. The remainder of each count is carried to the next,
    /// so the sum of the rounded counts is the rounded sum.
    pub(crate) fn round_parts(&mut self, slot: Slot) {
        let half = MILLION as i64 / 2;
        let (mut carried, before) = (half, self.profile.totals.counts[slot]);
        let mut added = 0i64;
        let Self { own, outside, parts, .. } = self;
        for (step, counts) in (0..).map(Some).zip(own).chain([(None, outside)]) {
            carried += parts.get(&(step, slot)).copied().unwrap_or(0);
            let whole = carried / MILLION as i64;
            carried %= MILLION as i64;
            counts[slot] = counts[slot].saturating_add(whole);
            added += whole;
        }
        self.profile.totals.counts[slot] = before.saturating_add(added);
    }

    /// Changes the unit of a measure to millionths.
    pub(crate) fn keep_parts(&mut self, slot: Slot) {
        let Self { own, outside, parts, profile, .. } = self;
        let mut sum = 0i128;
        let mut is_saturated = false;
        for (step, counts) in (0..).map(Some).zip(own).chain([(None, outside)]) {
            let part = parts.get(&(step, slot)).copied().unwrap_or(0);
            let value = i128::from(counts[slot]) * MILLION + i128::from(part);
            counts[slot] = value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            is_saturated |= i128::from(counts[slot]) != value;
            sum += i128::from(counts[slot]);
        }
        let total = &mut profile.totals.counts[slot];
        *total = sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        profile.noticed.is_saturated |= is_saturated || i128::from(*total) != sum;
    }

    /// Drops all counts except those in these slots, which become the first slots in this order.
    pub(crate) fn keep(&mut self, slots: &[Slot]) {
        let Self { own, outside, profile, .. } = self;
        for counts in own.iter_mut().chain([outside, &mut profile.totals.counts]) {
            let mut kept = Counts::default();
            slots.iter().enumerate().for_each(|(number, slot)| kept[Slot::new(number)] = counts[*slot]);
            *counts = kept;
        }
    }

    /// Finishes the profile. `measures` are the measures of its counts.
    pub(crate) fn finish(mut self, measures: Measures) -> Profile {
        let at_steps = (0..).map(Some).zip(&self.own);
        let sites = at_steps.chain([(None, &self.outside)]).filter(|(_, counts)| !counts.is_zero());
        self.profile.sites = sites.map(|(step, counts)| Site { step, counts: *counts }).collect();
        self.profile.measures = measures;
        self.profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_that_begin_alike_share_their_steps() {
        let mut stacks = Stacks::new("test", &Limits::default());
        let [main, make] = [b"main", b"make"].map(|name| {
            let function = stacks.text(name).expect("there is room");
            let frame = Frame { function, ..Frame::default() };
            stacks.spot(Spot { frame, ..Spot::default() }).expect("there is room")
        });
        for (stack, count) in [(&[main, make][..], 2), (&[main], 3), (&[main, make], 4), (&[], 5)] {
            let mut at = Position::default();
            for location in stack {
                at = stacks.below(at, Some(*location)).expect("there is room");
            }
            stacks.count(at, Counts::of(&[count]));
        }
        let profile = stacks.finish(Measures::of(&[("samples", "count")]));
        assert_eq!((profile.steps.len(), profile.texts.len()), (2, 2));
        let sites: Vec<_> = profile.sites.iter().map(|site| (site.step, site.counts)).collect();
        let counts = |count| Counts::of(&[count]);
        assert_eq!(sites, [(Some(0), counts(3)), (Some(1), counts(6)), (None, counts(5))]);
        assert_eq!(profile.totals.counts, counts(14));
    }

    #[test]
    fn a_stack_that_is_too_deep_counts_for_its_last_call_that_is_kept() {
        let mut stacks = Stacks::new("test", &Limits::default());
        let mut at = Position::default();
        for _ in 0..DEPTH_MAX + 9 {
            at = stacks.below(at, None).expect("there is room");
        }
        stacks.count(at, Counts::of(&[7]));
        let profile = stacks.finish(Measures::of(&[("samples", "count")]));
        assert_eq!((profile.steps.len(), profile.noticed.deep_stacks), (DEPTH_MAX as usize, 1));
        assert_eq!(profile.sites.last().map(|site| site.step), Some(Some(DEPTH_MAX - 1)));
    }

    #[test]
    fn fractions_add_up_and_are_kept_or_rounded_in_their_sum() {
        let slot = Slot::default();
        let fractions = || {
            let mut stacks = Stacks::new("test", &Limits::default());
            let mut at = Position::default();
            for value in [400_000, 400_000, 400_000, -1_100_000, 7_000_000] {
                stacks.count_millionths(at, slot, value).expect("there is room");
                at = stacks.below(at, None).expect("there is room");
            }
            assert!(stacks.has_parts(slot) && !stacks.has_parts(Slot::new(1)));
            stacks
        };
        let of = |stacks: Stacks| {
            let profile = stacks.finish(Measures::of(&[("samples", "count")]));
            let sum = profile.sites.iter().map(|site| site.counts[slot]).sum::<i64>();
            (sum, profile.totals.counts[slot])
        };
        let (mut kept, mut rounded) = (fractions(), fractions());
        kept.keep_parts(slot);
        rounded.round_parts(slot);
        assert_eq!((of(kept), of(rounded)), ((7_100_000, 7_100_000), (7, 7)));
    }

    #[test]
    fn sums_beyond_64_bits_and_below_0_are_noticed() {
        let mut stacks = Stacks::new("test", &Limits::default());
        stacks.count(Position::default(), Counts::of(&[i64::MAX]));
        assert!(!stacks.profile.noticed.is_saturated && !stacks.profile.noticed.has_negative);
        stacks.count(Position::default(), Counts::of(&[1]));
        stacks.count(Position::default(), Counts::of(&[0, -1]));
        assert!(stacks.profile.noticed.is_saturated && stacks.profile.noticed.has_negative);
    }
}
