//! The labels of a graph that is written anew.

use varvite_format::LabelId;

use super::Fold;
use crate::error::Result;
use crate::write::{GraphWriter, LabelSpec};

impl Fold<'_> {
    pub(super) fn write_labels(&self, writer: &mut GraphWriter) -> Result<()> {
        let (graph, nodes) = (self.graph, self.renumbering.node_count());
        let labels = graph.label_sets()?;
        writer.set_label_codes(self.encoder.labels(&self.label_sets)?, graph.masks().to_vec())?;
        let mut numbers = vec![0u32; graph.node_count() as usize];
        let mut bitmap = vec![0u64; nodes.div_ceil(64) as usize];
        for (label, info) in graph.label_ids().zip(graph.labels()) {
            let has_numbers = self.number(label, &mut numbers)?;
            bitmap.fill(0);
            let mut of_members = Vec::new();
            for (new, old) in (0u32..).zip(self.renumbering.old_of_new()) {
                if labels.code_has(self.label_sets[new as usize], label) {
                    bitmap[new as usize / 64] |= 1 << (new % 64);
                    of_members.push(numbers[*old as usize]);
                }
            }
            // Appended nodes have numbers too, in a graph that came from a file.
            let origin_count = match info.origin_count {
                0 => 0,
                count => count.max(of_members.len() as u32),
            };
            let are_ranks = of_members.iter().zip(0..).all(|(number, rank)| *number == rank);
            let has_origin = has_numbers && !are_ranks;
            writer.add_label(LabelSpec {
                name: &info.name,
                layer: info.layer,
                nodes: self.encoder.set(&bitmap, nodes)?,
                origin_count,
                origin: has_origin.then(|| self.encoder.rising(&of_members)).transpose()?,
            })?;
        }
        Ok(())
    }

    /// Fills `numbers`, by old id, with the number of each node of a label in the file it came from. False where nodes of
    /// the label were appended or removed: then their ranks are their numbers.
    fn number(&self, label: LabelId, numbers: &mut [u32]) -> Result<bool> {
        let (origin, members) = (self.graph.origin(label)?, self.graph.nodes_of(label)?);
        for (rank, node) in (0u32..).zip(members.iter()) {
            let number = origin.as_ref().map_or(Some(rank), |origin| origin.number(rank));
            numbers[node as usize] = number.unwrap_or(rank);
        }
        Ok(members.change.is_none())
    }
}
