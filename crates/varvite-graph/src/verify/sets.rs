//! Checks sets of nodes: members are ascending, and the stored ranks agree with a count of the members.

use varvite_format::{ColumnId, Encoding, NodeSet};
use varvite_store::Pinned;

use super::Problems;
use crate::error::Result;
use crate::graph::Graph;

/// Ranks are checked at every multiple of this number, and at every member.
const STEP: u32 = 64;

/// Checks that the members of a set are ascending and below `universe`, that there are as many as the set
/// claims, and that each has the right rank.
pub(super) fn check_set(
    graph: &Graph,
    name: &str,
    column: ColumnId,
    universe: u32,
    problems: &mut Problems,
) -> Result<()> {
    let opened = NodeSet::open(graph.store(), column, universe).map_err(Into::into);
    let Some(set): Option<NodeSet<Pinned>> = problems.undamaged(name, opened)? else { return Ok(()) };
    // Only bitmaps and sparse sets are scanned. Ranges were checked when they were opened, and may have far
    // more members than the file has bytes.
    let encoding = graph.store().directory().columns.get(column.index()).map(|row| row.encoding);
    if matches!(encoding, Some(Encoding::BitmapSet | Encoding::SparseSet)) {
        check_members(&set, name, universe, problems);
    }
    Ok(())
}

fn check_members(set: &NodeSet<Pinned>, name: &str, universe: u32, problems: &mut Problems) {
    let (mut rank, mut step, mut least) = (0usize, 0u32, 0u32);
    for member in set.iter() {
        if member < least || member >= universe {
            problems.add(name, format!("a member from {least} to {universe}"), member);
            return;
        }
        while step <= member {
            if !rank_is(set, step, rank, name, problems) {
                return;
            }
            step = step.saturating_add(STEP);
        }
        if set.member_rank(member) != Some(rank) {
            problems.add(name, format!("member {member} at rank {rank}"), shown(set.member_rank(member)));
            return;
        }
        rank += 1;
        least = member + 1;
    }
    if rank != set.len() as usize {
        problems.add(name, format!("{} members", set.len()), rank);
        return;
    }
    while step < universe && rank_is(set, step, rank, name, problems) {
        step = step.saturating_add(STEP);
    }
    let beyond = set.words().and_then(|words| words.last()).filter(|_| !universe.is_multiple_of(WORD));
    if beyond.is_some_and(|word| word >> (universe % WORD) != 0) {
        problems.add(name, format!("no bit from {universe} up"), "one");
    }
}

const WORD: u32 = 64;

fn rank_is(set: &NodeSet<Pinned>, node: u32, rank: usize, name: &str, problems: &mut Problems) -> bool {
    let found = set.rank(node);
    if found != Some(rank) {
        problems.add(name, format!("{rank} members below {node}"), shown(found));
    }
    found == Some(rank)
}

fn shown(rank: Option<usize>) -> String {
    rank.map_or("none".to_owned(), |rank| rank.to_string())
}
