//! [`Uses`]: which properties the nodes of each label have.

use varvite::cursor::Labels;
use varvite::memory::Reserved;
use varvite::{Budget, Graph, GraphError, LabelId, PropertyId, PropertyInfo, Task};

use super::error::Result;

/// The number of nodes between two checks of the cancel flag.
const PAUSE: usize = 1 << 14;

/// For each property of nodes, the codes of label sets whose nodes have it.
pub(super) struct Uses {
    labels: Labels,
    properties: Vec<(PropertyId, String, CodeSet)>,
    /// The memory of the properties.
    _reserved: Reserved,
}

impl Uses {
    /// Looks at the owners of each property until every label set was met. The cost is a few nanoseconds for
    /// each owner. Holds the name of each property, and a bit for each label set.
    pub(super) fn of(
        graph: &Graph,
        properties: &[(PropertyId, PropertyInfo)],
        budget: &Budget,
        task: &Task<'_>,
    ) -> Result<Self> {
        let labels = graph.label_sets()?;
        let (mut found, mut reserved) = (Vec::new(), Reserved::nothing_of(budget));
        for (id, info) in properties.iter().filter(|(_, info)| info.edge_label.is_none()) {
            reserved.take(CodeSet::bytes(labels.code_count()) + info.name.len()).map_err(GraphError::from)?;
            let mut codes = CodeSet::new(labels.code_count());
            let mut left = labels.code_count();
            let property = graph.property_at(*id)?;
            for (step, owner) in property.owners().enumerate() {
                if step.is_multiple_of(PAUSE) {
                    task.check()?;
                }
                left -= u32::from(codes.insert(labels.code(owner)));
                if left == 0 {
                    break;
                }
            }
            found.push((*id, info.name.clone(), codes));
        }
        Ok(Self { labels, properties: found, _reserved: reserved })
    }

    /// The properties that any node of a label has, in the order of the schema.
    pub(super) fn of_label(&self, label: LabelId) -> Vec<(PropertyId, &str)> {
        let mut own = CodeSet::new(self.labels.code_count());
        for code in (0..self.labels.code_count()).filter(|code| self.labels.code_has(*code, label)) {
            own.insert(code);
        }
        let used = self.properties.iter().filter(|(_, _, codes)| codes.meets(&own));
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

/// A set of codes of label sets.
struct CodeSet {
    count: u32,
    words: Vec<u64>,
}

impl CodeSet {
    /// No codes, of codes less than `count`.
    fn new(count: u32) -> Self {
        Self { count, words: vec![0; count.div_ceil(u64::BITS) as usize] }
    }

    /// The bytes of a set of codes less than `count`.
    fn bytes(count: u32) -> usize {
        count.div_ceil(u64::BITS) as usize * size_of::<u64>()
    }

    /// Adds a code. Returns false if it was there, or is none.
    fn insert(&mut self, code: u32) -> bool {
        let bit = 1 << (code % u64::BITS);
        match self.words.get_mut((code / u64::BITS) as usize).filter(|_| code < self.count) {
            Some(word) if *word & bit == 0 => {
                *word |= bit;
                true
            }
            _ => false,
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(one, other)| one & other != 0)
    }
}
