//! flatgraph files: manifests with false claims, very many kinds of nodes, columns that expand enormously.

use serde_json::{Value, json};

use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    let mut files = HostileFile::made(
        Kind::Flatgraph,
        &[
            ("a-sound-flatgraph", || Draft::new().finish()),
            ("6000-kinds-of-a-node", kinds),
            ("6000-kinds-of-2-million-nodes", empty_kinds),
            ("zstd-bomb-of-quantities", || bomb("qty")),
            ("zstd-bomb-of-neighbours", || bomb("neighbors")),
            ("zstd-bomb-of-edge-properties", || bomb("property")),
            ("zstd-bomb-of-the-string-pool", pool_bomb),
            ("a-million-edges-of-one-node", hub),
            ("a-tree-of-100000-levels", || tree(|node| node + 1)),
            ("a-tree-that-is-a-ring", || tree(|node| (node + 1) % 100_000)),
            ("quantities-that-are-negative", || edited(|draft| draft.set_edge("qty", &[-1, 3]))),
            ("quantities-past-2^31", || edited(|draft| draft.set_edge("qty", &[i32::MAX, i32::MAX]))),
            ("quantities-of-other-nodes", || edited(|draft| draft.set_edge("qty", &[1, 1, 1, 1, 0]))),
            ("strings-past-the-pool", strings_past_the_pool),
            ("a-manifest-of-100000-brackets", || with_manifest("[".repeat(100_000))),
            ("a-manifest-of-2-million-zeros", || {
                with_manifest(format!("[{}]", vec!["0"; 2_000_000].join(",")))
            }),
            ("a-manifest-past-the-end", || with_offset(i64::MAX)),
            ("a-manifest-at-a-negative-place", || with_offset(-1)),
            ("a-manifest-in-the-header", || with_offset(8)),
        ],
    );
    let lies: [(&str, &str, Value); 12] = [
        ("2^31-nodes", "/nodes/0/nnodes", json!(i32::MAX)),
        ("2^53-nodes", "/nodes/0/nnodes", json!(1_u64 << 53)),
        ("negative-nodes", "/nodes/0/nnodes", json!(-1)),
        ("deletions-of-nodes-that-are-not-there", "/nodes/0/deletions", json!([1 << 30])),
        ("a-million-deletions", "/nodes/0/deletions", json!(vec![1; 1_000_000])),
        ("two-kinds-of-a-name", "/nodes/1/nodeLabel", json!("METHOD")),
        ("a-kind-of-a-long-name", "/nodes/1/nodeLabel", json!("x".repeat(100_000))),
        ("a-column-outside", "/edges/0/qty/startOffset", json!(1_u64 << 50)),
        ("a-column-of-2^31-stored-bytes", "/edges/0/qty/compressedLength", json!(i32::MAX)),
        ("a-column-of-2^31-plain-bytes", "/edges/0/qty/decompressedLength", json!(i32::MAX)),
        ("a-column-of-an-unknown-type", "/edges/0/qty/type", json!("quux")),
        ("a-property-of-a-million-letters", "/properties/0/propertyLabel", json!("x".repeat(1 << 20))),
    ];
    files.extend(lies.map(|(name, field, value)| {
        let mut draft = Draft::new();
        *draft.manifest.pointer_mut(field).expect("a field of the draft") = value;
        HostileFile { name: name.into(), kind: Kind::Flatgraph, bytes: draft.finish() }
    }));
    files
}

/// A small valid graph: a METHOD that calls and contains a second METHOD, and a CALL.
struct Draft {
    manifest: Value,
    blobs: Vec<u8>,
}

impl Draft {
    fn new() -> Self {
        let mut draft = Self { manifest: Value::Null, blobs: Vec::new() };
        let edge = |draft: &mut Self, label: &str, inout: u32| {
            let quantities = if inout == 1 { [1, 0, 0] } else { [0, 1, 0] };
            let neighbor = u64::from(inout == 1);
            json!({
                "nodeLabel": "METHOD", "edgeLabel": label, "inout": inout,
                "qty": draft.ints(&quantities), "neighbors": draft.refs(&[neighbor]), "property": null,
            })
        };
        let edges: Vec<Value> = [("AST", 0), ("AST", 1), ("CALL", 0), ("CALL", 1)]
            .map(|(label, inout)| edge(&mut draft, label, inout))
            .into();
        let mut names = draft.ints(&[0, 1]);
        names["type"] = "string".into();
        draft.manifest = json!({
            "version": 0,
            "nodes": [
                { "nodeLabel": "METHOD", "nnodes": 2, "deletions": null },
                { "nodeLabel": "CALL", "nnodes": 0, "deletions": null },
            ],
            "edges": edges,
            "properties": [
                { "nodeLabel": "METHOD", "propertyLabel": "NAME", "qty": draft.ints(&[1, 1, 0]), "property": names },
            ],
            "stringPoolLength": draft.ints(&[4, 5]),
            "stringPoolBytes": draft.blob("byte", b"mainother"),
        });
        draft
    }

    fn blob(&mut self, element: &str, plain: &[u8]) -> Value {
        // In flatgraph files, each compressed frame states its decompressed length.
        let stored = zstd::bulk::compress(plain, 3).expect("bytes compress");
        let start = 16 + self.blobs.len();
        self.blobs.extend_from_slice(&stored);
        json!({
            "type": element, "startOffset": start,
            "compressedLength": stored.len(), "decompressedLength": plain.len(),
        })
    }

