//! A file made by hand, whose parts tests can damage.

use serde_json::{Value, json};

/// A small valid graph, until a test changes it.
pub(super) struct Draft {
    pub(super) magic: [u8; 8],
    /// The offset of the manifest in the header, if it should differ from the real one.
    pub(super) manifest_offset: Option<i64>,
    /// The bytes of the manifest, if they should differ from `manifest`.
    pub(super) manifest_text: Option<Vec<u8>>,
    pub(super) manifest: Value,
    /// The bytes between header and manifest.
    pub(super) blobs: Vec<u8>,
}

impl Draft {
    /// Kind A has three nodes, the second of which is deleted; kind B has one. A:0 and A:2 have an edge to
    /// B:0.
    pub(super) fn new() -> Self {
        let mut draft = Self {
            magic: *b"FLT GRPH",
            manifest_offset: None,
            manifest_text: None,
            manifest: Value::Null,
            blobs: Vec::new(),
        };
        let to_b = 1 << 32;
        draft.manifest = json!({
            "version": 0,
            "nodes": [
                { "nodeLabel": "A", "nnodes": 3, "deletions": [1] },
                { "nodeLabel": "B", "nnodes": 1, "deletions": null },
            ],
            "edges": [
                {
                    "nodeLabel": "A", "edgeLabel": "E", "inout": 1,
                    "qty": draft.ints(&[1, 0, 1, 0]),
                    "neighbors": draft.refs(&[to_b, to_b]),
                    "property": draft.strings(&[0, -1]),
                },
                {
                    "nodeLabel": "B", "edgeLabel": "E", "inout": 0,
                    "qty": draft.ints(&[2, 0]),
                    "neighbors": draft.refs(&[0, 2]),
                    "property": draft.strings(&[0, -1]),
                },
            ],
            "properties": [
                { "nodeLabel": "A", "propertyLabel": "NAME", "qty": draft.ints(&[1, 0, 1, 0]), "property": draft.strings(&[0, 1]) },
                { "nodeLabel": "A", "propertyLabel": "FLAG", "qty": draft.ints(&[0, 0, 1, 0]), "property": draft.blob("bool", &[1]) },
                { "nodeLabel": "B", "propertyLabel": "NODE", "qty": draft.ints(&[1, 0]), "property": draft.refs(&[0]) },
            ],
            "stringPoolLength": draft.ints(&[2, 1]),
            "stringPoolBytes": draft.blob("byte", "ök".as_bytes()),
        });
        draft
    }

    pub(super) fn blob(&mut self, element: &str, plain: &[u8]) -> Value {
        let frame = zstd::bulk::compress(plain, 3).unwrap();
        self.frame(element, &frame, plain.len() as u64)
    }

    pub(super) fn frame(&mut self, element: &str, frame: &[u8], plain_len: u64) -> Value {
        let start = 16 + self.blobs.len();
        self.blobs.extend_from_slice(frame);
        json!({
            "type": element,
            "startOffset": start,
            "compressedLength": frame.len(),
            "decompressedLength": plain_len,
        })
    }

    pub(super) fn ints(&mut self, values: &[i32]) -> Value {
        let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.blob("int", &plain)
    }

    pub(super) fn strings(&mut self, values: &[i32]) -> Value {
        let mut blob = self.ints(values);
        blob["type"] = "string".into();
        blob
    }

    pub(super) fn refs(&mut self, values: &[u64]) -> Value {
        let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.blob("ref", &plain)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        let end = 16 + self.blobs.len() as i64;
        let offset = self.manifest_offset.unwrap_or(end);
        let text = self.manifest_text.unwrap_or_else(|| self.manifest.to_string().into_bytes());
        [&self.magic[..], &offset.to_le_bytes(), &self.blobs, &text].concat()
    }
}
