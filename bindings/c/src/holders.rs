//! The number of holders of a handle's object: `retain` adds one, `release` removes one.

use crate::adjacency::AdjacencyObject;
use crate::argument::Argument;
use crate::diff::DiffObject;
use crate::error::ErrorOut;
use crate::export::guard;
use crate::failure::Failure;
use crate::graph::GraphObject;
use crate::graph_log::LogObject;
use crate::handle::{Counted, Kind, Named};
use crate::new_file::new_graph::NewGraphObject;
use crate::pin::PinObject;
use crate::property::PropertyObject;
use crate::run::RunObject;
use crate::shared_budget::BudgetObject;
use crate::status::Status;
use crate::walk::WalkObject;

/// Runs one of the two things that are done to a count.
fn count<K: Kind>(handle: Counted<K>, change: fn(&Named<K>) -> Result<(), Failure>) -> i32 {
    guard(ErrorOut::none(), || change(&handle.check("handle")?).map(|()| Status::Ok))
}

plain_exports! {
    /// One more holder.
    fn varvite_graph_retain(graph: Counted<GraphObject>) -> i32 {
        count(graph, Named::retain)
    }

    /// One holder fewer; the last one closes the graph.
    fn varvite_graph_release(graph: Counted<GraphObject>) -> i32 {
        count(graph, Named::release)
    }

    /// One more holder.
    fn varvite_adjacency_retain(adjacency: Counted<AdjacencyObject>) -> i32 {
        count(adjacency, Named::retain)
    }

    /// One holder fewer.
    fn varvite_adjacency_release(adjacency: Counted<AdjacencyObject>) -> i32 {
        count(adjacency, Named::release)
    }

    /// One more holder.
    fn varvite_property_retain(property: Counted<PropertyObject>) -> i32 {
        count(property, Named::retain)
    }

    /// One holder fewer.
    fn varvite_property_release(property: Counted<PropertyObject>) -> i32 {
        count(property, Named::release)
    }

    /// One more holder.
    fn varvite_run_retain(run: Counted<RunObject>) -> i32 {
        count(run, Named::retain)
    }

    /// One holder fewer; the last one ends the run.
    fn varvite_run_release(run: Counted<RunObject>) -> i32 {
        count(run, Named::release)
    }

    /// One more holder.
    fn varvite_walk_retain(walk: Counted<WalkObject>) -> i32 {
        count(walk, Named::retain)
    }

    /// One holder fewer; the last one ends the walk.
    fn varvite_walk_release(walk: Counted<WalkObject>) -> i32 {
        count(walk, Named::release)
    }

    /// One more holder.
    fn varvite_shared_budget_retain(budget: Counted<BudgetObject>) -> i32 {
        count(budget, Named::retain)
    }

    /// One holder fewer; graphs that share it keep it.
    fn varvite_shared_budget_release(budget: Counted<BudgetObject>) -> i32 {
        count(budget, Named::release)
    }

    /// Gives a diff back.
    fn varvite_diff_release(diff: Counted<DiffObject>) -> i32 {
        count(diff, Named::release)
    }

    /// Gives a new graph up: there will be no file.
    fn varvite_new_graph_release(new_graph: Counted<NewGraphObject>) -> i32 {
        count(new_graph, Named::release)
    }

    /// Ends a log, which stays in the file.
    fn varvite_log_release(log: Counted<LogObject>) -> i32 {
        count(log, Named::release)
    }

    /// Releases a pin and the bytes that it kept.
    fn varvite_pin_release(pin: Counted<PinObject>) -> i32 {
        count(pin, Named::release)
    }
}
