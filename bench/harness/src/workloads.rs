//! Every workload of the peers, over Varvite's cursors. `bench/peers/flatgraph/README.md` defines the answers; the text
//! here says how Varvite is used.
//!
//! The rule is the peers' rule: plain loops over the public API, one thread, nothing allocated per hop, everything
//! reusable reused. What a loop does for one node or METHOD is a function of its own. Preparing a workload opens its
//! cursors, which is set-up outside the clock; in an archive that is where columns are decoded. The clock sees a
//! [`Round`].

use std::ops::ControlFlow;

use varvite::{Adjacency, Direction, Graph, LabelNodes, Labels, Property, Result, ValueType};

/// What a name is compared with.
pub const NAME_SOUGHT: &str = "memcpy";
/// Look-ups of one round of `name_equality_index_warm`.
const WARM_LOOKUPS: u64 = 10;
/// What ORDER is where a node has none: the schema's default.
const ORDER_ABSENT: i64 = -1;
/// Labels of the schema's AST kinds, whether or not a graph has such nodes.
const AST_LABELS: [&str; 33] = [
    "ANNOTATION",
    "ANNOTATION_LITERAL",
    "ANNOTATION_PARAMETER",
    "ANNOTATION_PARAMETER_ASSIGN",
    "ARRAY_INITIALIZER",
    "BLOCK",
    "CALL",
    "COMMENT",
    "CONTROL_STRUCTURE",
    "FIELD_IDENTIFIER",
    "FILE",
    "IDENTIFIER",
    "IMPORT",
    "JUMP_LABEL",
    "JUMP_TARGET",
    "LITERAL",
    "LOCAL",
    "MEMBER",
    "METHOD",
    "METHOD_PARAMETER_IN",
    "METHOD_PARAMETER_OUT",
    "METHOD_REF",
    "METHOD_RETURN",
    "MODIFIER",
    "NAMESPACE",
    "NAMESPACE_BLOCK",
    "RETURN",
    "TEMPLATE_DOM",
    "TYPE_ARGUMENT",
    "TYPE_DECL",
    "TYPE_PARAMETER",
    "TYPE_REF",
    "UNKNOWN",
];

/// What was found, in one number or a few, and how many elementary steps it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer, as the definition orders it.
    pub values: Vec<i64>,
    /// The divisor of "ns per step".
    pub operations: u64,
}

impl Answer {
    fn new(value: i64, operations: u64) -> Self {
        Self { values: vec![value], operations }
    }

    /// For questions whose answer is the number of steps.
    fn of_steps(steps: u64) -> Self {
        Self::new(steps as i64, steps)
    }
}

/// One run of a prepared question.
pub type Round = Box<dyn FnMut() -> Answer>;

/// A question over an open graph.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name that all peers share.
    pub name: &'static str,
    /// Opens the cursors.
    pub prepare: fn(&Graph) -> Result<Round>,
}

/// Every workload over an open graph, in the order of reports.
pub const WORKLOADS: [Workload; 14] = [
    Workload { name: "load_everything", prepare: load_everything },
    Workload { name: "ast_dfs", prepare: ast_dfs },
    Workload { name: "ast_below_methods", prepare: ast_below_methods },
    Workload { name: "ast_below_methods_count", prepare: ast_below_methods_count },
    Workload { name: "ast_below_methods_labels", prepare: ast_below_methods_labels },
    Workload { name: "ast_below_methods_scan", prepare: ast_below_methods_scan },
    Workload { name: "ast_up", prepare: ast_up },
    Workload { name: "order_sum", prepare: order_sum },
    Workload { name: "call_order", prepare: call_order },
    Workload { name: "cfg_reachability", prepare: cfg_reachability },
    Workload { name: "callee_names", prepare: callee_names },
    Workload { name: "identifier_up", prepare: identifier_up },
    Workload { name: "name_equality_scan", prepare: name_equality_scan },
    Workload { name: "name_equality_index_warm", prepare: name_equality_index_warm },
];

// Everything

/// Column by column. Texts are counted by code first, so that each text is measured once and every one of them is read.
fn load_everything(graph: &Graph) -> Result<Round> {
    let mut lists = Vec::new();
    for label in 0..graph.edge_labels().len() {
        for direction in Direction::BOTH {
            lists.push(graph.adjacency(label, direction)?);
        }
    }
    let columns = (0..graph.properties().len()).map(|index| graph.property_at(index));
    let columns: Vec<Property> = columns.collect::<Result<_>>()?;
    let mut counts = CodeCounts::default();
    Ok(Box::new(move || {
        let neighbors: u64 = lists.iter().map(count_neighbors).sum();
        let mut tally = Tally::default();
        columns.iter().for_each(|column| tally.add(column, &mut counts));
        Answer {
            values: vec![neighbors as i64, tally.values as i64, tally.string_units as i64, tally.number_sum],
            operations: neighbors + tally.values,
        }
    }))
}

