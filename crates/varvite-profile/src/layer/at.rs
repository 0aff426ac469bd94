//! The state of the heap at a moment of a run: the memory in use at that moment, and the allocations up to
//! it.

use varvite::Graph;

use super::read_error::LayerReadError;
use super::stored::{HeapLayer, Moments};
use super::stored_events::StoredEvents;
use crate::events::{Event, SiteState};
use crate::measure::{Counts, Measures};
use crate::timeline::{Moment, Timeline};

/// Maximum number of intervals in a timeline that is made from events.
const INTERVALS_MAX: u64 = 1 << 16;

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The end of a millisecond.
    Ms(u64),
    /// The first moment at which the program used the most memory.
    Peak,
}

/// The measures of the heap at a moment: the memory in use, and the allocations so far.
fn measures() -> Measures {
    Measures::of(&[
        ("live_bytes", "bytes"),
        ("live_blocks", "count"),
        ("calls", "count"),
        ("temporary", "count"),
    ])
}

fn counts(state: &SiteState) -> Counts {
    Counts::of(&[state.live_bytes, state.live_blocks, state.calls, state.temporary])
}

impl HeapLayer {
    /// Returns the profile at a moment of the run. The measures `live_bytes` and `live_blocks` are the memory
    /// in use at that moment; `calls` and `temporary` are counts from the start of the run to that moment. If
    /// `since` is an earlier moment, each value is the increase since then.
    ///
    /// **Cost**: for each of the two moments, reads the beginning of one stretch of events, which has four
    /// numbers for each site, and the events of this stretch before the moment. A stretch has 65,536 events.
    /// If there are more than 4,096 sites, it has 16 events for each site, but at most 1,048,576.
    ///
    /// # Errors
    /// [`LayerReadError`]
    pub fn at(mut self, graph: &Graph, since: Option<At>, at: At) -> Result<Self, LayerReadError> {
        let events = StoredEvents::open(graph, &self.names, self.tree.len(), &self.budget)?;
        let (mut own, ms) = self.counts_at(&events, at)?;
        let mut since_ms = None;
        if let Some(since) = since {
            let (before, from) = self.counts_at(&events, since)?;
            if from > ms {
                return Err(LayerReadError::Backwards { from, to: ms });
            }
            own.iter_mut().zip(&before).for_each(|(own, before)| *own = own.since(before));
            since_ms = Some(from);
        }
        graph.check()?;
        self.totals.counts = Counts::default();
        own.iter().for_each(|own| self.totals.counts += *own);
        (self.tree.own, self.measures, self.moments) = (own, measures(), Some(Moments { since_ms, ms }));
        Ok(self)
    }

    /// The sums of each step of the tree at a moment, and the millisecond of the moment.
    fn counts_at(&self, events: &StoredEvents, at: At) -> Result<(Vec<Counts>, u64), LayerReadError> {
        let (place, ms) = match at {
            At::Ms(ms) => {
                self.check_ms(ms)?;
                (events.at_ms(ms), ms)
            }
            At::Peak => {
                let count = events.peak_count;
                (events.at_count(count), events.ms_of(count.saturating_sub(1)))
            }
        };
        let (mut own, mut held) = (Vec::new(), 0);
        self.budget.make_room(&mut own, self.tree.len(), &mut held)?;
        own.resize(self.tree.len(), Counts::default());
        for (step, state) in events.steps.iter().zip(events.states(place)?) {
            own[*step as usize] += counts(&state);
        }
        Ok((own, ms))
    }

    /// Fails if the run ended before the millisecond `asked`.
    fn check_ms(&self, asked: u64) -> Result<(), LayerReadError> {
        match self.totals.runtime_ms.saturating_sub(1) {
            last if asked > last => {
                Err(LayerReadError::Late { layer: self.names.layer.clone(), asked, last })
            }
            _ => Ok(()),
        }
    }

    /// The memory in use from the beginning of millisecond `from` to the end of millisecond `to`, in at most
    /// `intervals` intervals of equal length.
    ///
    /// **Cost**: reads the events in the period, and at most one stretch of events before them.
    ///
    /// # Errors
    /// [`LayerReadError`]
    pub fn timeline_between(
        &self,
        graph: &Graph,
        (from, to): (u64, u64),
        intervals: u32,
    ) -> Result<Timeline, LayerReadError> {
        self.check_ms(from)?;
        self.check_ms(to)?;
        if from > to {
            return Err(LayerReadError::Backwards { from, to });
        }
        let events = StoredEvents::open(graph, &self.names, self.tree.len(), &self.budget)?;
        let (first, over) = from.checked_sub(1).map_or((0, 0), |before| events.at_ms(before));
        let states = events.states((first, over))?;
        let live = states.iter().fold(0, |live: i64, state| live.saturating_add(state.live_bytes));
        let interval_ms = (to - from + 1).div_ceil(u64::from(intervals).clamp(1, INTERVALS_MAX));
        let timeline = Timeline { from_ms: from, interval_ms, moments: Vec::new() };
        let mut between = Between { live, timeline };
        for stretch in first..events.stretch_count() {
            if events.first_ms(stretch) > to {
                break;
            }
            events.for_each(stretch, u64::MAX, |ms, event, kind| {
                if (from..=to).contains(&ms) {
                    between.add(ms, event, kind.bytes);
                }
            })?;
        }
        graph.check()?;
        between.fill(to);
        Ok(between.timeline)
    }
}

/// The timeline of a period, under construction.
struct Between {
    live: i64,
    timeline: Timeline,
}

impl Between {
    fn add(&mut self, ms: u64, event: Event, bytes: i64) {
        self.fill(ms);
        let live =
            if event.gives_back { self.live.saturating_sub(bytes) } else { self.live.saturating_add(bytes) };
        self.live = live;
        let Some(moment) = self.timeline.moments.last_mut() else { return };
        moment.calls += i64::from(!event.gives_back);
        moment.live_bytes = live;
        moment.peak_bytes = moment.peak_bytes.max(live);
    }

    /// Adds intervals without events, up to the interval of a millisecond.
    fn fill(&mut self, ms: u64) {
        let Timeline { from_ms, interval_ms, moments } = &mut self.timeline;
        let count = (ms.saturating_sub(*from_ms) / *interval_ms) as usize + 1;
        let still = Moment { live_bytes: self.live, peak_bytes: self.live, ..Moment::default() };
        moments.resize(count.max(moments.len()), still);
    }
}