    fn ints(&mut self, values: &[i32]) -> Value {
        let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.blob("int", &plain)
    }

    fn refs(&mut self, values: &[u64]) -> Value {
        let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.blob("ref", &plain)
    }

    /// Replaces the numbers in a column of the AST edges.
    fn set_edge(&mut self, column: &str, values: &[i32]) {
        self.manifest["edges"][1][column] = self.ints(values);
    }

    fn finish(self) -> Vec<u8> {
        let text = self.manifest.to_string();
        self.finish_with(text.as_bytes(), None)
    }

    fn finish_with(self, manifest: &[u8], offset: Option<i64>) -> Vec<u8> {
        let offset = offset.unwrap_or(16 + self.blobs.len() as i64);
        [&b"FLT GRPH"[..], &offset.to_le_bytes(), &self.blobs, manifest].concat()
    }
}

fn edited(change: fn(&mut Draft)) -> Vec<u8> {
    let mut draft = Draft::new();
    change(&mut draft);
    draft.finish()
}

fn with_manifest(text: String) -> Vec<u8> {
    Draft::new().finish_with(text.as_bytes(), None)
}

fn with_offset(offset: i64) -> Vec<u8> {
    Draft::new().finish_with(b"{}", Some(offset))
}

/// A graph with many kinds of nodes. Each kind has one node, whose edges have a label of their own.
fn kinds() -> Vec<u8> {
    let mut draft = Draft::new();
    let (quantities, to_first) = (draft.ints(&[1, 0]), draft.refs(&[0]));
    let kind = |number: u32| json!({ "nodeLabel": format!("K{number}"), "nnodes": 1, "deletions": null });
    let edge = |number: u32| {
        json!({
            "nodeLabel": format!("K{number}"), "edgeLabel": format!("E{number}"), "inout": 1,
            "qty": quantities, "neighbors": to_first, "property": null,
        })
    };
    draft.manifest["nodes"] = (0..6000).map(kind).collect();
    draft.manifest["edges"] = (0..6000).map(edge).collect();
    draft.manifest["properties"] = json!([]);
    draft.finish()
}

/// A graph with kinds of nodes that claim to have nodes, but have no data in the file.
fn empty_kinds() -> Vec<u8> {
    let mut draft = Draft::new();
    let kind =
        |number: u32| json!({ "nodeLabel": format!("K{number}"), "nnodes": 2_000_000, "deletions": null });
    draft.manifest["nodes"] = (0..6000).map(kind).collect();
    (draft.manifest["edges"], draft.manifest["properties"]) = (json!([]), json!([]));
    draft.finish()
}

/// A column of zeros that expands to a gigabyte.
fn bomb(column: &str) -> Vec<u8> {
    let mut draft = Draft::new();
    draft.manifest["edges"][1][column] = draft.blob("int", &vec![0; 256 << 20]);
    draft.manifest["nodes"][0]["nnodes"] = json!((64 << 20) - 1);
    draft.finish()
}

fn pool_bomb() -> Vec<u8> {
    let mut draft = Draft::new();
    draft.manifest["stringPoolBytes"] = draft.blob("byte", &vec![b'x'; 256 << 20]);
    draft.manifest["stringPoolLength"] = draft.ints(&[1 << 27, 1 << 27]);
    draft.finish()
}

fn hub() -> Vec<u8> {
    const EDGES: usize = 1_000_000;
    let mut draft = Draft::new();
    for (number, quantities) in [(2, [0, EDGES as i32, 0]), (3, [EDGES as i32, 0, 0])] {
        draft.manifest["edges"][number]["qty"] = draft.ints(&quantities);
        draft.manifest["edges"][number]["neighbors"] = draft.refs(&vec![u64::from(number == 3); EDGES]);
    }
    draft.finish()
}

/// A graph whose AST gives each node one child.
fn tree(child: fn(u64) -> u64) -> Vec<u8> {
    const NODES: u64 = 100_000;
    let mut draft = Draft::new();
    draft.manifest["nodes"][0]["nnodes"] = json!(NODES);
    draft.manifest["properties"] = json!([]);
    let targets: Vec<u64> = (0..NODES).map(child).filter(|target| *target < NODES).collect();
    let mut is_target = vec![0; NODES as usize + 1];
    targets.iter().for_each(|target| is_target[*target as usize] = 1);
    let mut is_source = vec![1; targets.len()];
    is_source.resize(NODES as usize + 1, 0);
    let mut sources =
        targets.iter().zip(0_u64..).map(|(target, source)| (*target, source)).collect::<Vec<_>>();
    sources.sort_unstable();
    let sources: Vec<u64> = sources.into_iter().map(|(_, source)| source).collect();
    let edge = |draft: &mut Draft, inout: u32, quantities: &[i32], neighbors: &[u64]| {
        json!({
            "nodeLabel": "METHOD", "edgeLabel": "AST", "inout": inout,
            "qty": draft.ints(quantities), "neighbors": draft.refs(neighbors), "property": null,
        })
    };
    let in_ = edge(&mut draft, 0, &is_target, &sources);
    let out = edge(&mut draft, 1, &is_source, &targets);
    draft.manifest["edges"] = json!([in_, out]);
    draft.finish()
}

fn strings_past_the_pool() -> Vec<u8> {
    let mut draft = Draft::new();
    let mut names = draft.ints(&[5, i32::MAX]);
    names["type"] = "string".into();
    draft.manifest["properties"][0]["property"] = names;
    draft.finish()
}