/// Visits every neighbor of every node.
fn count_neighbors(list: &Adjacency) -> u64 {
    let (mut count, mut seen) = (0, 0u32);
    list.for_each_edge(|_, neighbor| {
        count += 1;
        seen ^= neighbor;
    });
    std::hint::black_box(seen);
    count
}

/// What is known of the values seen so far.
#[derive(Default)]
struct Tally {
    values: u64,
    string_units: u64,
    number_sum: i64,
}

impl Tally {
    fn add(&mut self, column: &Property, counts: &mut CodeCounts) {
        match column.value_type() {
            ValueType::String | ValueType::Bytes => self.add_texts(column, counts),
            ValueType::Ref => {
                self.add_where(column, |node| u32::try_from(node).is_ok_and(|id| id != u32::MAX))
            }
            ValueType::F32 | ValueType::F64 => self.add_where(column, |_| true),
            _ => self.add_numbers(column),
        }
    }

    fn add_texts(&mut self, column: &Property, counts: &mut CodeCounts) {
        counts.clear(column);
        column.for_each(|_, code| counts.add(code));
        let (values, units) = counts.totals(column);
        self.values += values;
        self.string_units += units;
    }

    fn add_where(&mut self, column: &Property, is_value: impl Fn(i64) -> bool) {
        column.for_each(|_, number| self.values += u64::from(is_value(number)));
    }

    fn add_numbers(&mut self, column: &Property) {
        column.for_each(|_, number| {
            self.values += 1;
            self.number_sum = self.number_sum.wrapping_add(number);
        });
    }
}

/// How often each text of a column was met, by its code.
#[derive(Default)]
struct CodeCounts(Vec<u32>);

impl CodeCounts {
    /// Starts over for the texts of `column`.
    fn clear(&mut self, column: &Property) {
        self.0.clear();
        self.0.resize(column.strings().map_or(0, |strings| strings.len() as usize), 0);
    }

    /// Counts one text; null has no place in the table and is left out.
    #[inline]
    fn add(&mut self, code: i64) {
        if let Some(count) = self.0.get_mut(code as usize) {
            *count += 1;
        }
    }

    /// All texts counted, and their UTF-16 units together.
    fn totals(&self, column: &Property) -> (u64, u64) {
        let Some(strings) = column.strings() else { return (0, 0) };
        let (mut texts, mut units, mut reader) = (0, 0, strings.reader());
        for (code, count) in (0..).zip(&self.0).filter(|(_, count)| **count > 0) {
            texts += u64::from(*count);
            units += u64::from(*count) * reader.bytes(code).map_or(0, utf16_units);
        }
        (texts, units)
    }
}

/// Length in UTF-16 units of a UTF-8 text: one for each character, and one more for each of four bytes.
fn utf16_units(text: &[u8]) -> u64 {
    let units = |byte: u8| u64::from(byte as i8 >= -0x40) + u64::from(byte >= 0xf0);
    text.iter().map(|byte| units(*byte)).sum()
}

// Trees

fn ast_dfs(graph: &Graph) -> Result<Round> {
    let (children, parents) = (graph.out("AST")?, graph.in_("AST")?);
    let is_root = |node: &u32| parents.first(*node).is_none() && children.first(*node).is_some();
    let roots: Vec<u32> = (0..graph.node_count()).filter(is_root).collect();
    let mut stack = Vec::new();
    Ok(Box::new(move || {
        stack.extend_from_slice(&roots);
        Answer::of_steps(pop_all(&children, &mut stack))
    }))
}

fn ast_below_methods(graph: &Graph) -> Result<Round> {
    let (children, methods) = (graph.out("AST")?, graph.nodes("METHOD")?);
    let mut stack = Vec::new();
    Ok(Box::new(move || {
        let below = |method| {
            stack.push(method);
            pop_all(&children, &mut stack)
        };
        Answer::of_steps(methods.iter().map(below).sum())
    }))
}

/// Empties the stack, pushing the out-neighbors of all that is popped; returns the number of pops.
#[inline]
fn pop_all(children: &Adjacency, stack: &mut Vec<u32>) -> u64 {
    let mut pops = 0;
    while let Some(node) = stack.pop() {
        pops += 1;
        children.append(node, stack);
    }
    pops
}

