//! Resolves names of edge labels to ways. A way is an edge label in one direction.

use super::{Compiler, graph_error};
use varvite_format::EdgeLabelId;

use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::plan::{DirectedLabel, EdgeWay};
use varvite_graph::{Adjacency, Direction, LabelNodes};

/// The number of 64-bit words that an open list of nodes allocates, not counting the struct itself.
const LIST_WORDS: usize = 16;

impl Compiler<'_> {
    /// The ways along `labels`, or along all edge labels that have edges if `labels` is empty. All ways of
    /// the first direction come first.
    pub(super) fn ways(
        &self,
        labels: &[String],
        directions: &[Direction],
        at: &StepAt,
    ) -> Result<Vec<DirectedLabel>> {
        let labels = self.edge_labels(labels, at)?;
        let count = labels.len() * directions.len();
        self.take_list::<(DirectedLabel, Adjacency, [u64; LIST_WORDS])>(count, at)?;
        let mut ways = Vec::with_capacity(count);
        for direction in directions {
            for label in &labels {
                let adjacency = self.graph.adjacency(*label, *direction);
                let adjacency = adjacency.map_err(|error| graph_error(at, error))?;
                let name = self.graph.edge_labels()[label.index()].name.as_str().into();
                ways.push(DirectedLabel {
                    label: *label,
                    name,
                    direction: *direction,
                    adjacency: adjacency.into(),
                });
            }
        }
        Ok(ways)
    }

    /// The same as [`Compiler::ways`], with the columns that steps with edges need.
    pub(super) fn edge_ways(
        &self,
        labels: &[String],
        directions: &[Direction],
        at: &StepAt,
    ) -> Result<Vec<EdgeWay>> {
        let ways = self.ways(labels, directions, at)?;
        self.take_list::<(EdgeWay, Adjacency, [u64; LIST_WORDS])>(ways.len(), at)?;
        let with_ranks = |way: DirectedLabel| {
            let label = way.label;
            let out = self.graph.adjacency(label, Direction::Out);
            let places = match way.direction {
                Direction::In => self.graph.places(label),
                Direction::Out => Ok(None),
            };
            let out = out.map_err(|error| graph_error(at, error))?;
            Ok(EdgeWay { way, out: out.into(), places: places.map_err(|error| graph_error(at, error))? })
        };
        ways.into_iter().map(with_ranks).collect()
    }

    fn edge_labels(&self, names: &[String], at: &StepAt) -> Result<Vec<EdgeLabelId>> {
        if names.is_empty() {
            let all = self.graph.edge_label_ids().zip(self.graph.edge_labels());
            return Ok(all.filter(|(_, label)| label.edges > 0).map(|(id, _)| id).collect());
        }
        self.take_list::<EdgeLabelId>(names.len(), at)?;
        let id = |name: &String| self.graph.edge_label(name).map_err(|error| graph_error(at, error));
        names.iter().map(id).collect()
    }

    /// For each of some labels, the list of its nodes.
    pub(super) fn label_nodes(&self, names: &[String], at: &StepAt) -> Result<Vec<LabelNodes>> {
        self.take_list::<(LabelNodes, [u64; LIST_WORDS])>(names.len(), at)?;
        let nodes = |name: &String| self.graph.nodes(name).map_err(|error| graph_error(at, error));
        names.iter().map(nodes).collect()
    }
}
