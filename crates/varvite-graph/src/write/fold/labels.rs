//! Writes the labels, as a part of a fold.

use varvite_format::LabelId;

use super::Fold;
use crate::change_error::ChangeError;
use crate::cursor::labels::LabelNodes;
use crate::error::Result;
use crate::write::{GraphWriter, LabelSpec, check_claim};

impl Fold<'_> {
    /// The cost is proportional to the total number of nodes that the labels have, not to the number of
    /// labels times the number of nodes.
    pub(super) fn write_labels(&self, writer: &mut GraphWriter) -> Result<(), ChangeError> {
        let (graph, nodes) = (self.graph, self.renumbering.node_count());
        writer.set_label_codes(self.encoder.labels(&self.label_sets)?, graph.masks().to_vec())?;
        for (label, info) in graph.label_ids().zip(graph.labels()) {
            let members = graph.nodes_of(label)?;
            // If the label has no origins (numbers in an imported file), or nodes of the label were appended
            // or removed, the new ranks become the origins.
            let has_numbers = members.change.is_none() && info.origin_count > 0;
            let (ids, numbers): (Vec<u32>, Vec<u32>) = self.numbered(label, &members)?.into_iter().unzip();
            // In a graph with origins, appended nodes get origins too.
            let origin_count = match info.origin_count {
                0 => 0,
                count => count.max(numbers.len() as u32),
            };
            let are_ranks = numbers.iter().zip(0..).all(|(number, rank)| *number == rank);
            let has_origin = has_numbers && !are_ranks;
            writer.add_label(LabelSpec {
                name: &info.name,
                layer: info.layer,
                nodes: self.encoder.set_of(&ids, nodes)?,
                origin_count,
                origin: has_origin.then(|| self.encoder.origin(&numbers, origin_count)).transpose()?,
            })?;
        }
        Ok(())
    }

    /// The nodes of a label by their new ids, in ascending order, each with its number in the imported file.
    fn numbered(&self, label: LabelId, members: &LabelNodes) -> Result<Vec<(u32, u32)>, ChangeError> {
        let origin = self.graph.origin(label)?;
        check_claim(self.graph, members.len().into())?;
        let mut numbered = Vec::with_capacity(members.len() as usize);
        for (rank, node) in (0u32..).zip(members.iter()) {
            let number = origin.as_ref().map_or(Some(rank), |origin| origin.number(rank));
            numbered.extend(self.renumbering.new_id(node).map(|new| (new, number.unwrap_or(rank))));
        }
        numbered.sort_unstable();
        Ok(numbered)
    }
}