/// The answer of `ast_below_methods` by the subtree index: sizes of ranges.
fn ast_below_methods_count(graph: &Graph) -> Result<Round> {
    let (subtree, methods) = (subtree(graph)?, graph.nodes("METHOD")?);
    Ok(Box::new(move || {
        let below: u64 = methods.iter().map(|method| 1 + u64::from(subtree.size(method))).sum();
        Answer::new(below as i64, u64::from(methods.len()))
    }))
}

/// The same nodes counted by label: a rank query for each end of each range and label. Answers the number for each
/// label of the schema.
fn ast_below_methods_labels(graph: &Graph) -> Result<Round> {
    let (subtree, methods) = (subtree(graph)?, graph.nodes("METHOD")?);
    let labels: Vec<LabelNodes> =
        graph.labels().iter().map(|label| graph.nodes(&label.name)).collect::<Result<_>>()?;
    Ok(Box::new(move || {
        let below = |nodes: &LabelNodes| {
            let counts =
                methods.iter().map(|method| nodes.count_in(method..method + 1 + subtree.size(method)));
            counts.map(i64::from).sum()
        };
        let operations = u64::from(methods.len()) * labels.len() as u64;
        Answer { values: labels.iter().map(below).collect(), operations }
    }))
}

/// The same nodes one by one, without a stack: each id of each range, and its labels. Answers how many are CALLs.
fn ast_below_methods_scan(graph: &Graph) -> Result<Round> {
    let (subtree, methods) = (subtree(graph)?, graph.nodes("METHOD")?);
    let (labels, call) = (graph.label_sets()?, graph.label("CALL")?);
    Ok(Box::new(move || {
        let (mut calls, mut visited) = (0, 0);
        for method in methods.iter() {
            let range = method..subtree.descendants(method).end;
            visited += range.len() as u64;
            calls += range.filter(|node| labels.has(*node, call)).count() as i64;
        }
        Answer::new(calls, visited)
    }))
}

fn subtree(graph: &Graph) -> Result<varvite::Subtree> {
    let index = graph.subtree()?;
    index.ok_or_else(|| varvite::GraphError::Unknown { kind: "index", name: "subtree".into(), nearest: None })
}

fn ast_up(graph: &Graph) -> Result<Round> {
    let (parents, nodes) = (graph.in_("AST")?, graph.node_count());
    Ok(Box::new(move || Answer::of_steps((0..nodes).map(|node| steps_up(&parents, node, |_| false)).sum())))
}

fn identifier_up(graph: &Graph) -> Result<Round> {
    let (parents, identifiers) = (graph.in_("AST")?, graph.nodes("IDENTIFIER")?);
    let (labels, method) = (graph.label_sets()?, graph.label("METHOD")?);
    Ok(Box::new(move || {
        let steps = |node| steps_up(&parents, node, |above| labels.has(above, method));
        Answer::of_steps(identifiers.iter().map(steps).sum())
    }))
}

/// Nodes stood on from this one up along first in-neighbors, until at a last one or past the root.
#[inline]
fn steps_up(parents: &Adjacency, node: u32, is_last: impl Fn(u32) -> bool) -> u64 {
    let mut steps = 0;
    let mut above = Some(node);
    while let Some(node) = above.filter(|node| !is_last(*node)) {
        steps += 1;
        above = parents.first(node);
    }
    steps
}

// Control flow and calls

fn cfg_reachability(graph: &Graph) -> Result<Round> {
    let (flow, methods) = (graph.out("CFG")?, graph.nodes("METHOD")?);
    let mut visited =
        Visited { words: vec![0; graph.node_count().div_ceil(64) as usize], reached: Vec::new() };
    Ok(Box::new(move || {
        Answer::of_steps(methods.iter().map(|method| visited.count_from(&flow, method)).sum())
    }))
}

/// The nodes reached so far, as a list, which is also the queue of those still to be left, and as a bit for each node of
/// the graph. The nodes of a METHOD are a range of ids, so its bits share a few cache lines.
struct Visited {
    words: Vec<u64>,
    reached: Vec<u32>,
}

impl Visited {
    /// How many nodes are reachable from one; forgets them again.
    #[inline]
    fn count_from(&mut self, flow: &Adjacency, start: u32) -> u64 {
        self.visit(start);
        let mut next = 0;
        while let Some(&node) = self.reached.get(next) {
            flow.neighbors(node).for_each(|neighbor| self.visit(neighbor));
            next += 1;
        }
        self.reached.drain(..).for_each(|node| self.words[node as usize / 64] = 0);
        next as u64
    }

