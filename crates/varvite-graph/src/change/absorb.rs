//! Absorbs one diff into another: names and new elements of the absorbed diff are renumbered for the
//! absorbing diff.

use varvite_store::StoreError;

use super::chunk::Chunk;
use super::diff::{Absorbed, Diff};
use super::element::{NewNode, NodeRef};
use super::operation::{Kind, StoredValue, Word};

impl Diff {
    /// Appends the operations of another diff to those of this diff, as if the caller had added them to this
    /// diff. So several threads can each fill a diff of their own, and one thread absorbs these diffs. If
    /// they are always absorbed in the same order, every run produces the same graph.
    pub fn absorb(&mut self, other: &Self) -> Absorbed {
        absorb(self, other)
    }
}

/// Appends the operations of `other` to those of `diff`.
fn absorb(diff: &mut Diff, other: &Diff) -> Absorbed {
    let names: Vec<u32> = other.names.all().iter().map(|name| diff.names.number(name.as_str())).collect();
    let set = |labels: &Vec<u32>| labels.iter().map(|label| names[*label as usize]).collect::<Vec<_>>();
    let sets: Vec<Vec<u32>> = other.label_sets.all().iter().map(set).collect();
    let sets: Vec<u32> = sets.iter().map(|labels| diff.label_sets.number(&labels[..])).collect();
    let declared = diff.declared.len() as u32;
    diff.declared.extend_from_slice(&other.declared);
    let absorbed = diff.count_new(other);
    diff.kinds.absorb(other.kinds);
    let numbers = Numbers { names: &names, sets: &sets, declared, absorbed: &absorbed };
    let taken = other.for_each_chunk(&Kind::ALL, |_, chunk| {
        absorb_chunk(diff, chunk, &numbers);
        diff.make_room();
        Ok::<(), StoreError>(())
    });
    if let Err(error) = taken {
        diff.failure.get_or_insert(error);
    }
    absorbed
}

/// The numbers that the names, label sets, declarations and elements of an absorbed diff get in the absorbing
/// diff.
struct Numbers<'a> {
    names: &'a [u32],
    sets: &'a [u32],
    /// The number of declarations that the absorbing diff had before.
    declared: u32,
    absorbed: &'a Absorbed,
}

fn absorb_chunk(diff: &mut Diff, other: &Chunk, numbers: &Numbers<'_>) {
    let Numbers { names, sets, declared, absorbed } = *numbers;
    let node = |number: u32| absorbed.node(NewNode(number)).0;
    let mut operands = &other.operands[..];
    let diff = &mut diff.chunk;
    diff.operations.reserve(other.operations.len());
    diff.operands.reserve(other.operands.len());
    for word in &other.operations {
        let (kind, are_new) = (word.kind(), word.are_new());
        let (own, rest) = operands.split_at(kind.operands());
        operands = rest;
        let name = match kind {
            Kind::AddNode => sets[word.name() as usize],
            Kind::RemoveNode => 0,
            _ => names[word.name() as usize],
        };
        diff.operations.push(Word::new(kind, name, are_new));
        let first = diff.operands.len();
        diff.operands.extend_from_slice(own);
        let own = &mut diff.operands[first..];
        match (kind, are_new) {
            (Kind::AddEdge, _) => {
                let ends = own.iter_mut().zip(are_new).filter(|(_, is_new)| *is_new);
                ends.for_each(|(end, _)| *end = node(*end));
            }
            (Kind::SetOfNode | Kind::AppendToNode, [true, _]) => own[0] = node(own[0]),
            (Kind::SetOfEdge | Kind::AppendToEdge, [true, _]) => {
                own[0] = absorbed.edge(super::NewEdge(own[0])).0;
            }
            (Kind::SetOfEdge | Kind::AppendToEdge, [false, _]) => own[1] = names[own[1] as usize],
            (Kind::DeclareProperty, [is_of_edges, _]) => {
                own[0] += declared;
                if is_of_edges {
                    own[1] = names[own[1] as usize];
                }
            }
            _ => {}
        }
    }
    absorb_values(diff, other, absorbed);
}

fn absorb_values(diff: &mut Chunk, other: &Chunk, absorbed: &Absorbed) {
    diff.values.reserve(other.values.len());
    for value in &other.values {
        let value = match *value {
            StoredValue::Str(text) => StoredValue::Str(diff.texts.push(other.texts.get(text))),
            StoredValue::Bytes(bytes) => StoredValue::Bytes(diff.texts.push(other.texts.get(bytes))),
            StoredValue::Ref(NodeRef::New(node)) => StoredValue::Ref(NodeRef::New(absorbed.node(node))),
            value => value,
        };
        diff.values.push(value);
    }
}
