//! Tests of commands that read or copy whole graphs, with a graph that has the events of a heap profile in a
//! layer.

use std::fs;
use std::io::Read;

use serde_json::Value as Json;
use varvite::Graph;
use varvite_codec::frame::{FrameOptions, FrameReader, Framing};

use crate::command::{Folder, send, varvite};

const PROFILE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data/zlib.heaptrack.zst");

/// Makes the graph of zlib with the events of a profile.
fn graph_with(folder: &Folder, name: &str, profile: &str) -> String {
    let graph = folder.import(name, "compact");
    varvite(&["import", "--into", &graph, profile, "--events"]).text();
    graph
}

/// Answers about several moments of the run.
fn answers(graph: &str) -> Vec<Json> {
    let ask = |words: &[&str]| varvite(&[&["heap"], words, &[graph, "--format", "json"]].concat()).json();
    vec![
        ask(&["top", "--at", "0", "--by", "place"]),
        ask(&["top", "--at", "1000", "--by", "place"]),
        ask(&["top", "--at", "peak"]),
        ask(&["leaks", "--at", "2081", "--since", "100"]),
        ask(&["timeline", "--from", "0", "--to", "2081"]),
    ]
}

fn digest(graph: &str) -> Json {
    varvite(&["digest", graph, "--format", "json"]).json()
}

