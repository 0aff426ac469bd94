//! Profiles of heaptrack: the checks of all profiles, and a check that the counts of sites add up to those of
//! the run after each event.

use varvite_profile::heaptrack::{self, CALLS, LEAKED_BYTES, TEMPORARY};
use varvite_profile::{Event, EventSink, Expansion, Limits, ProfileFormat, Roots, SiteState, Stretch};

use super::profiles::read_profile;

const LIMITS: Limits =
    Limits { memory_bytes: 16 << 20, expansion: Expansion::new(Expansion::RATIO), roots: Roots::None };

/// Collects all events, and checks that each stretch of events begins where the previous one ended.
#[derive(Default)]
struct EventList {
    events: Vec<Event>,
    last_ms: u64,
}

impl EventSink for EventList {
    fn take(&mut self, stretch: &Stretch) {
        assert!(stretch.before == self.events.len() as u64 && !stretch.events.is_empty());
        assert!(stretch.stamps.first().is_some_and(|stamp| stamp.event == 0 && stamp.ms >= self.last_ms));
        assert!(stretch.stamps.is_sorted_by(|one, next| one.ms < next.ms && one.event < next.event));
        let calls: i64 = stretch.sites.iter().map(|site| site.calls).sum();
        assert!(calls == self.events.iter().filter(|event| !event.gives_back).count() as i64);
        self.last_ms = stretch.stamps.last().map_or(0, |stamp| stamp.ms);
        self.events.extend(stretch.events.iter().filter_map(|code| Event::of_code(i64::from(*code))));
    }
}

/// Reads the profile, and runs all queries of it.
pub fn read_heaptrack(bytes: &[u8]) {
    read_profile(ProfileFormat::Heaptrack, bytes);
    let Ok(profile) = heaptrack::read(bytes, &LIMITS) else { return };
    let all: i64 = profile.sites.iter().map(|site| site.counts[CALLS]).fold(0, i64::saturating_add);
    assert!(profile.recording.is_attached || all == profile.totals.counts[CALLS]);
    let mut kept = EventList::default();
    let again = heaptrack::read_events(bytes, &LIMITS, &mut kept).expect("it was read before");
    assert!(again.sites == profile.sites && again.totals == profile.totals);
    let table = again.events.expect("events were kept");
    assert!(table.count == kept.events.len() as u64 && table.peak_count <= table.count);
    let mut states = vec![SiteState::default(); again.sites.len()];
    for event in kept.events {
        let kind = table.kinds[event.kind as usize];
        states[kind.site as usize].add(event, kind.bytes);
    }
    for (state, site) in states.iter().zip(&profile.sites) {
        assert!((state.calls, state.temporary) == (site.counts[CALLS], site.counts[TEMPORARY]));
        assert!(profile.noticed.is_saturated || state.live_bytes == site.counts[LEAKED_BYTES]);
    }
}
