//! [`Operations`]: the operations of a diff, read one after another.

use varvite_store::StoreError;

use super::chunk::Chunk;
use super::diff::Diff;
use super::element::{NewEdge, NewNode, NodeRef};
use super::operation::{Kind, Name, Operation, ValueOwner, Values};

/// The operations of a chunk, in their order.
pub(super) struct Operations<'a> {
    diff: &'a Diff,
    chunk: &'a Chunk,
    next: usize,
    operand: usize,
    value: usize,
}

impl Chunk {
    /// The operations of the chunk; `diff` has their names.
    pub(super) fn operations<'a>(&'a self, diff: &'a Diff) -> Operations<'a> {
        Operations { diff, chunk: self, next: 0, operand: 0, value: 0 }
    }
}

impl Diff {
    /// Calls `visit` with the number of each operation, the operation, and the chunk that has its values.
    /// Does nothing if the diff has no operation of these kinds; otherwise, visits the operations of all
    /// kinds.
    ///
    /// # Errors
    /// An earlier failure to store an operation on disk; an error while reading from disk; the errors of
    /// `visit`.
    pub(super) fn for_each<E: From<StoreError>>(
        &self,
        kinds: &[Kind],
        mut visit: impl FnMut(u64, Operation<'_>, &Chunk) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_chunk(kinds, |first, chunk| {
            (first..)
                .zip(chunk.operations(self))
                .try_for_each(|(number, operation)| visit(number, operation, chunk))
        })
    }

    /// The same as [`Self::for_each`], chunk by chunk: `visit` gets each chunk, with the number of its first
    /// operation.
    pub(super) fn for_each_chunk<E: From<StoreError>>(
        &self,
        kinds: &[Kind],
        mut visit: impl FnMut(u64, &Chunk) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone().into());
        }
        if !self.kinds.has_any(kinds) {
            return Ok(());
        }
        let mut first = 0;
        for saved in &self.saved {
            let chunk = saved.load()?;
            visit(first, &chunk)?;
            first += chunk.operations.len() as u64;
        }
        visit(first, &self.chunk)
    }
}

impl<'a> Iterator for Operations<'a> {
    type Item = Operation<'a>;

    fn next(&mut self) -> Option<Operation<'a>> {
        let word = *self.chunk.operations.get(self.next)?;
        let (kind, name, [is_new, other_is_new]) = (word.kind(), word.name(), word.are_new());
        let operands = &self.chunk.operands[self.operand..self.operand + kind.operands()];
        self.next += 1;
        self.operand += operands.len();
        Some(match kind {
            Kind::AddNode => Operation::AddNode { labels: self.diff.label_sets.get(name) },
            Kind::AddEdge => Operation::AddEdge {
                label: name,
                from: node_of(operands[0], is_new),
                to: node_of(operands[1], other_is_new),
            },
            Kind::RemoveNode => Operation::RemoveNode { node: operands[0] },
            Kind::RemoveEdge => Operation::RemoveEdge { label: name, rank: operands[0] },
            Kind::SetOfNode | Kind::AppendToNode => {
                let owner = ValueOwner::Node(node_of(operands[0], is_new));
                self.values(owner, name, kind == Kind::AppendToNode, operands[2])
            }
            Kind::SetOfEdge | Kind::AppendToEdge => {
                let owner = match is_new {
                    true => ValueOwner::NewEdge(NewEdge(operands[0])),
                    false => ValueOwner::Edge(operands[1], operands[0]),
                };
                self.values(owner, name, kind == Kind::AppendToEdge, operands[2])
            }
            Kind::DeclareLabel => Operation::DeclareLabel { name },
            Kind::DeclareEdgeLabel => Operation::DeclareEdgeLabel { name },
            Kind::DeclareProperty => {
                let (value_type, cardinality) = self.diff.declared[operands[0] as usize];
                let edge_label = is_new.then_some(operands[1]);
                Operation::DeclareProperty { name, edge_label, value_type, cardinality }
            }
        })
    }
}

impl<'a> Operations<'a> {
    fn values(&mut self, owner: ValueOwner, property: Name, is_append: bool, count: u32) -> Operation<'a> {
        let values = &self.chunk.values[self.value..self.value + count as usize];
        self.value += values.len();
        Operation::Values(Values { owner, property, is_append, values })
    }
}

fn node_of(number: u32, is_new: bool) -> NodeRef {
    if is_new { NodeRef::New(NewNode(number)) } else { NodeRef::Node(number) }
}
