//! [`Answering`]: asks a query as `varvite ask` does, for rows in the normal form.

use varvite::pipeline::{Cell, Column, Function, Key, Literal, Operands, Options, Pipeline, all_nodes};
use varvite::{Graph, Value};
use varvite_text::{Answer, Reason};

use crate::nodes::{Nodes, escaped};

/// What comes of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The rows, in the normal form.
    Rows(Vec<String>),
    /// The query is not translated.
    Refused(Reason, String),
    /// The query has no answer: it takes the first of no rows.
    NoRow,
    /// The engine does not compile or run a plan.
    Failed(String),
}

/// Why there are no rows.
enum Failure {
    NoRow,
    Engine(String),
}

type Result<T> = std::result::Result<T, Failure>;

/// The graph that is asked.
pub(crate) struct Answering<'g> {
    graph: &'g Graph,
    nodes: Nodes,
}

impl<'g> Answering<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        Self { graph, nodes: Nodes::of(graph) }
    }

    pub(crate) fn ask(&self, query: &str) -> Outcome {
        let query = match varvite_text::translate(query) {
            Ok(query) => query,
            Err(error) => return Outcome::Refused(error.reason, error.pointed(query)),
        };
        match self.rows(&query.answer) {
            Ok(rows) => Outcome::Rows(rows),
            Err(Failure::NoRow) => Outcome::NoRow,
            Err(Failure::Engine(message)) => Outcome::Failed(message),
        }
    }

    /// The rows of an answer.
    fn rows(&self, answer: &Answer) -> Result<Vec<String>> {
        match answer {
            Answer::Rows(plan) | Answer::Value(plan) => self.run(plan),
            Answer::First { plan, is_optional } => {
                let rows = self.run(&plan.clone().limit(1))?;
                if rows.is_empty() && !is_optional { Err(Failure::NoRow) } else { Ok(rows) }
            }
            Answer::Tuple(answers) => {
                let parts = answers.iter().map(|answer| self.part(answer)).collect::<Result<Vec<_>>>()?;
                Ok(vec![bracketed(&parts)])
            }
            answer => Ok(self.value(answer)?.iter().map(shown).collect()),
        }
    }

    /// A part of a tuple: a value, or rows in brackets.
    fn part(&self, answer: &Answer) -> Result<String> {
        let rows = self.rows(answer)?;
        Ok(if matches!(answer, Answer::Rows(_)) { bracketed(&rows) } else { rows.concat() })
    }

    /// The single value of an answer. `None` if a plan gives no value.
    fn value(&self, answer: &Answer) -> Result<Option<Literal>> {
        match answer {
            Answer::Constant(value) => Ok(Some(value.clone())),
            Answer::Exists(plan) => Ok(Some(Literal::Bool(!self.run(&plan.clone().limit(1))?.is_empty()))),
            Answer::Text { plan, begin, between, end } => {
                Ok(Some(Literal::Text(format!("{begin}{}{end}", self.texts(plan)?.join(between)))))
            }
            Answer::Function(function, answers) => self.function(function, answers),
            Answer::Value(plan) | Answer::First { plan, is_optional: true } => self.first_value(plan),
            Answer::First { plan, .. } => self.first_value(plan)?.map(Some).ok_or(Failure::NoRow),
            other => Err(Failure::Engine(format!("{other:?} is no single value"))),
        }
    }

    /// The value of a function of other answers. The engine computes it, for the only row of a count.
    fn function(&self, function: &Function, answers: &[Answer]) -> Result<Option<Literal>> {
        let values = answers.iter().map(|answer| self.value(answer)).collect::<Result<Vec<_>>>()?;
        let Some(values) = values.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let operands = Operands(values.into_iter().map(Key::Constant).collect());
        self.first_value(&all_nodes().count().map(Key::Function(function.clone(), operands)))
    }

    fn first_value(&self, plan: &Pipeline) -> Result<Option<Literal>> {
        let mut first = None;
        self.each_row(&plan.clone().limit(1), |cells| first = cells.first().and_then(|cell| literal(cell)))?;
        Ok(first)
    }

    /// The values of a plan as texts, without escapes.
    fn texts(&self, plan: &Pipeline) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        self.each_row(plan, |cells| texts.extend(cells.first().and_then(|cell| cell.text(&self.nodes))))?;
        Ok(texts)
    }

    /// The rows of a plan.
    fn run(&self, plan: &Pipeline) -> Result<Vec<String>> {
        let mut shown = Vec::new();
        self.each_row(plan, |cells| match cells {
            [cell] => shown.push(cell.shown(&self.nodes)),
            cells => {
                shown.push(bracketed(&cells.iter().map(|cell| cell.shown(&self.nodes)).collect::<Vec<_>>()));
            }
        })?;
        Ok(shown)
    }

    fn each_row(&self, plan: &Pipeline, mut take: impl FnMut(&[Content<'_>])) -> Result<()> {
        let plan =
            varvite_text::compile(plan, self.graph).map_err(|error| Failure::Engine(error.to_string()))?;
        let mut run = plan.run(Options::default());
        while let Some(rows) = run.next().map_err(|error| Failure::Engine(error.to_string()))? {
            let columns: Vec<_> = rows.columns().collect();
            for row in 0..rows.len() {
                take(&columns.iter().map(|column| Content::of(column, row)).collect::<Vec<_>>());
            }
        }
        Ok(())
    }
}

/// What a column has in a row.
enum Content<'r> {
    Cell(Option<Cell<'r>>),
    List(Vec<Cell<'r>>),
}

impl<'r> Content<'r> {
    fn of(column: &Column<'r>, row: usize) -> Self {
        match column.is_list() {
            true => Self::List(column.list(row).collect()),
            false => Self::Cell(column.get(row)),
        }
    }

    fn text(&self, nodes: &Nodes) -> Option<String> {
        match self {
            Self::Cell(cell) => cell.as_ref().map(|cell| text(cell, nodes)),
            Self::List(_) => Some(self.shown(nodes)),
        }
    }

    fn shown(&self, nodes: &Nodes) -> String {
        match self {
            Self::Cell(cell) => cell.as_ref().map(|cell| shown_cell(cell, nodes)).unwrap_or_default(),
            Self::List(cells) => {
                bracketed(&cells.iter().map(|cell| shown_cell(cell, nodes)).collect::<Vec<_>>())
            }
        }
    }
}

fn bracketed(parts: &[String]) -> String {
    format!("[{}]", parts.join(", "))
}

fn shown_cell(cell: &Cell<'_>, nodes: &Nodes) -> String {
    match cell {
        Cell::Node(node) => nodes.text(*node),
        cell => escaped(&text(cell, nodes)),
    }
}

fn text(cell: &Cell<'_>, nodes: &Nodes) -> String {
    match cell {
        Cell::Node(node) => nodes.text(*node),
        Cell::Value(value) => value.to_string(),
        Cell::Label(label) => (*label).to_owned(),
        other => format!("{other:?}"),
    }
}

/// The value of a cell, as a constant of plans.
fn literal(content: &Content<'_>) -> Option<Literal> {
    let Content::Cell(Some(cell)) = content else { return None };
    Some(match cell {
        Cell::Value(Value::Bool(value)) => Literal::Bool(*value),
        Cell::Value(Value::Int(number)) => Literal::Int(*number),
        Cell::Value(Value::Uint(number)) => Literal::from(*number),
        Cell::Value(Value::F64(number)) => Literal::Float(*number),
        Cell::Value(value) => Literal::Text(value.to_string()),
        Cell::Label(label) => Literal::Text((*label).to_owned()),
        other => Literal::Text(format!("{other:?}")),
    })
}

fn shown(value: &Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(number) => number.to_string(),
        Literal::Uint(number) => number.to_string(),
        Literal::Float(number) => number.to_string(),
        Literal::Text(text) => escaped(text),
    }
}
