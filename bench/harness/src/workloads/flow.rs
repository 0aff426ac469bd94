//! Workloads that follow control flow and calls.

use varvite::{Adjacency, Graph, Result};

use super::texts::CodeCounts;
use super::{Answer, Round};

pub(super) fn cfg_reachability(graph: &Graph) -> Result<Round> {
    let (flow, methods) = (graph.out("CFG")?, graph.nodes("METHOD")?);
    let mut visited =
        Visited { words: vec![0; graph.node_count().div_ceil(64) as usize], reached: Vec::new() };
    Ok(Box::new(move || {
        Answer::of_steps(methods.iter().map(|method| visited.count_from(&flow, method)).sum())
    }))
}

/// The nodes reached so far, stored twice: as a bit for each node of the graph, and as a list, which also
/// serves as the queue of nodes whose neighbours are not yet read. The nodes of a METHOD are a range of ids,
/// so their bits share a few cache lines.
struct Visited {
    words: Vec<u64>,
    reached: Vec<u32>,
}

impl Visited {
    /// Returns the number of nodes reachable from `start`, and clears the set for the next call.
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

/// Counts callees by the code of their name (its number in the string table), and then computes the length of
/// each distinct name once.
pub(super) fn callee_names(graph: &Graph) -> Result<Round> {
    let (calls, callees) = (graph.nodes("CALL")?, graph.out("CALL")?);
    let full_name = graph.property("FULL_NAME")?;
    let mut counts = CodeCounts::default();
    Ok(Box::new(move || {
        counts.clear(&full_name);
        let (mut read, mut names) = (0, full_name.recent_numbers());
        callees.for_each_edge(|call, callee| {
            if calls.contains(call) {
                read += 1;
                names.number(callee).into_iter().for_each(|code| counts.add(code));
            }
        });
        let (_, units) = counts.totals(&full_name);
        Answer::new(units as i64, read)
    }))
}
