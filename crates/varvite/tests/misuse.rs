//! Tests misuse of every public function that writes. Each case must give an error that names the argument.
//! No case may panic, or leave a file in which `verify` finds a problem.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, Diff, PropertyOwner};
use varvite::{Cardinality, ErrorCode, IfExists, Profile, Result, Task, ValueType};
use varvite::{
    columns::{
        CutInput, EdgeLabelSpec, Encoder, GraphWriter, Heat, LabelSpec, LayerChange, ListsInput, NodeNumbers,
        NodeOrder, PropertyInput, PropertyLayer, PropertySpec, TextsInput, ValuesInput, WriteOptions,
        pair_places, subtree_sizes,
    },
    write::{Codec, GraphChange, LayerSpec},
};
use varvite_format::{
    Directory, EdgeLabelId, EncodedColumn, EncodedSegment, Encoding, Keys, LayerRow, NameId, Owner, Purpose,
    StringsInput, encode_ints, encode_members, encode_set, encode_strings,
};
use varvite_store::{StoreWriter, prepare};
use varvite_testing::draft::{PATH, open_bytes};
use varvite_testing::vfs::MemoryVfs;

/// The lists of one direction.
#[derive(Clone)]
struct Lists {
    offsets: Vec<u32>,
    neighbors: Vec<u32>,
}

impl Lists {
    fn of(offsets: &[u32], neighbors: &[u32]) -> Self {
        Self { offsets: offsets.to_vec(), neighbors: neighbors.to_vec() }
    }

    fn input(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.offsets, neighbors: &self.neighbors }
    }
}

/// The parts of a small graph. It has three nodes; the first is the parent of the other two. The first two
/// nodes have the label A, and the third has the label B. The edges E have a property. Each node has a number
/// and an indexed text.
#[derive(Clone)]
struct Parts {
    nodes: u32,
    layer: (String, String, String),
    codes: Option<Vec<u32>>,
    masks: Vec<u64>,
    labels: [(String, Vec<u64>, u32); 2],
    label_layer: u32,
    label_universe: u32,
    /// The origin of label A.
    origin: Option<(Vec<u32>, u32)>,
    sizes: Option<Vec<u32>>,
    /// The edge label of the forest.
    forest_of: u32,
    tree_label: Option<u32>,
    /// The lists of the tree label, if the file stores lists in addition to the forest.
    tree: Option<[Lists; 2]>,
    tree_edges: u64,
    edge_label: String,
    edge_layer: u32,
    edges: u64,
    out: Option<Lists>,
    in_: Option<Lists>,
    /// The places of in-edges (their positions in the out-lists of their sources), with the in-lists that
    /// contain these edges.
    places: Option<(Lists, Vec<u32>)>,
    edge_owner: u32,
    edge_offsets: Vec<u32>,
    number_name: String,
    number_type: ValueType,
    cardinality: Cardinality,
    number_layer: u32,
    offsets: Vec<u32>,
    numbers: Vec<i64>,
    text_name: String,
    text_type: ValueType,
    bytes: Vec<u8>,
    texts: Vec<(u32, u32)>,
    text_codes: Vec<u32>,
    is_sorted: bool,
    /// The code of each node's label set, which the text index stores. `None` if the text has no index.
    label_sets: Option<Vec<u32>>,
}

impl Parts {
    fn sound() -> Self {
        let in_ = Lists::of(&[0, 0, 2, 3], &[0, 0, 0]);
        let name = |text: &str| text.to_owned();
        Self {
            nodes: 3,
            layer: (name("code"), name("test"), name("1")),
            codes: Some(vec![0, 0, 1]),
            masks: vec![0b01, 0b10],
            labels: [(name("A"), vec![0b011], 2), (name("B"), vec![0b100], 1)],
            label_layer: 0,
            label_universe: 3,
            origin: None,
            sizes: Some(vec![2, 0, 0]),
            forest_of: 0,
            tree_label: None,
            tree: None,
            tree_edges: 2,
            edge_label: name("E"),
            edge_layer: 0,
            edges: 3,
            out: Some(Lists::of(&[0, 3, 3, 3], &[1, 2, 1])),
            in_: Some(in_.clone()),
            places: Some((in_, vec![0, 2, 1])),
            edge_owner: 1,
            edge_offsets: vec![0, 1, 2, 3],
            number_name: name("N"),
            number_type: ValueType::I32,
            cardinality: Cardinality::Optional,
            number_layer: 0,
            offsets: vec![0, 1, 1, 2],
            numbers: vec![7, -7],
            text_name: name("S"),
            text_type: ValueType::String,
            bytes: b"ab".to_vec(),
            texts: vec![(0, 1), (1, 1)],
            text_codes: vec![1, 0, 2],
            is_sorted: false,
            label_sets: Some(vec![0, 0, 1]),
        }
    }

