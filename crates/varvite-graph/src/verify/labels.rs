//! Checks the label sets of nodes, the nodes of each label, and their origins (their numbers in the imported
//! file).

use varvite_format::{Ints, LabelId};
use varvite_store::Pinned;

use super::Problems;
use crate::cursor::columns::label_name;
use crate::cursor::ints_scan::IntsScan;
use crate::cursor::labels::Labels;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::columns::label_codes;
use crate::scan::graph_scan::{GraphScan, ScratchVec};

/// The number of nodes that have each label set, and the problems found while counting.
pub(super) struct Histogram {
    /// The label sets; `None` if they cannot be read.
    labels: Option<Labels>,
    of_codes: Vec<u64>,
    problems: Problems,
}

impl Histogram {
    pub(super) fn of(graph: &Graph) -> Result<Self> {
        let mut problems = Problems::default();
        let Some(labels) = problems.undamaged("node labels", graph.label_sets())? else {
            return Ok(Self { labels: None, of_codes: Vec::new(), problems });
        };
        let mut of_codes = vec![0u64; labels.code_count() as usize];
        let counted = label_codes(graph, |code| {
            of_codes[code as usize] += 1;
            Ok(())
        });
        problems.undamaged("node labels", counted)?;
        Ok(Self { labels: Some(labels), of_codes, problems })
    }

    /// Reports the problems found while counting. Label sets need no check here: opening the file checked
    /// that they contain only existing labels.
    pub(super) fn check(&self, problems: &mut Problems) {
        problems.0.extend_from_slice(&self.problems.0);
    }
}

/// Checks that the nodes of a label are the nodes whose label sets contain it, and checks their origins.
pub(super) fn check_label(
    graph_scan: &GraphScan<'_>,
    label: LabelId,
    histogram: &Histogram,
    problems: &mut Problems,
) -> Result<()> {
    let graph = graph_scan.graph;
    let name = label_name(graph.store().directory(), label);
    let Some(nodes) = problems.undamaged(&name, graph.nodes_of(label))? else { return Ok(()) };
    if let Some(labels) = histogram.labels.as_ref().filter(|_| histogram.problems.0.is_empty()) {
        let of_codes = (0..).zip(&histogram.of_codes).filter(|(code, _)| labels.code_has(*code, label));
        let expected: u64 = of_codes.map(|(_, count)| count).sum();
        let part = format!("{name} nodes");
        if u64::from(nodes.len()) != expected {
            problems.add(part, format!("{expected} nodes, as label sets say"), nodes.len());
        } else if let Some(node) = nodes.iter().find(|node| !labels.has(*node, label)) {
            problems.add(part, "nodes whose label set has it", format!("node {node}"));
        }
    }
    check_origin(graph_scan, label, nodes.set.len(), &format!("{name} origin"), problems)
}

/// Checks that the origins of a label's nodes are unique, and below the number of its nodes in the imported
/// file.
fn check_origin(
    graph_scan: &GraphScan<'_>,
    label: LabelId,
    nodes: u32,
    name: &str,
    problems: &mut Problems,
) -> Result<()> {
    let graph = graph_scan.graph;
    let row = &graph.store().directory().labels[label.index()];
    let Some(column) = row.origin else {
        if row.origin_count != 0 && nodes > row.origin_count {
            problems.add(name, format!("at least {nodes} nodes"), row.origin_count);
        }
        return Ok(());
    };
    let opened = Ints::open(graph.store(), column).map_err(Into::into);
    let Some(numbers): Option<Ints<Pinned>> = problems.undamaged(name, opened)? else { return Ok(()) };
    if numbers.len() != nodes as usize {
        problems.add(name, format!("{nodes} numbers"), numbers.len());
        return Ok(());
    }
    let mut taken = ScratchVec::filled(graph_scan, 0u64, (row.origin_count as usize).div_ceil(64))?;
    let mut scan = IntsScan::new(&numbers);
    for rank in 0..u64::from(nodes) {
        let number = scan.next(rank);
        let known =
            number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number < row.origin_count);
        let Some(known) = known else {
            let expected = format!("numbers below {} at {rank}", row.origin_count);
            problems.add(name, expected, number.map_or("no bytes".to_owned(), |number| number.to_string()));
            return Ok(());
        };
        let (word, bit) = (&mut taken[known as usize / 64], 1 << (known % 64));
        if *word & bit != 0 {
            problems.add(name, "a number for each node", format!("{known} again at {rank}"));
            return Ok(());
        }
        *word |= bit;
    }
    Ok(())
}
