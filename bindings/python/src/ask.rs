//! Queries in the language of Joern: their translation to plans and constants, which the package runs.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;
use varvite::pipeline::{Key, Literal, Operands, Pipeline, all_nodes};
use varvite_text::Answer;

use crate::cells::literal_to_python;
use crate::failure::{Failure, Result};
use crate::graph::Graph;
use crate::plan::Plan;

/// The parts of an answer, as the package puts them together: the name of its form, and its parts.
///
/// | form | parts |
/// |---|---|
/// | `rows`, `value`, `exists` | a plan |
/// | `first`, `maybe` | a plan with at most one row; for `first`, no row is an error |
/// | `text` | a plan, the texts before, between and after its values |
/// | `constant` | a value |
/// | `function` | the function with its operands, and the forms of these |
/// | `tuple` | the forms of its members |
type Form = Py<PyAny>;

/// Translates a query and compiles its plans for a graph.
#[pyfunction]
pub(crate) fn translate(py: Python<'_>, graph: Py<Graph>, query: &str) -> PyResult<Form> {
    graph.get().open()?;
    let translated = py.detach(|| varvite_text::translate(query));
    let translated = translated.map_err(|error| Failure::Text(error.pointed(query)))?;
    form_of(py, &graph, &translated.answer)
}

fn form_of(py: Python<'_>, graph: &Py<Graph>, answer: &Answer) -> PyResult<Form> {
    let plan = |plan: &Pipeline| compiled(py, graph, plan);
    let forms = |answers: &[Answer]| -> PyResult<Py<PyList>> {
        let forms = answers.iter().map(|answer| form_of(py, graph, answer));
        Ok(PyList::new(py, forms.collect::<PyResult<Vec<_>>>()?)?.unbind())
    };
    match answer {
        Answer::Rows(rows) => ("rows", plan(rows)?).into_py_any(py),
        Answer::Value(rows) => ("value", plan(&rows.clone().limit(1))?).into_py_any(py),
        Answer::Exists(rows) => ("exists", plan(&rows.clone().limit(1))?).into_py_any(py),
        Answer::First { plan: rows, is_optional } => {
            (if *is_optional { "maybe" } else { "first" }, plan(rows)?).into_py_any(py)
        }
        Answer::Text { plan: rows, begin, between, end } => {
            ("text", plan(rows)?, begin, between, end).into_py_any(py)
        }
        Answer::Constant(value) => ("constant", literal_to_python(py, value)?).into_py_any(py),
        Answer::Tuple(answers) => ("tuple", forms(answers)?).into_py_any(py),
        Answer::Function(function, answers) => {
            let of = FunctionOf { graph: graph.clone_ref(py), function: function.clone() };
            ("function", of, forms(answers)?).into_py_any(py)
        }
        _ => Err(Failure::Argument("this version cannot answer such a query".to_owned()).into()),
    }
}

fn compiled(py: Python<'_>, graph: &Py<Graph>, pipeline: &Pipeline) -> PyResult<Plan> {
    let open = graph.get().open()?;
    let plan = py.detach(|| varvite_text::compile(pipeline, &open.graph)).map_err(Failure::from)?;
    Ok(Plan::new(graph.clone_ref(py), plan))
}

/// A function whose operands are other answers.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct FunctionOf {
    graph: Py<Graph>,
    function: varvite::pipeline::Function,
}

#[pymethods]
impl FunctionOf {
    /// The plan whose only row is the function of these values.
    fn plan(&self, py: Python<'_>, values: Vec<Operand>) -> PyResult<Plan> {
        let constants = values.into_iter().map(|value| Key::Constant(value.0)).collect();
        let row = all_nodes().count().map(Key::Function(self.function.clone(), Operands(constants)));
        compiled(py, &self.graph, &row)
    }
}

/// A constant that a query computed.
struct Operand(Literal);

impl<'py> FromPyObject<'_, 'py> for Operand {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        literal(&value).map(Self).map_err(PyErr::from)
    }
}

fn literal(value: &Bound<'_, PyAny>) -> Result<Literal> {
    if let Ok(value) = value.extract::<bool>() {
        return Ok(Literal::Bool(value));
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(Literal::Int(number));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Literal::Float(number));
    }
    Ok(Literal::Text(value.extract::<String>()?))
}
