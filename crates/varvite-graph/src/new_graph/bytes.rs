//! Additions encoded as bytes, so that a program in another language can pass many of them in one call
//! (`docs/diff.md`). Each operation calls a method of [`NewGraph`], so the bytes and the methods give the
//! same file.

use varvite_format::{InputError, LogEdge, LogNode, LogOperation, LogOwner, LogValue};

use super::added::{Added, AddedEdge};
use super::making::NewGraph;
use crate::change::{NewValue, NodeRef, PropertyOwner, declared_kind, fault_of, new_value, operations_of};
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::{GraphError, Result};

impl NewGraph<'_> {
    /// Runs the operations of a [diff as bytes](crate::change::Diff::to_bytes) in order, for programs in
    /// other languages. Each operation does the same as the method of its name. Operations refer to nodes of
    /// the graph by their numbers; to nodes and edges that these bytes add by their numbers among those
    /// additions; and to other edges by their label and [`AddedEdge::number`]. `set` takes one value,
    /// `append` any number of values.
    ///
    /// Costs as much as the method calls, plus 8 bytes of memory during this call for each edge that the
    /// bytes add.
    ///
    /// # Errors
    /// [`ChangeError::Operation`] with the number of the invalid operation, counted from 0 over all bytes
    /// that were passed to this graph. Earlier operations are applied, later ones are not; a later call may
    /// succeed. [`ChangeError::Input`] for bytes that are not an encoded diff. Any other error of the
    /// methods; after such an error every call fails with it.
    pub fn apply_bytes(&mut self, bytes: &[u8]) -> Result<(), ChangeError> {
        let of_bytes = |fault| ChangeError::from(InputError::new("bytes", fault));
        let operations = operations_of(bytes).map_err(of_bytes)?;
        let end = self.operations + u64::from(operations.left());
        let names = operations.names().to_vec();
        let mut batch = Batch { names, first_node: self.node_count(), edges: Vec::new() };
        for operation in operations {
            let read = operation.map_err(|error| of_bytes(fault_of(error)));
            match read.and_then(|operation| batch.apply(operation, self)) {
                Ok(()) => self.operations += 1,
                // Bytes after the last operation are refused.
                Err(error) if self.operations == end => return Err(error),
                Err(error) => return Err(of_operation(self.operations, error)),
            }
        }
        Ok(())
    }
}

/// The names and new elements that operations of the same bytes refer to.
struct Batch<'b> {
    names: Vec<&'b str>,
    /// The first node that these bytes add.
    first_node: u32,
    /// The edges that these bytes have added so far.
    edges: Vec<AddedEdge>,
}

impl<'b> Batch<'b> {
    fn apply(&mut self, operation: LogOperation<'b>, new: &mut NewGraph<'_>) -> Result<(), ChangeError> {
        match operation {
            LogOperation::AddNode { labels } => {
                let labels: Vec<&str> = labels.map(|label| self.name(label)).collect();
                new.add_node(&labels).map(drop)
            }
            LogOperation::AddEdge { label, from, to } => {
                let (from, to) = (self.node(from, new)?, self.node(to, new)?);
                let edge = new.add_edge(self.name(label), from, to)?;
                self.edges.push(edge);
                Ok(())
            }
            LogOperation::Values { owner, property, is_append, values } => {
                let (owner, property) = (self.owner(owner, new)?, self.name(property));
                let values = values.map(|value| self.value(value, new));
                if is_append {
                    return new.append(owner, property, values.collect::<Result<Vec<_>, ChangeError>>()?);
                }
                let mut values = values;
                let first = values.next().ok_or_else(|| refused(ChangeFault::NotAnAddition))??;
                if values.next().is_some() {
                    return Err(refused(ChangeFault::NotAList { property: property.to_owned() }));
                }
                new.set(owner, property, first)
            }
            LogOperation::DeclareLabel { name } => new.declare_label(self.name(name)),
            LogOperation::DeclareEdgeLabel { name } => new.declare_edge_label(self.name(name)),
            LogOperation::DeclareProperty { name, edge_label, value_type, cardinality } => {
                let kind = declared_kind(value_type, cardinality);
                let (value_type, cardinality) =
                    kind.map_err(|fault| InputError::new("declaration", fault))?;
                let owner =
                    edge_label.map_or(PropertyOwner::Nodes, |label| PropertyOwner::Edges(self.name(label)));
                new.declare_property(self.name(name), owner, value_type, cardinality)
            }
            LogOperation::RemoveNode { .. } | LogOperation::RemoveEdge(_) => {
                Err(refused(ChangeFault::NotAnAddition))
            }
        }
    }

    /// The name with this number. The decoder has checked the number.
    fn name(&self, number: u32) -> &'b str {
        self.names[number as usize]
    }

    fn node(&self, LogNode { number, is_new }: LogNode, new: &NewGraph<'_>) -> Result<u32, ChangeError> {
        if !is_new {
            return Ok(number);
        }
        let count = new.node_count() - self.first_node;
        match number < count {
            true => Ok(self.first_node + number),
            false => Err(refused(ChangeFault::NoSuchNew { number, count })),
        }
    }

    fn owner(&self, owner: LogOwner, new: &NewGraph<'_>) -> Result<Added, ChangeError> {
        match owner {
            LogOwner::Node(node) => self.node(node, new).map(Added::Node),
            LogOwner::Edge(LogEdge { label, rank }) => new.edge(self.name(label), rank).map(Added::Edge),
            LogOwner::NewEdge(number) => match self.edges.get(number as usize) {
                Some(edge) => Ok(Added::Edge(*edge)),
                None => Err(refused(ChangeFault::NoSuchNew { number, count: self.edges.len() as u32 })),
            },
        }
    }

    fn value<'v>(&self, value: LogValue<'v>, new: &NewGraph<'_>) -> Result<NewValue<'v>, ChangeError> {
        match value {
            LogValue::Node(node) => self.node(node, new).map(|node| NewValue::Ref(NodeRef::Node(node))),
            other => Ok(new_value(other)),
        }
    }
}

/// The error for a refused operation; the caller fills in the operation's number.
fn refused(fault: ChangeFault) -> ChangeError {
    ChangeError::Operation { operation: 0, fault }
}

/// Converts the error of a method call to the error of the operation with this number. An error after which
/// the graph cannot be used is returned unchanged.
fn of_operation(operation: u64, error: ChangeError) -> ChangeError {
    let fault = match error {
        ChangeError::Input(error) => ChangeFault::Input(error),
        ChangeError::Graph(GraphError::NoSuchNode { node, nodes }) => {
            ChangeFault::NoSuchNode { node: node as u32, nodes }
        }
        ChangeError::Graph(GraphError::WrongType { name, expected, found }) => {
            ChangeFault::WrongType { property: name, expected: found, found: expected.to_owned() }
        }
        ChangeError::Operation { fault, .. } => fault,
        lost => return lost,
    };
    ChangeError::Operation { operation, fault }
}
