//! Makes files of graphs that contradict themselves. [`GraphWriter`](varvite::columns::GraphWriter) refuses
//! such graphs. So this module encodes the columns one by one, and assembles the file with the writer of
//! columns, which does not check what columns mean.

use std::path::Path;
use std::sync::Arc;

use varvite::{Graph, IfExists, Profile};
use varvite_codec::Codec;
use varvite_format::{
    AdjacencyRow, ColumnId, Directory, EdgeLabelId, EdgeLabelRow, EncodedColumn, Keys, LabelRow, LayerRow,
    NamesBuilder, PropertyRow, Purpose, StringsInput, encode_ints, encode_set, encode_strings, members,
};
use varvite_model::AST;
use varvite_store::{StoreWriter, prepare};
use varvite_testing::draft::{
    Draft, DraftEdges, DraftLists, DraftProperty, DraftValues, PATH, bitmap, open_bytes,
};
use varvite_testing::vfs::MemoryVfs;

/// Makes files from drafts that the writer of graphs would refuse.
pub(crate) trait Unchecked {
    /// Opens a file of this graph that was written without checks.
    fn open_unchecked(&self, profile: Profile) -> Graph {
        open_bytes(&self.bytes_unchecked(profile)).unwrap()
    }

    /// The bytes of a file of this graph, written without checks.
    fn bytes_unchecked(&self, profile: Profile) -> Vec<u8>;
}

impl Unchecked for Draft {
    fn bytes_unchecked(&self, profile: Profile) -> Vec<u8> {
        let vfs = MemoryVfs::new();
        let target = Path::new(PATH);
        let store = StoreWriter::create(Arc::new(vfs.clone()), target, IfExists::Refuse, [7; 16], profile);
        let directory = Directory { nodes: self.nodes, ..Directory::default() };
        let mut raw = Raw { store: store.unwrap(), profile, names: NamesBuilder::default(), directory };
        raw.add_graph(self);
        let Raw { store, names, mut directory, .. } = raw;
        directory.names = names.build();
        store.finish(directory).unwrap();
        vfs.contents(PATH).unwrap()
    }
}

/// A file that is being written.
struct Raw {
    store: StoreWriter,
    profile: Profile,
    names: NamesBuilder,
    directory: Directory,
}

impl Raw {
    fn add_graph(&mut self, draft: &Draft) {
        for name in ["code", "code/dataflow"] {
            let [name, tool, version] = [name, "draft", "1"].map(|text| self.names.intern(text));
            let row = LayerRow { name, tool, version, nodes: None, time: 0, source: [7; 32] };
            self.directory.layers.push(row);
        }
        self.directory.codes = Some(self.numbers(&draft.codes, Keys::None, Purpose::Labels));
        self.directory.label_sets.clone_from(&draft.masks);
        for label in &draft.labels {
            let row = LabelRow {
                name: self.names.intern(&label.name),
                layer: 0,
                nodes: self.set(&bitmap(&label.nodes, draft.nodes), draft.nodes),
                origin_count: label.origin_count,
                origin: label.origin.as_ref().map(|it| self.numbers(it, Keys::Index, Purpose::Ids)),
            };
            self.directory.labels.push(row);
        }
        draft.edges.iter().for_each(|edges| self.add_edges(draft, edges));
        draft.properties.iter().for_each(|property| self.add_property(property));
    }

    fn add_edges(&mut self, draft: &Draft, edges: &DraftEdges) {
        let is_tree = edges.name == AST;
        let sizes = draft.subtree.as_ref().filter(|_| is_tree);
        if is_tree {
            self.directory.tree_label = Some(EdgeLabelId::from_index(self.directory.edge_labels.len()));
        }
        if let Some(sizes) = sizes {
            self.directory.subtree = Some(self.numbers(sizes, Keys::None, Purpose::Hops));
            self.directory.parents = Some(self.numbers(&distances(sizes), Keys::None, Purpose::Hops));
        }
        let is_listed = sizes.is_none() || draft.is_forest_listed;
        let row = EdgeLabelRow {
            name: self.names.intern(&edges.name),
            layer: u32::from(edges.places.is_some()),
            edges: edges.in_.neighbors.len() as u64,
            out: self.add_lists(&edges.out, is_listed),
            in_: self.add_lists(&edges.in_, is_listed),
            places: edges.places.as_ref().map(|it| self.numbers(it, Keys::None, Purpose::Numbers)),
        };
        self.directory.edge_labels.push(row);
    }

