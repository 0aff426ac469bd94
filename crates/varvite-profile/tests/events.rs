//! Tests of a run's events in a graph: the state at any moment equals that of a simple replay of the
//! profile's lines, and invalid lists of events do no harm.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::change::{Diff, NodeRef};
use varvite::vfs::RealVfs;
use varvite::write::{GraphChange, compact, drop_layers};
use varvite::{Graph, GraphError, Task};
use varvite_codec::frame::{FrameOptions, FrameReader, Framing};
use varvite_import::Import;
use varvite_model::SplitMix64;
use varvite_profile::heaptrack::{CALLS, LEAKED_BYTES, PEAK_BYTES, TEMPORARY};
use varvite_profile::layer::{
    At, By, HeapLayer, HeapLayerError, HeapOptions, LayerEvents, LayerReadError, Names, import_events,
};
use varvite_profile::{Kind, Limits, Profile, ProfileError, ProfileSource, Slot, heaptrack};

/// A place: function, file, line and module.
type Place = (String, String, i64, String);
/// The state of a place: bytes in use, allocations in use, calls, and temporary allocations.
type State = [i64; 4];

/// A run, with each event and its millisecond, as read from the lines of the profile.
#[derive(Default)]
struct PlainRun {
    kinds: Vec<(i64, Place)>,
    /// For each event: the millisecond, the kind, whether the event frees memory, and whether the memory was
    /// temporary.
    events: Vec<(u64, usize, bool, bool)>,
    last_ms: u64,
}

impl PlainRun {
    fn of(text: &str) -> Self {
        let (mut run, mut last) = (Self::default(), 0);
        let (mut texts, mut locations) = (vec![String::new()], vec![Place::default()]);
        let mut traces: Vec<Place> = vec![Place::default()];
        for line in text.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| fields.get(at).map_or(0, |it| usize::from_str_radix(it, 16).unwrap());
            match fields[0] {
                "s" => texts.push(fields[2..].join(" ")),
                "i" => {
                    let text = |at: usize| texts[number(at)].clone();
                    // A location without a name is shown as its address.
                    let function = Some(text(3)).filter(|name| !name.is_empty());
                    let function = function.unwrap_or_else(|| format!("0x{:x}", number(1)));
                    locations.push((function, text(4), number(5) as i64, text(2)));
                }
                "t" => traces.push(locations[number(1)].clone()),
                "a" => run.kinds.push((number(1) as i64, traces[number(2)].clone())),
                "c" => run.last_ms = run.last_ms.max(number(1) as u64),
                "+" => {
                    run.events.push((run.last_ms, number(1), false, false));
                    last = number(1);
                }
                "-" => {
                    run.events.push((run.last_ms, number(1), true, last == number(1)));
                    last = 0;
                }
                _ => {}
            }
        }
        run
    }

    /// The state of each place after `count` events.
    fn after(&self, count: usize) -> BTreeMap<Place, State> {
        let mut places: BTreeMap<Place, State> = BTreeMap::new();
        for (_, kind, gives_back, is_temporary) in &self.events[..count] {
            let (bytes, place) = &self.kinds[*kind];
            let state = places.entry(place.clone()).or_default();
            match gives_back {
                false => (state[0], state[1], state[2]) = (state[0] + bytes, state[1] + 1, state[2] + 1),
                true => (state[0], state[1]) = (state[0] - bytes, state[1] - 1),
            }
            state[3] += i64::from(*is_temporary);
        }
        places.retain(|_, state| *state != [0; 4]);
        places
    }

    fn at(&self, ms: u64) -> BTreeMap<Place, State> {
        self.after(self.events.partition_point(|event| event.0 <= ms))
    }
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Makes a graph of code in a new folder.
fn code() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code.varvite");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/zlib.cpg.bin");
    Import::new(source).write_to(&path).unwrap();
    (folder, path)
}

