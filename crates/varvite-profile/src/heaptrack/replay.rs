//! [`Replay`]: adds up allocations and frees. Each event takes constant time, and memory is needed only for
//! sites.
//!
//! The result includes each site's memory in use at the peak. Copying all sites at each new peak would be
//! slow. Instead, each peak gets a number, and a site saves its value when it first changes after a peak. A
//! site that did not change since the last peak still has the value from that peak.

use std::collections::HashMap;

use crate::ProfileError;
use crate::events::{EventKind, SiteState};
use crate::limits::LimitCharge;
use crate::measure::Counts;
use crate::profile::{Site, Totals};
use crate::timeline::Moment;

/// Replays events: adds each to the counts of its site.
#[derive(Debug, Default)]
pub(super) struct Replay {
    /// The distinct pairs of size and site that allocations have, by number.
    infos: Vec<EventKind>,
    sites: Vec<State>,
    /// For each trace, the number of its site plus one; 0 if it has no site.
    site_of_trace: Vec<u32>,
    /// The number of the last allocation, or 0 after a free.
    last: u64,
    live: i64,
    /// Whether any sum exceeded 64 bits.
    is_saturated: bool,
    /// The maximum of the bytes in use since the last [`take_moment`](Self::take_moment), and the number of
    /// calls before it.
    most: i64,
    calls_before: i64,
    totals: Sums,
    /// The number of times that the memory in use reached a new maximum.
    peaks: u64,
    /// The kind of each allocation in use, by its pointer; for files of versions that do not number
    /// allocations.
    by_pointer: HashMap<u64, u32>,
    by_size: HashMap<(i64, u32), u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    calls: i64,
    temporary: i64,
    peak_bytes: i64,
}

#[derive(Clone, Copy, Debug)]
struct State {
    trace: u32,
    calls: i64,
    temporary: i64,
    live: i64,
    /// The number of allocations in use.
    blocks: i64,
    /// The memory in use at the last peak, if `peak` is the number of that peak. Otherwise `live` is still
    /// that value.
    at_peak: i64,
    peak: u64,
}

/// The approximate size in bytes of an entry in a map.
const ENTRY_BYTES: usize = 48;

impl Replay {
    /// Adds a pair of a size and a site. The site is that of a trace; traces are numbered from 1. Returns
    /// false if the size is too large.
    pub(super) fn add_info(
        &mut self,
        bytes: u64,
        trace: u32,
        held: &mut LimitCharge,
    ) -> Result<bool, ProfileError> {
        // Every line, even an invalid one, gets a number, since later lines refer to lines by number.
        let is_size = i64::try_from(bytes).is_ok();
        let info = EventKind { bytes: i64::try_from(bytes).unwrap_or(0), site: self.site_of(trace, held)? };
        held.make_room(&mut self.infos, 1)?;
        self.infos.push(info);
        Ok(is_size)
    }

    fn site_of(&mut self, trace: u32, held: &mut LimitCharge) -> Result<u32, ProfileError> {
        let place = trace as usize;
        if self.site_of_trace.len() <= place {
            let more = place + 1 - self.site_of_trace.len();
            held.make_room(&mut self.site_of_trace, more)?;
            self.site_of_trace.resize(place + 1, 0);
        }
        if self.site_of_trace[place] == 0 {
            held.make_room(&mut self.sites, 1)?;
            self.sites.push(State { trace, calls: 0, temporary: 0, live: 0, blocks: 0, at_peak: 0, peak: 0 });
            self.site_of_trace[place] = self.sites.len() as u32;
        }
        Ok(self.site_of_trace[place] - 1)
    }

    /// Counts an allocation whose pair of size and site has this number, or a free of such memory. Returns
    /// whether the event is a free of temporary memory; `None` if there is no such number.
    #[inline]
    pub(super) fn event(&mut self, is_allocation: bool, number: u64) -> Option<bool> {
        let info = self.infos.get(number as usize).copied()?;
        let is_temporary = !is_allocation & (self.last == number);
        self.last = if is_allocation { number } else { 0 };
        self.count(info, is_allocation, is_temporary);
        Some(is_temporary)
    }

