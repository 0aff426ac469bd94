//! `varvite_run`: the execution of a pipeline that the caller describes as JSON.
//!
//! Batches are returned without a copy, as the engine holds them. Each run has a lock, so that only one
//! thread at a time uses it, and a cancel flag that needs no lock.

use std::mem::offset_of;
use std::sync::{Arc, Mutex, PoisonError};

use varvite::Cancel;
use varvite::arrow::RecordBatch;
use varvite::pipeline::{
    Cell, Column, Edge, Options as RunOptions, Pipeline, PipelineError, Plan, Rows, Run,
};
use varvite::{Budget, Graph, Task, Value};
use varvite_format::NONE;

use crate::c_type::Char;
use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::{Counted, Handle, Kind, Named};
use crate::pointer::{Items, Options, Out, OutAddress, OutItems, OutStructs, SizedFirst, c_struct};
use crate::room::Room;
use crate::status::Status;

/// The object behind a run handle.
///
/// Long work is done under the lock `at_work`, and never under the lock of the handle: `varvite_run_cancel`
/// must reach the cancel flag while `varvite_run_next` runs, even if a third thread waits to release the run.
pub(crate) struct RunObject {
    at_work: Arc<Mutex<AtWork>>,
    cancel: Cancel,
}

impl Kind for RunObject {
    const NAME: &'static str = "run";
    const FOUND: &'static str = "it is one of a run";
    const C: &'static str = "varvite_run";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

/// A run with its graph, and the name of the `side` step whose rows the caller reads; `None` if the caller
/// reads the results.
struct AtWork {
    run: Run,
    side: Option<String>,
    open: Arc<OpenGraph>,
}

c_struct! {
    /// Options of a run.
    RunSettings = "varvite_run_options" {
        size: u32,
        threads: u32,
        memory_bytes: u64,
        batch_rows: u64,
    }
}

c_struct! {
    /// A batch of rows.
    CBatch = "varvite_batch" {
        nodes: OutAddress<u32>,
        edges: OutAddress<CEdge>,
        numbers: OutAddress<i64>,
        row_count: u64,
        column_count: u32,
        kind: u32,
    }
}

c_struct! {
    /// An edge in a result.
    CEdge = "varvite_edge" {
        label: u32,
        source: u32,
        target: u32,
        rank: u32,
    }
}

c_struct! {
    /// A column of a batch.
    CResultColumn = "varvite_result_column" {
        name: OutAddress<Char>,
        name_length: u64,
        value_type: u32,
        is_list: u32,
    }
}

c_struct! {
    /// A node or an edge.
    CElement = "varvite_element" {
        is_edge: u32,
        node: u32,
        edge: CEdge,
    }
}

/// The kinds of rows, in the order of their numbers in the header.
#[cfg(test)]
pub(crate) const ROWS: [&str; 4] = ["ROWS_NODES", "ROWS_EDGES", "ROWS_VALUES", "ROWS_TABLE"];
const NODES: u32 = 0;
const EDGES: u32 = 1;
const VALUES: u32 = 2;
const TABLE: u32 = 3;

/// The smallest budget in bytes for reading and compiling a plan. A smaller memory limit of a run applies
/// only to the memory that grows with the graph.
const PLAN_BYTES_MIN: usize = 1 << 20;

/// A task with limits on its threads and on its memory in bytes. A limit of 0 stands for the default.
pub(crate) fn task(threads: u32, memory_bytes: u64) -> Task<'static> {
    let task = if threads == 0 { Task::new() } else { Task::new().threads(threads as usize) };
    match memory_bytes {
        0 => task,
        given => task.memory(usize::try_from(given).unwrap_or(usize::MAX)),
    }
}

/// The budget for reading and compiling the plan of a run whose memory limit is `memory_bytes`.
pub(crate) fn plan_budget(memory_bytes: usize) -> Budget {
    Budget::new(memory_bytes.max(PLAN_BYTES_MIN))
}

/// Reads a plan and compiles it, within the budget of its run.
pub(crate) fn compiled(text: &str, graph: &Graph, options: &RunOptions) -> Result<Plan, PipelineError> {
    let budget = plan_budget(options.task.memory_bytes());
    Pipeline::from_json_within(text, &budget)?.compile_within(graph, options.task.flag(), &budget)
}

impl Default for RunSettings {
    fn default() -> Self {
        Self { size: size_of::<Self>() as u32, threads: 0, memory_bytes: 0, batch_rows: 0 }
    }
}

