//! A diff is looked at and taken up by the changes of a graph: declarations, removals, nodes, edges, values.

use varvite_store::Task;

use super::addition::{Numbers, add_edges, add_nodes};
use super::assignment::assign;
use super::base::Reader;
use super::change_set::ChangeSet;
use super::diff::Diff;
use super::nulls::take_up_nulls;
use super::removal::Removals;
use super::schema::{Additions, Known, Schema};
use crate::error::Result;
use crate::graph::Graph;

/// What a diff became.
#[derive(Debug)]
pub(super) struct Resolved {
    /// Names that it declares and that are new.
    pub(super) additions: Additions,
    /// The ids and ranks of what it adds.
    pub(super) numbers: Numbers,
}

/// Takes the operations of `diff` into `changes`, which are those of `graph`, whose names are `known`.
pub(super) fn resolve(
    graph: &Graph,
    known: &Known,
    changes: &mut ChangeSet,
    diff: &Diff,
    task: &Task<'_>,
) -> Result<Resolved> {
    diff.check_made_for(graph)?;
    let reader = Reader { graph };
    let mut schema = Schema::of(graph, known, diff)?;
    let removals = Removals::of(diff, &schema, changes, reader)?;
    task.check()?;
    removals.apply(changes, &schema, reader, task)?;
    let mut numbers = add_nodes(diff, changes, &mut schema)?;
    task.check()?;
    add_edges(diff, changes, &schema, &removals, &mut numbers, reader)?;
    task.check()?;
    changes.check_memory(&numbers.ranks)?;
    assign(diff, changes, &schema, &numbers, reader, task)?;
    take_up_nulls(changes, reader)?;
    changes.settle(reader, task)?;
    Ok(Resolved { additions: schema.additions, numbers })
}