    /// Counts an allocation at a pointer. Returns the number of the pair of its size and site; `None` if the
    /// size is too large.
    pub(super) fn allocate_at(
        &mut self,
        pointer: u64,
        bytes: u64,
        trace: u32,
        held: &mut LimitCharge,
    ) -> Result<Option<u32>, ProfileError> {
        let Ok(bytes) = i64::try_from(bytes) else { return Ok(None) };
        let site = self.site_of(trace, held)?;
        let number = match self.by_size.get(&(bytes, site)) {
            Some(number) => *number,
            None => {
                let number = self.infos.len() as u32;
                held.take(ENTRY_BYTES)?;
                held.make_room(&mut self.infos, 1)?;
                self.infos.push(EventKind { bytes, site });
                self.by_size.insert((bytes, site), number);
                number
            }
        };
        if self.by_pointer.len() == self.by_pointer.capacity() {
            held.take(ENTRY_BYTES * self.by_pointer.len().max(64))?;
        }
        self.by_pointer.insert(pointer, number);
        self.last = pointer;
        self.count(EventKind { bytes, site }, true, false);
        Ok(Some(number))
    }

    /// Counts a free of a pointer. Returns the number of the pair of its size and site, and whether the
    /// memory was temporary; `None` for an unknown pointer, which is ignored.
    pub(super) fn free_at(&mut self, pointer: u64) -> Option<(u32, bool)> {
        let number = self.by_pointer.remove(&pointer)?;
        let is_temporary = self.last == pointer;
        self.last = 0;
        self.count(self.infos[number as usize], false, is_temporary);
        Some((number, is_temporary))
    }

    /// Counts an event. The code does not branch on whether the event allocates or frees: the two alternate
    /// irregularly, and a branch would often be mispredicted.
    #[inline]
    fn count(&mut self, EventKind { bytes, site }: EventKind, is_allocation: bool, is_temporary: bool) {
        let bytes = if is_allocation { bytes } else { -bytes };
        self.totals.calls += i64::from(is_allocation);
        self.totals.temporary += i64::from(is_temporary);
        let (live, fits) = saturating_sum(self.live, bytes);
        (self.live, self.is_saturated) = (live, self.is_saturated | !fits);
        self.most = self.most.max(self.live);
        let state = &mut self.sites[site as usize];
        state.note_peak(self.peaks);
        state.calls += i64::from(is_allocation);
        state.temporary += i64::from(is_temporary);
        state.blocks += 2 * i64::from(is_allocation) - 1;
        let (live, fits) = saturating_sum(state.live, bytes);
        (state.live, self.is_saturated) = (live, self.is_saturated | !fits);
        if self.live > self.totals.peak_bytes {
            self.totals.peak_bytes = self.live;
            self.peaks += 1;
        }
    }

    /// The number of times that the memory in use reached a new maximum.
    #[inline]
    pub(super) fn peaks(&self) -> u64 {
        self.peaks
    }

    /// The sums of each site so far.
    pub(super) fn states(&self) -> impl ExactSizeIterator<Item = SiteState> + '_ {
        self.sites.iter().map(|state| SiteState {
            calls: state.calls,
            temporary: state.temporary,
            live_bytes: state.live,
            live_blocks: state.blocks,
        })
    }

    /// The number of distinct pairs of size and site.
    pub(super) fn kinds(&self) -> usize {
        self.infos.len()
    }

    /// Returns the distinct pairs of size and site, in the order of their numbers. Afterwards, no event may
    /// be counted.
    pub(super) fn take_kinds(&mut self) -> Vec<EventKind> {
        std::mem::take(&mut self.infos)
    }

    /// Whether a sum of bytes ever exceeded 64 bits.
    pub(super) fn is_saturated(&self) -> bool {
        self.is_saturated
    }

    /// Resets the totals when the tool has attached to a running program, since earlier counts do not belong
    /// to the run.
    pub(super) fn begin_anew(&mut self) {
        (self.totals, self.live) = (Sums::default(), 0);
        (self.most, self.calls_before) = (0, 0);
    }

    /// The calls and the peak since the previous call of this function, and the bytes in use now.
    pub(super) fn take_moment(&mut self) -> Moment {
        let (calls, peak_bytes) = (self.totals.calls - self.calls_before, self.most);
        (self.calls_before, self.most) = (self.totals.calls, self.live);
        Moment { calls, live_bytes: self.live, peak_bytes, resident_bytes: 0 }
    }

    /// The sites that have counts, each with its step, and the totals.
    pub(super) fn finish(self, step_of: impl Fn(u32) -> Option<u32>) -> (Vec<Site>, Totals) {
        let peaks = self.peaks;
        let site = |mut state: State| {
            state.note_peak(peaks);
            let State { calls, temporary, live, at_peak, .. } = state;
            Site { step: step_of(state.trace), counts: Counts::of(&[calls, temporary, live, at_peak]) }
        };
        let sites = self.sites.into_iter().map(site).collect();
        let Sums { calls, temporary, peak_bytes } = self.totals;
        let counts = Counts::of(&[calls, temporary, self.live, peak_bytes]);
        (sites, Totals { counts, ..Totals::default() })
    }
}

