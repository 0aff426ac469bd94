//! Answers the ten questions of `varvite-cpg` with plain loops, which were written from the text of each
//! question.

use std::collections::HashSet;

use regex::Regex;
use varvite_cpg::queries::{
    CLEARING, CONTROL_STRUCTURES_MAX, DANGEROUS, FALLIBLE, FORMATS, FREEING, GUARDS, LENGTHS, NARROW_TYPES,
    OPERATIONS, PARAMETERS_MAX, RETURNS_MAX, SINKS, SOURCES,
};
use varvite_cpg::{ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};

use super::plain::Plain;

pub(super) fn answer(query: &str, graph: &Plain) -> Vec<u32> {
    match query {
        "dangerous_calls" => calls_matching(graph, DANGEROUS),
        "format_strings" => format_strings(graph),
        "complex_methods" => complex_methods(graph),
        "truncated_lengths" => truncated_lengths(graph),
        "copy_loops" => copy_loops(graph),
        "calls_without_guard" => calls_without_guard(graph),
        "shared_arguments" => shared_arguments(graph),
        "unchecked_results" => unchecked_results(graph),
        "freed_fields" => freed_fields(graph),
        "tainted_arguments" => tainted_arguments(graph),
        other => panic!("no loop for {other}"),
    }
}

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?s:{pattern})$")).unwrap()
}

fn calls_matching(graph: &Plain, pattern: &str) -> Vec<u32> {
    let pattern = whole(pattern);
    calls_of(graph, |name| pattern.is_match(name))
}

/// The CALLs to the METHODs whose names are wanted, once for each such METHOD.
fn calls_of(graph: &Plain, is_wanted: impl Fn(&str) -> bool) -> Vec<u32> {
    let methods = graph.labelled("METHOD").filter(|node| is_wanted(graph.text(*node, "NAME")));
    methods.flat_map(|method| graph.in_(method, "CALL").to_vec()).collect()
}

fn format_strings(graph: &Plain) -> Vec<u32> {
    let mut found = Vec::new();
    for (index, names) in FORMATS {
        for call in calls_of(graph, |name| names.contains(&name)) {
            if !graph.arguments(call, index).any(|node| graph.is(node, "LITERAL")) {
                found.push(call);
            }
        }
    }
    found
}

fn complex_methods(graph: &Plain) -> Vec<u32> {
    let is_complex = |method: &u32| {
        let children = graph.out(*method, "AST");
        let parameters = children.iter().filter(|node| graph.is(**node, "METHOD_PARAMETER_IN")).count();
        let below = graph.ast(*method);
        let count = |label| below.iter().filter(|node| graph.is(**node, label)).count();
        parameters > PARAMETERS_MAX as usize
            || count("CONTROL_STRUCTURE") > CONTROL_STRUCTURES_MAX as usize
            || count("RETURN") > RETURNS_MAX as usize
    };
    let own = graph.labelled("METHOD").filter(|node| graph.number(*node, "IS_EXTERNAL") == Some(0));
    own.filter(is_complex).collect()
}

fn truncated_lengths(graph: &Plain) -> Vec<u32> {
    let narrow = whole(NARROW_TYPES);
    let mut found = Vec::new();
    for call in calls_matching(graph, LENGTHS) {
        let Some(assignment) = graph.above(call).into_iter().find(|node| is_assignment(graph, *node)) else {
            continue;
        };
        let is_narrow = |node: &u32| {
            graph.out(*node, "EVAL_TYPE").iter().any(|type_| narrow.is_match(graph.text(*type_, "NAME")))
        };
        found.extend(graph.arguments(assignment, 1).filter(is_narrow));
    }
    found
}

fn is_assignment(graph: &Plain, node: u32) -> bool {
    graph.is(node, "CALL") && ASSIGNMENTS.contains(&graph.text(node, "NAME"))
}

fn copy_loops(graph: &Plain) -> Vec<u32> {
    let mut found = Vec::new();
    for assignment in graph.nodes().filter(|node| is_assignment(graph, *node)) {
        for access in graph.arguments(assignment, 1) {
            if graph.is(access, "CALL") && ARRAY_ACCESSES.contains(&graph.text(access, "NAME")) {
                found.extend(copied_array(graph, access));
            }
        }
    }
    found
}

fn copied_array(graph: &Plain, access: u32) -> Option<u32> {
    let array = graph.arguments(access, 1).next()?;
    let below = graph.ast(graph.arguments(access, 2).next()?);
    let identifiers = below.into_iter().filter(|node| graph.is(*node, "IDENTIFIER"));
    let subscripts: HashSet<&str> = identifiers.map(|node| graph.text(node, "CODE")).collect();
    for above in graph.above(access).into_iter().filter(|node| graph.is(*node, "CONTROL_STRUCTURE")) {
        for head in graph.out(above, "AST").iter().filter(|child| !graph.is(**child, "BLOCK")) {
            for assignment in graph.ast(*head).into_iter().filter(|node| is_assignment(graph, *node)) {
                let target = graph.arguments(assignment, 1).next();
                if target.is_some_and(|target| subscripts.contains(graph.text(target, "CODE"))) {
                    return Some(array);
                }
            }
        }
    }
    None
}