/// Adds a profile with its events to a graph.
fn add(path: &Path, source: &Path, name: &str) -> Result<Profile, HeapLayerError> {
    let limits = Limits::default();
    let mut events = LayerEvents::begin(Arc::new(RealVfs), path, name, &limits)?;
    let (profile, source) = ProfileSource::open(source)?.read_events(None, &limits, &mut events)?;
    let options = HeapOptions { name: name.to_owned(), source, limits };
    import_events(Arc::new(RealVfs), path, (&profile, events), &options, &Task::new())?;
    Ok(profile)
}

fn layer(graph: &Graph) -> HeapLayer {
    HeapLayer::open(graph, &Names::of(Kind::Heap, ""), &Limits::default()).unwrap()
}

/// The counts of each place in a layer, in these slots.
fn places(layer: &HeapLayer, slots: &[Slot]) -> BTreeMap<Place, Vec<i64>> {
    let mut places: BTreeMap<Place, Vec<i64>> = BTreeMap::new();
    for row in layer.top(By::Place) {
        let place = (row.place.function, row.place.file, row.place.line, row.place.module);
        let numbers: Vec<i64> = slots.iter().map(|slot| row.own[*slot]).collect();
        if numbers.iter().any(|number| *number != 0) {
            assert!(places.insert(place, numbers).is_none());
        }
    }
    places
}

fn at(graph: &Graph, since: Option<At>, at: At) -> Result<HeapLayer, LayerReadError> {
    layer(graph).at(graph, since, at)
}

fn places_at(graph: &Graph, moment: At) -> BTreeMap<Place, State> {
    let layer = at(graph, None, moment).unwrap();
    let slots = ["live_bytes", "live_blocks", "calls", "temporary"];
    let slots = slots.map(|name| layer.measures.find(name).unwrap());
    places(&layer, &slots).into_iter().map(|(place, state)| (place, state.try_into().unwrap())).collect()
}

/// Compares the states at moments of a run, and the run's sums, with those of the simple replay.
fn check(graph: &Graph, profile: &Profile, run: &PlainRun, moments: impl Iterator<Item = u64>) {
    for ms in moments {
        assert_eq!(places_at(graph, At::Ms(ms)), run.at(ms), "at {ms} ms");
    }
    let whole = layer(graph);
    let (end, totals) = (at(graph, None, At::Ms(run.last_ms)).unwrap(), &profile.totals);
    let total = |name: &str| end.totals.counts[end.measures.find(name).unwrap()];
    assert_eq!((total("calls"), total("temporary")), (totals.counts[CALLS], totals.counts[TEMPORARY]));
    assert_eq!(total("live_bytes"), totals.counts[LEAKED_BYTES] + totals.suppressed_bytes);
    let live = [end.measures.find("live_bytes").unwrap()];
    assert_eq!(places(&end, &live), places(&whole, &[LEAKED_BYTES]));
    // At the peak, each place has the value that heaptrack reports for the peak.
    let peak = at(graph, None, At::Peak).unwrap();
    assert_eq!(peak.totals.counts[live[0]], totals.counts[PEAK_BYTES]);
    assert_eq!(places(&peak, &live), places(&whole, &[PEAK_BYTES]));
    let peak_ms = peak.moments.unwrap().ms;
    let timeline = whole.timeline_between(graph, (peak_ms, peak_ms), 1).unwrap();
    assert_eq!(timeline.moments[0].peak_bytes, totals.counts[PEAK_BYTES]);
}

#[test]
fn moments_of_a_run_are_those_of_a_plain_replay() {
    let (_folder, path) = code();
    for name in ["zlib", "sqlite"] {
        let source = data(&format!("{name}.heaptrack.zst"));
        let profile = add(&path, &source, "").unwrap();
        let file = std::fs::File::open(&source).unwrap();
        let mut text = String::new();
        let mut plain = FrameReader::new(Framing::Zstd, file, &FrameOptions::default()).unwrap();
        plain.read_to_string(&mut text).unwrap();
        let (run, graph) = (PlainRun::of(&text), Graph::open(&path).unwrap());
        assert_eq!(graph.verify(&Task::new()).unwrap().problems, [""; 0]);
        check(&graph, &profile, &run, 0..=run.last_ms);
    }
}

