//! [`FunctionDigests`]: a digest of the content of each function, to compare functions of two graphs.

use varvite_cpg::functions::{FunctionBatch, FunctionOptions, Functions as FunctionGraphs};

use crate::code::Code;
use crate::error::Result;
use crate::functions::{Function, Functions};

/// The first half of a hash of BLAKE3.
type Hash = [u8; 16];

/// A function with its name and its content as digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digested {
    /// The digest of its FULL_NAME and file.
    pub(super) key: Hash,
    /// The digest of its syntax tree: labels, CODE, and the shape of the tree. Lines are no content.
    pub(super) content: Hash,
    pub(super) function: Function,
}

/// The digests of all functions, sorted by key and node.
pub(super) fn digests(code: &Code<'_>, functions: &Functions) -> Result<Vec<Digested>> {
    let mut digests = Vec::new();
    if functions.all.is_empty() {
        return Ok(digests);
    }
    let options = FunctionOptions {
        edge_labels: vec!["AST".to_owned()],
        methods: Some(functions.all.iter().map(|function| function.node).collect()),
        token_ids: 1,
        task: code.graph.task_beside(code.task.clone()),
        ..FunctionOptions::default()
    };
    for batch in FunctionGraphs::open(code.graph, options)?.batches() {
        let batch = batch?;
        let texts = hashes_of_texts(&batch);
        for (index, method) in batch.methods.iter().enumerate() {
            let Some(function) = functions.at(*method) else { continue };
            code.budget.take(size_of::<Digested>())?;
            let content = content(code, &batch, index, &texts);
            digests.push(Digested { key: key(code, *method), content, function: *function });
        }
    }
    digests.sort_unstable_by_key(|digested| (digested.key, digested.function.node));
    Ok(digests)
}

fn key(code: &Code<'_>, method: u32) -> Hash {
    let mut hasher = blake3::Hasher::new();
    code.with_name(method, |name| {
        hasher.update(name.as_bytes());
    });
    hasher.update(&[0]);
    hasher.update(code.place(method).file.unwrap_or_default().as_bytes());
    half(&hasher)
}

/// The hash of each text of a batch. A batch has a text once, however many nodes have it.
fn hashes_of_texts(batch: &FunctionBatch) -> Vec<Hash> {
    let count = batch.text_offsets.len().saturating_sub(1);
    (0..count).map(|index| half(blake3::Hasher::new().update(batch.text(index as i64).as_bytes()))).collect()
}

fn content(code: &Code<'_>, batch: &FunctionBatch, index: usize, texts: &[Hash]) -> Hash {
    let range = |offsets: &[i64]| offsets[index] as usize..offsets[index + 1] as usize;
    let mut hasher = blake3::Hasher::new();
    let nodes = range(&batch.node_offsets);
    for (label, text) in batch.node_types[nodes.clone()].iter().zip(&batch.codes[nodes]) {
        let label = usize::try_from(*label).ok().and_then(|label| code.graph.labels().get(label));
        hasher.update(label.map_or("", |label| &label.name).as_bytes());
        hasher.update(&[0]);
        hasher.update(usize::try_from(*text).ok().and_then(|text| texts.get(text)).unwrap_or(&[0; 16]));
    }
    let edges = range(&batch.edge_offsets);
    for (source, target) in batch.sources[edges.clone()].iter().zip(&batch.targets[edges]) {
        hasher.update(&source.to_le_bytes());
        hasher.update(&target.to_le_bytes());
    }
    half(&hasher)
}

fn half(hasher: &blake3::Hasher) -> Hash {
    let mut half = Hash::default();
    half.copy_from_slice(&hasher.finalize().as_bytes()[..size_of::<Hash>()]);
    half
}
