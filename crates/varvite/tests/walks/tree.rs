//! The demonstration from ekino's articles on Neo4j traversals: a tree of nodes `A` and `B`. Closed formulas
//! give the number of nodes of each kind.
//!
//! The root has the labels `Root` and `A`. For each level, every leaf `A` gets `fanout` children `B` along
//! `HAS_B`, and each of these children gets `fanout` children `A` along `HAS_A`. Every node has a truth
//! value. The walk follows `HAS_B` from `A` and `HAS_A` from `B`, visits a node once for each path to it, and
//! includes each `B` whose value is true.

use std::sync::atomic::{AtomicU64, Ordering};

use varvite::columns::PropertySpec;
use varvite::walk::{Arena, Counts, Evaluation, Evaluator, Hop, Order, Uniqueness, Walk, WalkError};
use varvite::{Cancel, Cardinality, Graph, Profile, Task, ValueType};
use varvite_format::Owner;
use varvite_model::SplitMix64;
use varvite_testing::draft::{Draft, DraftEdges, DraftLabel, DraftLists, DraftProperty, DraftValues};

/// A tree of `levels` levels, each two edges deep. The ids are in pre-order.
pub(crate) struct Tree {
    levels: u32,
    fanout: u32,
    random: SplitMix64,
    /// The label set of each node: that of the root, `A` or `B`.
    codes: Vec<u32>,
    values: Vec<i64>,
    parents: Vec<u32>,
}

const ORDERS: [Order; 5] = [
    Order::DepthFirst,
    Order::DepthFirstPost,
    Order::BreadthFirst,
    Order::BreadthFirstPost,
    Order::BestFirst,
];

const ROOT: u32 = 0;
const A: u32 = 1;
const B: u32 = 2;

impl Tree {
    pub(crate) fn new(levels: u32, fanout: u32) -> Self {
        let (codes, values, parents) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = Self { levels, fanout, random: SplitMix64::new(2016), codes, values, parents };
        tree.grow(u32::MAX, ROOT, 0);
        tree
    }

    fn grow(&mut self, parent: u32, code: u32, depth: u32) {
        let node = self.codes.len() as u32;
        self.codes.push(code);
        self.values.push(i64::from(self.random.chance(50)));
        self.parents.push(parent);
        if depth < 2 * self.levels {
            let below = if code == B { A } else { B };
            (0..self.fanout).for_each(|_| self.grow(node, below, depth + 1));
        }
    }

    fn nodes(&self) -> u32 {
        self.codes.len() as u32
    }

    /// The number of nodes with the label `B`, and the number of such nodes whose value is true.
    fn count_b(&self) -> (u64, u64) {
        let values = self.codes.iter().zip(&self.values).filter(|(code, _)| **code == B);
        values.fold((0, 0), |(all, of_true), (_, value)| (all + 1, of_true + *value as u64))
    }

    /// The edges with the label `name`, which lead to the children with the label set `to`.
    fn edges(&self, name: &str, to: u32) -> DraftEdges {
        let (mut out, mut in_) = (DraftLists::default(), DraftLists::default());
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); self.codes.len()];
        in_.offsets.push(0);
        for (node, parent) in (0..).zip(&self.parents) {
            if *parent != u32::MAX && self.codes[node as usize] == to {
                below[*parent as usize].push(node);
                in_.neighbors.push(*parent);
            }
            in_.offsets.push(in_.neighbors.len() as u32);
        }
        out.offsets.push(0);
        for children in below {
            out.neighbors.extend(children);
            out.offsets.push(out.neighbors.len() as u32);
        }
        DraftEdges { name: name.to_owned(), out, in_, places: None }
    }

    pub(crate) fn open(&self, profile: Profile) -> Graph {
        self.draft().open(profile)
    }

    /// The bytes of the tree's file.
    pub(super) fn bytes(&self, profile: Profile) -> Vec<u8> {
        self.draft().bytes(profile)
    }

    fn draft(&self) -> Draft {
        let label = |name: &str, codes: &[u32]| {
            let of_code = (0..).zip(&self.codes).filter(|(_, code)| codes.contains(code));
            let nodes: Vec<u32> = of_code.map(|(node, _)| node).collect();
            let origin_count = nodes.len() as u32;
            DraftLabel { name: name.to_owned(), nodes, origin_count, origin: None }
        };
        let spec = PropertySpec {
            name: "value".to_owned(),
            owner: Owner::Node,
            layer: 0,
            value_type: ValueType::Bool,
            cardinality: Cardinality::One,
            default: None,
        };
        let offsets = (0..=self.nodes()).collect();
        Draft {
            nodes: self.nodes(),
            codes: self.codes.clone(),
            masks: vec![0b101, 0b001, 0b010],
            labels: vec![label("A", &[ROOT, A]), label("B", &[B]), label("Root", &[ROOT])],
            edges: vec![self.edges("HAS_A", A), self.edges("HAS_B", B)],
            subtree: None,
            is_forest_listed: false,
            properties: vec![DraftProperty {
                spec,
                offsets,
                values: DraftValues::Numbers(self.values.clone()),
            }],
            indexed: Vec::new(),
            parents: self.parents.clone(),
            source: "a tree".to_owned(),
        }
    }
}

/// The walk of the articles, without the test that decides which nodes are included.
pub(crate) fn walk(order: Order) -> Walk {
    Walk::in_order(order)
        .unique(Uniqueness::None)
        .hop(Hop::out("HAS_B").from("A"))
        .hop(Hop::out("HAS_A").from("B"))
}

