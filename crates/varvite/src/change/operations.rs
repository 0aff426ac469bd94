//! [`Operations`]: the operations of a diff, read one after another.

use super::diff::Diff;
use super::element::{NewEdge, NewNode, NodeRef};
use super::operation::{Kind, Name, Operation, ValueOwner, Values};

/// The operations of a diff, in their order.
pub(super) struct Operations<'a> {
    diff: &'a Diff,
    next: usize,
    operand: usize,
    value: usize,
}

impl Diff {
    pub(super) fn operations(&self) -> Operations<'_> {
        Operations { diff: self, next: 0, operand: 0, value: 0 }
    }

    /// Whether it removes nodes or edges.
    pub(super) fn removes(&self) -> bool {
        let is_removal = |kind| matches!(kind, Kind::RemoveNode | Kind::RemoveEdge);
        self.operations.iter().any(|word| is_removal(word.kind()))
    }

    /// Whether edges that it adds are given values.
    pub(super) fn gives_values_to_new_edges(&self) -> bool {
        let is_of_edge = |kind| matches!(kind, Kind::SetOfEdge | Kind::AppendToEdge);
        self.operations.iter().any(|word| is_of_edge(word.kind()) && word.are_new()[0])
    }
}

impl<'a> Iterator for Operations<'a> {
    type Item = Operation<'a>;

    fn next(&mut self) -> Option<Operation<'a>> {
        let word = *self.diff.operations.get(self.next)?;
        let (kind, name, [is_new, other_is_new]) = (word.kind(), word.name(), word.are_new());
        let operands = &self.diff.operands[self.operand..self.operand + kind.operands()];
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
        let values = &self.diff.values[self.value..self.value + count as usize];
        self.value += values.len();
        Operation::Values(Values { owner, property, is_append, values })
    }
}

fn node_of(number: u32, is_new: bool) -> NodeRef {
    if is_new { NodeRef::New(NewNode(number)) } else { NodeRef::Node(number) }
}
