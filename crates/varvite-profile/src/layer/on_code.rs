//! The METHODs and CALLs with their counts, and the reasons for large counts that the code shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::chains::ChainLink;
use super::code::Code;
use super::code_row::{CodeKind, CodeRow};
use super::stored::HeapLayer;
use super::sums::{CodeSums, Sums};
use crate::measure::{Counts, Slot};

/// The reasons that the code and the run show for the counts of a METHOD or a CALL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reasons {
    /// The loop around the CALL, if the row is that of a CALL in a loop.
    pub around: Option<u32>,
    /// The chain of callers with the largest counts, nearest caller first.
    pub chain: Vec<ChainLink>,
    /// METHODs that have a CALL to the METHOD in the code, but did not call it in this run; each with one of
    /// these CALLs.
    pub unseen_callers: Vec<(u32, u32)>,
    /// Calls of the METHOD in this run for which the graph has no CALL, such as calls through pointers.
    pub missing_edges: Vec<MissingEdge>,
}

/// A METHOD that called another METHOD in a run, but has no CALL to it in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingEdge {
    /// The calling METHOD.
    pub caller: u32,
    /// The line of the call; 0 if it is not known.
    pub line: i64,
    /// The counts of the caller's calls to the other METHOD.
    pub counts: Counts,
}

impl HeapLayer {
    /// All METHODs and CALLs with counts of their own or of their callees, sorted by node.
    ///
    /// **Cost**: linear in the tree.
    pub fn on_code(&self) -> Vec<CodeRow> {
        let sums = CodeSums::of(&self.tree, &self.join);
        let rows = |kind, of: &BTreeMap<u32, Sums>| -> Vec<CodeRow> {
            of.iter()
                .map(|(node, Sums { own, all })| CodeRow { kind, node: *node, own: *own, all: *all })
                .collect()
        };
        [rows(CodeKind::Method, &sums.methods), rows(CodeKind::Call, &sums.calls)].concat()
    }

    /// The reasons for the counts of rows of [`HeapLayer::on_code`]: for their own counts or, if
    /// `with_callees` is true, for their counts including all callees.
    ///
    /// **Cost**: linear in the size of the tree and in the number of CALLs to METHODs in `rows`. Chains have
    /// at most 64 callers.
    pub fn reasons(
        &self,
        rows: &[CodeRow],
        code: &Code,
        (measure, with_callees): (Slot, bool),
    ) -> Vec<Reasons> {
        let chains = self.chains(rows, code, (measure, with_callees));
        let methods = rows.iter().filter(|row| row.kind == CodeKind::Method).map(|row| row.node);
        let mut of_run = self.callers_of(&methods.collect());
        let reasons = rows.iter().zip(chains).map(|(row, chain)| match row.kind {
            CodeKind::Call => Reasons { around: code.loop_around(row.node), chain, ..Reasons::default() },
            CodeKind::Method => {
                let of_code = code.callers_of(row.node);
                let OfRun { seen, direct } = of_run.remove(&row.node).unwrap_or_default();
                let unseen = of_code.iter().filter(|(caller, _)| !seen.contains(caller));
                let missing = direct.into_iter().filter(|((caller, _), _)| !of_code.contains_key(caller));
                let edge = |((caller, line), counts)| MissingEdge { caller, line, counts };
                let mut missing_edges: Vec<MissingEdge> = missing.map(edge).collect();
                missing_edges.sort_by_key(|edge| std::cmp::Reverse(measure.of(&edge.counts)));
                let unseen_callers = unseen.map(|(caller, call)| (*caller, *call)).collect();
                Reasons { around: None, chain, unseen_callers, missing_edges }
            }
        });
        reasons.collect()
    }

    /// The callers that each of these METHODs had in the run.
    fn callers_of(&self, methods: &BTreeSet<u32>) -> HashMap<u32, OfRun> {
        let (tree, join, nearest) = (&self.tree, &self.join, self.join.nearest(&self.tree));
        let mut callers: HashMap<u32, OfRun> = HashMap::new();
        let asked = |node: u32| join.method(tree, node).filter(|method| methods.contains(method));
        for node in 0..tree.len() as u32 {
            if let Some(method) = asked(node)
                && let Some(parent) = tree.parent(node)
                && let Some(above) = nearest[parent as usize]
            {
                callers.entry(method).or_default().seen.extend(join.method(tree, above));
            }
        }
        let edge = |node: u32| {
            let (method, parent) = (asked(node)?, tree.parent(node)?);
            let line = self.places[tree.place_of[parent as usize] as usize].line;
            Some((method, join.method(tree, parent)?, line))
        };
        tree.sum_once(
            |node| [edge(node), None],
            |(method, caller, line), _, counts| {
                *callers.entry(method).or_default().direct.entry((caller, line)).or_default() += counts;
            },
        );
        callers
    }
}

/// The callers of a METHOD in a run.
#[derive(Default)]
struct OfRun {
    /// The METHODs that called the METHOD, directly or through functions without a METHOD.
    seen: BTreeSet<u32>,
    /// The METHODs that called the METHOD directly, each with the line of the call.
    direct: BTreeMap<(u32, i64), Counts>,
}
