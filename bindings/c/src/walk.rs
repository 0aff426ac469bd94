//! `varvite_walk`: a walk that the caller describes as JSON, compiled for a graph, with its own arena.

use std::sync::{Arc, Mutex, PoisonError};

use varvite::Cancel;
use varvite::walk::{OwnedRun, PathStep, Visit, Walk};
use varvite::{Direction, EdgeLabelId};
use varvite_format::NONE;

use crate::adjacency::{IN, OUT};
use crate::c_type::Char;
use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::{Counted, Handle, Kind, Named};
use crate::pointer::{Items, Out, OutStructs, c_struct};
use crate::room::StructsRoom;
use crate::run::{plan_budget, task};
use crate::status::Status;

/// The object behind a walk handle.
///
/// Long work is done under the lock `at_work`, and never under the lock of the handle: `varvite_walk_cancel`
/// must reach the cancel flag while `varvite_walk_next` runs.
pub(crate) struct WalkObject {
    at_work: Arc<Mutex<AtWork>>,
    /// The cancel flag of the walk that was begun last.
    cancel: Mutex<Cancel>,
}

impl Kind for WalkObject {
    const NAME: &'static str = "walk";
    const FOUND: &'static str = "it is one of a walk";
    const C: &'static str = "varvite_walk";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

/// A compiled walk with its arena and its graph.
struct AtWork {
    run: OwnedRun,
    /// Results are collected here before they are copied to the caller.
    visits: Vec<CVisit>,
    path: Vec<PathStep>,
    _open: Arc<OpenGraph>,
}

c_struct! {
    /// A result of a walk.
    CVisit = "varvite_visit" {
        node: u32,
        parent: u32,
        depth: u32,
        edge_label: u32,
        direction: u32,
        edge_rank: u32,
        cost: f64,
    }
}

c_struct! {
    /// A node of a path, and the edge that leads to it.
    CStep = "varvite_step" {
        node: u32,
        edge_label: u32,
        direction: u32,
    }
}

c_struct! {
    /// Counts of a walk's work so far.
    CCounts = "varvite_walk_counts" {
        branches: u64,
        results: u64,
        expansions: u64,
        edges: u64,
        label_reads: u64,
        value_reads: u64,
    }
}

/// The maximum number of results that are collected before they are copied to the caller.
const VISITS_MAX: u64 = 1 << 16;

exports! {
    /// Compiles a walk.
    fn varvite_walk_compile(
        graph: Handle<GraphObject>,
        description: Items<'_, Char>,
        length: u64,
        memory_bytes: u64,
        walk: Out<'_, Counted<WalkObject>>,
    ) {
        let open = graph.graph()?;
        let memory_bytes = task(0, memory_bytes).memory_bytes();
        let budget = plan_budget(memory_bytes);
        let plan = Walk::from_json_within(description.text(length)?, &budget)?.compile(&open.graph)?;
        let run = OwnedRun::new(plan, memory_bytes);
        let at_work = AtWork { run, visits: Vec::new(), path: Vec::new(), _open: open };
        let at_work = Arc::new(Mutex::new(at_work));
        walk.write(Counted::new(WalkObject { at_work, cancel: Mutex::default() }));
        Ok(Status::Ok)
    }

    /// Begins a walk at the given nodes.
    fn varvite_walk_begin(walk: Handle<WalkObject>, starts: Items<'_, u32>, start_count: u64) {
        let starts = starts.slice(start_count)?;
        let cancel = Cancel::default();
        walk.read(|object| {
            *object.cancel.lock().unwrap_or_else(PoisonError::into_inner) = cancel.clone();
            Ok(())
        })?;
        walk.work(|at_work| Ok(at_work.run.begin(starts, &cancel)?))?;
        Ok(Status::Ok)
    }

    /// The next results.
    fn varvite_walk_next(
        walk: Handle<WalkObject>,
        visits: OutStructs<'_, CVisit>,
        visit_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        if capacity == 0 {
            // A walk can't return a result twice, so a result that does not fit would be lost.
            let expected = "room for at least one result";
            return Err(Failure::Value { argument: "capacity", expected, found: 0 });
        }
        let most = capacity.min(VISITS_MAX);
        let room = visits.room(visit_size, capacity)?;
        count.write(0);
        walk.work(|at_work| {
            let AtWork { run, visits, .. } = at_work;
            visits.clear();
            let given = run.next_some(|visit| {
                visits.push(c_visit(visit));
                (visits.len() as u64) < most
            })?;
            count.write(given);
            room.fill(visits.iter().copied());
            Ok(if given == 0 { Status::Absent } else { Status::Ok })
        })
    }

    /// Runs the walk to its end and counts the remaining results.
    fn varvite_walk_rest(walk: Handle<WalkObject>, count: Out<'_, u64>) {
        count.write(0);
        walk.work(|at_work| {
            count.write(at_work.run.count()?);
            Ok(Status::Ok)
        })
    }

    /// The path to the last returned result.
    fn varvite_walk_path(
        walk: Handle<WalkObject>,
        steps: OutStructs<'_, CStep>,
        step_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        walk.work(|at_work| {
            let AtWork { run, path, .. } = at_work;
            if !run.path(path) {
                count.write(0);
                return Ok(Status::Absent);
            }
            let steps = StructsRoom { items: steps, size: step_size, capacity, count };
            steps.fill(path.iter().map(c_step))
        })
    }

    /// Counts of the walk's work so far.
    fn varvite_walk_count(walk: Handle<WalkObject>, counts: OutStructs<'_, CCounts>, counts_size: u64) {
        let counts = counts.room(counts_size, 1)?;
        walk.work(|at_work| {
            let found = at_work.run.counts();
            counts.write(CCounts {
                branches: found.branches,
                results: found.results,
                expansions: found.expansions,
                edges: found.edges,
                label_reads: found.label_reads,
                value_reads: found.value_reads,
            });
            Ok(Status::Ok)
        })
    }

    /// Cancels the walk that was begun last, which then ends soon.
    fn varvite_walk_cancel(walk: Handle<WalkObject>) {
        walk.read(|object| {
            object.cancel.lock().unwrap_or_else(PoisonError::into_inner).cancel();
            Ok(Status::Ok)
        })
    }
}

impl Named<WalkObject> {
    /// Calls `work` with exclusive access to the walk. If another thread releases the handle meanwhile, the
    /// walk stays alive until `work` returns.
    fn work<R>(&self, work: impl FnOnce(&mut AtWork) -> Result<R, Failure>) -> Result<R, Failure> {
        let at_work = self.read(|object| Ok(Arc::clone(&object.at_work)))?;
        let mut at_work = at_work.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut at_work)
    }
}

impl Drop for WalkObject {
    /// Cancels the walk when its handle has ended, so that a call still running on another thread returns
    /// soon.
    fn drop(&mut self) {
        self.cancel.get_mut().unwrap_or_else(PoisonError::into_inner).cancel();
    }
}

fn c_visit(visit: &Visit<'_>) -> CVisit {
    let (edge_label, direction) = c_edge(visit.edge());
    CVisit {
        node: visit.node(),
        parent: visit.parent().unwrap_or(NONE),
        depth: visit.depth(),
        edge_label,
        direction,
        edge_rank: visit.edge_rank().unwrap_or(NONE),
        cost: visit.cost(),
    }
}

fn c_step(step: &PathStep) -> CStep {
    let (edge_label, direction) = c_edge(step.edge);
    CStep { node: step.node, edge_label, direction }
}

fn c_edge(edge: Option<(EdgeLabelId, Direction)>) -> (u32, u32) {
    match edge {
        None => (NONE, NONE),
        Some((label, Direction::Out)) => (label.0, OUT),
        Some((label, Direction::In)) => (label.0, IN),
    }
}
