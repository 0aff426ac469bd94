//! Random layers that are valid for a graph, and diffs that change the content of a layer.

use super::value::{name, text};
use crate::history::{ModelHistory, Operation, Owner};
use crate::layer_names::LayerNames;
use crate::{NodeId, SplitMix64, Value};

/// The names of a random layer. It has two labels, two edge labels (the first has a property), and three
/// properties of nodes: an integer, a list of texts, and a reference to a node.
#[derive(Clone, Debug)]
pub struct RandomLayer {
    /// The labels of nodes.
    pub labels: [String; 2],
    /// The labels of edges.
    pub edge_labels: [String; 2],
    /// The property of the edges with the first label, an integer.
    pub weight: String,
    /// The property of nodes that is an integer.
    pub count: String,
    /// The property of nodes that is a list of texts.
    pub texts: String,
    /// The property of nodes that refers to a node.
    pub node: String,
}

impl RandomLayer {
    /// The names of the random layer that is called `layer`.
    pub fn named(layer: &str) -> Self {
        let own = |name: &str| format!("{layer}/{name}");
        Self {
            labels: ["A", "B"].map(own),
            edge_labels: ["TO", "AT"].map(own),
            weight: own("WEIGHT"),
            count: own("COUNT"),
            texts: own("TEXTS"),
            node: own("NODE"),
        }
    }

    /// The same names as a [`LayerNames`].
    pub fn names(&self) -> LayerNames {
        LayerNames {
            labels: self.labels.iter().cloned().collect(),
            edge_labels: self.edge_labels.iter().cloned().collect(),
            properties: [&self.count, &self.texts, &self.node].into_iter().cloned().collect(),
        }
    }

    /// About `operations` operations that add to the layer. If the layer already exists, some of them remove
    /// a node or an edge of the layer.
    pub fn operations(
        &self,
        history: &ModelHistory,
        random: &mut SplitMix64,
        operations: usize,
        is_there: bool,
    ) -> Vec<Operation> {
        let mut nodes = history.nodes();
        let mut added = Vec::new();
        if is_there && random.chance(50) {
            let is_own =
                |node: &NodeId| history.labels(*node).iter().any(|label| self.labels.contains(label));
            let own: Vec<NodeId> = nodes.iter().copied().filter(is_own).collect();
            if !own.is_empty() {
                let removed = random.pick(&own);
                nodes.retain(|node| *node != removed);
                added.push(Operation::RemoveNode(removed));
            }
        }
        let label = &self.edge_labels[1];
        if is_there && random.chance(50) && !history.edges(label).is_empty() {
            let number = random.pick(&history.edges(label));
            added.push(Operation::RemoveEdge { label: label.clone(), number });
        }
        for slot in (history.slot_count()..).take(random.below(operations / 2 + 1)) {
            let labels = match random.below(3) {
                2 => self.labels.to_vec(),
                one => vec![self.labels[one].clone()],
            };
            added.push(Operation::AddNode { labels });
            nodes.push(NodeId(slot));
        }
        if !nodes.is_empty() {
            self.add_edges_and_values(&nodes, random, operations, &mut added);
        }
        added
    }

    fn add_edges_and_values(
        &self,
        nodes: &[NodeId],
        random: &mut SplitMix64,
        operations: usize,
        added: &mut Vec<Operation>,
    ) {
        let mut weighed = Vec::new();
        for index in 0..random.below(operations + 1) {
            let label = random.pick(&self.edge_labels);
            if label == self.edge_labels[0] {
                weighed.push(index);
            }
            let [source, target] = [0, 1].map(|_| random.pick(nodes));
            added.push(Operation::AddEdge { label, source, target });
        }
        for index in weighed.into_iter().filter(|_| random.chance(70)).collect::<Vec<_>>() {
            let (owner, values) = (Owner::NewEdge(index), vec![Value::I64(random.below(99) as i64)]);
            added.push(Operation::Set { owner, name: self.weight.clone(), values });
        }
        for _ in 0..random.below(operations + 1) {
            let owner = Owner::Node(random.pick(nodes));
            let (name, values) = match random.below(3) {
                0 => (&self.count, vec![Value::I64(random.next_u64() as i64)]),
                1 => (&self.texts, (0..random.below(3)).map(|_| text_or_null(random)).collect()),
                _ => (&self.node, vec![Value::Ref(random.chance(90).then(|| random.pick(nodes)))]),
            };
            added.push(Operation::Set { owner, name: name.clone(), values });
        }
    }
}

fn text_or_null(random: &mut SplitMix64) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => Value::String(text(random, 3)),
        _ => Value::String(name(random)),
    }
}
