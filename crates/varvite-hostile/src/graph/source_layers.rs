//! Layers of sources: texts whose blocks are damaged, offsets of lines that lie, and names of FILEs that lead
//! out of a folder.

use varvite_codec::Codec;
use varvite_format::{ColumnId, LayerRow, SegmentId};

use super::sketch::Sketch;
use crate::HostileFile;

/// A graph whose nodes are at once FILEs and METHODs of the same name.
#[derive(Clone, Copy)]
struct SourceLayer {
    nodes: u32,
    /// The NAME of each FILE.
    name: &'static str,
    content: Content,
    /// The value of each offset in CONTENT_LINES, the first value and the increment.
    lines: (i64, i64),
    /// The number of offsets for each FILE.
    lines_each: u64,
    /// LINE_NUMBER and LINE_NUMBER_END of each METHOD.
    method: (i64, i64),
}

/// The stored form of the text, which all FILEs share.
#[derive(Clone, Copy)]
enum Content {
    /// Plain bytes.
    Plain(&'static [u8]),
    /// A frame of zstd, and the length that the segment claims for it.
    Zstd(&'static [u8], u64),
    /// Plain bytes of one letter.
    Letters(usize),
    /// An end of line for each byte.
    LineEnds(usize),
}

/// Four lines.
const TEXT: &[u8] = b"int a;\nint b;\nint c;\nint d;\n";
/// A valid layer, except that every node is a FILE and a METHOD.
const SOUND: SourceLayer = SourceLayer {
    nodes: 100,
    name: "main.c",
    content: Content::Plain(TEXT),
    lines: (0, 0),
    lines_each: 1,
    method: (1, 3),
};

const LAYERS: [(&str, SourceLayer); 20] = [
    ("a-source-layer-of-one-text", SOUND),
    (
        "a-source-layer-of-a-zstd-frame-that-is-none",
        SourceLayer { content: Content::Zstd(b"this is no frame", 28), ..SOUND },
    ),
    (
        "a-source-layer-of-a-zstd-frame-cut-off",
        SourceLayer { content: Content::Zstd(b"\x28\xb5\x2f\xfd\x20\x1c\xe1\x00\x00int a;", 28), ..SOUND },
    ),
    (
        "a-source-layer-of-a-zstd-frame-that-claims-4-GB",
        SourceLayer {
            content: Content::Zstd(b"\x28\xb5\x2f\xfd\xa0\xff\xff\xff\xff\x01\x00\x00", 28),
            ..SOUND
        },
    ),
    (
        "a-source-layer-of-a-segment-that-claims-2^40-bytes",
        SourceLayer { content: Content::Zstd(b"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00", 1 << 40), ..SOUND },
    ),
    (
        "a-source-layer-of-bytes-that-are-not-UTF-8",
        SourceLayer { content: Content::Plain(b"\xff\xfe\n\x80\x80\n\xc3\n\xf0\x9f\n"), ..SOUND },
    ),
    (
        "a-source-layer-of-control-characters",
        SourceLayer { content: Content::Plain(b"\x1b[2J\x1b]0;x\x07\r\n\x9b31m\n\x00\n<script>\n"), ..SOUND },
    ),
    (
        "a-source-layer-of-one-line-of-16-MB",
        SourceLayer { nodes: 1000, content: Content::Letters(16 << 20), ..SOUND },
    ),
    (
        "a-source-layer-of-4000000-empty-lines",
        SourceLayer { content: Content::LineEnds(4_000_000), method: (1, i32::MAX as i64), ..SOUND },
    ),
    ("a-source-layer-of-marks-beyond-the-text", SourceLayer { lines: (1 << 40, 0), ..SOUND }),
    ("a-source-layer-of-marks-below-0", SourceLayer { lines: (-1, 0), ..SOUND }),
    ("a-source-layer-of-marks-2^63-1", SourceLayer { lines: (i64::MAX, 0), ..SOUND }),
    ("a-source-layer-of-marks-within-lines", SourceLayer { lines: (0, 3), lines_each: 8, ..SOUND }),
    (
        "a-source-layer-of-marks-that-fall",
        SourceLayer { lines: (0, -7), lines_each: 8, method: (129, 140), ..SOUND },
    ),
    (
        "a-source-layer-of-1000000-marks-at-0",
        SourceLayer { nodes: 1, lines_each: 1_000_000, method: (64_000_000, 64_000_001), ..SOUND },
    ),
    ("a-source-layer-of-methods-at-line-2^62", SourceLayer { method: (1 << 62, i64::MAX), ..SOUND }),
    ("a-source-layer-of-methods-that-end-before-they-begin", SourceLayer { method: (4, -4), ..SOUND }),
    ("a-source-layer-of-files-above-the-folder", SourceLayer { name: "../../../etc/passwd", ..SOUND }),
    ("a-source-layer-of-files-at-the-root", SourceLayer { name: "/etc/passwd", ..SOUND }),
    (
        "a-source-layer-of-100000-files-of-one-name",
        SourceLayer { nodes: 100_000, name: "run.heaptrack", ..SOUND },
    ),
];

/// The length of a block of plain bytes, as in a segment of the product.
const BLOCK: usize = 256 << 10;

pub(super) fn all() -> Vec<HostileFile> {
    LAYERS.iter().map(|(name, layer)| HostileFile::graph(*name, layer.sketch().finish())).collect()
}

impl SourceLayer {
    fn sketch(&self) -> Sketch {
        let mut sketch = Sketch::new(self.nodes);
        let all = sketch.all();
        for label in ["METHOD", "FILE"] {
            sketch.label(label, all);
        }
        sketch.every_label_of_every_node();
        let codes = sketch.constant(self.nodes.into(), 0);
        sketch.directory.codes = Some(codes);
        let names = sketch.texts(&[self.name, "main"]);
        for property in ["NAME", "FILENAME"] {
            sketch.text_property(property, self.nodes, codes, names);
        }
        let (first, last) = self.method;
        self.number(&mut sketch, "LINE_NUMBER", first);
        self.number(&mut sketch, "LINE_NUMBER_END", last);
        let layer = sketch.name("source");
        sketch.directory.layers.push(LayerRow { name: layer, ..sketch.directory.layers[0] });
        self.content(&mut sketch, codes);
        self.lines(&mut sketch);
        sketch
    }

    fn number(&self, sketch: &mut Sketch, name: &str, value: i64) {
        let (all, values) = (sketch.all(), sketch.constant(self.nodes.into(), value));
        sketch.property(name, all, None, values, None);
    }

    /// Adds the text, which all FILEs have.
    fn content(&self, sketch: &mut Sketch, codes: ColumnId) {
        let (pool, len) = self.content.segment(sketch);
        let starts = sketch.sequence(2, 0, len as i64);
        let texts = sketch.entries(1, starts, pool);
        let all = sketch.all();
        sketch.property("CONTENT", all, None, codes, Some(texts));
        self.of_layer(sketch);
    }

    /// Adds the offsets of lines.
    fn lines(&self, sketch: &mut Sketch) {
        let (nodes, each, (base, step)) = (u64::from(self.nodes), self.lines_each, self.lines);
        let offsets = sketch.sequence(nodes + 1, 0, each as i64);
        let (all, values) = (sketch.all(), sketch.sequence(nodes * each, base, step));
        sketch.property("CONTENT_LINES", all, Some(offsets), values, None);
        self.of_layer(sketch);
    }

    /// Moves the last property to the layer of sources.
    fn of_layer(&self, sketch: &mut Sketch) {
        if let Some(property) = sketch.directory.properties.last_mut() {
            property.layer = 1;
        }
    }
}

impl Content {
    /// Adds the segment with the text; returns the length of the text too.
    fn segment(self, sketch: &mut Sketch) -> (SegmentId, u64) {
        let plain = |sketch: &mut Sketch, bytes: Vec<u8>| {
            let len = bytes.len() as u64;
            (sketch.segment(bytes), len)
        };
        match self {
            Self::Plain(bytes) => plain(sketch, bytes.to_vec()),
            Self::Letters(count) => plain(sketch, vec![b'x'; count]),
            Self::LineEnds(count) => plain(sketch, vec![b'\n'; count]),
            Self::Zstd(frame, claimed) => {
                let count = claimed.div_ceil(BLOCK as u64).min(4);
                let blocks = vec![frame.to_vec(); count as usize];
                (sketch.coded(Codec::Zstd, claimed, BLOCK as u32, blocks), claimed)
            }
        }
    }
}
