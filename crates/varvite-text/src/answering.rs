//! [`Answering`]: runs the plans of a query and writes the answer.

use std::io;

use varvite::Graph;
use varvite::pipeline::{Literal, Options, Plan, Run};
use varvite_show::{Answer as ShownRows, Format, Selection, Shown, Sink};

use crate::evaluation::{AnswerError, AnswerPart, Evaluation, text_of};
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

/// The result of answering a query.
type Outcome = Result<(), AnswerError>;

impl Answering<'_> {
    /// Runs the plans of an answer, and writes rows or a single value.
    ///
    /// # Errors
    /// [`AnswerError`]. The output is then incomplete.
    pub fn write(&self, answer: &Answer) -> Outcome {
        self.evaluation().parts(answer, &mut |part| match part {
            AnswerPart::Rows(plan) => self.write_rows(&plan),
            AnswerPart::Value(value) => self.write_value(&value),
        })
    }

    /// The evaluation of queries without output.
    pub fn evaluation(&self) -> Evaluation<'_> {
        Evaluation { graph: self.graph, options: self.options.clone() }
    }

    fn write_rows(&self, plan: &Plan) -> Outcome {
        let rows = ShownRows::of_columns(self.graph, plan.columns(), self.selection.format)?;
        let selection = Selection { task: self.options.task.clone(), ..self.selection.clone() };
        let mut run = plan.run(self.options.clone());
        let written = rows.write(&mut run, None, self.output.rows(), selection);
        self.output.end_of_rows(&run, written.as_ref().ok().copied());
        Ok(written.map(drop)?)
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
