//! Checks a diff and adds it to the changes of a graph, in this order: declarations, removals, nodes, edges,
//! values.

use varvite_format::{Fault, FormatError, Part};
use varvite_store::{StoreError, Task};

use super::addition::{Numbers, add_edges, add_nodes};
use super::assignment::assign;
use super::base::Reader;
use super::change_set::ChangeSet;
use super::diff::Diff;
use super::nulls::take_up_nulls;
use super::removal::Removals;
use super::schema::{Additions, Schema, SchemaNames};
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;

/// The result of applying a diff to the changes.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The declared names and label sets that are new.
    pub(super) additions: Additions,
    /// The ids and ranks of the diff's new elements.
    pub(super) numbers: Numbers,
}

/// Applies the operations of `diff` to `changes`, the changes of `graph`; `known` has the names in the
/// graph's schema.
pub(super) fn resolve(
    graph: &Graph,
    known: &SchemaNames,
    changes: &mut ChangeSet,
    diff: &Diff,
    task: &Task<'_>,
) -> Result<Resolved, ChangeError> {
    resolve_with(graph, known, changes, diff, task, &|_| Ok(()))
}

/// The same as [`resolve`], for records of the log, which declare nothing new. If a record uses an unknown
/// name, an error is returned; nodes may then have been added to `changes`, but nothing else.
///
/// # Errors
/// The errors of [`resolve`]; damage of the log.
pub(super) fn resolve_records(
    graph: &Graph,
    known: &SchemaNames,
    changes: &mut ChangeSet,
    diff: &Diff,
) -> Result<(), ChangeError> {
    let resolved = resolve_with(graph, known, changes, diff, &Task::new(), &|additions| {
        let fault = Fault::Unexpected { what: "names or label sets that the graph does not have" };
        match additions.is_empty() {
            true => Ok(()),
            false => Err(StoreError::from(FormatError::damaged(Part::Log, fault)).into()),
        }
    });
    resolved.map(drop)
}

fn resolve_with(
    graph: &Graph,
    known: &SchemaNames,
    changes: &mut ChangeSet,
    diff: &Diff,
    task: &Task<'_>,
    check_additions: &dyn Fn(&Additions) -> Result<(), ChangeError>,
) -> Result<Resolved, ChangeError> {
    diff.check_made_for(graph)?;
    let reader = Reader { graph };
    let mut schema = Schema::of(graph, known, diff)?;
    let removals = Removals::of(diff, &schema, changes, reader)?;
    task.check()?;
    removals.apply(changes, &schema, reader, task)?;
    let mut numbers = add_nodes(diff, changes, &mut schema)?;
    check_additions(&schema.additions)?;
    task.check()?;
    add_edges(diff, changes, &schema, &removals, &mut numbers, reader)?;
    task.check()?;
    changes.check_memory(&numbers.ranks)?;
    assign(diff, changes, &schema, &numbers, reader, task)?;
    take_up_nulls(changes, reader)?;
    changes.settle(reader, task)?;
    Ok(Resolved { additions: schema.additions, numbers })
}