    fn write(&self, disk: &MemoryVfs, profile: Profile) -> Result<(), ChangeError> {
        let options = WriteOptions { profile, ..WriteOptions::default() };
        let encoder = GraphWriter::encoder(&options);
        let vfs = Arc::new(disk.clone());
        let mut writer = GraphWriter::create(vfs, Path::new(PATH), self.nodes, b"misuse", &options)?;
        let (name, tool, version) = &self.layer;
        writer.add_layer(&LayerSpec { name, tool, version, source: [0; 32] });
        if let Some(codes) = &self.codes {
            writer.set_label_codes(encoder.labels(codes)?, self.masks.clone())?;
        }
        for (number, (name, bitmap, origin_count)) in self.labels.iter().enumerate() {
            let origin = self.origin.as_ref().filter(|_| number == 0);
            writer.add_label(LabelSpec {
                name,
                layer: self.label_layer,
                nodes: encoder.set(bitmap, self.label_universe)?,
                origin_count: *origin_count,
                origin: origin.map(|(numbers, count)| encoder.origin(numbers, *count)).transpose()?,
            })?;
        }
        self.write_edges(&mut writer, &encoder)?;
        self.write_properties(&mut writer, &encoder)?;
        writer.finish().map(drop)
    }

    fn write_edges(&self, writer: &mut GraphWriter, encoder: &Encoder) -> Result<(), ChangeError> {
        if let Some(sizes) = &self.sizes {
            writer.set_forest(encoder.forest(sizes)?, EdgeLabelId(self.forest_of))?;
        }
        if let Some(label) = self.tree_label {
            writer.set_tree_label(EdgeLabelId(label));
        }
        let encode = |lists: &Lists| encoder.adjacency(lists.input(), Heat::Cold);
        let [out, in_] = match &self.tree {
            Some(sides) => sides.each_ref().map(|lists| Some(encode(lists))),
            None => [None, None],
        };
        writer.add_edge_label(EdgeLabelSpec {
            name: "T",
            layer: 0,
            edges: self.tree_edges,
            out: out.transpose()?,
            in_: in_.transpose()?,
            places: None,
        })?;
        let places = self.places.as_ref();
        writer.add_edge_label(EdgeLabelSpec {
            name: &self.edge_label,
            layer: self.edge_layer,
            edges: self.edges,
            out: self.out.as_ref().map(encode).transpose()?,
            in_: self.in_.as_ref().map(encode).transpose()?,
            places: places.map(|(lists, places)| encoder.places(lists.input(), places)).transpose()?,
        })
    }

    fn write_properties(&self, writer: &mut GraphWriter, encoder: &Encoder) -> Result<(), ChangeError> {
        let spec = |name: &str, owner, value_type| PropertySpec {
            name: name.to_owned(),
            owner,
            layer: self.number_layer,
            value_type,
            cardinality: self.cardinality,
            default: None,
        };
        let values = ValuesInput::Numbers(&self.numbers);
        let columns = encoder.property(PropertyInput { offsets: &self.offsets, values })?;
        writer.add_property(&spec(&self.number_name, Owner::Node, self.number_type), columns)?;
        let texts = TextsInput {
            bytes: &self.bytes,
            texts: &self.texts,
            codes: &self.text_codes,
            sorted: self.is_sorted,
            parents: &[u32::MAX, 0, 0],
        };
        let input = PropertyInput { offsets: &[0, 1, 2, 3], values: ValuesInput::Texts(texts) };
        let columns = match &self.label_sets {
            Some(label_sets) => encoder.indexed_property(input, label_sets)?,
            None => encoder.property(input)?,
        };
        writer.add_property(&spec(&self.text_name, Owner::Node, self.text_type), columns)?;
        let owner = Owner::Edge(EdgeLabelId(self.edge_owner));
        let numbers = vec![1; self.edge_offsets.last().map_or(0, |end| *end as usize)];
        let values = ValuesInput::Numbers(&numbers);
        let columns = encoder.property(PropertyInput { offsets: &self.edge_offsets, values })?;
        writer.add_property(&spec("W", owner, ValueType::U8), columns)
    }
}

