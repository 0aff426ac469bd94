//! Random graphs that look like code property graphs and contain things that often make engines fail:
//! parallel edges, edges from a node to itself, in-lists in an order of their own, nodes outside the AST,
//! holes, and unusual values of every type.
//!
//! Equal options give equal graphs on every machine.

pub(crate) mod history;
pub(crate) mod layer;
mod value;

use self::value::{name, part_of, text, value};
use crate::{AST, ModelGraph, NodeId, SplitMix64, Value, ValueType};

/// Options of a random graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomGraph {
    /// The seed of the random numbers. Different seeds give different graphs.
    pub seed: u64,
    /// The number of nodes that are added, including those that are removed later.
    pub nodes: usize,
    /// The approximate number of added edges, not counting AST edges.
    pub edges: usize,
    /// The number of nodes that are removed at the end.
    pub holes: usize,
    /// Whether some nodes have several labels.
    pub several_labels: bool,
    /// The shape of the AST.
    pub ast: AstShape,
}

/// The shape of the AST of a random graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AstShape {
    /// Every node has at most one parent, and there is no cycle.
    Forest,
    /// Some nodes have several parents, or two edges from the same parent, but there is no cycle.
    SharedChildren,
    /// There are cycles, including some of a single node and some that no root reaches.
    Cyclic,
}

/// A property that random graphs declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomProperty {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub value_type: ValueType,
    /// Whether a node may have several values.
    pub list: bool,
    /// The nodes that have the property.
    pub presence: Presence,
}

/// The nodes that have a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Every node.
    All,
    /// Some nodes.
    Some,
    /// No node, although the graph declares the property.
    Nowhere,
}

const AST_LABELS: [&str; 6] = ["METHOD", "BLOCK", "CALL", "CALL", "IDENTIFIER", "LITERAL"];
const OTHER_LABELS: [&str; 3] = ["FILE", "TYPE", "META_DATA"];
const EDGE_LABELS: [&str; 7] =
    ["CFG", "CALL", "REF", "ARGUMENT", "EVAL_TYPE", "CONTAINS", RandomGraph::EDGE_PROPERTY_LABEL];

impl RandomGraph {
    /// The properties of every random graph.
    pub const PROPERTIES: [RandomProperty; 33] = [
        one("ORDER", ValueType::I32, Presence::All),
        one("NAME", ValueType::String, Presence::Some),
        one("FULL_NAME", ValueType::String, Presence::Some),
        one("CODE", ValueType::String, Presence::Some),
        one("NOWHERE", ValueType::String, Presence::Nowhere),
        one("IS_EXTERNAL", ValueType::Bool, Presence::Some),
        one("I8", ValueType::I8, Presence::Some),
        one("I16", ValueType::I16, Presence::Some),
        one("I32", ValueType::I32, Presence::Some),
        one("I64", ValueType::I64, Presence::All),
        one("U8", ValueType::U8, Presence::Some),
        one("U16", ValueType::U16, Presence::Some),
        one("U32", ValueType::U32, Presence::Some),
        one("U64", ValueType::U64, Presence::Some),
        one("F32", ValueType::F32, Presence::Some),
        one("F64", ValueType::F64, Presence::All),
        one("BYTES", ValueType::Bytes, Presence::Some),
        one("EVIDENCE", ValueType::Ref, Presence::Some),
        list("NOWHERE_LIST", ValueType::I64, Presence::Nowhere),
        list("BOOL_LIST", ValueType::Bool, Presence::Some),
        list("I8_LIST", ValueType::I8, Presence::Some),
        list("I16_LIST", ValueType::I16, Presence::Some),
        list("I32_LIST", ValueType::I32, Presence::Some),
        list("I64_LIST", ValueType::I64, Presence::Some),
        list("U8_LIST", ValueType::U8, Presence::Some),
        list("U16_LIST", ValueType::U16, Presence::Some),
        list("U32_LIST", ValueType::U32, Presence::Some),
        list("U64_LIST", ValueType::U64, Presence::Some),
        list("F32_LIST", ValueType::F32, Presence::Some),
        list("F64_LIST", ValueType::F64, Presence::Some),
        list("STRING_LIST", ValueType::String, Presence::Some),
        list("BYTES_LIST", ValueType::Bytes, Presence::Some),
        list("EVIDENCE_LIST", ValueType::Ref, Presence::Some),
    ];

