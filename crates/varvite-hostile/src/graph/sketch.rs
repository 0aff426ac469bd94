//! [`Sketch`]: a graph file made from directory rows that may be invalid in any way, with matching checksums.
//!
//! The checks of a writer are left out on purpose. In addition to single rows and segments, a sketch can make
//! a small code graph, so that the function that makes a file adds only the file's fault.

use varvite_codec::{Codec, Filter, hash};
use varvite_format::{
    AdjacencyRow, BlockTableBuilder, ColumnId, ColumnRow, Directory, EdgeLabelId, EdgeLabelRow, Encoding,
    Header, LabelRow, LayerRow, NameId, NamesBuilder, Owner, PAGE, Profile, PropertyRow, SEGMENT_ALIGN,
    SegmentId, SegmentRow, Superblock,
};

pub(super) const FILE_ID: [u8; 16] = *b"a hostile graph.";
const BLOCK: usize = 64 << 10;
const STRING: u8 = 11;
/// The number of nodes with a NAME. It is small, because queries by name must test the shape of a graph and
/// not print all nodes.
const NAMED: u32 = 100;

/// An unfinished file.
pub(crate) struct Sketch {
    /// The directory with all rows; segments get their offsets in [`Sketch::finish`].
    pub(crate) directory: Directory,
    names: NamesBuilder,
    blocks: Vec<Vec<Vec<u8>>>,
}

impl Sketch {
    /// A graph of `nodes` nodes and one layer.
    pub(crate) fn new(nodes: u32) -> Self {
        let mut names = NamesBuilder::default();
        let name = names.intern("code");
        let layer = LayerRow { name, tool: name, version: name, nodes: None, time: 0, source: [0; 32] };
        let directory = Directory { nodes, layers: vec![layer], ..Directory::default() };
        Self { directory, names, blocks: Vec::new() }
    }

    /// A graph in which every node is a METHOD, the first nodes have the same NAME, and no node has a CODE.
    /// Every command finds the columns that it needs.
    pub(crate) fn code(nodes: u32) -> Self {
        let mut sketch = Self::new(nodes);
        sketch.labels();
        let named = nodes.min(NAMED);
        let (codes, texts) = (sketch.constant(u64::from(named), 0), sketch.texts(&["main", "other"]));
        sketch.text_property("NAME", named, codes, texts);
        let (none, codes) = (sketch.set(Encoding::EmptySet, 0, 0), sketch.constant(0, 0));
        sketch.property("CODE", none, None, codes, Some(texts));
        sketch
    }

    /// Adds the labels METHOD, which every node has, and CALL.
    fn labels(&mut self) {
        let codes = self.constant(u64::from(self.directory.nodes), 0);
        self.directory.codes = Some(codes);
        self.directory.label_sets = vec![0b1];
        let (all, none) = (self.all(), self.set(Encoding::EmptySet, 0, 0));
        self.label("METHOD", all);
        self.label("CALL", none);
    }