/// Makes a change, so that a compaction rewrites all columns.
fn change(graph: &str) {
    send(r#"{"set": {"node": 3, "property": "CODE", "value": "changed"}}"#, &["apply", graph, "-"]).text();
}

#[test]
fn events_stay_when_a_graph_is_written_anew_and_go_with_their_layer() {
    let folder = Folder::new();
    let bare = folder.import("bare.varvite", "compact");
    let graph = graph_with(&folder, "graph.varvite", PROFILE);
    let (asked, whole) = (answers(&graph), digest(&graph));
    assert!(asked.iter().all(|answer| !answer["rows"].as_array().unwrap().is_empty()));
    varvite(&["compact", &graph]).text();
    assert_eq!((answers(&graph), digest(&graph)), (asked.clone(), whole));
    change(&graph);
    assert_eq!(answers(&graph), asked);
    varvite(&["compact", &graph]).text();
    assert_eq!(answers(&graph), asked);
    assert!(varvite(&["verify", &graph]).text().contains("whole"));
    varvite(&["drop-layer", &graph, "heap"]).text();
    varvite(&["heap", "top", &graph, "--at", "1000"]).fails(2, &["has no profile"]);
    change(&bare);
    for graph in [&graph, &bare] {
        varvite(&["compact", graph]).text();
    }
    assert_eq!(varvite(&["digest", "compare", &graph, &bare]).text(), "equal\n");
    assert_eq!(varvite(&["diff", &graph, &bare]).text(), "equal\n");
}

/// The lines of the profile, with two consecutive allocations swapped. All sums stay the same.
fn with_events_exchanged() -> String {
    let mut text = String::new();
    let file = fs::File::open(PROFILE).unwrap();
    let mut plain = FrameReader::new(Framing::Zstd, file, &FrameOptions::default()).unwrap();
    plain.read_to_string(&mut text).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines
        .windows(3)
        .position(|lines| lines.iter().all(|line| line.starts_with("+ ")) && lines[0] != lines[1]);
    let at = at.unwrap();
    lines.swap(at, at + 1);
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

#[test]
fn one_event_that_differs_is_found() {
    let folder = Folder::new();
    let other = folder.path("other.heaptrack");
    fs::write(&other, with_events_exchanged()).unwrap();
    let [one, other] = [("one", PROFILE), ("other", other.as_str())]
        .map(|(name, profile)| graph_with(&folder, &format!("{name}.varvite"), profile));
    let differing = |words: &[&str]| {
        let (status, output) = varvite(words).status_and_output();
        assert_eq!(status, Some(1));
        String::from_utf8(output).unwrap()
    };
    let compared = differing(&["digest", "compare", &one, &other, "--format", "json"]);
    let compared: Json = serde_json::from_str(&compared).unwrap();
    let columns: Vec<&str> =
        compared["columns"].as_array().unwrap().iter().map(|it| it["column"].as_str().unwrap()).collect();
    // The digest of the profile's file also differs.
    assert_eq!(columns, ["property HEAP_SOURCE", "property HEAP_STRETCH_EVENTS"]);
    let told = differing(&["diff", &one, &other]);
    assert!(
        told.contains("HEAP_STRETCH_EVENTS: 3,619 values before, 3,619 after; the first difference, "),
        "{told}"
    );
    let rows = differing(&["diff", &one, &other, "--format", "jsonl"]);
    let rows = rows.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let mut row = rows.filter(|row| row["property"] == "HEAP_STRETCH_EVENTS");
    let row = row.next().unwrap();
    let [before, after] = ["before", "after"].map(|side| row[side].as_array().unwrap());
    assert_eq!(before.iter().zip(after).filter(|(before, after)| before != after).count(), 2);
    // Applying the diff turns the first graph into the second.
    let diff = folder.path("events.jsonl");
    varvite(&["diff", &one, &other, "--as-diff", "-o", &diff]).text();
    varvite(&["apply", &one, &diff]).text();
    assert_eq!(answers(&one), answers(&other));
    assert_eq!(varvite(&["digest", "compare", &one, &other]).text(), "equal\n");
}

/// The range of the events in the graph file: the offsets of their first and last byte.
fn events_in(graph: &str) -> (usize, usize) {
    let graph = Graph::open(graph).unwrap();
    let place = graph.properties().iter().position(|it| it.name == "HEAP_STRETCH_EVENTS").unwrap();
    let directory = graph.store().directory();
    let mut column = &directory.columns[directory.properties[place].values.index()];
    // If the column has codes, they are in a child column.
    while column.segments[0].is_none() {
        column = &directory.columns[column.children.iter().flatten().next().unwrap().index()];
    }
    let segment = &directory.segments[column.segments[0].unwrap().index()];
    (segment.offset as usize, (segment.offset + segment.stored_len) as usize - 1)
}

#[test]
fn damaged_events_are_told_at_the_end_of_every_command() {
    let folder = Folder::new();
    let (graph, damaged) = (graph_with(&folder, "graph.varvite", PROFILE), folder.path("damaged.varvite"));
    let (whole, (first, last)) = (fs::read(&graph).unwrap(), events_in(&graph));
    let damage = |places: &mut dyn Iterator<Item = usize>| {
        let mut bytes = whole.clone();
        places.for_each(|at| bytes[at] = !bytes[at]);
        fs::write(&damaged, bytes).unwrap();
    };
    let of_moments: [&[&str]; 4] = [
        &["heap", "top", &damaged, "--at", "1000"],
        &["heap", "flame", &damaged, "--at", "peak"],
        &["heap", "on-code", &damaged, "--at", "2000"],
        &["heap", "timeline", &damaged, "--from", "10", "--to", "1000"],
    ];
    // Commands that check the data that they read find a single damaged byte.
    for at in [first, first.midpoint(last), last] {
        damage(&mut std::iter::once(at));
        for words in
            of_moments.iter().copied().chain([&["digest", &damaged][..], &["diff", &graph, &damaged]])
        {
            for mode in ["--buffered", "--checked"] {
                varvite(&[words, &[mode]].concat()).fails(3, &["damaged.varvite", "segment", "at byte"]);
            }
        }
        assert_eq!(varvite(&["verify", &damaged]).status_and_output().0, Some(1));
        // If a command re-encoded damaged values, they would get valid checksums.
        varvite(&["compact", &damaged]).fails(3, &["damaged.varvite", "segment"]);
        varvite(&["compact", &damaged, "-o", &folder.path("anew")]).fails(3, &["damaged.varvite", "segment"]);
        change(&damaged);
        varvite(&["compact", &damaged]).fails(3, &["damaged.varvite", "segment"]);
        varvite(&["drop-layer", &damaged, "heap"]).text();
    }
    // Readers that do not check the mapped bytes still find that values are impossible.
    damage(&mut (first..=last));
    for words in of_moments {
        varvite(words).fails(3, &["damaged.varvite"]);
    }
}