impl SizedFirst for RunSettings {}

impl RunSettings {
    pub(crate) fn options(&self) -> RunOptions {
        let options = RunOptions::from(task(self.threads, self.memory_bytes));
        match self.batch_rows {
            0 => options,
            rows => RunOptions { batch_rows: usize::try_from(rows).unwrap_or(usize::MAX), ..options },
        }
    }
}

exports! {
    /// Compiles a plan and begins to run it.
    fn varvite_run_plan(
        graph: Handle<GraphObject>,
        plan: Items<'_, Char>,
        length: u64,
        options: Options<'_, RunSettings>,
        run: Out<'_, Counted<RunObject>>,
    ) {
        let open = graph.graph()?;
        let options = options.options();
        let cancel = options.task.flag().clone();
        let begun = compiled(plan.text(length)?, &open.graph, &options)?.run(options);
        let at_work = Arc::new(Mutex::new(AtWork { run: begun, side: None, open }));
        run.write(Counted::new(RunObject { at_work, cancel }));
        Ok(Status::Ok)
    }

    /// The next batch.
    fn varvite_run_next(run: Handle<RunObject>, batch: OutStructs<'_, CBatch>, batch_size: u64) {
        let batch = batch.room(batch_size, 1)?;
        run.work(|at_work| {
            at_work.side = None;
            let Some(rows) = at_work.run.next()? else { return Ok(Status::Absent) };
            batch.write(c_batch(rows));
            Ok(Status::Ok)
        })
    }

    /// Selects the rows that passed a step `side`: this call's batch has them, and later calls read their
    /// columns.
    fn varvite_run_side(
        run: Handle<RunObject>,
        name: Items<'_, Char>,
        length: u64,
        batch: OutStructs<'_, CBatch>,
        batch_size: u64,
    ) {
        let (name, batch) = (name.text(length)?, batch.room(batch_size, 1)?);
        run.work(|at_work| {
            let rows = at_work.run.side(name).ok_or_else(|| Failure::Side { name: name.to_owned() })?;
            batch.write(c_batch(rows));
            let status = if rows.is_empty() { Status::Absent } else { Status::Ok };
            at_work.side = Some(name.to_owned());
            Ok(status)
        })
    }

    /// Cancels the run, which then ends soon.
    fn varvite_run_cancel(run: Handle<RunObject>) {
        run.read(|object| {
            object.cancel.cancel();
            Ok(Status::Ok)
        })
    }

    /// A column of the last batch.
    fn varvite_run_column(
        run: Handle<RunObject>,
        column: u32,
        info: OutStructs<'_, CResultColumn>,
        info_size: u64,
    ) {
        let info = info.room(info_size, 1)?;
        run.with_column(column, |column| {
            info.write(CResultColumn {
                name: OutAddress::letters(column.name()),
                name_length: column.name().len() as u64,
                value_type: column.value_type().map_or(NONE, |value_type| value_type as u32),
                is_list: column.is_list().into(),
            });
            Ok(Status::Ok)
        })
    }

    /// A column of the last batch as numbers.
    fn varvite_run_numbers(
        run: Handle<RunObject>,
        column: u32,
        numbers: OutItems<'_, i64>,
        present: OutItems<'_, u8>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let present = present.slice(capacity)?;
        run.with_column(column, |column| {
            let cells = || (0..column.len()).map(|row| column.number(row));
            let done = Room { items: numbers, capacity, count }.fill(cells().map(Option::unwrap_or_default))?;
            for (place, cell) in present.iter_mut().zip(cells()) {
                place.write(cell.is_some().into());
            }
            Ok(done)
        })
    }

    /// A cell of the last batch as text.
    fn varvite_run_text(
        run: Handle<RunObject>,
        column: u32,
        row: u64,
        text: OutItems<'_, Char>,
        capacity: u64,
        length: Out<'_, u64>,
    ) {
        run.with_column(column, |column| {
            let cell = column.get(row_of(row, column.len())?);
            let Some(words) = cell.and_then(text_of) else {
                length.write(0);
                return Ok(Status::Absent);
            };
            Room { items: text, capacity, count: length }.fill(words.bytes().map(|byte| byte as Char))
        })
    }

    /// The nodes and edges of one row of a column of lists.
    fn varvite_run_list(
        run: Handle<RunObject>,
        column: u32,
        row: u64,
        elements: OutItems<'_, CElement>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        run.with_column(column, |column| {
            let row = row_of(row, column.len())?;
            if column.list(row).any(|cell| element_of(&cell).is_none()) {
                return Err(Failure::Rows { expected: "nodes or edges", found: "values" });
            }
            let list = column.list(row).filter_map(|cell| element_of(&cell));
            Room { items: elements, capacity, count }.fill_counting(list)
        })
    }
}

