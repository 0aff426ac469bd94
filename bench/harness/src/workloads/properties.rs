//! Workloads that read the values of one property.

use std::ops::ControlFlow;

use varvite::cursor::Labels;
use varvite::{Graph, GraphError, LabelId, LabelNodes, Property, Result, TextIndex};

use super::{Answer, NAME_SOUGHT, Round};

/// The number of look-ups in one round of `name_equality_index_warm`.
const WARM_LOOKUPS: u64 = 1000;
/// The ORDER that counts for a node without this property: the default in Joern's schema.
const ORDER_ABSENT: i64 = -1;
/// The labels of AST nodes in Joern's schema, whether or not a graph has such nodes.
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

/// Visits all nodes once in the order of ids, and reads the label set of each.
pub(super) fn order_sum(graph: &Graph) -> Result<Round> {
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

/// For each code of a label set, whether the set contains any of the named labels.
fn codes_with(graph: &Graph, labels: &Labels, names: &[&str]) -> Vec<bool> {
    let wanted: Vec<_> = names.iter().filter_map(|name| graph.label(name).ok()).collect();
    let has_any = |code| wanted.iter().any(|label| labels.code_has(code, *label));
    (0..labels.code_count()).map(has_any).collect()
}

pub(super) fn call_order(graph: &Graph) -> Result<Round> {
    let (order, calls) = (graph.property("ORDER")?, graph.nodes("CALL")?);
    Ok(Box::new(move || {
        let mut order = order.cursor();
        let late = calls.iter().filter(|call| order.number(*call).unwrap_or(ORDER_ABSENT) > 2).count();
        Answer::new(late as i64, u64::from(calls.len()))
    }))
}

pub(super) fn name_equality_scan(graph: &Graph) -> Result<Round> {
    let (calls, name) = (graph.nodes("CALL")?, graph.property("NAME")?);
    Ok(Box::new(move || Answer::new(count_named(&calls, &name), u64::from(calls.len()))))
}

/// Looks the name up in the file's index: computes a hash, finds the code of the text, and adds up the
/// lengths of the text's groups of nodes.
pub(super) fn name_equality_index_warm(graph: &Graph) -> Result<Round> {
    let (names, call) = (index_of_names(graph)?, graph.label("CALL")?);
    Ok(Box::new(move || {
        let found: i64 = (0..WARM_LOOKUPS).map(|_| count_indexed(&names, call)).sum();
        Answer::new(found / WARM_LOOKUPS as i64, WARM_LOOKUPS)
    }))
}

pub(super) fn index_of_names(graph: &Graph) -> Result<TextIndex> {
    let index = graph.text_index("NAME")?;
    index.ok_or_else(|| GraphError::Unknown {
        kind: varvite::error::NameKind::Index,
        name: "NAME".into(),
        nearest: None,
    })
}

pub(super) fn count_indexed(names: &TextIndex, call: LabelId) -> i64 {
    names.find(NAME_SOUGHT).map_or(0, |code| names.count_with(code, call) as i64)
}

/// Looks up the code of the name in the string table, and counts the nodes with this code in the column.
pub(super) fn count_named(calls: &LabelNodes, name: &Property) -> i64 {
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
