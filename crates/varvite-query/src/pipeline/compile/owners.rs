//! The check that at least one node with a condition's labels has the condition's property.
//!
//! A file does not say which labels have which properties. So if a pipeline begins with the nodes of some
//! labels and a condition on a property, the check looks for a node with one of the labels that has the
//! property. It reads the nodes of the labels or the owners of the property, whichever are fewer, and usually
//! the first one is such a node.

use super::{Compiler, graph_error};
use crate::pipeline::description::Step;
use crate::pipeline::error::{PipelineError, Result, StepAt};
use crate::pipeline::rows::Shape;
use varvite_graph::{LabelNodes, Property};

impl Compiler<'_> {
    /// Checks each `has` among the conditions right after a start. Fails if no node with any of the labels
    /// has the property of the `has`.
    pub(super) fn check_owners(&self, labels: &[String], steps: &[Step], prefix: &str) -> Result<()> {
        let labels = match steps.get(1) {
            Some(Step::HasLabel { labels: asked }) if labels.is_empty() => asked,
            _ => labels,
        };
        for (number, step) in (1..).zip(steps).skip(1).take_while(|(_, step)| step.is_condition()) {
            if let Step::Has { property, .. } = step {
                let at = StepAt::new(&format!("{prefix}{number}"), step.name());
                self.check_owner(labels, property, &at)?;
            }
        }
        Ok(())
    }

    fn check_owner(&self, labels: &[String], name: &str, at: &StepAt) -> Result<()> {
        let property = self.property(name, &Shape::Nodes, at)?.property;
        let nodes = self.label_nodes(labels, at)?;
        let has_nodes = match nodes.is_empty() {
            true => self.graph.live_node_count() > 0,
            false => nodes.iter().any(|nodes| !nodes.is_empty()),
        };
        // The check passes if the labels have no nodes.
        if !has_nodes || have_common(&nodes, &property) {
            return Ok(());
        }
        let owners = self.owners_of(&property, at)?;
        let (property, labels) = (name.to_owned(), labels.to_vec());
        Err(PipelineError::NotOfLabel { at: at.clone(), property, labels, owners })
    }

    /// The labels of the nodes that have a property, in the order of the schema.
    fn owners_of(&self, property: &Property, at: &StepAt) -> Result<Vec<String>> {
        let (labels, _) = self.labels(at)?;
        let mut seen = vec![false; labels.code_count() as usize];
        for owner in property.owners() {
            if let Some(seen) = labels.known_code(owner).and_then(|code| seen.get_mut(code as usize)) {
                *seen = true;
            }
        }
        let has = |label| (0..).zip(&seen).any(|(code, seen)| *seen && labels.code_has(code, label));
        let names = self.graph.label_ids().zip(self.graph.labels()).filter(|(label, _)| has(*label));
        let names = names.map(|(_, label)| label.name.clone()).collect();
        // If the column is damaged, the labels found may be wrong.
        self.graph.check().map_err(|error| graph_error(at, error))?;
        Ok(names)
    }
}

/// Whether any of `nodes` has the property. An empty list stands for all nodes.
fn have_common(nodes: &[LabelNodes], property: &Property) -> bool {
    let labelled: u64 = nodes.iter().map(|nodes| u64::from(nodes.len())).sum();
    if nodes.is_empty() {
        return !property.is_empty();
    }
    match u64::from(property.len()) < labelled {
        true => property.owners().any(|owner| nodes.iter().any(|nodes| nodes.contains(owner))),
        false => nodes.iter().any(|nodes| nodes.iter().any(|node| property.is_present(node))),
    }
}