fn calls_without_guard(graph: &Plain) -> Vec<u32> {
    let mut found = Vec::new();
    for (called, guard) in GUARDS {
        let guard = whole(guard);
        let is_guard = |node: &u32| graph.is(*node, "CALL") && guard.is_match(graph.text(*node, "NAME"));
        for call in calls_matching(graph, called) {
            let dominators = graph.closure(call, |node| graph.in_(node, "DOMINATE").to_vec());
            if !dominators.iter().any(is_guard) {
                found.push(call);
            }
        }
    }
    found
}

fn shared_arguments(graph: &Plain) -> Vec<u32> {
    let indexes = |call: u32| {
        let name = graph.text(call, "NAME");
        OPERATIONS.iter().find(|(of, _)| *of == name).map(|(_, indexes)| *indexes)
    };
    let things = |call: u32| -> HashSet<&str> {
        let arguments = graph.out(call, "ARGUMENT").iter().filter(|node| !graph.is(**node, "LITERAL"));
        let index = |node: u32| graph.number(node, "ARGUMENT_INDEX").unwrap_or(-1);
        let wanted = arguments.filter(|node| indexes(call).unwrap_or(&[]).contains(&index(**node)));
        wanted.map(|node| graph.text(*node, "CODE")).collect()
    };
    let operations: Vec<u32> = graph.labelled("CALL").filter(|call| indexes(*call).is_some()).collect();
    let shares = |a: &u32| {
        let (things_a, method) = (things(*a), graph.container(*a));
        let others = operations.iter().filter(|b| *b != a && graph.container(**b) == method);
        method.is_some() && others.into_iter().any(|b| !things_a.is_disjoint(&things(*b)))
    };
    operations.iter().copied().filter(|call| shares(call)).collect()
}

fn unchecked_results(graph: &Plain) -> Vec<u32> {
    let mut found = calls_matching(graph, FALLIBLE);
    found.retain(|call| {
        let above = graph.above(*call);
        let asked = above.iter().chain([call]).any(|node| !graph.in_(*node, "CONDITION").is_empty());
        let returned = above.iter().any(|node| graph.is(*node, "RETURN"));
        !asked && !returned && !is_checked_later(graph, *call, &above)
    });
    found
}

fn is_checked_later(graph: &Plain, call: u32, above: &[u32]) -> bool {
    let Some(method) = graph.container(call) else { return false };
    let mut checked = HashSet::new();
    for node in graph.ast(method).into_iter().filter(|node| graph.is(*node, "CONTROL_STRUCTURE")) {
        for condition in graph.out(node, "CONDITION") {
            let asked = graph.ast(*condition).into_iter();
            let asked = asked.filter(|node| graph.is(*node, "IDENTIFIER") || graph.is(*node, "CALL"));
            checked.extend(asked.map(|node| graph.text(node, "CODE")));
        }
    }
    let assignments = above.iter().filter(|node| is_assignment(graph, **node));
    let mut targets = assignments.filter_map(|node| graph.arguments(*node, 1).next());
    targets.any(|target| checked.contains(graph.text(target, "CODE")))
}

fn freed_fields(graph: &Plain) -> Vec<u32> {
    let mut found = Vec::new();
    for (index, names) in FREEING {
        for call in calls_of(graph, |name| names.contains(&name)) {
            found.extend(graph.arguments(call, index).filter(|field| {
                graph.is(*field, "CALL")
                    && FIELD_ACCESSES.contains(&graph.text(*field, "NAME"))
                    && is_left_dangling(graph, *field)
            }));
        }
    }
    found
}

fn is_left_dangling(graph: &Plain, field: u32) -> bool {
    let Some(structure) = graph.arguments(field, 1).next() else { return false };
    let Some(method) = graph.container(field) else { return false };
    let structure = graph.text(structure, "CODE");
    let parameters = graph.out(method, "AST").iter().filter(|node| graph.is(**node, "METHOD_PARAMETER_IN"));
    if !parameters.into_iter().any(|node| graph.text(*node, "NAME") == structure) {
        return false;
    }
    let clearing = whole(CLEARING);
    let calls = graph.ast(method).into_iter().filter(|node| graph.is(*node, "CALL"));
    let mut clears = calls.filter(|node| clearing.is_match(graph.text(*node, "NAME")));
    if clears.any(|call| graph.arguments(call, 1).any(|node| graph.text(node, "CODE") == structure)) {
        return false;
    }
    let code = graph.text(field, "CODE");
    let reached = graph.closure(field, |node| {
        let targets = graph.out(node, "REACHING_DEF").iter().zip(&graph.variables[node as usize]);
        targets.filter(|(_, variable)| *variable == code).map(|(target, _)| *target).collect()
    });
    reached.iter().any(|node| graph.is(*node, "METHOD_RETURN"))
}

fn tainted_arguments(graph: &Plain) -> Vec<u32> {
    let is_source = |node: u32| SOURCES.contains(&graph.text(node, "METHOD_FULL_NAME"));
    let mut found = Vec::new();
    for (index, names) in SINKS {
        let calls =
            graph.labelled("CALL").filter(|call| names.contains(&graph.text(*call, "METHOD_FULL_NAME")));
        for sink in calls.flat_map(|call| graph.arguments(call, index).collect::<Vec<_>>()) {
            let reached = graph.closure(sink, |node| match node != sink && is_source(node) {
                true => Vec::new(),
                false => graph.in_(node, "REACHING_DEF").to_vec(),
            });
            found.extend(
                reached.into_iter().filter(|node| is_source(*node)).flat_map(|source| [sink, source]),
            );
        }
    }
    found
}
