//! [`Uses`]: which properties the nodes of each label have.

use varvite::cursor::Labels;
use varvite::{Graph, LabelId, PropertyId, PropertyInfo, Task};

use super::error::Result;

/// The number of nodes between two checks of the cancel flag.
const PAUSE: usize = 1 << 14;

/// For each property of nodes, the codes of label sets whose nodes have it.
pub(super) struct Uses {
    labels: Labels,
    properties: Vec<(PropertyId, String, Vec<bool>)>,
}

impl Uses {
    /// Looks at the owners of each property until every label set was met. The cost is a few nanoseconds for
    /// each owner.
    pub(super) fn of(
        graph: &Graph,
        properties: &[(PropertyId, PropertyInfo)],
        task: &Task<'_>,
    ) -> Result<Self> {
        let labels = graph.label_sets()?;
        let mut found = Vec::new();
        for (id, info) in properties.iter().filter(|(_, info)| info.edge_label.is_none()) {
            let mut codes = vec![false; labels.code_count() as usize];
            let mut left = codes.len();
            let property = graph.property_at(*id)?;
            for (step, owner) in property.owners().enumerate() {
                if step.is_multiple_of(PAUSE) {
                    task.check()?;
                }
                match codes.get_mut(labels.code(owner) as usize) {
                    Some(code) if !*code => (*code, left) = (true, left - 1),
                    _ => continue,
                }
                if left == 0 {
                    break;
                }
            }
            found.push((*id, info.name.clone(), codes));
        }
        Ok(Self { labels, properties: found })
    }

    /// The properties that any node of a label has, in the order of the schema.
    pub(super) fn of_label(&self, label: LabelId) -> Vec<(PropertyId, &str)> {
        let has = |codes: &[bool]| {
            let mut used = (0..).zip(codes).filter(|(_, used)| **used);
            used.any(|(code, _)| self.labels.code_has(code, label))
        };
        let used = self.properties.iter().filter(|(_, _, codes)| has(codes));
        used.map(|(id, name, _)| (*id, name.as_str())).collect()
    }

    /// The number of nodes without any label, which are in no file.
    pub(super) fn unlabelled(&self, graph: &Graph, task: &Task<'_>) -> Result<u64> {
        let without = |code: u32| self.labels.of_code(code).next().is_none();
        if !(0..self.labels.code_count()).any(without) {
            return Ok(0);
        }
        let living = graph.living_nodes()?;
        let mut count = 0;
        for node in 0..graph.node_count() {
            if (node as usize).is_multiple_of(PAUSE) {
                task.check()?;
            }
            let is_alive = living.as_ref().is_none_or(|living| living.contains(node));
            count += u64::from(is_alive && without(self.labels.code(node)));
        }
        Ok(count)
    }
}
