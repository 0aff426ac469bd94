//! [`StoredEvents`]: reads the events of a profile from a graph, and computes states of the heap from them.

use std::ops::Range;

use varvite::{Budget, Graph, GraphError, Property};

use super::events::{BEFORE, COUNT, KIND_BYTES, KIND_SITE, LISTS, PEAK_COUNT, SITE_STEP, STRETCH};
use super::names::Names;
use super::read_error::LayerReadError;
use crate::events::{Event, EventKind, SiteState};

/// The events of a profile. Only tables are in memory: 16 bytes for each kind of allocation, and 4 bytes for
/// each site and for each stretch. There is at least one stretch.
pub(super) struct StoredEvents {
    layer: String,
    budget: Budget,
    /// The nodes of the stretches, in their order.
    stretches: Vec<u32>,
    before: Property,
    events: Property,
    ms: Property,
    stamps: Property,
    /// The sums of sites, in the order of [`SiteState::NUMBERS`].
    states: [Property; 4],
    kinds: Vec<EventKind>,
    /// For each site, the number of its step in the tree of calls.
    pub(super) steps: Vec<u32>,
    /// The number of events up to the peak of memory in use.
    pub(super) peak_count: u64,
}

impl StoredEvents {
    /// Opens the events of a profile whose tree has `tree_len` steps.
    ///
    /// **Cost**: linear in the numbers of kinds of allocations, sites and stretches, and independent of the
    /// number of events.
    ///
    /// # Errors
    /// [`LayerReadError::NoEvents`], or an error if the tables are invalid or larger than the budget.
    pub(super) fn open(
        graph: &Graph,
        names: &Names,
        tree_len: usize,
        budget: &Budget,
    ) -> Result<Self, LayerReadError> {
        let none = |error| match error {
            GraphError::Unknown { .. } => LayerReadError::NoEvents { layer: names.layer.clone() },
            error => LayerReadError::Graph(error),
        };
        let property = |end: &str| graph.property(&names.name(end)).map_err(none);
        let nodes = graph.nodes(&names.name(STRETCH)).map_err(none)?;
        let profile = graph.nodes(&names.name("PROFILE"))?.iter().next().unwrap_or(0);
        let of_profile = |end| Ok::<_, LayerReadError>(number(&property(end)?, profile));
        let (count, peak_count) = (of_profile(COUNT)?, of_profile(PEAK_COUNT)?);
        let [events, ms, stamps, calls, temporary, live_bytes, live_blocks] = LISTS.map(property);
        let mut stored = Self {
            layer: names.layer.clone(),
            budget: budget.clone(),
            stretches: Vec::new(),
            before: property(BEFORE)?,
            events: events?,
            ms: ms?,
            stamps: stamps?,
            states: [calls?, temporary?, live_bytes?, live_blocks?],
            kinds: Vec::new(),
            steps: Vec::new(),
            peak_count,
        };
        let mut held = 0;
        for node in nodes.iter() {
            budget.make_room(&mut stored.stretches, 1, &mut held)?;
            stored.stretches.push(node);
        }
        stored.read_kinds(profile, [&property(KIND_BYTES)?, &property(KIND_SITE)?])?;
        let first_step = graph.nodes(&names.name("STEP"))?.iter().next().unwrap_or(0);
        stored.read_steps(profile, &property(SITE_STEP)?, first_step..first_step + tree_len as u32)?;
        match stored.stretches.len().checked_sub(1) {
            None => Err(LayerReadError::NoEvents { layer: stored.layer }),
            Some(last) if stored.before(last).saturating_add(stored.len(last)) == count => Ok(stored),
            Some(_) => Err(stored.damage("the number of events differs from the profile's")),
        }
    }

    fn read_kinds(&mut self, profile: u32, [bytes, site]: [&Property; 2]) -> Result<(), LayerReadError> {
        let (mut sites, mut held) = (site.numbers(profile), 0);
        for bytes in bytes.numbers(profile) {
            let site = sites.next().and_then(|site| u32::try_from(site).ok());
            let site = site.ok_or_else(|| self.damage("a kind of allocation has no site"))?;
            self.budget.make_room(&mut self.kinds, 1, &mut held)?;
            self.kinds.push(EventKind { bytes, site });
        }
        Ok(())
    }

    /// Reads the steps of sites. `steps` is the range of the nodes of steps.
    fn read_steps(
        &mut self,
        profile: u32,
        property: &Property,
        steps: Range<u32>,
    ) -> Result<(), LayerReadError> {
        let mut held = 0;
        for step in property.numbers(profile) {
            let step = u32::try_from(step).ok().filter(|step| steps.contains(step));
            let step = step.ok_or_else(|| self.damage("a site is at no step"))?;
            self.budget.make_room(&mut self.steps, 1, &mut held)?;
            self.steps.push(step - steps.start);
        }
        Ok(())
    }

