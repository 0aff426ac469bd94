//! [`Plan`] and [`Run`]: a compiled pipeline, and one execution of it.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use varvite::Cancel;
use varvite::pipeline::{self, ColumnKind, RowKind, Rows, Template};

use crate::cells::{edge_to_python, row_to_python};
use crate::failure::{Failure, Result};
use crate::graph::{Graph, Open};
use crate::interrupt::{on_this_thread, on_worker};
use crate::options::Limits;

/// The number of rows that become objects between two looks for signals.
const ROWS_OF_LOOK: usize = 1 << 14;

/// A pipeline compiled for a graph. It may run any number of times.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Plan {
    graph: Py<Graph>,
    plan: pipeline::Plan,
}

/// One execution of a plan.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Run {
    graph: Py<Graph>,
    run: Arc<Mutex<pipeline::Run>>,
    cancel: Cancel,
}

/// A column of results: its name, its kind (`node`, `edge`, `element`, `label` or `value`), the name of the
/// type of its values, and whether a row has a list of them.
type ColumnRow = (String, &'static str, Option<&'static str>, bool);

/// Compiles a plan, in the form of JSON, for a graph. The values of its parameters are in the form of texts,
/// with a pair for each item of a list.
#[pyfunction]
pub(crate) fn compile(
    py: Python<'_>,
    graph: Py<Graph>,
    plan: &str,
    limits: Limits,
    values: Vec<(String, String)>,
) -> PyResult<Plan> {
    let open = graph.get().open()?;
    let (budget, task) = (limits.plan_budget()?, limits.task()?);
    let plan = on_this_thread(py, task, |task| {
        let values = values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let pipeline = Template::from_json_within(plan, &budget)?.bind_texts(values)?;
        Ok(pipeline.compile_within(&open.graph, task.flag(), &budget)?)
    })?;
    Ok(Plan { graph, plan })
}

#[pymethods]
impl Plan {
    /// The kind of rows: `nodes`, `edges`, `values` or `columns`.
    #[getter]
    fn row_kind(&self) -> &'static str {
        match self.plan.columns().row_kind() {
            RowKind::Nodes => "nodes",
            RowKind::Edges => "edges",
            RowKind::Values => "values",
            _ => "columns",
        }
    }

    /// The columns of the rows.
    #[getter]
    fn columns(&self) -> Vec<ColumnRow> {
        let row = |column: pipeline::PlanColumn<'_>| {
            let value_type = column.value_type().map(varvite::ValueType::name);
            (column.name().to_owned(), kind_name(column.kind()), value_type, column.is_list())
        };
        self.plan.columns().map(row).collect()
    }

    /// The operators that the engine chose, with the rows that it expects, as lines of text.
    fn explain(&self) -> String {
        self.plan.explain().to_string()
    }

    /// Begins a run.
    fn run(&self, py: Python<'_>, limits: Limits) -> PyResult<Run> {
        self.open()?;
        let options = limits.options()?;
        let cancel = options.task.flag().clone();
        let run = Arc::new(Mutex::new(self.plan.run(options)));
        Ok(Run { graph: self.graph.clone_ref(py), run, cancel })
    }
}

impl Plan {
    pub(crate) fn new(graph: Py<Graph>, plan: pipeline::Plan) -> Self {
        Self { graph, plan }
    }

    pub(crate) fn open(&self) -> Result<Arc<Open>> {
        self.graph.get().open()
    }

    pub(crate) fn compiled(&self) -> &pipeline::Plan {
        &self.plan
    }
}

#[pymethods]
impl Run {
    /// The rows of the next batch, `None` at the end. Nodes are ids, edges are tuples of label, source,
    /// target and rank, and rows of columns are tuples.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<PyList>>> {
        let open = self.graph.get().open()?;
        let run = Arc::clone(&self.run);
        let has_rows = on_worker(py, &self.cancel, move || Ok(taken(&run)?.next()?.is_some()))?;
        let run = taken(&self.run)?;
        let Some(rows) = run.rows().filter(|_| has_rows) else { return Ok(None) };
        rows_to_python(py, &open.graph, &rows).map(Some)
    }

    /// The rows that passed the step `side` of this name while the last batch was made.
    fn side(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyList>> {
        let open = self.graph.get().open()?;
        let Ok(run) = self.run.try_lock() else { return Err(Failure::RunInUse.into()) };
        let rows =
            run.side(name).ok_or_else(|| Failure::Argument(format!("the plan has no side {name:?}")))?;
        rows_to_python(py, &open.graph, &rows)
    }

    /// Cancels the run, from any thread: it then ends with an error.
    fn cancel(&self) {
        self.cancel.cancel();
    }
}

/// The run, if no other thread uses it.
fn taken(run: &Mutex<pipeline::Run>) -> Result<MutexGuard<'_, pipeline::Run>> {
    match run.try_lock() {
        Ok(run) => Ok(run),
        Err(TryLockError::WouldBlock) => Err(Failure::RunInUse),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
    }
}

fn rows_to_python(py: Python<'_>, graph: &varvite::Graph, rows: &Rows<'_>) -> PyResult<Py<PyList>> {
    if let Some(nodes) = rows.nodes() {
        return Ok(PyList::new(py, nodes)?.unbind());
    }
    if let Some(edges) = rows.edges() {
        let edges = edges.iter().map(|edge| edge_to_python(py, graph, *edge));
        return Ok(PyList::new(py, edges.collect::<PyResult<Vec<_>>>()?)?.unbind());
    }
    let columns: Vec<_> = rows.columns().collect();
    let is_single = rows.numbers().is_some();
    let row = |row: usize| -> PyResult<Py<PyAny>> {
        if row.is_multiple_of(ROWS_OF_LOOK) {
            py.check_signals()?;
        }
        let cells = columns.iter().map(|column| row_to_python(py, graph, column, row));
        let mut cells = cells.collect::<PyResult<Vec<_>>>()?;
        match cells.pop() {
            Some(cell) if is_single => Ok(cell),
            last => PyTuple::new(py, cells.into_iter().chain(last).collect::<Vec<_>>())?.into_py_any(py),
        }
    };
    let list = (0..rows.len()).map(row).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, list)?.unbind())
}

fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Node => "node",
        ColumnKind::Edge => "edge",
        ColumnKind::Element => "element",
        ColumnKind::Label => "label",
        _ => "value",
    }
}