/// The sum, limited to the range of 64 bits, and whether the exact sum was in this range.
#[inline]
fn saturating_sum(number: i64, more: i64) -> (i64, bool) {
    (number.saturating_add(more), number.checked_add(more).is_some())
}

impl State {
    /// Saves the memory in use, if there was a new peak since this site last changed.
    #[inline]
    fn note_peak(&mut self, peaks: u64) {
        if self.peak < peaks {
            (self.at_peak, self.peak) = (self.live, peaks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::heaptrack::TEMPORARY;
    use proptest::prelude::*;

    /// Counts by heaptrack's own method: all sites are copied at each new peak.
    fn plain(infos: &[(i64, u32)], events: &[(bool, u64)]) -> (Vec<[i64; 4]>, [i64; 4]) {
        let sites = infos.iter().map(|(_, trace)| *trace).max().map_or(0, |most| most as usize);
        let (mut counts, mut at_peak) = (vec![[0i64; 3]; sites], vec![0; sites]);
        let (mut last, mut live, mut totals) = (0, 0, [0i64; 3]);
        for (is_allocation, number) in events {
            let (bytes, trace) = infos[*number as usize];
            let site = &mut counts[trace as usize - 1];
            if *is_allocation {
                (totals[0], site[0], last) = (totals[0] + 1, site[0] + 1, *number);
                (live, site[2]) = (live + bytes, site[2] + bytes);
                if live > totals[2] {
                    totals[2] = live;
                    at_peak = counts.iter().map(|site| site[2]).collect();
                }
            } else {
                let is_temporary = i64::from(last == *number);
                (totals[1], site[1], last) = (totals[1] + is_temporary, site[1] + is_temporary, 0);
                (live, site[2]) = (live - bytes, site[2] - bytes);
            }
        }
        let all = counts.iter().zip(&at_peak).map(|(site, peak)| [site[0], site[1], site[2], *peak]);
        (all.collect(), [totals[0], totals[1], live, totals[2]])
    }

    proptest! {
        #[test]
        fn sums_and_peaks_are_those_of_a_copy_at_each_peak(
            infos in prop::collection::vec((0i64..50, 1u32..5), 1..6),
            events in prop::collection::vec((any::<bool>(), 0u64..6), 0..200),
        ) {
            // Sites are numbered in the order in which lines first refer to them.
            let mut infos = infos;
            infos.splice(0..0, (1..5).map(|trace| (7, trace)));
            let events: Vec<_> = events.into_iter().filter(|(_, number)| (*number as usize) < infos.len()).collect();
            let (mut replay, mut held) = (Replay::default(), LimitCharge::new(&Limits::default()));
            for (bytes, trace) in &infos {
                prop_assert!(replay.add_info(*bytes as u64, *trace, &mut held).unwrap());
            }
            for (is_allocation, number) in &events {
                prop_assert!(replay.event(*is_allocation, *number).is_some());
            }
            prop_assert_eq!([replay.event(true, 99), replay.event(false, u64::MAX)], [None; 2]);
            let (sites, totals) = replay.finish(Some);
            let found: Vec<Counts> = sites.iter().map(|site| site.counts).collect();
            let (expected, sums) = plain(&infos, &events);
            prop_assert_eq!(found, expected.iter().map(|it| Counts::of(it)).collect::<Vec<_>>());
            prop_assert_eq!(totals.counts, Counts::of(&sums));
        }
    }

    #[test]
    fn a_free_of_allocation_0_behind_another_free_is_temporary() {
        let (mut replay, mut held) = (Replay::default(), LimitCharge::new(&Limits::default()));
        (1..3).for_each(|trace| _ = replay.add_info(10, trace, &mut held).expect("there is room"));
        for (is_allocation, number) in [(true, 0), (true, 1), (false, 1), (false, 0)] {
            assert!(replay.event(is_allocation, number).is_some());
        }
        assert_eq!(TEMPORARY.of(&replay.finish(Some).1.counts), 2);
    }
}