    /// The label of the edges that may have a value.
    pub const EDGE_PROPERTY_LABEL: &str = "REACHING_DEF";

    /// The name of the property of these edges. Its values are strings.
    pub const EDGE_PROPERTY_NAME: &str = "VARIABLE";

    /// An edge label, and a property of its edges whose values are lists of numbers, which random diffs set
    /// and append to. A random graph itself has no such edges.
    pub const LISTED_EDGES: (&str, &str) = ("NEW_EDGE", "WEIGHTS");

    /// The options of a small graph with an AST that is a forest, one label for each node, and no holes.
    pub fn new(seed: u64) -> RandomGraph {
        RandomGraph { seed, nodes: 40, edges: 120, holes: 0, several_labels: false, ast: AstShape::Forest }
    }

    /// Options that all depend on the seed. Graphs with such options have up to 60 nodes, sometimes none, and
    /// any shape of the AST.
    pub fn any(seed: u64) -> RandomGraph {
        let mut random = SplitMix64::new(!seed);
        let nodes = random.below(61);
        RandomGraph {
            seed,
            nodes,
            edges: random.below(nodes * 4 + 1),
            holes: if random.chance(50) { random.below(nodes + 1) } else { 0 },
            several_labels: random.chance(30),
            ast: random.pick(&[
                AstShape::Forest,
                AstShape::Forest,
                AstShape::SharedChildren,
                AstShape::Cyclic,
            ]),
        }
    }

    /// Builds the graph that these options describe.
    ///
    /// With three or more nodes, the AST has the shape that the options name, unless the removal of nodes
    /// destroyed this shape.
    pub fn build(&self) -> ModelGraph {
        let mut growth = Growth { random: SplitMix64::new(self.seed), graph: ModelGraph::default() };
        growth.add_nodes(self.nodes, self.several_labels);
        let parents_first = growth.grow_forest();
        growth.set_code(&parents_first);
        growth.set_properties();
        match self.ast {
            AstShape::Forest => {}
            AstShape::SharedChildren => growth.share_children(&parents_first),
            AstShape::Cyclic => growth.close_cycles(&parents_first),
        }
        growth.add_edges(self.edges);
        growth.remove_nodes(self.holes);
        growth.shuffle_in_lists();
        growth.graph
    }
}

const fn one(name: &'static str, value_type: ValueType, presence: Presence) -> RandomProperty {
    RandomProperty { name, value_type, list: false, presence }
}

const fn list(name: &'static str, value_type: ValueType, presence: Presence) -> RandomProperty {
    RandomProperty { name, value_type, list: true, presence }
}

/// A graph that is being built.
struct Growth {
    random: SplitMix64,
    graph: ModelGraph,
}

impl Growth {
    fn add_nodes(&mut self, nodes: usize, several_labels: bool) {
        for _ in 0..nodes {
            let common = if self.random.chance(80) { &AST_LABELS[..] } else { &OTHER_LABELS };
            let mut labels = vec![self.random.pick(common)];
            if several_labels && self.random.chance(30) {
                labels.push(self.random.pick(&["HOT", "größe", "METHOD"]));
            }
            self.graph.add_node(&labels);
        }
    }

    /// Gives most nodes a parent. Returns the nodes in an order in which parents come before their children,
    /// which is not the order of ids.
    fn grow_forest(&mut self) -> Vec<NodeId> {
        let mut parents_first = self.graph.nodes();
        self.random.shuffle(&mut parents_first);
        for child in 1..parents_first.len() {
            // Choosing the parent among the few nodes before the child makes the tree deep; choosing it among
            // all earlier nodes makes the tree wide.
            let nearness = if self.random.chance(70) { child.min(3) } else { child };
            let parent = parents_first[child - 1 - self.random.below(nearness)];
            let outside = OTHER_LABELS.iter().any(|label| self.graph.has_label(parents_first[child], label));
            if !outside && self.random.chance(90) {
                self.graph.add_edge(parent, AST, parents_first[child], None);
            }
        }
        parents_first
    }