/// The lines of a profile with `events` events at a few places. Most frees are of the newest allocation.
fn lines(events: usize, seed: u64) -> String {
    let mut random = SplitMix64::new(seed);
    let mut below = |bound: u64| (random.next_u64() % bound) as usize;
    let mut text = "v 10400 3\nX ./synthetic\nI 1000 100\ns 1 m\ns 4 main\ns 1 f\n".to_owned();
    (0..20).for_each(|place| {
        text += &format!("i {place:x} 1 2 3 {:x}\nt {:x} {:x}\n", place + 1, place + 1, place)
    });
    let (mut live, mut kinds, mut ms) = (Vec::new(), 0, 0);
    for _ in 0..events {
        if below(50) == 0 {
            ms += below(4);
            text += &format!("c {ms:x}\n");
        }
        if kinds == 0 || kinds < 300 && below(100) == 0 {
            text += &format!("a {:x} {:x}\n", below(1000), 1 + below(20));
            kinds += 1;
        }
        match below(2) == 0 && !live.is_empty() {
            true => text += &format!("- {:x}\n", live.swap_remove(below(live.len() as u64))),
            false => {
                live.push(below(kinds));
                text += &format!("+ {:x}\n", live.last().unwrap());
            }
        }
    }
    text
}

#[test]
fn a_moment_of_a_long_run_is_found_in_its_stretch() {
    let (folder, path) = code();
    let (source, text) = (folder.path().join("run"), lines(150_000, 7));
    std::fs::write(&source, &text).unwrap();
    let profile = add(&path, &source, "").unwrap();
    let (run, mut random) = (PlainRun::of(&text), SplitMix64::new(11));
    let graph = Graph::open(&path).unwrap();
    assert_eq!(graph.nodes("HEAP_STRETCH").unwrap().len(), 3);
    // The moments include the milliseconds in which stretches begin, and the milliseconds just before and
    // after.
    let begins: Vec<u64> = [65_536, 131_072].map(|event: usize| run.events[event].0).to_vec();
    let beside = begins.iter().flat_map(|ms| ms - 1..=ms + 1);
    let moments: Vec<u64> = (0..12).map(|_| random.next_u64() % (run.last_ms + 1)).chain(beside).collect();
    check(&graph, &profile, &run, moments.iter().copied());
    // The difference between two moments equals the sum of the events between them.
    let (from, to) = (run.last_ms / 3, run.last_ms / 2);
    let grown = at(&graph, Some(At::Ms(from)), At::Ms(to)).unwrap();
    let sum = |ms: u64, of: usize| run.at(ms).values().map(|state| state[of]).sum::<i64>();
    let counts = |name: &str| grown.totals.counts[grown.measures.find(name).unwrap()];
    assert_eq!(counts("calls"), sum(to, 2) - sum(from, 2));
    assert_eq!(counts("live_bytes"), sum(to, 0) - sum(from, 0));
    // A timeline that covers several stretches, with intervals of one millisecond.
    let (from, to) = (begins[0] - 5, begins[1] + 5);
    let timeline = layer(&graph).timeline_between(&graph, (from, to), u32::MAX).unwrap();
    assert_eq!((timeline.from_ms, timeline.interval_ms), (from, 1));
    assert_eq!(timeline.moments.len() as u64, to - from + 1);
    let calls: i64 = timeline.moments.iter().map(|moment| moment.calls).sum();
    assert_eq!(calls, sum(to, 2) - sum(from - 1, 2));
    for (ms, moment) in (from..).zip(&timeline.moments).step_by(97) {
        assert_eq!(moment.live_bytes, sum(ms, 0), "at {ms} ms");
    }
    // After the graph was compacted, the results are the same. Dropping the layer removes all its events.
    let before = places_at(&graph, At::Ms(to));
    drop(graph);
    compact(Arc::new(RealVfs), &path, &Task::new()).unwrap();
    let graph = Graph::open(&path).unwrap();
    assert_eq!(places_at(&graph, At::Ms(to)), before);
    drop(graph);
    drop_layers(Arc::new(RealVfs), &path, &["heap"], &Task::new()).unwrap();
    assert!(Graph::open(&path).unwrap().nodes("HEAP_STRETCH").is_err());
}