    fn add_lists(&mut self, lists: &DraftLists, is_listed: bool) -> AdjacencyRow {
        if !is_listed {
            return AdjacencyRow { nodes: None, offsets: None, neighbors: None };
        }
        let (owners, starts) = whole(&lists.offsets);
        let nodes: Vec<u32> = members(&owners).collect();
        // A draft may have more entries than its lists contain, because the directory has its own count of
        // entries.
        let keys = match starts.last().is_some_and(|end| *end as usize == lists.neighbors.len()) {
            true => Keys::Lists { nodes: &nodes, offsets: &starts },
            false => Keys::None,
        };
        AdjacencyRow {
            nodes: Some(self.set(&owners, lists.offsets.len() as u32 - 1)),
            offsets: Some(self.numbers(&starts, Keys::Index, Purpose::Offsets)),
            neighbors: Some(self.numbers(&lists.neighbors, keys, Purpose::Ids)),
        }
    }

    fn add_property(&mut self, property: &DraftProperty) {
        let DraftProperty { spec, offsets, values } = property;
        let (owners, starts) = whole(offsets);
        let (values, strings) = match values {
            DraftValues::Numbers(numbers) => (self.numbers(numbers, Keys::None, Purpose::Numbers), None),
            DraftValues::Texts { texts, codes, sorted } => {
                let (mut pool, mut starts) = (Vec::new(), vec![0]);
                for text in texts {
                    pool.extend_from_slice(text);
                    starts.push(pool.len() as u32);
                }
                let input = StringsInput { pool: &pool, starts: &starts, lengths: None, sorted: *sorted };
                let strings = encode_strings(input, self.profile).unwrap();
                (self.numbers(codes, Keys::None, Purpose::Numbers), Some(self.add(strings)))
            }
        };
        let default = spec.default.as_ref().map(|text| self.names.intern(text));
        let row = PropertyRow {
            name: self.names.intern(&spec.name),
            layer: spec.layer,
            owner: spec.owner,
            value_type: spec.value_type as u8,
            cardinality: spec.cardinality as u8,
            default_kind: if default.is_some() { 2 } else { 0 },
            default: default.map_or(0, |name| name.0.into()),
            present: self.set(&owners, offsets.len() as u32 - 1),
            offsets: Some(self.numbers(&starts, Keys::Index, Purpose::Offsets)),
            values,
            strings,
        };
        self.directory.properties.push(row);
    }

    fn numbers<T: Copy + Into<i64>>(&mut self, values: &[T], keys: Keys<'_>, purpose: Purpose) -> ColumnId {
        let column = encode_ints(values, keys, purpose, self.profile).unwrap();
        self.add(column)
    }

    fn set(&mut self, bitmap: &[u64], universe: u32) -> ColumnId {
        let column = encode_set(bitmap, universe, self.profile).unwrap();
        self.add(column)
    }

    fn add(&mut self, column: EncodedColumn) -> ColumnId {
        let codec = if self.profile == Profile::Archive { Codec::Zstd } else { Codec::None };
        self.store.add(prepare(column, codec).unwrap()).unwrap()
    }
}

/// A bitmap of the owners that have a list, and the starts of their lists.
fn whole(offsets: &[u32]) -> (Vec<u64>, Vec<u32>) {
    let owners: Vec<u32> = (0u32..)
        .zip(offsets.windows(2))
        .filter(|(_, ends)| ends[0] < ends[1])
        .map(|(owner, _)| owner)
        .collect();
    let mut starts: Vec<u32> = owners.iter().map(|owner| offsets[*owner as usize]).collect();
    starts.extend(offsets.last());
    (bitmap(&owners, offsets.len() as u32 - 1), starts)
}

/// The distance from each node's id to that of its parent; 0 if it has no parent.
fn distances(sizes: &[u32]) -> Vec<u32> {
    let inside = |node: usize| move |above: &usize| above + sizes[*above] as usize >= node;
    let distance = |node: usize| (0..node).rev().find(inside(node)).map_or(0, |above| (node - above) as u32);
    (0..sizes.len()).map(distance).collect()
}
