//! The user's own questions, such as a team's folder of plans.

mod kept;
mod row;

use varvite::pipeline::{Pipeline, Plan};
use varvite_show::{Answer as ShownRows, Format, Selection};
use varvite_text::{Answer, AnswerError, Answering};

use self::kept::Kept;
use self::row::Row;
use crate::error::{ReportError, Result};
use crate::html::{Cell, Page, Table, Title};
use crate::report::{Facts, OwnQuestion};

/// The number of rows of a table.
const ROWS: usize = 100;
/// The number of lines of a question that are shown.
const LINES: usize = 60;

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    for question in &facts.report.questions {
        page.heading(&question.title);
        answer(facts, question, page).map_err(|error| ReportError::Question {
            question: question.title.clone(),
            error: Box::new(error),
        })?;
        let lines: Vec<&str> = question.text.lines().take(LINES).collect();
        page.listing(&lines.join("\n"));
    }
    Ok(())
}

fn answer(
    facts: &Facts<'_>,
    question: &OwnQuestion,
    page: &mut Page,
) -> std::result::Result<(), AnswerError> {
    let (graph, options, kept) = (facts.code.graph, facts.code.options(), Kept::default());
    let selection = Selection {
        format: Format::Jsonl,
        limit: Some(ROWS as u64 + 1),
        task: options.task.clone(),
        ..Selection::default()
    };
    let written = match &question.query.answer {
        Answer::Rows(plan) => {
            let plan = compile(facts, question, plan)?;
            let rows = ShownRows::of_columns(graph, plan.columns(), Format::Jsonl)?;
            rows.write(&mut plan.run(options.clone()), None, kept.sink(), selection)
                .map(drop)
                .map_err(Into::into)
        }
        answer => Answering { graph, options, selection, output: &kept }.write(answer),
    };
    if !kept.is_full() {
        written?;
    }
    let rows = kept.rows();
    let all = match &question.query.answer {
        Answer::Rows(plan) if rows.len() > ROWS => Some(count(facts, &compile(facts, question, plan)?)?),
        _ => None,
    };
    write_rows(rows, all, page);
    if kept.is_full() {
        page.note("The rows are too long for a report: the rest is left out.");
    }
    Ok(())
}

fn compile(
    facts: &Facts<'_>,
    question: &OwnQuestion,
    plan: &Pipeline,
) -> std::result::Result<Plan, AnswerError> {
    let graph = facts.code.graph;
    Ok(match question.names_may_be_missing {
        true => varvite_text::compile(plan, graph)?,
        false => plan.compile(graph)?,
    })
}

/// The number of rows of a plan, which runs to its end.
fn count(facts: &Facts<'_>, plan: &Plan) -> std::result::Result<u64, AnswerError> {
    let (mut run, mut count) = (plan.run(facts.code.options()), 0);
    while let Some(rows) = run.next()? {
        count += rows.len() as u64;
    }
    Ok(count)
}

/// Writes rows as tables: a new one begins where the columns change.
fn write_rows(mut rows: Vec<Row>, all: Option<u64>, page: &mut Page) {
    let all = all.unwrap_or(rows.len() as u64);
    rows.truncate(ROWS);
    if rows.is_empty() {
        page.paragraph("No rows.");
    }
    let left_out = all - rows.len() as u64;
    let mut parts = rows.chunk_by(|one, other| one.has_columns_of(other)).peekable();
    while let Some(part) = parts.next() {
        let mut table = Table::new("Rows", part[0].titles(part).collect::<Vec<Title>>());
        part.iter().for_each(|row| table.push(row.cells().collect::<Vec<Cell>>()));
        let more = if parts.peek().is_none() { left_out } else { 0 };
        table.of_all(part.len() as u64 + more, "row");
        page.table(&table);
    }
}
