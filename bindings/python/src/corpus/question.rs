//! [`Question`]: a question to each graph of a corpus, and the parts of the answer.

use std::sync::Arc;

use varvite::Budget;
use varvite::arrow::{Field, RecordBatch, TextForm};
use varvite::pipeline::{self, Options, Pipeline};
use varvite_corpus::{Send, Visit};
use varvite_text::{AnswerPart, Evaluation, Query};

use crate::failure::{Failure, Result};
use crate::options::PLAN_BYTES_MIN;

/// The name of the column of single values.
const VALUE: &str = "value";

/// A question to each graph.
pub(super) enum Question {
    /// The steps of a plan, with the values of its parameters.
    Plan(Pipeline),
    /// A query in the language of Joern.
    Text(Query),
}

/// A part of the answer of a graph.
pub(super) enum Part {
    /// The columns of the batches that follow.
    Fields(Arc<[Field]>),
    /// Rows.
    Rows(RecordBatch),
}

impl Question {
    /// Asks one graph. Stops early if no more parts are wanted.
    pub(super) fn ask(
        &self,
        visit: &Visit<'_>,
        batch_rows: Option<usize>,
        send: Send<'_, Part>,
    ) -> Result<()> {
        let mut options = Options::from(visit.graph.task_beside(visit.task.clone()));
        options.batch_rows = batch_rows.unwrap_or(options.batch_rows);
        let sent = |plan: &pipeline::Plan| send_rows(plan, options.clone(), visit.result_bytes, send);
        match self {
            Self::Plan(pipeline) => {
                let budget = Budget::new(visit.task.memory_bytes().max(PLAN_BYTES_MIN));
                sent(&pipeline.compile_within(visit.graph, visit.task.flag(), &budget)?)
            }
            Self::Text(query) => {
                let evaluation = Evaluation { graph: visit.graph, options: options.clone() };
                evaluation.parts(&query.answer, &mut |part| match part {
                    AnswerPart::Rows(plan) => sent(&plan),
                    AnswerPart::Value(value) => {
                        let row = RecordBatch::of_value(VALUE, &value);
                        send(Part::Fields(Arc::clone(row.fields())));
                        send(Part::Rows(row));
                        Ok(())
                    }
                    _ => Err(Failure::Argument("this version cannot answer such a query".to_owned())),
                })
            }
        }
    }
}

fn send_rows(plan: &pipeline::Plan, options: Options, bytes: usize, send: Send<'_, Part>) -> Result<()> {
    let batches = plan.run_arrow_as(options, TextForm::Full).bytes_max(bytes);
    let mut is_wanted = send(Part::Fields(Arc::clone(batches.fields())));
    for batch in batches {
        let batch = batch?;
        is_wanted = is_wanted && send(Part::Rows(batch));
        if !is_wanted {
            break;
        }
    }
    Ok(())
}