impl Named<RunObject> {
    /// Calls `work` with exclusive access to the run. If another thread releases the handle meanwhile, the
    /// run stays alive until `work` returns.
    fn work<R>(&self, work: impl FnOnce(&mut AtWork) -> Result<R, Failure>) -> Result<R, Failure> {
        let at_work = self.read(|object| Ok(Arc::clone(&object.at_work)))?;
        let mut at_work = at_work.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut at_work)
    }

    /// The rows that passed a step `side`, as an Arrow record batch.
    pub(crate) fn side_arrow(&self, name: &str) -> Result<RecordBatch, Failure> {
        let missing = || Failure::Side { name: name.to_owned() };
        self.work(|at_work| at_work.run.side_arrow(name).ok_or_else(missing))
    }

    /// Calls `read` with a column of the selected rows: the last batch, or the rows of a step `side`.
    fn with_column<R>(
        &self,
        number: u32,
        read: impl FnOnce(Column<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        self.work(|at_work| {
            let rows = at_work.rows().filter(|rows| !rows.is_empty());
            let rows =
                rows.ok_or(Failure::Rows { expected: "columns: ask for a batch first", found: "none yet" })?;
            let missing = Failure::Index { kind: "column", index: number.into(), count: rows.width() };
            let column = rows.column(number as usize).ok_or(missing)?;
            at_work.open.graph.watch(|| read(column))?
        })
    }
}

impl Drop for RunObject {
    /// Cancels the run when its handle has ended, so that a call still running on another thread returns
    /// soon.
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl AtWork {
    fn rows(&self) -> Option<Rows<'_>> {
        match &self.side {
            Some(name) => self.run.side(name),
            None => self.run.rows(),
        }
    }
}

fn c_batch(rows: Rows<'_>) -> CBatch {
    let kind = match (rows.nodes(), rows.edges(), rows.numbers()) {
        (Some(_), ..) => NODES,
        (_, Some(_), _) => EDGES,
        (_, _, Some(_)) => VALUES,
        _ => TABLE,
    };
    CBatch {
        nodes: rows.nodes().map_or(OutAddress::NULL, OutAddress::new),
        edges: rows.edges().map_or(OutAddress::NULL, given_edges),
        numbers: rows.numbers().map_or(OutAddress::NULL, OutAddress::new),
        row_count: rows.len() as u64,
        column_count: rows.width() as u32,
        kind,
    }
}

/// The address of the engine's edges, which have the layout of `varvite_edge` and are not copied.
fn given_edges(edges: &[Edge]) -> OutAddress<CEdge> {
    const {
        assert!(size_of::<Edge>() == size_of::<CEdge>() && align_of::<Edge>() == align_of::<CEdge>());
        assert!(offset_of!(Edge, label) == offset_of!(CEdge, label));
        assert!(offset_of!(Edge, source) == offset_of!(CEdge, source));
        assert!(offset_of!(Edge, target) == offset_of!(CEdge, target));
        assert!(offset_of!(Edge, rank) == offset_of!(CEdge, rank));
    }
    OutAddress::new(edges).cast()
}

fn row_of(row: u64, count: usize) -> Result<usize, Failure> {
    let index = usize::try_from(row).ok().filter(|row| *row < count);
    index.ok_or(Failure::Index { kind: "row", index: row, count })
}

fn text_of(cell: Cell<'_>) -> Option<String> {
    match cell {
        Cell::Node(node) => Some(node.to_string()),
        Cell::Edge(edge) => Some(format!("{}->{}", edge.source, edge.target)),
        Cell::Label(name) => Some(name.to_owned()),
        Cell::Value(Value::Null) => None,
        Cell::Value(value) => Some(value.to_string()),
        _ => None,
    }
}

fn element_of(cell: &Cell<'_>) -> Option<CElement> {
    let none = CEdge { label: NONE, source: NONE, target: NONE, rank: NONE };
    match *cell {
        Cell::Node(node) => Some(CElement { is_edge: 0, node, edge: none }),
        Cell::Edge(Edge { label, source, target, rank }) => {
            Some(CElement { is_edge: 1, node: NONE, edge: CEdge { label: label.0, source, target, rank } })
        }
        _ => None,
    }
}
