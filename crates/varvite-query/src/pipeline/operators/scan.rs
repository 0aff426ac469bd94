//! Sources of nodes: all nodes, the nodes of labels, nodes found by a search in a column, or given ids.
//!
//! A column is searched in windows (ranges of node ids). The first windows are small, so that a consumer of
//! few rows does not wait long. Threads divide the nodes among themselves, but do not share a scan: each
//! thread has its own scan, and restarts it for each range of nodes that it takes.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use varvite_format::members;

use super::chain::{Operate, Stage};
use super::condition::Condition;
use super::context::Context;
use super::search::{Among, Search, gather_labels};
use super::selection::{Selection, has_one_value};
use super::stop::Stop;
use super::value_test::ValueTest;
use crate::pipeline::plan::{Driver, LabelFilter, Lookup, PropertyPlan, ScanPlan};
use crate::pipeline::rows::Batch;
use varvite_graph::LabelNodes;

/// The number of nodes in the first and in the largest window.
const WINDOW_MIN: u32 = 1 << 16;
const WINDOW_MAX: u32 = 1 << 22;
/// A window has at most one node for each `WINDOW_SHARE` bytes of the budget, so that a smaller budget makes
/// smaller windows. But a window always has room for `WINDOW_MIN` nodes.
const WINDOW_SHARE: usize = 128;

/// The number of nodes that can be tested in the time of one look-up in an index.
const NODES_ASKED_FOR_A_TEXT: usize = 32;

/// The operator of a [`ScanPlan`].
#[derive(Debug)]
pub(crate) struct Scan {
    source: Source,
    /// A look-up in the index, which replaces the source if few texts pass.
    by_index: Option<Lookup>,
    /// The conditions that each node from the source must pass.
    conditions: Vec<Condition>,
    is_prepared: bool,
    /// The next node to read, and the end of the nodes to read.
    next: u32,
    end: u32,
    window: u32,
    /// The nodes that the source found. Those from index `taken` on are still to be returned.
    found: Vec<u32>,
    taken: usize,
    held: usize,
    selection: Selection,
    rows: Vec<u32>,
    candidates: Batch,
}

/// The state of a [`Driver`] in a run.
#[derive(Debug)]
enum Source {
    All,
    Labels(Arc<[LabelNodes]>),
    Index(Lookup),
    Column(PropertyPlan, ValueTest, Option<LabelFilter>),
    LabelValues(Arc<[LabelNodes]>, PropertyPlan, ValueTest),
}

impl Source {
    fn new(driver: &Driver) -> Self {
        match driver {
            Driver::All => Self::All,
            Driver::Labels(labels) => Self::Labels(labels.clone()),
            Driver::Index(lookup) => Self::Index(lookup.clone()),
            Driver::Column(value, wanted) => {
                Self::Column(value.plan.clone(), ValueTest::new(&value.test), wanted.clone())
            }
            Driver::LabelValues(labels, value) => {
                Self::LabelValues(labels.clone(), value.plan.clone(), ValueTest::new(&value.test))
            }
        }
    }
}

impl Scan {
    pub(crate) fn new(plan: &ScanPlan, conditions: Vec<Condition>) -> Self {
        Self {
            source: Source::new(&plan.driver),
            by_index: plan.by_index.clone(),
            conditions,
            is_prepared: false,
            next: 0,
            end: u32::MAX,
            window: WINDOW_MIN,
            found: Vec::new(),
            taken: 0,
            held: 0,
            selection: Selection::default(),
            rows: Vec::new(),
            candidates: Batch::default(),
        }
    }

    /// Prepares the scan before its first rows.
    fn prepare_once(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let expected = match &mut self.source {
            Source::All => cx.nodes as usize,
            Source::Labels(labels) => count_of(labels),
            Source::LabelValues(labels, _, test) => {
                let nodes = count_of(labels);
                test.prepare(nodes, cx)?;
                nodes / 8
            }
            Source::Index(lookup) => room_for(lookup, &mut self.found, &mut self.held, cx)?,
            Source::Column(plan, test, _) => {
                test.prepare(usize::MAX, cx)?;
                plan.property.value_count() / 8
            }
        };
        self.conditions.iter_mut().try_for_each(|condition| condition.prepare(expected, cx))?;
        self.look_up_if_few(cx)?;
        self.is_prepared = true;
        Ok(())
    }

    /// Makes this scan share the results of text tests with another scan of the same plan, which must be
    /// prepared.
    pub(super) fn share_texts(&mut self, other: &Self) {
        match (&mut self.source, &other.source) {
            (Source::Column(_, test, _), Source::Column(_, other, _))
            | (Source::LabelValues(_, _, test), Source::LabelValues(_, _, other)) => {
                *test = other.of_thread()
            }
            _ => {}
        }
        self.conditions
            .iter_mut()
            .zip(&other.conditions)
            .for_each(|(condition, other)| condition.share(other));
        self.is_prepared = true;
    }

