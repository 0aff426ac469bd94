//! [`EventSink`]: receives the events of a run while the profile is read, one [`Stretch`] (a run of
//! consecutive events) after another.
//!
//! A stretch begins with the state of every site before the stretch's first event. So, to compute the state
//! of the heap at any moment, only one stretch is read, never the whole run. A stretch has [`EVENTS_OF_SITE`]
//! events for each site, but at least [`EVENTS_MIN`] and at most [`EVENTS_MAX`]: with more sites, stretches
//! are longer, so that the states at their beginnings take less space than the events. An event is a 32-bit
//! number: the number of the allocation's kind, and two flags.

use crate::ProfileError;

/// The minimum and the maximum number of events in a stretch, and the number of events for each site that
/// exists when the stretch begins.
const EVENTS_MIN: usize = 1 << 16;
const EVENTS_MAX: usize = 1 << 20;
const EVENTS_OF_SITE: usize = 16;
/// Number of low bits of an event that are flags; the other bits are the number of the kind.
const BITS: u32 = 2;
const GIVES_BACK: u32 = 1;
const IS_TEMPORARY: u32 = 2;
/// Number of kinds of allocations that events can refer to.
pub(crate) const KINDS_MAX: usize = 1 << (u32::BITS - BITS);

/// An allocation, or a free of allocated memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the [kind](EventTable::kinds) of the allocation.
    pub kind: u32,
    /// Whether this event frees the memory.
    pub gives_back: bool,
    /// Whether this event frees the memory of an allocation that counts as temporary.
    pub is_temporary: bool,
}

/// The properties that all allocations of a kind share: their size, and the site of the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventKind {
    /// The size of each allocation in bytes.
    pub bytes: i64,
    /// The number of the calling site, as in [`Profile::sites`](crate::Profile::sites).
    pub site: u32,
}

/// The sums of a site from the start of the run to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteState {
    /// The number of calls of functions that allocate.
    pub calls: i64,
    /// The number of allocating calls whose memory was freed before the next allocation.
    pub temporary: i64,
    /// The number of bytes in use.
    pub live_bytes: i64,
    /// The number of allocations in use.
    pub live_blocks: i64,
}

/// The first event of a millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The millisecond.
    pub ms: u64,
    /// The index, in the stretch, of the first event of this millisecond.
    pub event: u32,
}

/// Consecutive events of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The number of events before this stretch.
    pub before: u64,
    /// The sums of each site before this stretch. Sites that appear only later are missing.
    pub sites: Vec<SiteState>,
    /// The times of events; the first stamp belongs to the first event.
    pub stamps: Vec<Stamp>,
    /// The events, as their [codes](Event::code).
    pub events: Vec<u32>,
}

/// Receives the stretches of a profile, in the order of the run.
pub trait EventSink {
    /// Takes a stretch, which has at least one event.
    fn take(&mut self, stretch: &Stretch);
}

/// The kinds of a profile's events, and the number of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTable {
    /// The kinds of allocations to which events refer.
    pub kinds: Vec<EventKind>,
    /// The number of events.
    pub count: u64,
    /// The number of events up to the moment when the memory in use first reached its maximum.
    pub peak_count: u64,
}

impl Event {
    /// The event as a number. The high bits are the kind; the two lowest bits are the other two fields.
    #[inline]
    pub fn code(self) -> u32 {
        let temporary = if self.is_temporary { IS_TEMPORARY } else { 0 };
        let back = if self.gives_back { GIVES_BACK } else { 0 };
        (self.kind << BITS) | temporary | back
    }

    /// The event of a code; `None` if the code has more than 32 bits.
    #[inline]
    pub fn of_code(code: i64) -> Option<Self> {
        let code = u32::try_from(code).ok()?;
        Some(Self {
            kind: code >> BITS,
            gives_back: code & GIVES_BACK != 0,
            is_temporary: code & IS_TEMPORARY != 0,
        })
    }
}

impl SiteState {
    /// Accessors to the numbers of a site state, in the order in which a graph stores them.
    pub(crate) const NUMBERS: [fn(&mut Self) -> &mut i64; 4] =
        [|it| &mut it.calls, |it| &mut it.temporary, |it| &mut it.live_bytes, |it| &mut it.live_blocks];

    /// Adds the effect of an event that allocates or frees `bytes` bytes.
    #[inline]
    pub fn add(&mut self, event: Event, bytes: i64) {
        if event.gives_back {
            self.live_bytes = self.live_bytes.saturating_sub(bytes);
            self.live_blocks = self.live_blocks.saturating_sub(1);
            self.temporary = self.temporary.saturating_add(event.is_temporary.into());
        } else {
            self.live_bytes = self.live_bytes.saturating_add(bytes);
            self.live_blocks = self.live_blocks.saturating_add(1);
            self.calls = self.calls.saturating_add(1);
        }
    }
}

