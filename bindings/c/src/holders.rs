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

/// Runs `Named::retain` or `Named::release` as the body of an exported function.
fn count<K: Kind>(handle: Counted<K>, change: fn(&Named<K>) -> Result<(), Failure>) -> i32 {
    guard(ErrorOut::none(), || change(&handle.check("handle")?).map(|()| Status::Ok))
}

plain_exports! {
    /// Adds a holder of the handle.
    fn varvite_graph_retain(graph: Counted<GraphObject>) -> i32 {
        count(graph, Named::retain)
    }

    /// Removes a holder of the handle; removing the last one closes the graph.
    fn varvite_graph_release(graph: Counted<GraphObject>) -> i32 {
        count(graph, Named::release)
    }

    /// Adds a holder of the handle.
    fn varvite_adjacency_retain(adjacency: Counted<AdjacencyObject>) -> i32 {
        count(adjacency, Named::retain)
    }

    /// Removes a holder of the handle.
    fn varvite_adjacency_release(adjacency: Counted<AdjacencyObject>) -> i32 {
        count(adjacency, Named::release)
    }

    /// Adds a holder of the handle.
    fn varvite_property_retain(property: Counted<PropertyObject>) -> i32 {
        count(property, Named::retain)
    }

    /// Removes a holder of the handle.
    fn varvite_property_release(property: Counted<PropertyObject>) -> i32 {
        count(property, Named::release)
    }

    /// Adds a holder of the handle.
    fn varvite_run_retain(run: Counted<RunObject>) -> i32 {
        count(run, Named::retain)
    }

    /// Removes a holder of the handle; removing the last one ends the run.
    fn varvite_run_release(run: Counted<RunObject>) -> i32 {
        count(run, Named::release)
    }

    /// Adds a holder of the handle.
    fn varvite_walk_retain(walk: Counted<WalkObject>) -> i32 {
        count(walk, Named::retain)
    }

    /// Removes a holder of the handle; removing the last one ends the walk.
    fn varvite_walk_release(walk: Counted<WalkObject>) -> i32 {
        count(walk, Named::release)
    }

    /// Adds a holder of the handle.
    fn varvite_shared_budget_retain(budget: Counted<BudgetObject>) -> i32 {
        count(budget, Named::retain)
    }

    /// Removes a holder of the handle; graphs that were opened with the budget keep it.
    fn varvite_shared_budget_release(budget: Counted<BudgetObject>) -> i32 {
        count(budget, Named::release)
    }

    /// Releases a diff.
    fn varvite_diff_release(diff: Counted<DiffObject>) -> i32 {
        count(diff, Named::release)
    }

    /// Abandons a new graph: no file is written.
    fn varvite_new_graph_release(new_graph: Counted<NewGraphObject>) -> i32 {
        count(new_graph, Named::release)
    }

    /// Ends the handle of a log; the log's records stay in the file.
    fn varvite_log_release(log: Counted<LogObject>) -> i32 {
        count(log, Named::release)
    }

    /// Releases a pin, and with it the bytes that it kept in memory.
    fn varvite_pin_release(pin: Counted<PinObject>) -> i32 {
        count(pin, Named::release)
    }
}
