//! A small valid graph, which tests edit.

use std::path::Path;
use std::sync::Arc;

use varvite::change::ChangeError;
use varvite::{Cardinality, Profile, Result, ValueType};
use varvite::{
    columns::{
        EdgeLabelSpec, Encoder, GraphWriter, Heat, LabelSpec, ListsInput, PropertyInput, PropertySpec,
        TextsInput, ValuesInput, WriteOptions, pair_places, subtree_sizes,
    },
    write::LayerSpec,
};
use varvite_format::{EdgeLabelId, Owner};

use crate::vfs::MemoryVfs;

const PATH: &str = "small.varvite";
const NODES: u32 = 40;

/// The bytes of a graph of 40 nodes: with a forest, edges with and without a property, and properties of
/// numbers, references and texts, with single values and lists.
pub fn small_graph(profile: Profile) -> Vec<u8> {
    let vfs = MemoryVfs::new();
    write(&vfs, profile).expect("memory takes a small graph");
    vfs.contents(PATH).expect("it was written")
}

fn write(vfs: &MemoryVfs, profile: Profile) -> Result<u64, ChangeError> {
    let options = WriteOptions { profile, ..WriteOptions::default() };
    let mut writer = GraphWriter::create(Arc::new(vfs.clone()), Path::new(PATH), NODES, b"small", &options)?;
    let encoder = GraphWriter::encoder(&options);
    writer.add_layer(&LayerSpec { name: "code", tool: "fuzz", version: "0", source: [0; 32] });
    write_labels(&mut writer, &encoder)?;
    write_edges(&mut writer, &encoder)?;
    write_properties(&mut writer, &encoder)?;
    writer.finish()
}

/// Makes every fifth node a METHOD and the others CALLs.
fn write_labels(writer: &mut GraphWriter, encoder: &Encoder) -> Result<(), ChangeError> {
    let codes: Vec<u32> = (0..NODES).map(|node| u32::from(node % 5 > 0)).collect();
    writer.set_label_codes(encoder.labels(&codes)?, vec![0b01, 0b10])?;
    for (label, name) in (0..).zip(["METHOD", "CALL"]) {
        let members = (0..NODES).filter(|node| codes[*node as usize] == label);
        let nodes = encoder.set(&[members.map(|node| 1 << node).sum()], NODES)?;
        writer.add_label(LabelSpec { name, layer: 0, nodes, origin_count: NODES, origin: None })?;
    }
    Ok(())
}

/// Makes the four nodes after each METHOD its children, and lets nodes call some later nodes.
fn write_edges(writer: &mut GraphWriter, encoder: &Encoder) -> Result<(), ChangeError> {
    let is_child =
        |source: u32, target: u32| source.is_multiple_of(5) && target > source && target < source + 5;
    let calls = |source: u32, target: u32| target > source && (target * source).is_multiple_of(7);
    let [ast, _] = both_ways(is_child);
    let sizes = subtree_sizes(&ast.0, &ast.1).expect("children follow their parent");
    let edges = ast.1.len() as u64;
    let label = |name| EdgeLabelSpec { name, layer: 0, edges, out: None, in_: None, places: None };
    writer.add_edge_label(label("AST"))?;
    writer.set_forest(encoder.forest(&sizes)?, EdgeLabelId(0))?;
    let [out, in_] = both_ways(calls);
    let inputs = [&out, &in_].map(|(offsets, neighbors)| ListsInput { offsets, neighbors });
    for name in ["CFG", "REACHING_DEF"] {
        let places = pair_places(inputs[0], inputs[1]).expect("both directions hold the same edges");
        writer.add_edge_label(EdgeLabelSpec {
            edges: out.1.len() as u64,
            out: Some(encoder.adjacency(inputs[0], Heat::Hot)?),
            in_: Some(encoder.adjacency(inputs[1], Heat::Cold)?),
            places: (name == "REACHING_DEF").then(|| encoder.places(inputs[1], &places)).transpose()?,
            ..label(name)
        })?;
    }
    write_texts(writer, encoder, "VARIABLE", Owner::Edge(EdgeLabelId(2)), out.1.len() as u32)
}

/// The offsets and neighbours of the edges for which `is_edge` returns true, for out-lists and in-lists.
fn both_ways(is_edge: impl Fn(u32, u32) -> bool) -> [(Vec<u32>, Vec<u32>); 2] {
    let lists = |is_neighbor: &dyn Fn(u32, u32) -> bool| {
        let (mut offsets, mut neighbors) = (vec![0], Vec::new());
        for node in 0..NODES {
            neighbors.extend((0..NODES).filter(|other| is_neighbor(node, *other)));
            offsets.push(neighbors.len() as u32);
        }
        (offsets, neighbors)
    };
    [lists(&|node, other| is_edge(node, other)), lists(&|node, other| is_edge(other, node))]
}

fn write_properties(writer: &mut GraphWriter, encoder: &Encoder) -> Result<(), ChangeError> {
    write_texts(writer, encoder, "NAME", Owner::Node, NODES)?;
    // Every third node has no value; every fourth node has one value more.
    let lists: Vec<u32> = (0..=NODES).map(|node| node - node.div_ceil(3) + node / 4).collect();
    let numbers: Vec<i64> =
        (0..i64::from(lists[NODES as usize])).map(|number| number * number % 40).collect();
    for (name, value_type) in [("ORDER", ValueType::I32), ("EVIDENCE", ValueType::Ref)] {
        let columns =
            encoder.property(PropertyInput { offsets: &lists, values: ValuesInput::Numbers(&numbers) })?;
        writer.add_property(&spec(name, Owner::Node, value_type, Cardinality::List), columns)?;
    }
    Ok(())
}

/// Writes a property with a text for each of `owners`.
fn write_texts(
    writer: &mut GraphWriter,
    encoder: &Encoder,
    name: &str,
    owner: Owner,
    owners: u32,
) -> Result<(), ChangeError> {
    let offsets: Vec<u32> = (0..=owners).collect();
    let codes: Vec<u32> = (0..owners).map(|owner| owner % 4).collect();
    // The last code is null.
    let texts = TextsInput {
        bytes: b"int main",
        texts: &[(0, 8), (4, 4), (0, 3)],
        codes: &codes,
        sorted: false,
        parents: &[],
    };
    let columns = encoder.property(PropertyInput { offsets: &offsets, values: ValuesInput::Texts(texts) })?;
    writer.add_property(&spec(name, owner, ValueType::String, Cardinality::One), columns)
}

fn spec(name: &str, owner: Owner, value_type: ValueType, cardinality: Cardinality) -> PropertySpec {
    PropertySpec { name: name.to_owned(), owner, layer: 0, value_type, cardinality, default: None }
}