#[test]
fn what_can_not_be_asked_is_refused() {
    let (folder, path) = code();
    let source = folder.path().join("run");
    std::fs::write(&source, lines(1000, 3)).unwrap();
    assert!(matches!(add(&path, &source, "no-word"), Err(HeapLayerError::Name { .. })));
    let profile = add(&path, &source, "").unwrap();
    let graph = Graph::open(&path).unwrap();
    let last = profile.totals.runtime_ms - 1;
    let error = at(&graph, None, At::Ms(last + 1)).unwrap_err();
    assert!(
        matches!(error, LayerReadError::Late { asked, last: end, .. } if (asked, end) == (last + 1, last))
    );
    let error = at(&graph, Some(At::Ms(5)), At::Ms(4)).unwrap_err();
    assert!(matches!(error, LayerReadError::Backwards { from: 5, to: 4 }), "{error}");
    let between = |from, to| layer(&graph).timeline_between(&graph, (from, to), 10).unwrap_err();
    assert!(matches!(between(4, 3), LayerReadError::Backwards { .. }));
    assert!(matches!(between(0, u64::MAX), LayerReadError::Late { .. }));
    // In a layer that has only sums, no moment can be computed. Profiles of other tools have no events.
    let options = HeapOptions { source: [9; 32], ..HeapOptions::default() };
    let profile = heaptrack::open(&source, &Limits::default()).unwrap();
    varvite_profile::layer::import(Arc::new(RealVfs), &path, &profile, &options, &Task::new()).unwrap();
    let graph = Graph::open(&path).unwrap();
    assert!(matches!(at(&graph, None, At::Peak), Err(LayerReadError::NoEvents { layer }) if layer == "heap"));
    std::fs::write(&source, "main;f 3\n").unwrap();
    let error = add(&path, &source, "").unwrap_err();
    assert!(matches!(error, HeapLayerError::Profile(ProfileError::NoEvents)), "{error}");
}

/// If a run was killed, the layer has the events that were written until then. Profiles of an old version
/// also have events.
#[test]
fn events_are_kept_as_far_as_a_profile_goes() {
    let (folder, path) = code();
    let source = folder.path().join("run");
    let text = lines(500, 5);
    std::fs::write(&source, &text[..text.len() - 2]).unwrap();
    let profile = add(&path, &source, "").unwrap();
    assert!(profile.noticed.is_cut_off);
    let whole = text[..text.len() - 2].rsplit_once('\n').unwrap().0;
    check(&Graph::open(&path).unwrap(), &profile, &PlainRun::of(whole), 0..3);
    let old = "v 0\ns m\ns main\ns f\ni 1 1 2 3 5\nt 1 0\n+ 8 1 aa\n+ 4 1 bb\n- bb\nc 7\n- aa\n+ 10 1 aa\n";
    std::fs::write(&source, old).unwrap();
    let profile = add(&path, &source, "").unwrap();
    let graph = Graph::open(&path).unwrap();
    let state = |ms| places_at(&graph, At::Ms(ms)).into_values().next().unwrap();
    assert_eq!((state(6), state(7)), ([8, 1, 2, 1], [16, 1, 3, 1]));
    assert_eq!((profile.totals.counts[CALLS], profile.events.unwrap().peak_count), (3, 5));
}