    /// Restarts the scan with a range of nodes.
    pub(super) fn begin(&mut self, nodes: Range<u32>) {
        self.reset();
        (self.next, self.end) = (nodes.start, nodes.end);
    }

    /// Whether the scan gives every node of a range.
    pub(super) fn gives_all(&self) -> bool {
        matches!(self.source, Source::All) && self.conditions.is_empty()
    }

    /// Whether the prepared scan can give the nodes of a range as bits, with [`Scan::select`].
    pub(super) fn selects(&self) -> bool {
        let source_selects = match &self.source {
            Source::All | Source::Labels(_) => true,
            // Text tests are excluded: few texts contain a word, and finding the values with these texts is
            // faster than making bits for all values.
            Source::Column(plan, test, _) => has_one_value(plan) && matches!(test, ValueTest::Plain(_)),
            Source::LabelValues(_, plan, test) => has_one_value(plan) && !test.reads_texts(),
            Source::Index(_) => false,
        };
        source_selects && self.conditions.iter().all(Condition::selects)
    }

    /// Sets the bits of those nodes of a short range that the scan gives. Only for scans for which
    /// [`Scan::selects`] is true.
    pub(super) fn select(&self, nodes: Range<u32>, selection: &mut Selection) {
        match &self.source {
            Source::All | Source::Index(_) => selection.begin(nodes),
            Source::Labels(labels) => selection.begin_with_labels(labels, nodes),
            Source::LabelValues(labels, plan, test) => {
                selection.begin_with_labels(labels, nodes);
                selection.keep_values(plan, test);
            }
            Source::Column(plan, test, wanted) => {
                selection.begin(nodes);
                selection.keep_values(plan, test);
                wanted.iter().for_each(|labels| selection.keep_labels(labels));
            }
        }
        self.conditions.iter().for_each(|condition| selection.keep(condition));
    }

    /// Switches to a look-up in the index if so few texts pass that the look-up is faster than testing nodes.
    fn look_up_if_few(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let Some(mut lookup) = self.by_index.take() else { return Ok(()) };
        let (nodes, test) = match &self.source {
            Source::LabelValues(labels, _, test) => (count_of(labels), test),
            Source::Column(plan, test, _) => (plan.property.value_count(), test),
            _ => return Ok(()),
        };
        let ValueTest::Texts(texts) = test else { return Ok(()) };
        if let Some(codes) = texts.matching(nodes / NODES_ASKED_FOR_A_TEXT) {
            lookup.codes = codes.into();
            room_for(&lookup, &mut self.found, &mut self.held, cx)?;
            self.source = Source::Index(lookup);
        }
        Ok(())
    }

    /// Puts the next ids of the source into `candidates`, at most one batch of them. Returns false at the
    /// end.
    fn gather(&mut self, cx: &mut Context) -> Result<bool, Stop> {
        let (nodes, all) = (&mut self.candidates.nodes, self.end.min(cx.nodes));
        nodes.clear();
        match &self.source {
            Source::All => {
                let end = all.min(self.next.saturating_add(cx.batch_rows as u32));
                nodes.extend(self.next..end);
                self.next = self.next.max(end);
            }
            Source::Labels(labels) => gather_labels(labels, &mut self.next, all, cx.batch_rows, nodes),
            Source::Column(..) | Source::LabelValues(..) => {
                let Some(search) = self.source.searched() else { return Ok(false) };
                while self.taken == self.found.len() {
                    if self.next >= all {
                        return Ok(false);
                    }
                    let end = all.min(self.next.saturating_add(self.window));
                    self.found.clear();
                    self.taken = 0;
                    search.search(self.next..end, &mut self.selection, &mut self.found, cx)?;
                    cx.budget.hold(&mut self.held, 4 * self.found.capacity())?;
                    self.next = end;
                    // The memory for the found nodes is charged only after the search of the window, because
                    // a window is small compared with the budget.
                    let most = u32::try_from(cx.budget.limit() / WINDOW_SHARE).unwrap_or(WINDOW_MAX);
                    self.window = (2 * self.window).min(most.clamp(WINDOW_MIN, WINDOW_MAX));
                }
                take_found(&self.found, &mut self.taken, nodes, cx);
            }
            Source::Index(lookup) => {
                if self.next == 0 {
                    let _bits = cx.budget.reserve(cx.nodes as usize / 8)?;
                    lookup.append(cx.nodes, &mut self.found);
                    self.next = cx.nodes;
                }
                take_found(&self.found, &mut self.taken, nodes, cx);
            }
        }
        Ok(!self.candidates.nodes.is_empty())
    }
}