/// The number of a tree's nodes, of its nodes `A` and of its nodes `B`, from closed formulas.
fn closed_form(levels: u32, fanout: u64) -> (u64, u64, u64) {
    let a = (0..=levels).map(|level| fanout.pow(2 * level)).sum::<u64>();
    let b = (0..levels).map(|level| fanout.pow(2 * level + 1)).sum::<u64>();
    (a + b, a, b)
}

#[test]
fn the_closed_forms_are_those_of_the_articles() {
    assert_eq!(closed_form(5, 4), (1_398_101, 1_118_481, 279_620));
    assert_eq!(closed_form(8, 2), (131_071, 87_381, 43_690));
    assert_eq!(closed_form(3, 7), (137_257, 120_100, 17_157));
    assert_eq!(closed_form(2, 4), (341, 273, 68));
}

#[test]
fn a_tree_costs_one_look_at_each_node_one_at_each_label_set_and_one_value_for_each_b() {
    for (levels, fanout) in [(2, 4), (8, 2), (3, 7), (5, 4)] {
        let (nodes, _, b) = closed_form(levels, u64::from(fanout));
        let tree = Tree::new(levels, fanout);
        let (count_b, results) = tree.count_b();
        assert_eq!((u64::from(tree.nodes()), count_b), (nodes, b));
        let graph = tree.open(Profile::Direct);
        let mut arena = Arena::default();
        let expected = Counts {
            branches: nodes,
            results,
            expansions: nodes,
            edges: nodes - 1,
            label_reads: nodes,
            value_reads: b,
        };
        for order in ORDERS {
            let plan = walk(order)
                .evaluator(Evaluator::include_labels("B"))
                .evaluator(Evaluator::include_number("value", 1..=1));
            let plan = plan.compile(&graph).unwrap();
            let mut run = plan.run(&mut arena, &[0]).unwrap();
            assert_eq!(run.count().unwrap(), results);
            assert_eq!(run.counts(), expected, "{order:?}, {levels} levels of {fanout}");
        }
        // Here the test for inclusion is not an evaluator but a function, which reads the values itself.
        let (label, value) = (graph.label("B").unwrap(), graph.property("value").unwrap());
        let (mut calls, mut reads) = (0, 0);
        let plan = walk(Order::DepthFirst).compile(&graph).unwrap();
        let mut run = plan
            .run_with(&mut arena, &[0], |visit| {
                calls += 1;
                let is_b = visit.has(label);
                reads += u64::from(is_b);
                Evaluation::of(is_b && value.number(visit.node()) == Some(1), true)
            })
            .unwrap();
        assert_eq!(run.count().unwrap(), results);
        assert_eq!(run.counts(), Counts { value_reads: 0, ..expected });
        drop(run);
        assert_eq!((calls, reads), (nodes, b));
    }
}

#[test]
fn depth_first_holds_a_path_where_breadth_first_holds_a_level() {
    let tree = Tree::new(5, 4);
    let graph = tree.open(Profile::Direct);
    let mut arena = Arena::new(256 << 10);
    let plan = walk(Order::DepthFirst).compile(&graph).unwrap();
    assert_eq!(plan.run(&mut arena, &[0]).unwrap().count().unwrap(), 1_398_101);
    assert!(arena.budget().most() < 64 << 10, "{}", arena.budget().most());
    let plan = walk(Order::BreadthFirst).compile(&graph).unwrap();
    let error = plan.run(&mut arena, &[0]).unwrap().count().unwrap_err();
    assert!(matches!(error, WalkError::OverBudget { limit: 262_144, .. }), "{error}");
    let mut run = plan.run(&mut arena, &[0]).unwrap().allow_part();
    assert!(run.count().unwrap() > 8000);
    assert!(matches!(run.stopped_by(), Some(WalkError::OverBudget { .. })));
}

#[test]
fn every_walk_looks_at_the_flag_after_some_thousand_edges() {
    /// Twice the number of edges between two checks of the flag.
    const EDGES: u64 = 2 << 12;
    let tree = Tree::new(4, 4);
    for (order, profile) in ORDERS.into_iter().flat_map(|order| Profile::ALL.map(|profile| (order, profile)))
    {
        let (graph, mut arena) = (tree.open(profile), Arena::default());
        let plan = walk(order).evaluator(Evaluator::include_labels("B")).compile(&graph).unwrap();
        // In each turn, the flag is set at a later check, until the walk ends before that check.
        let looks = (0..).find(|looks| {
            let (left, relaxed) = (AtomicU64::new(*looks), Ordering::Relaxed);
            let is_over = move || left.fetch_update(relaxed, relaxed, |left| left.checked_sub(1)).is_err();
            let cancel = Cancel::when(is_over);
            let mut run = plan.run(&mut arena, &[0]).unwrap().task(&Task::new().cancel(&cancel));
            match run.count() {
                Err(WalkError::Cancelled) => {
                    let edges = run.counts().edges;
                    assert!(edges <= EDGES * (looks + 1), "{order:?}: {edges} before look {looks}");
                    false
                }
                outcome => outcome.map(|_| true).unwrap(),
            }
        });
        let looks = looks.unwrap();
        assert!(looks >= 10, "{profile:?}: {looks} looks at the flag");
    }
}
