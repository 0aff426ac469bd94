//! The calls of METHODs, and the METHODs that they call, found along edges CALL and CONTAINS.

use std::collections::BTreeMap;

use varvite::Graph;

use crate::error::Result;

/// The prefix of operator names. Operators are METHODs in a code property graph.
const OPERATOR: &str = "<operator";

/// The CALLs that may reach any of `methods`, in ascending order and without duplicates. Costs one hop for
/// each METHOD, and allocates the result.
///
/// # Errors
/// Fails if the graph has no edges CALL, or can't be read.
pub fn calls_of(graph: &Graph, methods: &[u32]) -> Result<Vec<u32>> {
    let sources = graph.in_("CALL")?;
    let mut calls: Vec<u32> = methods.iter().flat_map(|method| sources.neighbors(*method)).collect();
    calls.sort_unstable();
    calls.dedup();
    Ok(calls)
}

/// The METHODs that any of `methods` may call, each with the number of calls. Costs two hops for each call.
///
/// # Errors
/// Fails if the graph has no edges CALL or CONTAINS, or can't be read.
pub fn callees_of(graph: &Graph, methods: &[u32]) -> Result<BTreeMap<u32, u64>> {
    let (contents, targets) = (graph.out("CONTAINS")?, graph.out("CALL")?);
    let mut callees = BTreeMap::new();
    let inside = methods.iter().flat_map(|method| contents.neighbors(*method));
    for callee in inside.flat_map(|node| targets.neighbors(node)) {
        *callees.entry(callee).or_default() += 1;
    }
    Ok(callees)
}

/// Whether a METHOD of this name is an operator of the language, such as `<operator>.assignment`.
pub fn is_operator(name: &str) -> bool {
    name.starts_with(OPERATOR)
}
