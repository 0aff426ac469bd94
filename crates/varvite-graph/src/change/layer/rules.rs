//! Rules for a diff that becomes a layer: it may only add elements, under names that it declares.
//!
//! With these rules, dropping a layer never has to restore anything in the graph.

use varvite_format::Owner;

use super::super::diff::Diff;
use super::super::operation::{Kind, Name, Operation, ValueOwner};
use super::super::refusal::ChangeResult;
use super::super::schema::{Schema, SchemaNames};
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::Result;
use crate::graph::Graph;
use crate::name_kind::NameKind;

/// Checks all operations of a diff.
pub(super) fn check(graph: &Graph, known: &SchemaNames, diff: &Diff) -> Result<(), ChangeError> {
    let rules = Rules { graph, schema: Schema::of(graph, known, diff)? };
    diff.for_each(&Kind::ALL, |number, operation, _| {
        rules.check(&operation).map_err(|fault| ChangeError::Operation { operation: number, fault })?;
        Ok(())
    })
}

struct Rules<'a> {
    graph: &'a Graph,
    schema: Schema<'a>,
}

impl Rules<'_> {
    fn check(&self, operation: &Operation<'_>) -> ChangeResult<()> {
        match *operation {
            Operation::AddNode { labels: [] } => Err(ChangeFault::NoLabel),
            Operation::AddNode { labels } => labels.iter().try_for_each(|label| self.own_label(*label)),
            Operation::DeclareLabel { name } => self.own_label(name),
            Operation::AddEdge { label, .. } | Operation::DeclareEdgeLabel { name: label } => {
                self.own_edge_label(label)
            }
            Operation::Values(given) => match given.owner {
                ValueOwner::Node(_) => self.own_property(given.property),
                ValueOwner::Edge(label, _) => self.own_edge_label(label),
                // A new edge has a label of the layer, so the properties of that label belong to the layer
                // too.
                ValueOwner::NewEdge(_) => Ok(()),
            },
            Operation::DeclareProperty { name, edge_label: None, .. } => self.own_property(name),
            Operation::DeclareProperty { edge_label: Some(label), .. } => self.own_edge_label(label),
            Operation::RemoveNode { .. } | Operation::RemoveEdge { .. } => Err(ChangeFault::RemovedByLayer),
        }
    }

    fn own_label(&self, name: Name) -> ChangeResult<()> {
        let known = self.graph.labels().get(self.schema.label(name)?.index());
        self.is_own(NameKind::Label, name, known.map(|label| label.layer))
    }

    fn own_edge_label(&self, name: Name) -> ChangeResult<()> {
        let known = self.graph.edge_labels().get(self.schema.edge_label(name)?.index());
        self.is_own(NameKind::EdgeLabel, name, known.map(|label| label.layer))
    }

    fn own_property(&self, name: Name) -> ChangeResult<()> {
        let known = self.graph.properties().get(self.schema.property(Owner::Node, name)?.index());
        self.is_own(NameKind::Property, name, known.map(|property| property.layer))
    }

    /// Fails if the graph already has the name, because the name then belongs to another layer.
    fn is_own(&self, kind: NameKind, name: Name, layer: Option<u32>) -> ChangeResult<()> {
        let Some(layer) = layer else { return Ok(()) };
        let layer = self.graph.layers().get(layer as usize).map_or_else(String::new, |it| it.name.clone());
        Err(ChangeFault::NotOfLayer { kind, name: self.schema.name(name).to_owned(), layer })
    }
}