    /// Sets the CODE of nodes. It is usually a part of the CODE of the node's parent.
    fn set_code(&mut self, parents_first: &[NodeId]) {
        for node in parents_first {
            let parent = self.graph.sources(*node, AST).first();
            let parent_code = parent.and_then(|parent| self.graph.values(*parent, "CODE").first());
            let code = match parent_code {
                Some(Value::String(code)) if self.random.chance(80) => part_of(&mut self.random, code),
                _ => text(&mut self.random, 40),
            };
            if self.random.chance(90) {
                self.graph.set_property(*node, "CODE", vec![Value::String(code)]);
            }
        }
    }

    fn set_properties(&mut self) {
        let nodes = self.graph.nodes();
        for node in &nodes {
            for property in RandomGraph::PROPERTIES.iter().filter(|property| property.name != "CODE") {
                let values = self.values(property, &nodes);
                self.graph.set_property(*node, property.name, values);
            }
        }
    }

    fn values(&mut self, property: &RandomProperty, nodes: &[NodeId]) -> Vec<Value> {
        let present = match property.presence {
            Presence::All => true,
            Presence::Some => self.random.chance(60),
            Presence::Nowhere => false,
        };
        let count = match (present, property.list) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => self.random.below(5),
        };
        (0..count).map(|_| self.value(property, nodes)).collect()
    }

    fn value(&mut self, property: &RandomProperty, nodes: &[NodeId]) -> Value {
        match property.name {
            "NAME" | "FULL_NAME" => Value::String(name(&mut self.random)),
            "STRING_LIST" if self.random.chance(20) => Value::Null,
            _ => value(&mut self.random, property.value_type, nodes),
        }
    }

    /// Adds AST edges from earlier to later nodes of `parents_first`, so that there is no cycle.
    fn share_children(&mut self, parents_first: &[NodeId]) {
        let [first, second, third, ..] = parents_first else { return };
        self.graph.add_edge(*first, AST, *third, None);
        self.graph.add_edge(*second, AST, *third, None);
        for _ in 0..parents_first.len() / 10 {
            let child = 1 + self.random.below(parents_first.len() - 1);
            let parent = self.random.below(child);
            self.graph.add_edge(parents_first[parent], AST, parents_first[child], None);
        }
    }

    /// Adds AST edges from a node to itself or to one of its ancestors.
    fn close_cycles(&mut self, nodes: &[NodeId]) {
        for _ in 0..nodes.len().div_ceil(20) {
            let below = self.random.pick(nodes);
            let mut above = self.graph.ancestors(below);
            above.push(below);
            let above = self.random.pick(&above);
            self.graph.add_edge(below, AST, above, None);
        }
    }

    fn add_edges(&mut self, edges: usize) {
        let all = self.graph.nodes();
        if all.is_empty() {
            return;
        }
        let [calls, methods, types] = ["CALL", "METHOD", "TYPE"].map(|label| {
            let nodes = self.graph.nodes_with_label(label);
            if nodes.is_empty() { all.clone() } else { nodes }
        });
        for _ in 0..edges {
            let label = self.random.pick(&EDGE_LABELS);
            let (sources, targets) = match label {
                "CALL" => (&calls, &methods),
                "EVAL_TYPE" => (&all, &types),
                _ => (&all, &all),
            };
            let source = self.random.pick(sources);
            let target = if self.random.chance(10) { source } else { self.random.pick(targets) };
            let parallel = if self.random.chance(15) { 1 + self.random.below(3) } else { 1 };
            for _ in 0..parallel {
                let property = self.edge_property(label);
                self.graph.add_edge(source, label, target, property);
            }
        }
    }

    fn edge_property(&mut self, label: &str) -> Option<Value> {
        let present = label == RandomGraph::EDGE_PROPERTY_LABEL && self.random.chance(70);
        present.then(|| Value::String(name(&mut self.random)))
    }

    fn remove_nodes(&mut self, holes: usize) {
        let mut nodes = self.graph.nodes();
        self.random.shuffle(&mut nodes);
        for node in nodes.into_iter().take(holes) {
            self.graph.remove_node(node);
        }
    }

    fn shuffle_in_lists(&mut self) {
        for node in self.graph.nodes() {
            for label in EDGE_LABELS.into_iter().chain([AST]) {
                let mut permutation: Vec<usize> = (0..self.graph.sources(node, label).len()).collect();
                self.random.shuffle(&mut permutation);
                self.graph.permute_in(node, label, &permutation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graphs() -> impl Iterator<Item = ModelGraph> {
        (0..100).map(|seed| RandomGraph::any(seed).build())
    }

    #[test]
    fn a_seed_is_a_graph() {
        assert_eq!(RandomGraph::new(1).build(), RandomGraph::new(1).build());
        assert_ne!(RandomGraph::new(1).build(), RandomGraph::new(2).build());
    }

    #[test]
    fn both_sides_hold_the_same_edges() {
        for graph in graphs() {
            let edges = graph.edges();
            let from_in_lists = graph.nodes().into_iter().flat_map(|node| {
                let graph = &graph;
                graph.edge_labels().into_iter().flat_map(move |label| graph.in_edges(node, label))
            });
            let mut from_in_lists: Vec<_> = from_in_lists.collect();
            from_in_lists.sort_by_key(|edge| (edge.source, edge.label, edge.position));
            assert_eq!(from_in_lists, edges);
        }
    }

    #[test]
    fn the_ast_has_the_shape_that_was_asked_for() {
        for seed in 0..20 {
            let graph = |ast| RandomGraph { ast, ..RandomGraph::new(seed) }.build();
            assert!(graph(AstShape::Forest).is_forest());
            assert!(!graph(AstShape::SharedChildren).is_forest());
            assert!(!graph(AstShape::Cyclic).is_forest());
            assert!(!has_cycle(&graph(AstShape::SharedChildren)));
            assert!(has_cycle(&graph(AstShape::Cyclic)));
        }
    }

    fn has_cycle(graph: &ModelGraph) -> bool {
        let above = |node, child| graph.subtree(child).contains(&node);
        graph
            .nodes()
            .into_iter()
            .any(|node| graph.targets(node, AST).into_iter().any(|child| above(node, child)))
    }

    #[test]
    fn subtrees_of_a_renumbered_forest_are_ranges() {
        for seed in 0..20 {
            let graph = RandomGraph { holes: 5, ..RandomGraph::new(seed) }.build().in_canonical_order();
            for node in graph.nodes() {
                let subtree = graph.subtree(node);
                let range: Vec<NodeId> = (node.0..node.0 + subtree.len()).map(NodeId).collect();
                assert_eq!(subtree, range);
            }
        }
    }

    #[test]
    fn renumbering_twice_changes_nothing_more() {
        for graph in graphs().map(|graph| graph.in_canonical_order()) {
            assert_eq!(graph.in_canonical_order(), graph);
        }
    }

    #[test]
    fn properties_are_as_declared() {
        for graph in graphs() {
            for node in graph.nodes() {
                for property in RandomGraph::PROPERTIES {
                    check_values(&property, graph.values(node, property.name));
                }
            }
        }
    }

    fn check_values(property: &RandomProperty, values: &[Value]) {
        assert!(values.iter().all(|value| value.value_type() == property.value_type));
        assert!(property.list || values.len() <= 1 && !values.contains(&Value::Null));
        match property.presence {
            Presence::All => assert_eq!(values.len(), 1),
            Presence::Some => {}
            Presence::Nowhere => assert_eq!(values, []),
        }
    }

    #[test]
    fn what_breaks_engines_occurs() {
        let graphs: Vec<ModelGraph> = graphs().collect();
        let edges = || graphs.iter().flat_map(|graph| graph.edges());
        let values = |name| {
            graphs.iter().flat_map(move |graph| {
                graph.nodes().into_iter().flat_map(move |node| graph.values(node, name))
            })
        };
        assert!(graphs.iter().any(|graph| graph.node_count() == 0));
        assert!(graphs.iter().any(|graph| graph.node_count() < graph.slot_count()));
        assert!(edges().any(|edge| edge.source == edge.target));
        assert!(edges().any(|edge| edge.property.is_some()));
        assert!(edges().any(|edge| edge.label == "REACHING_DEF" && edge.property.is_none()));
        assert!(values("STRING_LIST").any(|value| *value == Value::Null));
        assert!(values("STRING_LIST").any(|value| *value == Value::string("")));
        assert!(values("EVIDENCE").any(|value| *value == Value::Ref(None)));
        assert!(values("F64").any(|value| *value == Value::F64(-0.0)));
        assert!(values("CODE").any(|value| matches!(value, Value::String(text) if text.len() > 3000)));
    }
}