    /// The number of a name, which is added if it is new.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        self.names.intern(text)
    }

    /// Adds a label with the set of its nodes.
    pub(crate) fn label(&mut self, name: &str, nodes: ColumnId) {
        let name = self.name(name);
        let row = LabelRow { name, layer: 0, nodes, origin_count: self.directory.nodes, origin: None };
        self.directory.labels.push(row);
    }

    /// Makes one label set, with all labels added so far.
    pub(crate) fn every_label_of_every_node(&mut self) {
        let labels = self.directory.labels.len();
        let bit = |label: usize| u64::from(label < labels) << (label % 64);
        let words = self.directory.mask_words();
        self.directory.label_sets =
            (0..words).map(|word| (64 * word..64 * word + 64).map(bit).sum()).collect();
    }

    /// Adds an edge label with the same lists in both directions.
    pub(crate) fn edges(&mut self, name: &str, edges: u64, lists: AdjacencyRow) {
        self.edges_both_ways(name, edges, lists, lists);
    }

    /// Adds an edge label with separate lists in each direction.
    pub(crate) fn edges_both_ways(&mut self, name: &str, edges: u64, out: AdjacencyRow, in_: AdjacencyRow) {
        let name = self.name(name);
        self.directory.edge_labels.push(EdgeLabelRow { name, layer: 0, edges, out, in_, places: None });
    }

    /// The row of lists of neighbours.
    pub(crate) fn lists(&self, nodes: ColumnId, offsets: ColumnId, neighbors: ColumnId) -> AdjacencyRow {
        AdjacencyRow { nodes: Some(nodes), offsets: Some(offsets), neighbors: Some(neighbors) }
    }

    /// Adds lists of all nodes, as a plain column of offsets and one of neighbours.
    pub(crate) fn plain_lists(&mut self, offsets: &[u32], neighbors: &[u32]) -> AdjacencyRow {
        let (all, offsets, neighbors) = (self.all(), self.plain(offsets), self.plain(neighbors));
        self.lists(all, offsets, neighbors)
    }

    /// Adds a forest of AST edges: for each node, the number of its descendants and the distance to its
    /// parent.
    pub(crate) fn forest(&mut self, edges: u64, sizes: ColumnId, parents: ColumnId) {
        self.directory.tree_label = Some(EdgeLabelId::from_index(self.directory.edge_labels.len()));
        self.directory.subtree = Some(sizes);
        self.directory.parents = Some(parents);
        let none = AdjacencyRow { nodes: None, offsets: None, neighbors: None };
        self.edges("AST", edges, none);
    }

    /// Adds a property of nodes.
    pub(crate) fn property(
        &mut self,
        name: &str,
        present: ColumnId,
        offsets: Option<ColumnId>,
        values: ColumnId,
        strings: Option<ColumnId>,
    ) {
        let name = self.name(name);
        self.directory.properties.push(PropertyRow {
            name,
            layer: 0,
            owner: Owner::Node,
            value_type: if strings.is_some() { STRING } else { 4 },
            cardinality: if offsets.is_some() { 2 } else { 1 },
            default_kind: 0,
            default: 0,
            present,
            offsets,
            values,
            strings,
        });
    }

    /// Adds a property with a text for each of the first `owners` nodes.
    pub(crate) fn text_property(&mut self, name: &str, owners: u32, codes: ColumnId, strings: ColumnId) {
        let present = self.set(Encoding::RangeSet, u64::from(owners), 0);
        self.property(name, present, None, codes, Some(strings));
    }

    /// Adds the row of a column.
    pub(crate) fn column(&mut self, row: ColumnRow) -> ColumnId {
        self.directory.columns.push(row);
        ColumnId(self.directory.columns.len() as u32 - 1)
    }

    /// Adds a set that takes no bytes.
    pub(crate) fn set(&mut self, encoding: Encoding, count: u64, base: i64) -> ColumnId {
        self.column(ColumnRow { base, ..row(encoding, count) })
    }

    /// Adds the set of all nodes.
    pub(crate) fn all(&mut self) -> ColumnId {
        self.set(Encoding::AllSet, u64::from(self.directory.nodes), 0)
    }

    /// Adds a constant column: `count` times `value`.
    pub(crate) fn constant(&mut self, count: u64, value: i64) -> ColumnId {
        self.column(ColumnRow { base: value, ..row(Encoding::Constant, count) })
    }

    /// Adds a sequence of `count` values from `base` on.
    pub(crate) fn sequence(&mut self, count: u64, base: i64, step: i64) -> ColumnId {
        self.column(ColumnRow { base, step, ..row(Encoding::Sequence, count) })
    }

    /// Adds a plain column of values of four bytes.
    pub(crate) fn plain(&mut self, values: &[u32]) -> ColumnId {
        let segment = self.segment(values.iter().flat_map(|value| value.to_le_bytes()).collect());
        self.column(ColumnRow { width: 4, ..of_segment(Encoding::Plain, values.len() as u64, segment) })
    }

    /// Adds a plain column of values of one byte.
    pub(crate) fn bytes(&mut self, values: Vec<u8>) -> ColumnId {
        let count = values.len() as u64;
        let segment = self.segment(values);
        self.column(ColumnRow { width: 1, ..of_segment(Encoding::Plain, count, segment) })
    }

    /// Adds a string table of these texts, without gaps in its pool.
    pub(crate) fn texts(&mut self, texts: &[&str]) -> ColumnId {
        let ends = texts.iter().scan(0, |end, text| {
            *end += text.len() as u32;
            Some(*end)
        });
        let starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let (starts, pool) = (self.plain(&starts), self.segment(texts.concat().into_bytes()));
        self.entries(texts.len() as u64, starts, pool)
    }

    /// Adds a string table whose texts follow each other in the pool.
    pub(crate) fn entries(&mut self, count: u64, starts: ColumnId, pool: SegmentId) -> ColumnId {
        self.column(ColumnRow {
            children: [Some(starts), None, None],
            ..of_segment(Encoding::Entries, count, pool)
        })
    }

    /// Adds a string table whose texts are slices of the pool.
    pub(crate) fn slices(
        &mut self,
        count: u64,
        starts: ColumnId,
        lengths: ColumnId,
        pool: SegmentId,
    ) -> ColumnId {
        let children = [Some(starts), Some(lengths), None];
        self.column(ColumnRow { children, ..of_segment(Encoding::Slices, count, pool) })
    }

    /// Adds a segment without compression.
    pub(crate) fn segment(&mut self, bytes: Vec<u8>) -> SegmentId {
        let blocks = bytes.chunks(BLOCK).map(<[u8]>::to_vec).collect();
        self.coded(Codec::None, bytes.len() as u64, BLOCK as u32, blocks)
    }

    /// Adds a segment of blocks that claims `plain_len` plain bytes, `block_len` for each block.
    pub(crate) fn coded(
        &mut self,
        codec: Codec,
        plain_len: u64,
        block_len: u32,
        blocks: Vec<Vec<u8>>,
    ) -> SegmentId {
        let stored_len = blocks.iter().map(|block| block.len() as u64).sum();
        let row = SegmentRow {
            offset: 0,
            stored_len,
            plain_len,
            table_hash: 0,
            block_len,
            codec,
            filter: Filter::NONE,
        };
        self.directory.segments.push(row);
        self.blocks.push(blocks);
        SegmentId(self.directory.segments.len() as u32 - 1)
    }

    /// Returns the bytes of the file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut file = vec![0; 3 * PAGE];
        for (number, blocks) in self.blocks.iter().enumerate() {
            align(&mut file);
            let mut table = BlockTableBuilder::new(FILE_ID, number as u32);
            self.directory.segments[number].offset = file.len() as u64;
            for block in blocks {
                table.push(block);
                file.extend(block);
            }
            let (table, table_hash) = table.finish();
            self.directory.segments[number].table_hash = table_hash;
            file.extend(table);
        }
        align(&mut file);
        self.directory.names = self.names.build();
        let directory = self.directory.to_bytes();
        write_front(&mut file, &directory);
        file.extend(directory);
        file
    }
}

/// Writes the header and the superblock of a file that ends with `directory`.
fn write_front(file: &mut [u8], directory: &[u8]) {
    let superblock = Superblock {
        generation: 1,
        directory_offset: file.len() as u64,
        directory_len: directory.len() as u64,
        directory_hash: hash(directory, 1),
        file_len: (file.len() + directory.len()) as u64,
        required_features: 0,
    };
    file[..PAGE].copy_from_slice(&Header { file_id: FILE_ID, profile: Profile::Direct }.to_page());
    file[PAGE..2 * PAGE].copy_from_slice(&superblock.to_page(&FILE_ID));
}

pub(super) fn align(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(SEGMENT_ALIGN as usize), 0);
}

/// A row with an encoding and a count, and no other fields.
pub(crate) fn row(encoding: Encoding, count: u64) -> ColumnRow {
    ColumnRow::empty(encoding, count)
}

/// A row with an encoding, a count and a segment.
pub(crate) fn of_segment(encoding: Encoding, count: u64, segment: SegmentId) -> ColumnRow {
    ColumnRow { segments: [Some(segment), None], ..row(encoding, count) }
}