/// A mistake in one part, and the expected text of the error.
type Mistake = (fn(&mut Parts), &'static str);

/// Mistakes in the input of the graph writer.
const MISTAKES: &[Mistake] = &[
    // Names.
    (|it| it.labels[0].0.clear(), "name of label: expected a name, found none"),
    (|it| it.labels[1].0 = "B\0".into(), "name of label: expected a name without NUL, found one at byte 1"),
    (|it| it.edge_label.clear(), "name of edge label: expected a name, found none"),
    (|it| it.edge_label = "\0E".into(), "name of edge label: expected a name without NUL"),
    (|it| it.number_name.clear(), "name of property: expected a name, found none"),
    (|it| it.text_name = "S\0S".into(), "name of property: expected a name without NUL"),
    (|it| it.layer.0.clear(), "layer: expected a name, found none"),
    (|it| it.layer.0 = "a\0".into(), "layer: expected a name without NUL"),
    (|it| it.layer.1 = "a\0".into(), "tool of a layer: expected a name without NUL"),
    (|it| it.edge_label = "T".into(), "edge label \"T\" is in this graph already"),
    // Label sets and labels.
    (|it| it.codes = None, "label codes: expected a code for each node, found none"),
    (|it| it.codes = Some(vec![0, 0]), "label codes: expected 3 codes, found 2"),
    (
        |it| it.codes = Some(vec![0, 0, 9]),
        "label codes: expected a label set that exists, found 9 where there are 2",
    ),
    (|it| it.codes = Some(vec![0, 0, u32::MAX]), "label codes: expected a label set that exists"),
    (
        |it| it.codes = Some(vec![0, 1, 0]),
        "nodes of label A: expected the nodes whose label set has it, found others",
    ),
    (|it| it.codes = Some(vec![0, 0, 0]), "nodes of label A: expected 3 nodes, as label sets say, found 2"),
    (
        |it| it.masks = vec![0b01, 0b100],
        "label set 1: expected a label that exists, found 2 where there are 2",
    ),
    (|it| it.masks.clear(), "label codes: expected a label set that exists, found 0 where there are 0"),
    (|it| it.label_layer = 1, "layer of label A: expected a layer that exists, found 1 where there are 1"),
    (|it| it.labels[0].1.clear(), "bitmap: expected 1 words, found 0"),
    (|it| it.labels[0].1[0] = 0b1011, "bitmap: expected a member from 0 to 2, found 3"),
    (|it| it.label_universe = 4, "nodes of label A: expected 3 nodes, found 4"),
    (|it| it.labels[0].2 = 1, "origin of label A: expected at least 2 nodes in the other file, found 1"),
    (|it| it.origin = Some((vec![1, 2], 2)), "origin: expected an origin of rank 1 from 0 to 1, found 2"),
    (|it| it.origin = Some((vec![1, 1], 2)), "origin: expected each number once, found 1 at 1 again"),
    (|it| it.origin = Some((vec![1], 2)), "origin of label A: expected 2 numbers, found 1"),
    (
        |it| it.origin = Some((vec![1, 0], 3)),
        "origin of label A: expected 3 nodes in the other file, found 2",
    ),
    // The forest.
    (|it| it.sizes = Some(vec![3, 0, 0]), "subtree sizes: expected a size of node 0 from 0 to 2, found 3"),
    (|it| it.sizes = Some(vec![1, 1, 0]), "subtree sizes: expected a size of node 1 of 0, found 1"),
    (|it| it.sizes = Some(vec![u32::MAX, 0, 0]), "subtree sizes: expected a size of node 0"),
    (|it| it.sizes = Some(vec![1, 0]), "subtree sizes: expected 3 sizes, found 2"),
    (|it| it.sizes = Some(vec![1, 0, 0]), "edges T: expected 1 edges, as subtree sizes say, found 2"),
    (|it| it.sizes = None, "edges T: expected a lists or forest, found none"),
    (|it| it.forest_of = 9, "tree label: expected an edge label that exists, found 9 where there are 2"),
    (
        |it| it.tree_label = Some(1),
        "forest of edges T: expected subtree sizes along the tree label, found others",
    ),
    (
        |it| it.tree = Some([Lists::of(&[0, 2, 2, 2], &[2, 1]), Lists::of(&[0, 0, 1, 2], &[0, 0])]),
        "edges T out: expected the children of subtree sizes, in the order of ids, found others",
    ),
    // Lists.
    (|it| it.out = Some(Lists::of(&[], &[])), "offsets: expected at least 1 ends of lists, found 0"),
    (
        |it| it.out.as_mut().unwrap().offsets = vec![0, 3, 2, 3],
        "offsets: expected ends of lists that rise, found another order at 2",
    ),
    (|it| it.out.as_mut().unwrap().offsets[0] = 1, "offsets: expected an end 0 of 0, found 1"),
    (|it| it.out.as_mut().unwrap().offsets[3] = 9, "offsets: expected 9 entries up to the last end, found 3"),
    (|it| it.out.as_mut().unwrap().neighbors[1] = 3, "neighbors: expected a neighbor 1 from 0 to 2, found 3"),
    (
        |it| it.out = Some(Lists::of(&[0, 3], &[0, 0, 0])),
        "edges E out: expected 3 lists, one for each node, found 1",
    ),
    (|it| it.out = None, "edges E out: expected a lists, found none"),
    (|it| it.in_ = None, "edges E in: expected a lists, found none"),
    (|it| it.edges = 4, "edges E out: expected 4 edges, found 3"),
    (
        |it| it.in_.as_mut().unwrap().neighbors[2] = 1,
        "edges E in: expected the edges of the out-lists, found others",
    ),
    (|it| it.in_ = it.out.clone(), "edges E in: expected the edges of the out-lists, found others"),
    (|it| it.edge_layer = 7, "layer of edges E: expected a layer that exists, found 7 where there are 1"),
    (
        |it| it.places.as_mut().unwrap().1.swap(1, 2),
        "edges E places: expected the places of the edges in out-lists, found others",
    ),
    (|it| it.places.as_mut().unwrap().1.truncate(2), "places: expected 3 places, found 2"),
    // Values.
    (|it| it.offsets.clear(), "offsets: expected at least 1 ends of lists, found 0"),
    (|it| it.offsets = vec![0, 2, 1, 2], "offsets: expected ends of lists that rise"),
    (|it| it.offsets = vec![0, 1, 2], "owners of property N: expected 3 owners, found 2"),
    (
        |it| it.offsets = vec![0, 0, 2, 2],
        "property N: expected a number of values of owner 1 from 0 to 1, found 2",
    ),
    (
        |it| it.numbers[1] = 1 << 40,
        "values of property N: expected a value from -2147483648 to 2147483647, found 1099511627776",
    ),
    (
        |it| (it.number_type, it.numbers) = (ValueType::Ref, vec![0, 3]),
        "values of property N: expected a value from 0 to 2, found 3",
    ),
    (
        |it| (it.number_type, it.numbers) = (ValueType::Bool, vec![0, 2]),
        "values of property N: expected a value from 0 to 1, found 2",
    ),
    (
        |it| it.number_type = ValueType::String,
        "values of property N: expected texts, as the type says, found others",
    ),
    (
        |it| it.text_type = ValueType::I64,
        "values of property S: expected numbers, as the type says, found others",
    ),
    (
        |it| it.number_layer = 3,
        "layer of property N: expected a layer that exists, found 3 where there are 1",
    ),
    (|it| it.edge_owner = 5, "property W: expected an edge label that exists, found 5 where there are 2"),
    (|it| it.edge_owner = 0, "property W: expected no property of edges that follow from the order of nodes"),
    (|it| it.edge_offsets = vec![0, 1, 1], "owners of property W: expected 3 owners, found 2"),
    // Texts.
    (|it| it.texts[1] = (1, 2), "text 1: expected a range within 0..2, found 1..3"),
    (|it| it.texts[1] = (u32::MAX, u32::MAX), "text 1: expected a range within 0..2"),
    (|it| it.text_codes[0] = 3, "codes: expected a code 0 from 0 to 2, found 3"),
    (|it| it.bytes[0] = 0xff, "values of property S: expected valid UTF-8 within the pool at text 0"),
    (|it| it.bytes = b"aa".to_vec(), "texts: expected each text once, found text 1 again"),
    (
        |it| (it.bytes, it.label_sets) = (b"aa".to_vec(), None),
        "texts: expected each text once, found text 1 again",
    ),
    (
        |it| (it.bytes, it.is_sorted) = (b"ba".to_vec(), true),
        "texts: expected texts that rise, each once, found another order at 1",
    ),
    (|it| it.label_sets = Some(vec![0, 0]), "label sets: expected 3 codes, found 2"),
    (
        |it| it.label_sets = Some(vec![0, 1, 1]),
        "label sets of the index of S: expected the codes of all nodes, found others",
    ),
];

#[test]
fn what_a_graph_writer_is_given_is_checked_and_makes_no_file() {
    for profile in Profile::ALL {
        let disk = MemoryVfs::new();
        Parts::sound().write(&disk, profile).unwrap();
        let report =
            open_bytes(&disk.contents(PATH).unwrap()).unwrap().verify(&Task::new().threads(1)).unwrap();
        assert_eq!(report.problems, [""; 0]);
        let mut wrong = Vec::new();
        for (mistake, expected) in MISTAKES {
            let mut parts = Parts::sound();
            mistake(&mut parts);
            let disk = MemoryVfs::new();
            let written = catch_unwind(AssertUnwindSafe(|| parts.write(&disk, profile)));
            let is_refused = match &written {
                Ok(Err(error)) => error.to_string().contains(expected) && error.code() == ErrorCode::Argument,
                _ => false,
            };
            if !is_refused || disk.contents(PATH).is_some() {
                wrong.push(format!(
                    "{expected}: {:?}",
                    written.map(|it| it.map_err(|error| error.to_string()))
                ));
            }
        }
        assert!(wrong.is_empty(), "{}: {wrong:#?}", profile.name());
    }
}

#[test]
fn the_list_has_its_sixty_cases() {
    assert!(MISTAKES.len() >= 60, "{}", MISTAKES.len());
}

/// Tests invalid arguments of functions outside the graph writer, and the texts of the errors.
#[test]
fn what_other_calls_are_given_is_checked() {
    let told = |result: Result<(), ChangeError>| result.expect_err("it is refused").to_string();
    let format = |result: std::result::Result<EncodedColumn, varvite_format::FormatError>| {
        result.expect_err("it is refused").to_string()
    };
    let profile = Profile::Compact;
    let lists = Keys::Lists { nodes: &[0, 1], offsets: &[0, 3] };
    let ints = format(encode_ints(&[1u32, 2, 3], lists, Purpose::Ids, profile));
    assert_eq!(ints, "argument offsets: expected 3 ends of lists, found 2");
    assert_eq!(
        format(encode_set(&[8], 3, profile)),
        "argument bitmap: expected a member from 0 to 2, found 3"
    );
    let members = format(encode_members(&[2, 1], 3, profile));
    assert_eq!(members, "argument members: expected members that rise, found another order at 1");
    let members = format(encode_members(&[2, 3], 3, profile));
    assert_eq!(members, "argument members: expected a member 1 from 0 to 2, found 3");
    let texts = StringsInput { pool: b"ab", starts: &[0, 3], lengths: None, sorted: false };
    let texts = format(encode_strings(texts, profile));
    assert_eq!(texts, "argument starts of texts: expected 3 entries up to the last end, found 2");
    let (sound, beyond) = (Lists::of(&[0, 1, 1], &[1]), Lists::of(&[0, 1, 1], &[5]));
    assert!(pair_places(beyond.input(), sound.input()).is_err());
    assert!(pair_places(Lists::of(&[], &[]).input(), sound.input()).is_err());
    assert!(pair_places(sound.input(), Lists::of(&[0], &[]).input()).is_err());
    let order = NodeOrder::pre_order(&[0, 2], &[0], |_| false).unwrap_err().to_string();
    assert_eq!(order, "argument offsets: expected 2 entries up to the last end, found 1");
    assert_eq!(subtree_sizes(&[], &[]), None);
    // Here two properties share a pool.
    let texts = |codes| TextsInput { bytes: b"ab", texts: &[(0, 2)], codes, sorted: false, parents: &[9, 9] };
    let cut = CutInput {
        source_offsets: &[0, 1],
        source: texts(&[0]),
        offsets: &[0, 2],
        parts: texts(&[0]),
        places: &[u32::MAX - 1],
    };
    let encoder = Encoder::new(profile, Codec::None);
    let error = told(encoder.cut(cut, [None, None]).map(drop));
    assert_eq!(error, "argument offsets: expected 2 entries up to the last end, found 1");
    // The parents of texts are only a hint for the encoding. If they are not nodes, the hint is ignored.
    let bytes = vec![b'a'; 5000];
    let long = TextsInput {
        bytes: &bytes,
        texts: &[(0, 5000), (0, 4999)],
        codes: &[0, 1],
        sorted: false,
        parents: &[7, u32::MAX - 1],
    };
    encoder.property(PropertyInput { offsets: &[0, 1, 2], values: ValuesInput::Texts(long) }).unwrap();
}

/// Tests that the writer of columns, which does not check the meaning of columns, refuses a directory that
/// refers to names or columns that do not exist.
#[test]
fn a_directory_that_names_what_is_not_there_is_refused_as_an_argument() {
    let disk = MemoryVfs::new();
    let begin = || {
        let vfs = Arc::new(disk.clone());
        StoreWriter::create(vfs, Path::new(PATH), IfExists::Refuse, [1; 16], Profile::Compact).unwrap()
    };
    let layer = LayerRow {
        name: NameId(4),
        tool: NameId(0),
        version: NameId(0),
        nodes: None,
        time: 0,
        source: [0; 32],
    };
    let error = begin().finish(Directory { layers: vec![layer], ..Directory::default() }).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Argument);
    assert_eq!(
        error.to_string(),
        "argument directory: expected a name that exists, found 4 where there are 0"
    );
    let error =
        begin().finish(Directory { codes: Some(varvite_format::ColumnId(3)), ..Directory::default() });
    assert_eq!(error.unwrap_err().code(), ErrorCode::Argument);
    let segments = (0..3).map(|_| EncodedSegment::new(vec![0], varvite_codec::Filter::NONE)).collect();
    let row = varvite_format::ColumnRow::empty(Encoding::Plain, 1);
    let column = EncodedColumn { row, children: Vec::new(), segments };
    let error = prepare(column, Codec::None).unwrap_err();
    assert_eq!(error.to_string(), "argument column: expected at most 2 segments, found 3");
    assert_eq!(disk.contents(PATH), None);
}