    #[inline]
    fn visit(&mut self, node: u32) {
        let (word, bit) = (&mut self.words[node as usize / 64], 1 << (node % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.reached.push(node);
        }
    }
}

/// Callees are counted by the code of their name, then each name is measured once.
fn callee_names(graph: &Graph) -> Result<Round> {
    let (calls, callees) = (graph.nodes("CALL")?, graph.out("CALL")?);
    let full_name = graph.property("FULL_NAME")?;
    let mut counts = CodeCounts::default();
    Ok(Box::new(move || {
        counts.clear(&full_name);
        let mut read = 0;
        callees.for_each_edge(|call, callee| {
            if calls.contains(call) {
                read += 1;
                full_name.number(callee).into_iter().for_each(|code| counts.add(code));
            }
        });
        let (_, units) = counts.totals(&full_name);
        Answer::new(units as i64, read)
    }))
}

// Properties

/// One pass over the nodes in the order of ids, with the label sets beside.
fn order_sum(graph: &Graph) -> Result<Round> {
    let (order, labels, nodes) = (graph.property("ORDER")?, graph.label_sets()?, graph.node_count());
    let is_ast = codes_with(graph, &labels, &AST_LABELS);
    Ok(Box::new(move || {
        let (mut sum, mut read, mut order) = (0, 0, order.cursor());
        for node in 0..nodes {
            if is_ast.get(labels.code(node) as usize) == Some(&true) {
                sum += order.number(node).unwrap_or(ORDER_ABSENT);
                read += 1;
            }
        }
        Answer::new(sum, read)
    }))
}

/// For each code of a label set, whether it has one of the labels.
fn codes_with(graph: &Graph, labels: &Labels, names: &[&str]) -> Vec<bool> {
    let wanted: Vec<_> = names.iter().filter_map(|name| graph.label(name).ok()).collect();
    let has_any = |code| wanted.iter().any(|label| labels.code_has(code, *label));
    (0..labels.code_count()).map(has_any).collect()
}

fn call_order(graph: &Graph) -> Result<Round> {
    let (order, calls) = (graph.property("ORDER")?, graph.nodes("CALL")?);
    Ok(Box::new(move || {
        let mut order = order.cursor();
        let late = calls.iter().filter(|call| order.number(*call).unwrap_or(ORDER_ABSENT) > 2).count();
        Answer::new(late as i64, u64::from(calls.len()))
    }))
}

fn name_equality_scan(graph: &Graph) -> Result<Round> {
    let (calls, name) = (graph.nodes("CALL")?, graph.property("NAME")?);
    Ok(Box::new(move || Answer::new(count_named(&calls, &name), u64::from(calls.len()))))
}

/// Varvite keeps no such index today: each look-up is a scan of the NAME column.
fn name_equality_index_warm(graph: &Graph) -> Result<Round> {
    let (calls, name) = (graph.nodes("CALL")?, graph.property("NAME")?);
    Ok(Box::new(move || {
        let found: i64 = (0..WARM_LOOKUPS).map(|_| count_named(&calls, &name)).sum();
        Answer::new(found / WARM_LOOKUPS as i64, WARM_LOOKUPS)
    }))
}

/// The name is looked up in the dictionary, and its code in the column.
fn count_named(calls: &LabelNodes, name: &Property) -> i64 {
    let code = name.strings().and_then(|strings| strings.find(NAME_SOUGHT));
    let mut count = 0;
    if let Some(code) = code {
        name.find_number(i64::from(code), |node| {
            count += i64::from(calls.contains(node));
            ControlFlow::Continue(())
        });
    }
    count
}

// From the file

/// Opens a graph and counts its METHODs.
///
/// # Errors
/// What is wrong with the file.
pub fn open_first_answer(path: &std::path::Path) -> Result<Answer> {
    let graph = Graph::open(path)?;
    Ok(Answer::new(i64::from(graph.nodes("METHOD")?.len()), 1))
}

/// Opens a graph and counts the CALLs with a name: nothing of the file is mapped or decoded before.
///
/// # Errors
/// What is wrong with the file.
pub fn name_equality_cold(path: &std::path::Path) -> Result<Answer> {
    let graph = Graph::open(path)?;
    let (calls, name) = (graph.nodes("CALL")?, graph.property("NAME")?);
    let found = count_named(&calls, &name);
    graph.check()?;
    Ok(Answer::new(found, u64::from(calls.len())))
}
