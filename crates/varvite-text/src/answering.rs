//! [`Answering`]: runs the plans of a query and writes the answer.

use std::io;

use thiserror::Error;
use varvite::Graph;
use varvite::pipeline::{
    Cell, Key, Literal, Operands, Options, Pipeline, PipelineError, Plan, RowKind, Run, all_nodes,
};
use varvite_show::{Answer as ShownRows, Format, Selection, ShowError, Shown, Sink};

use crate::fit::compile;
use crate::query::Answer;

/// The graph and the options with which a query is answered.
pub struct Answering<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The limits of each run.
    pub options: Options,
    /// The form of rows. Its task is replaced by that of the options.
    pub selection: Selection<'a>,
    /// The receiver of the answer.
    pub output: &'a dyn AnswerOutput,
}

/// The receiver of an answer.
pub trait AnswerOutput {
    /// The target of the next rows.
    fn rows(&self) -> Sink<'_>;

    /// Writes a single value, which may be a text with line ends and control characters.
    ///
    /// # Errors
    /// An error of the writer.
    fn value(&self, text: &str) -> io::Result<()>;

    /// Is called after rows were written.
    fn end_of_rows(&self, run: &Run, shown: Option<Shown>);
}

/// The reason why a query has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// A plan does not fit the graph, or was stopped.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The rows could not be written.
    #[error(transparent)]
    Show(#[from] ShowError),
    /// The value could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The query takes the first of rows, and there are none.
    #[error("the query takes the first row, and there is none: headOption answers nothing instead")]
    NoRow,
    /// Several values stand where one is expected.
    #[error("several values stand where one is expected")]
    SeveralValues,
}

/// The result of answering a query.
type Outcome<T = ()> = Result<T, AnswerError>;

impl Answering<'_> {
    /// Runs the plans of an answer, and writes rows or a single value.
    ///
    /// # Errors
    /// [`AnswerError`]. The output is then incomplete.
    pub fn write(&self, answer: &Answer) -> Outcome {
        match answer {
            Answer::Rows(plan) => self.write_rows(plan),
            Answer::First { plan, is_optional } if self.gives_nodes(plan)? => {
                self.write_first(plan, *is_optional)
            }
            Answer::Tuple(answers) => answers.iter().try_for_each(|answer| self.write(answer)),
            answer => match self.value(answer)? {
                Some(value) => self.write_value(&value),
                None => Ok(()),
            },
        }
    }

    fn compile(&self, plan: &Pipeline) -> Outcome<Plan> {
        Ok(compile(plan, self.graph)?)
    }

    fn write_rows(&self, plan: &Pipeline) -> Outcome {
        let plan = self.compile(plan)?;
        let rows = ShownRows::of_columns(self.graph, plan.columns(), self.selection.format)?;
        let selection = Selection { task: self.options.task.clone(), ..self.selection.clone() };
        let mut run = plan.run(self.options.clone());
        let written = rows.write(&mut run, None, self.output.rows(), selection);
        self.output.end_of_rows(&run, written.as_ref().ok().copied());
        Ok(written.map(drop)?)
    }

    /// Whether the rows of a plan are nodes or rows of columns, and not single values.
    fn gives_nodes(&self, plan: &Pipeline) -> Outcome<bool> {
        Ok(self.compile(plan)?.columns().row_kind() != RowKind::Values)
    }

    /// Writes the first row. Joern throws an exception if there is none, and so this is an error.
    fn write_first(&self, plan: &Pipeline, is_optional: bool) -> Outcome {
        if !is_optional && !self.gives_rows(plan)? {
            return Err(AnswerError::NoRow);
        }
        self.write_rows(plan)
    }

    /// The single value of an answer. `None` if a plan gives no value.
    fn value(&self, answer: &Answer) -> Outcome<Option<Literal>> {
        match answer {
            Answer::Constant(value) => Ok(Some(value.clone())),
            Answer::Value(plan) => self.first_value(plan),
            Answer::First { plan, is_optional } => match self.first_value(plan)? {
                None if !is_optional => Err(AnswerError::NoRow),
                value => Ok(value),
            },
            Answer::Exists(plan) => Ok(Some(Literal::Bool(self.gives_rows(plan)?))),
            Answer::Function(function, answers) => {
                let values =
                    answers.iter().map(|answer| self.value(answer)).collect::<Result<Vec<_>, _>>()?;
                let Some(operands) = values.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
                let operands = Operands(operands.into_iter().map(Key::Constant).collect());
                // The engine computes the function, for the only row of a count.
                let row = all_nodes().count();
                self.first_value(&row.map(Key::Function(function.clone(), operands)))
            }
            Answer::Text { plan, begin, between, end } => {
                let joined = self.texts(plan)?.join(between);
                Ok(Some(Literal::Text(format!("{begin}{joined}{end}"))))
            }
            _ => Err(AnswerError::SeveralValues),
        }
    }

    /// Whether a plan gives any row.
    ///
    /// # Errors
    /// Those of the plan's compilation and run.
    pub fn gives_rows(&self, plan: &Pipeline) -> Outcome<bool> {
        let plan = self.compile(&plan.clone().limit(1))?;
        let mut run = plan.run(self.options.clone());
        while let Some(rows) = run.next()? {
            if !rows.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn first_value(&self, plan: &Pipeline) -> Outcome<Option<Literal>> {
        let plan = self.compile(&plan.clone().limit(1))?;
        let mut run = plan.run(self.options.clone());
        while let Some(rows) = run.next()? {
            if let Some(cell) = rows.column(0).and_then(|column| column.get(0)) {
                return Ok(Some(literal(&cell)));
            }
        }
        Ok(None)
    }

    /// The values of a plan as texts.
    ///
    /// # Errors
    /// Those of the plan's compilation and run.
    pub fn texts(&self, plan: &Pipeline) -> Outcome<Vec<String>> {
        let plan = self.compile(plan)?;
        let mut run = plan.run(self.options.clone());
        let mut texts = Vec::new();
        while let Some(rows) = run.next()? {
            let Some(column) = rows.column(0) else { continue };
            let cells = (0..rows.len()).filter_map(|row| column.get(row));
            texts.extend(cells.map(|cell| text_of(&literal(&cell))));
        }
        Ok(texts)
    }

    /// Writes a single value: bare, or as JSON.
    fn write_value(&self, value: &Literal) -> Outcome {
        let text = match self.selection.format {
            Format::Json | Format::Jsonl => serde_json::to_string(value).unwrap_or_default(),
            _ => text_of(value),
        };
        Ok(self.output.value(&text)?)
    }
}

/// A value as text.
fn text_of(value: &Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(number) => number.to_string(),
        Literal::Uint(number) => number.to_string(),
        Literal::Float(number) => number.to_string(),
        Literal::Text(text) => text.clone(),
    }
}

/// The value of a cell, as a constant of plans.
fn literal(cell: &Cell<'_>) -> Literal {
    use varvite::Value;
    match cell {
        Cell::Node(node) => Literal::Int(i64::from(*node)),
        Cell::Value(Value::Bool(value)) => Literal::Bool(*value),
        Cell::Value(Value::Int(number)) => Literal::Int(*number),
        Cell::Value(Value::Uint(number)) => Literal::from(*number),
        Cell::Value(Value::F64(number)) => Literal::Float(*number),
        Cell::Value(value) => Literal::Text(value.to_string()),
        Cell::Label(label) => Literal::Text((*label).to_owned()),
        other => Literal::Text(format!("{other:?}")),
    }
}
