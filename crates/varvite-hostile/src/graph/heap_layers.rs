//! Layers of heap profiles whose numbers contradict each other: call trees with cycles, counts beyond 64
//! bits, descending times, events of sites that do not exist.

use varvite_format::{Encoding, LayerRow};

use super::sketch::Sketch;
use crate::HostileFile;

/// A layer in which every node is at once the profile, a place, a step, an interval and a stretch of events.
/// A pair of numbers describes a sequence by its first value and its increment.
#[derive(Clone, Copy)]
struct HeapLayer {
    nodes: u32,
    text: &'static str,
    /// The parents of the second step and of all later ones.
    parents: (i64, i64),
    /// The value of each count of a step, each sum of the run, and each number of a place.
    count: i64,
    /// The beginning of each interval.
    times: (i64, i64),
    /// The only event of each stretch.
    event: i64,
    /// The number of events before each stretch.
    before: (i64, i64),
    /// The number of all events.
    event_count: i64,
    /// The step of the only site.
    site_step: i64,
    /// The bytes of the only kind of allocation.
    kind_bytes: i64,
}

/// A chain of steps, each the child of the one before and with one event.
const CHAIN: HeapLayer = HeapLayer {
    nodes: 1000,
    text: "main",
    parents: (0, 1),
    count: 1,
    times: (0, 10),
    event: 0,
    before: (0, 1),
    event_count: 1000,
    site_step: 0,
    kind_bytes: 16,
};

const LAYERS: [(&str, HeapLayer); 16] = [
    ("a-heap-layer-of-one-step", HeapLayer { nodes: 1, event_count: 1, ..CHAIN }),
    ("a-heap-layer-of-1000-calls-in-each-other", CHAIN),
    (
        "a-heap-layer-of-100000-calls-in-each-other",
        HeapLayer { nodes: 100_000, event_count: 100_000, ..CHAIN },
    ),
    ("a-heap-layer-of-100000-calls-of-one-step", HeapLayer { nodes: 100_000, parents: (0, 0), ..CHAIN }),
    ("a-heap-layer-of-steps-that-are-their-own-parents", HeapLayer { parents: (1, 1), ..CHAIN }),
    ("a-heap-layer-of-parents-that-follow", HeapLayer { parents: (2, 1), ..CHAIN }),
    ("a-heap-layer-of-parents-outside", HeapLayer { parents: (1 << 40, 1), ..CHAIN }),
    ("a-heap-layer-of-counts-2^63-1", HeapLayer { count: i64::MAX, ..CHAIN }),
    ("a-heap-layer-of-counts-below-0", HeapLayer { count: i64::MIN, ..CHAIN }),
    ("a-heap-layer-of-control-characters", HeapLayer { text: "\x1b[2J\r\n\t<script>", ..CHAIN }),
    ("a-heap-layer-of-times-that-fall", HeapLayer { times: (i64::MAX, -1), ..CHAIN }),
    ("a-heap-layer-of-times-2^62-apart", HeapLayer { nodes: 3, times: (0, 1 << 62), ..CHAIN }),
    ("a-heap-layer-of-events-of-no-kind", HeapLayer { event: u32::MAX as i64, ..CHAIN }),
    ("a-heap-layer-of-events-at-no-step", HeapLayer { site_step: 1 << 33, ..CHAIN }),
    ("a-heap-layer-of-stretches-that-begin-at-2^63-1", HeapLayer { before: (i64::MAX, 0), ..CHAIN }),
    ("a-heap-layer-of-events-of-2^63-1-bytes", HeapLayer { kind_bytes: i64::MAX, ..CHAIN }),
];