    /// Makes an error for values that contradict each other.
    fn damage(&self, what: &'static str) -> LayerReadError {
        LayerReadError::Damaged { layer: self.layer.clone(), what }
    }

    pub(super) fn stretch_count(&self) -> usize {
        self.stretches.len()
    }

    /// The number of events before a stretch.
    fn before(&self, stretch: usize) -> u64 {
        number(&self.before, self.stretches[stretch])
    }

    /// The number of events of a stretch.
    fn len(&self, stretch: usize) -> u64 {
        self.events.all(self.stretches[stretch]).len() as u64
    }

    /// The millisecond of the first event of a stretch.
    pub(super) fn first_ms(&self, stretch: usize) -> u64 {
        number(&self.ms, self.stretches[stretch])
    }

    /// The milliseconds of a stretch, each with the index of its first event.
    fn stamps(&self, stretch: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        let node = self.stretches[stretch];
        self.ms
            .numbers(node)
            .zip(self.stamps.numbers(node))
            .map(|(ms, event)| (unsigned(ms), unsigned(event)))
    }

    /// The stretch in which a millisecond ends, and the number of the stretch's events up to the end of the
    /// millisecond.
    ///
    /// **Cost**: reads the first values of a few stretches, and the times of one stretch.
    pub(super) fn at_ms(&self, ms: u64) -> (usize, u64) {
        let stretch = self.last_stretch(|stretch| self.first_ms(stretch) <= ms);
        let later = self.stamps(stretch).find(|(later, _)| *later > ms);
        (stretch, later.map_or_else(|| self.len(stretch), |(_, event)| event))
    }

    /// The stretch in which the first `count` events of the run end, and the number of the stretch's events
    /// up to there.
    pub(super) fn at_count(&self, count: u64) -> (usize, u64) {
        let stretch = self.last_stretch(|stretch| self.before(stretch) <= count);
        (stretch, count.saturating_sub(self.before(stretch)))
    }

    /// The millisecond of an event.
    pub(super) fn ms_of(&self, event: u64) -> u64 {
        let (stretch, place) = self.at_count(event);
        let before = self.stamps(stretch).take_while(|(_, first)| *first <= place);
        before.last().map_or(0, |(ms, _)| ms)
    }

    /// The last stretch for which `begins` returns true; the first stretch if there is none.
    fn last_stretch(&self, begins: impl Fn(usize) -> bool) -> usize {
        let (mut low, mut high) = (0, self.stretches.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            (low, high) = if begins(middle) { (middle, high) } else { (low, middle) };
        }
        low
    }

    /// The sums of each site after the first `over` events of a stretch.
    ///
    /// **Cost**: reads the numbers at the stretch's beginning, and these events.
    pub(super) fn states(&self, (stretch, over): (usize, u64)) -> Result<Vec<SiteState>, LayerReadError> {
        let _held = self.budget.reserve(self.steps.len() * size_of::<SiteState>())?;
        let mut states = vec![SiteState::default(); self.steps.len()];
        for (property, number) in self.states.iter().zip(SiteState::NUMBERS) {
            let mut states = states.iter_mut();
            for value in property.numbers(self.stretches[stretch]) {
                let state =
                    states.next().ok_or_else(|| self.damage("a stretch begins with too many sites"))?;
                *number(state) = value;
            }
        }
        self.for_each(stretch, over, |_, event, EventKind { bytes, site }| {
            states[site as usize].add(event, bytes);
        })?;
        Ok(states)
    }

    /// Calls `visit` for each of the first `count` events of a stretch, with its time, the event, and its
    /// kind. Checks that the site of the kind exists.
    pub(super) fn for_each(
        &self,
        stretch: usize,
        count: u64,
        mut visit: impl FnMut(u64, Event, EventKind),
    ) -> Result<(), LayerReadError> {
        let (mut stamps, mut now) = (self.stamps(stretch).peekable(), 0);
        for (number, code) in (0..count).zip(self.events.numbers(self.stretches[stretch])) {
            while let Some((ms, _)) = stamps.next_if(|(_, event)| *event <= number) {
                now = ms;
            }
            let event = Event::of_code(code);
            let kind = event.and_then(|event| self.kinds.get(event.kind as usize).copied());
            let kind = kind.filter(|kind| (kind.site as usize) < self.steps.len());
            let (event, kind) = event.zip(kind).ok_or_else(|| self.damage("an event refers to nothing"))?;
            visit(now, event, kind);
        }
        Ok(())
    }
}

/// The first value of a node; 0 if the value is negative or missing.
fn number(property: &Property, node: u32) -> u64 {
    property.number(node).map_or(0, unsigned)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