#[test]
fn no_lists_of_events_do_harm() {
    let (folder, path) = code();
    let source = folder.path().join("run");
    std::fs::write(&source, lines(2000, 13)).unwrap();
    add(&path, &source, "").unwrap();
    let whole = std::fs::read(&path).unwrap();
    for (label, property, values) in [
        ("HEAP_STRETCH", "HEAP_STRETCH_EVENTS", vec![-1; 2000]),
        ("HEAP_STRETCH", "HEAP_STRETCH_EVENTS", vec![i64::from(u32::MAX); 2000]),
        ("HEAP_STRETCH", "HEAP_STRETCH_EVENTS", vec![0; 3]),
        ("HEAP_STRETCH", "HEAP_STRETCH_CALLS", vec![1; 100]),
        ("HEAP_PROFILE", "HEAP_KIND_SITE", vec![]),
        ("HEAP_PROFILE", "HEAP_KIND_SITE", vec![1 << 40; 300]),
        ("HEAP_PROFILE", "HEAP_KIND_BYTES", vec![7]),
        ("HEAP_PROFILE", "HEAP_EVENT_COUNT", vec![5]),
    ] {
        let graph = Graph::open(&path).unwrap();
        let node = graph.nodes(label).unwrap().iter().next().unwrap();
        drop(graph);
        let mut diff = Diff::new();
        diff.set(node, property, values);
        GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
        let graph = Graph::open(&path).unwrap();
        let error = at(&graph, None, At::Ms(30)).map(drop).unwrap_err();
        assert!(matches!(error, LayerReadError::Damaged { .. }), "{property}: {error}");
        std::fs::write(&path, &whole).unwrap();
    }
    // Times that go backwards, or whose event does not exist; and sizes beyond the memory limit.
    for (property, values) in
        [("HEAP_STRETCH_MS", vec![9, 3, -5]), ("HEAP_STRETCH_STAMP", vec![i64::MAX, -1, 0])]
    {
        let node = Graph::open(&path).unwrap().nodes("HEAP_STRETCH").unwrap().iter().next().unwrap();
        let mut diff = Diff::new();
        diff.set(node, property, values);
        GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
        let graph = Graph::open(&path).unwrap();
        (0..20).for_each(|ms| _ = at(&graph, None, At::Ms(ms)).map(drop));
        _ = layer(&graph).timeline_between(&graph, (2, 7), 3).map(drop);
    }
    let graph = Graph::open(&path).unwrap();
    let little = Limits { memory_bytes: 1000, ..Limits::default() };
    let error = HeapLayer::open(&graph, &Names::of(Kind::Heap, ""), &little).map(drop).unwrap_err();
    assert!(matches!(error, LayerReadError::Graph(GraphError::OverBudget(_))), "{error}");
}

#[test]
fn a_tree_of_calls_that_cannot_be_is_damage() {
    let (folder, path) = code();
    let source = folder.path().join("run");
    std::fs::write(&source, lines(2000, 13)).unwrap();
    add(&path, &source, "").unwrap();
    let whole = std::fs::read(&path).unwrap();
    let steps: Vec<u32> = Graph::open(&path).unwrap().nodes("HEAP_STEP").unwrap().iter().collect();
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    let edge = Graph::open(&path).unwrap().out("HEAP_IN").unwrap().first_rank(last).unwrap() as u32;
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Diff));
    let changes: [Change<'_>; 3] = [
        ("the caller of a step", &|diff| diff.set(last, "HEAP_PARENT", [NodeRef::from(last)])),
        ("the caller of a step", &|diff| diff.set(first, "HEAP_PARENT", [NodeRef::from(last)])),
        ("a step has no place", &|diff| diff.remove_edge("HEAP_IN", edge)),
    ];
    for (what, change) in changes {
        let mut diff = Diff::new();
        change(&mut diff);
        GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
        let graph = Graph::open(&path).unwrap();
        let error = HeapLayer::open(&graph, &Names::of(Kind::Heap, ""), &Limits::default());
        let error = error.map(drop).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        std::fs::write(&path, &whole).unwrap();
    }
}