impl Operate for Scan {
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if self.is_prepared { Ok(()) } else { self.prepare_once(cx) }
    }

    fn share(&mut self, other: &dyn Operate) {
        if let Some(other) = (other as &dyn Any).downcast_ref::<Self>() {
            self.share_texts(other);
        }
    }

    fn has_ranges(&self) -> bool {
        !matches!(self.source, Source::Index(_))
    }

    fn give_nodes(&mut self, nodes: Range<u32>) {
        self.begin(nodes);
    }

    fn next(&mut self, _: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.prepare(cx)?;
        if cx.forgets_trails {
            cx.trails.clear();
        }
        while self.gather(cx)? {
            cx.cancel.check()?;
            if self.conditions.is_empty() {
                std::mem::swap(&mut output.nodes, &mut self.candidates.nodes);
            } else {
                self.rows.clear();
                self.rows.extend(0..self.candidates.nodes.len() as u32);
                for condition in &mut self.conditions {
                    condition.select(&self.candidates, &mut self.rows, cx)?;
                }
                let nodes = &self.candidates.nodes;
                output.nodes.extend(self.rows.iter().filter_map(|row| nodes.get(*row as usize)));
            }
            if !output.nodes.is_empty() {
                begin_lanes(output, cx)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {
        (self.next, self.window, self.taken) = (0, WINDOW_MIN, 0);
        self.found.clear();
    }
}

impl Source {
    /// The column to search, and the test. `None` if the source does not search a column.
    fn searched(&self) -> Option<Search<'_>> {
        let (among, plan, test) = match self {
            Self::Column(plan, test, wanted) => (Among::Column(wanted.as_ref()), plan, test),
            Self::LabelValues(labels, plan, test) => (Among::Nodes(labels), plan, test),
            Self::All | Self::Labels(_) | Self::Index(_) => return None,
        };
        Some(Search { among, property: &plan.property, test })
    }
}

/// Makes room for the nodes that a look-up finds, and returns their number.
fn room_for(
    lookup: &Lookup,
    found: &mut Vec<u32>,
    held: &mut usize,
    cx: &mut Context,
) -> Result<usize, Stop> {
    let count = lookup.count();
    cx.budget.make_room(found, count, held)?;
    Ok(count)
}

fn count_of(labels: &[LabelNodes]) -> usize {
    labels.iter().map(|nodes| nodes.len() as usize).sum()
}

/// Appends the next batch of found nodes.
fn take_found(found: &[u32], taken: &mut usize, nodes: &mut Vec<u32>, cx: &Context) {
    let end = found.len().min(*taken + cx.batch_rows);
    nodes.extend_from_slice(&found[*taken..end]);
    *taken = end;
}

impl Lookup {
    /// The number of nodes that have one of the texts.
    pub(crate) fn count(&self) -> usize {
        self.codes.iter().map(|code| self.index.count(*code)).sum()
    }

    /// Appends the nodes that have one of the texts, in ascending order and without duplicates.
    fn append(&self, nodes: u32, output: &mut Vec<u32>) {
        let wanted = |label_set: u32| match &self.wanted {
            Some(wanted) => wanted.get(label_set as usize) == Some(&true),
            None => true,
        };
        for code in self.codes.iter() {
            self.index.append(*code, wanted, output);
        }
        match self.codes.len() {
            0 | 1 => {}
            _ if output.len() >= nodes as usize / SPARSE => sort_by_bits(output, nodes),
            _ => {
                output.sort_unstable();
                output.dedup();
            }
        }
    }
}

/// If at least one in `SPARSE` nodes of the graph is found, reading a bitmap of all nodes is faster than
/// sorting the found nodes.
const SPARSE: usize = 64;

/// Sorts ids and removes duplicates with the help of a bitmap of all nodes.
fn sort_by_bits(found: &mut Vec<u32>, nodes: u32) {
    let mut words = vec![0u64; nodes.div_ceil(64) as usize];
    found.iter().for_each(|node| words[*node as usize / 64] |= 1 << (node % 64));
    found.clear();
    found.extend(members(&words));
}

/// Sets the carried data of rows at the start of a pipeline.
pub(crate) fn begin_lanes(output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
    cx.extend_carried(output, 0, &Batch::default(), 0)
}

/// The operator of `ids`.
#[derive(Debug)]
pub(crate) struct IdsOperator {
    ids: Arc<[u32]>,
    next: usize,
}

impl IdsOperator {
    pub(crate) fn new(ids: Arc<[u32]>) -> Self {
        Self { ids, next: 0 }
    }
}

impl Operate for IdsOperator {
    fn next(&mut self, _: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if cx.forgets_trails {
            cx.trails.clear();
        }
        let end = self.ids.len().min(self.next + cx.batch_rows);
        output.nodes.extend_from_slice(&self.ids[self.next..end]);
        self.next = end;
        begin_lanes(output, cx)?;
        Ok(!output.nodes.is_empty())
    }

    fn reset(&mut self) {
        self.next = 0;
    }
}
