//! Tests of parts of a graph: their limits.

use varvite::{Budget, Cancel, ErrorCode, Task};
use varvite_cpg::{Part, PartKind, PartLimits};

use crate::{methods, zlib};

const KINDS: [PartKind; 6] =
    [PartKind::Ast, PartKind::Cfg, PartKind::Ddg, PartKind::Pdg, PartKind::Dominators, PartKind::Calls];

#[test]
fn a_part_has_at_most_the_nodes_of_its_limit_and_counts_the_others() {
    let (graph, budget, cancel) = (zlib(), Budget::of(&Task::new()), Cancel::default());
    let limits = |nodes| PartLimits { nodes, budget: &budget, cancel: &cancel };
    for kind in KINDS {
        let whole = Part::of(graph, kind, &methods("inflate"), limits(usize::MAX)).unwrap();
        assert_eq!(whole.cut, 0, "{kind:?}");
        let part = Part::of(graph, kind, &methods("inflate"), limits(5)).unwrap();
        assert_eq!((part.nodes.len(), part.cut), (5, whole.nodes.len() - 5), "{kind:?}");
    }
}

#[test]
fn the_work_on_a_part_ends_once_it_is_cancelled() {
    let (graph, budget, cancel) = (zlib(), Budget::of(&Task::new()), Cancel::default());
    cancel.cancel();
    for kind in KINDS {
        let limits = PartLimits { nodes: 500, budget: &budget, cancel: &cancel };
        let error = Part::of(graph, kind, &methods("inflate"), limits).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Cancelled, "{kind:?}: {error}");
    }
}