type Declare<'a> = &'a dyn Fn(&mut Diff);

/// Tests that an invalid name is refused in a diff or a layer for an existing graph.
#[test]
fn names_that_are_none_enter_no_graph_by_a_diff_or_a_layer() {
    let disk = MemoryVfs::new();
    Parts::sound().write(&disk, Profile::Compact).unwrap();
    let before = disk.contents(PATH).unwrap();
    let begin = || GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let task = Task::new().threads(1);
    let layer = |name| LayerSpec { name, tool: "test", version: "1", source: [0; 32] };
    for name in ["", "a\0b"] {
        let declarations: [(&str, Declare<'_>); 4] = [
            ("label", &|diff| diff.declare_label(name)),
            ("edge label", &|diff| diff.declare_edge_label(name)),
            ("property", &|diff| {
                diff.declare_property(name, PropertyOwner::Nodes, ValueType::I64, Cardinality::One);
            }),
            ("property", &|diff| {
                diff.declare_property(name, PropertyOwner::Edges("E"), ValueType::I64, Cardinality::One);
            }),
        ];
        for (kind, declare) in declarations {
            let mut diff = Diff::new();
            declare(&mut diff);
            for error in [
                begin().apply_with(&diff, &task).unwrap_err(),
                begin().add_layer(&layer("more"), &diff, &task).unwrap_err(),
            ] {
                assert_eq!(error.code(), ErrorCode::Argument, "{error}");
                assert!(
                    error
                        .to_string()
                        .starts_with(&format!("operation 0: {kind} {name:?} can't be declared: ")),
                    "{error}"
                );
            }
        }
        let error = begin().add_layer(&layer(name), &Diff::new(), &task).unwrap_err();
        assert!(matches!(error, ChangeError::Input(_)), "{error}");
        for (layer_name, property) in [(name, "X"), ("more", name)] {
            let properties = [NodeNumbers { name: property, values: &[(0, 1)] }];
            let add = Some(PropertyLayer { layer: layer(layer_name), properties: &properties });
            let error = begin().set_layers(LayerChange { drop: &[], add }, &task).unwrap_err();
            assert!(matches!(error, ChangeError::Input(_)), "{error}");
        }
    }
    assert_eq!(disk.contents(PATH).unwrap(), before);
}

#[test]
fn an_edge_of_another_diff_is_named_with_what_this_one_adds() {
    let disk = MemoryVfs::new();
    Parts::sound().write(&disk, Profile::Compact).unwrap();
    let (mut diff, mut other) = (Diff::new(), Diff::new());
    diff.add_edge("E", 0, 1);
    let edge = (0..3).map(|_| other.add_edge("E", 1, 0)).last().unwrap();
    let change = GraphChange::begin(Arc::new(disk), Path::new(PATH)).unwrap();
    let applied = change.apply_with(&diff, &Task::new().threads(1)).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| applied.edge(edge))).unwrap_err();
    let told = panic.downcast_ref::<String>().unwrap();
    assert_eq!(told, "new edge 2 does not belong to this diff, which adds 1 edges");
}
