//! [`Evaluation`]: the parts of an answer, as plans to run and single values.

use std::io;

use thiserror::Error;
use varvite::Graph;
use varvite::pipeline::{
    Cell, Key, Literal, Operands, Options, Pipeline, PipelineError, Plan, RowKind, all_nodes,
};
use varvite_show::ShowError;

use crate::fit::compile;
use crate::query::Answer;

/// The graph and the limits with which a query is evaluated.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The limits of each run.
    pub options: Options,
}

/// A part of an answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnswerPart {
    /// The rows of a plan, which was not run yet.
    Rows(Plan),
    /// A single value.
    Value(Literal),
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

type Outcome<T> = Result<T, AnswerError>;

impl Evaluation<'_> {
    /// Passes the parts of an answer on: rows, or a single value; those of each member of a tuple. A value
    /// that is absent has no part.
    ///
    /// # Errors
    /// The first error of `take`, or an [`AnswerError`]; earlier parts were passed on.
    pub fn parts<E: From<AnswerError>>(
        &self,
        answer: &Answer,
        take: &mut dyn FnMut(AnswerPart) -> Result<(), E>,
    ) -> Result<(), E> {
        match answer {
            Answer::Rows(plan) => take(AnswerPart::Rows(self.compile(plan)?)),
            Answer::First { plan, is_optional } if self.gives_nodes(plan)? => {
                take(AnswerPart::Rows(self.first(plan, *is_optional)?))
            }
            Answer::Tuple(answers) => answers.iter().try_for_each(|answer| self.parts(answer, take)),
            answer => match self.value(answer)? {
                Some(value) => take(AnswerPart::Value(value)),
                None => Ok(()),
            },
        }
    }

    fn compile(&self, plan: &Pipeline) -> Outcome<Plan> {
        Ok(compile(plan, self.graph)?)
    }

    /// Whether the rows of a plan are nodes or rows of columns, and not single values.
    fn gives_nodes(&self, plan: &Pipeline) -> Outcome<bool> {
        Ok(self.compile(plan)?.columns().row_kind() != RowKind::Values)
    }

    /// The plan of the first row. Joern throws an exception if there is none, and so this is an error.
    fn first(&self, plan: &Pipeline, is_optional: bool) -> Outcome<Plan> {
        if !is_optional && !self.gives_rows(plan)? {
            return Err(AnswerError::NoRow);
        }
        self.compile(plan)
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
}

/// A value as text.
pub(crate) fn text_of(value: &Literal) -> String {
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