const LABELS: [&str; 5] = ["PROFILE", "PLACE", "STEP", "MOMENT", "STRETCH"];
const EDGES: [&str; 4] = ["AT", "IN", "CALLED_AT", "ALLOCATES_AT"];
const TEXTS: [&str; 5] = ["MODULE", "FUNCTION", "FILE", "MATCH", "COMMAND"];
/// The properties with counts of steps, their sums over the run, counts of intervals, and numbers of the run.
const COUNTS: [&str; 18] = [
    "CALLS",
    "TEMPORARY",
    "LEAKED_BYTES",
    "PEAK_BYTES",
    "ALL_CALLS",
    "ALL_TEMPORARY",
    "ALL_LEAKED_BYTES",
    "ALL_PEAK_BYTES",
    "TOTAL_CALLS",
    "TOTAL_TEMPORARY",
    "TOTAL_LEAKED_BYTES",
    "TOTAL_PEAK_BYTES",
    "TIME_CALLS",
    "TIME_LIVE_BYTES",
    "TIME_PEAK_BYTES",
    "TIME_RESIDENT_BYTES",
    "SUPPRESSED_BYTES",
    "PEAK_RESIDENT_BYTES",
];
/// The properties with sums of sites at the beginning of a stretch.
const SITES: [&str; 4] = ["STRETCH_CALLS", "STRETCH_TEMPORARY", "STRETCH_LIVE_BYTES", "STRETCH_LIVE_BLOCKS"];

pub(super) fn all() -> Vec<HostileFile> {
    LAYERS.iter().map(|(name, layer)| HostileFile::graph(*name, layer.sketch().finish())).collect()
}

impl HeapLayer {
    fn sketch(&self) -> Sketch {
        let mut sketch = Sketch::code(self.nodes);
        let name = sketch.name("heap");
        sketch.directory.layers.push(LayerRow { name, ..sketch.directory.layers[0] });
        self.labels(&mut sketch);
        self.edges(&mut sketch);
        let texts = sketch.texts(&[self.text]);
        for name in TEXTS {
            let codes = sketch.constant(self.nodes.into(), 0);
            sketch.text_property(&named(name), self.nodes, codes, texts);
        }
        self.numbers(&mut sketch);
        self.lists(&mut sketch);
        sketch
    }

    fn labels(&self, sketch: &mut Sketch) {
        for name in LABELS {
            let all = sketch.all();
            sketch.label(&named(name), all);
        }
        // The label set with METHOD and the labels of the layer, but without CALL.
        sketch.directory.label_sets = vec![0b111_1101];
    }

    /// Adds an edge from each node to itself.
    fn edges(&self, sketch: &mut Sketch) {
        let count = u64::from(self.nodes);
        let (all, offsets) = (sketch.all(), sketch.sequence(count + 1, 0, 1));
        let neighbors = sketch.sequence(count, 0, 1);
        for name in EDGES {
            let lists = sketch.lists(all, offsets, neighbors);
            sketch.edges(&named(name), count, lists);
        }
    }

    /// Adds the properties with a number for each node.
    fn numbers(&self, sketch: &mut Sketch) {
        let one = |name, value| (name, (value, 0));
        let counts = COUNTS.map(|name| one(name, self.count));
        let others = [
            ("TIME_MS", self.times),
            ("STRETCH_BEFORE", self.before),
            one("RUNTIME_MS", 1000),
            one("EVENT_COUNT", self.event_count),
            one("PEAK_EVENT_COUNT", self.event_count),
            one("LINE", self.count),
            one("ADDRESS", self.count),
        ];
        for (name, (base, step)) in counts.into_iter().chain(others) {
            let (all, values) = (sketch.all(), sketch.sequence(self.nodes.into(), base, step));
            sketch.property(&named(name), all, None, values, None);
        }
        // The first step is the root and has no parent.
        let (count, (base, step)) = (u64::from(self.nodes) - 1, self.parents);
        let (others, values) = (sketch.set(Encoding::RangeSet, count, 1), sketch.sequence(count, base, step));
        sketch.property(&named("PARENT"), others, None, values, None);
    }

    /// Adds the properties with a list of one number for each node.
    fn lists(&self, sketch: &mut Sketch) {
        let sites = SITES.map(|name| (name, self.count));
        let others = [
            ("STRETCH_EVENTS", self.event),
            ("STRETCH_MS", self.times.0),
            ("STRETCH_STAMP", 0),
            ("KIND_BYTES", self.kind_bytes),
            ("KIND_SITE", 0),
            ("SITE_STEP", self.site_step),
        ];
        let offsets = sketch.sequence(u64::from(self.nodes) + 1, 0, 1);
        for (name, value) in sites.into_iter().chain(others) {
            let (all, values) = (sketch.all(), sketch.constant(self.nodes.into(), value));
            sketch.property(&named(name), all, Some(offsets), values, None);
        }
    }
}

fn named(end: &str) -> String {
    format!("HEAP_{end}")
}