/// Collects events into stretches. Only one stretch is in memory at a time.
pub(crate) struct Recorder<'s> {
    sink: &'s mut dyn EventSink,
    stretch: Stretch,
    /// The maximum number of events in the current stretch.
    room: usize,
    /// The current millisecond, and the millisecond of the last stamp in the stretch.
    ms: u64,
    stamped_ms: Option<u64>,
    peak_count: u64,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(sink: &'s mut dyn EventSink) -> Self {
        let stretch = Stretch::default();
        Self { sink, stretch, room: EVENTS_MIN, ms: 0, stamped_ms: None, peak_count: 0 }
    }

    /// Sets the millisecond of the following events.
    pub(crate) fn stamp(&mut self, ms: u64) {
        self.ms = ms;
    }

    /// Whether the stretch has room for another event.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.stretch.events.len() < self.room
    }

    /// Adds the next event. The stretch must have room for it.
    #[inline]
    pub(crate) fn push(&mut self, event: Event) {
        if self.stamped_ms != Some(self.ms) {
            self.stretch.stamps.push(Stamp { ms: self.ms, event: self.stretch.events.len() as u32 });
            self.stamped_ms = Some(self.ms);
        }
        self.stretch.events.push(event.code());
    }

    /// Notes that the program now uses more memory than ever before.
    #[inline]
    pub(crate) fn note_peak(&mut self) {
        self.peak_count = self.count();
    }

    fn count(&self) -> u64 {
        self.stretch.before + self.stretch.events.len() as u64
    }

    /// Ends the stretch, and passes it to the sink. `sites` are the states at the beginning of the next
    /// stretch.
    pub(crate) fn end_stretch(&mut self, sites: impl ExactSizeIterator<Item = SiteState>) {
        if self.stretch.events.is_empty() {
            return;
        }
        self.sink.take(&self.stretch);
        self.room = sites.len().saturating_mul(EVENTS_OF_SITE).clamp(EVENTS_MIN, EVENTS_MAX);
        self.stretch.before = self.count();
        let Stretch { sites: known, stamps, events, .. } = &mut self.stretch;
        stamps.clear();
        events.clear();
        known.clear();
        known.extend(sites);
        self.stamped_ms = None;
    }

    /// Ends the last stretch, and returns the kinds of events and the number of all events.
    pub(crate) fn finish(mut self, kinds: Vec<EventKind>) -> EventTable {
        self.end_stretch(std::iter::empty());
        EventTable { kinds, count: self.count(), peak_count: self.peak_count }
    }
}

/// Fails if there are more kinds than an event can refer to.
pub(crate) fn check_kinds(kinds: usize) -> Result<(), ProfileError> {
    match kinds > KINDS_MAX {
        true => Err(ProfileError::TooMany { what: "kinds of allocations", limit: KINDS_MAX as u64 }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct EventList(Vec<Stretch>);

    impl EventSink for EventList {
        fn take(&mut self, stretch: &Stretch) {
            self.0.push(stretch.clone());
        }
    }

    fn event(kind: u32) -> Event {
        Event { kind, gives_back: false, is_temporary: false }
    }

    #[test]
    fn an_event_is_its_code() {
        for kind in [0, 7, KINDS_MAX as u32 - 1] {
            for bits in 0..4 {
                let event = Event { kind, gives_back: bits & 1 != 0, is_temporary: bits & 2 != 0 };
                assert_eq!(
                    (event.code(), Event::of_code(event.code().into())),
                    (kind << 2 | bits, Some(event))
                );
            }
        }
        assert_eq!([-1, 1 << 32, i64::MIN].map(Event::of_code), [None; 3]);
    }

    #[test]
    fn a_stretch_ends_when_it_is_full_and_the_next_begins_with_what_sites_came_to() {
        let mut kept = EventList::default();
        let mut recorder = Recorder::new(&mut kept);
        recorder.stamp(3);
        let state = SiteState { calls: 9, ..SiteState::default() };
        for number in 0..EVENTS_MIN as u32 + 2 {
            if !recorder.has_room() {
                recorder.end_stretch([state].into_iter());
            }
            if number == 5 {
                recorder.stamp(20);
                recorder.note_peak();
            }
            recorder.push(event(number));
        }
        let table = recorder.finish(Vec::new());
        assert_eq!((table.count, table.peak_count), (EVENTS_MIN as u64 + 2, 5));
        let [first, second] = &kept.0[..] else { panic!("two stretches") };
        assert_eq!((first.before, first.sites.len(), first.events.len()), (0, 0, EVENTS_MIN));
        assert_eq!(first.stamps, [Stamp { ms: 3, event: 0 }, Stamp { ms: 20, event: 5 }]);
        assert_eq!((second.before, &second.sites), (EVENTS_MIN as u64, &vec![state]));
        assert_eq!((&second.stamps, second.events.len()), (&vec![Stamp { ms: 20, event: 0 }], 2));
    }
}
