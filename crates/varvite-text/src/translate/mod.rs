//! The translation of a query's syntax to plans.
//!
//! Reading order: `value` for the things that expressions stand for; `expressions` and `lambdas` for the
//! forms of the language; `starts`, `steps`, `computed`, `nodes`, `rows`, `collections`, `groups`, `sets`,
//! `filters`, `heights`, `walks` and `scalars` for what comes after a dot; `operators` and `totals` for what
//! stands between two expressions; `answer` for the plan of the whole query.

mod answer;
mod collections;
mod computed;
mod expressions;
mod filters;
mod groups;
mod heights;
mod lambdas;
mod links;
mod nodes;
mod operators;
mod patterns;
mod rows;
mod scalars;
mod scopes;
mod sets;
mod starts;
mod steps;
mod totals;
mod value;
mod walks;

pub(crate) use collections::NAMES as COLLECTION_METHODS;

use crate::error::{Reason, Result, TextError};
use crate::query::Query;
use crate::syntax::{Script, Span, Statement};
use scopes::Variable;
use value::{Scope, Value};

/// The number of expressions and steps that the translation of a query may visit. A `def` is visited at each
/// use.
const MOST_EXPRESSIONS: usize = 20_000;

/// The stack of the thread that translates a query: expressions nest up to the limit of the parser.
const STACK_BYTES: usize = 64 << 20;

/// Translates a query.
pub(crate) fn translate(script: &Script) -> Result<Query> {
    std::thread::scope(|threads| {
        let work = || Translator::default().query(script);
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(threads, work);
        let no_thread = |_| TextError::new(Span::default(), Reason::TooLarge, "no thread could be started");
        let joined = thread.map_err(no_thread)?.join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The state of a translation.
#[derive(Debug, Default)]
struct Translator {
    /// The number of scopes made so far.
    scopes: usize,
    /// The scopes of the enclosing lambdas, the innermost last.
    enclosing: Vec<Scope>,
    /// The variables that the current expression sees, the innermost last.
    variables: Vec<Variable>,
    /// The number of expressions visited so far.
    visited: usize,
}

impl Translator {
    fn query(mut self, script: &Script) -> Result<Query> {
        let value = self.statements(&script.statements)?;
        let span = match script.statements.last() {
            Some(Statement::Expression(expression)) => expression.span,
            Some(Statement::Val { name, .. } | Statement::Def { name, .. }) => name.span,
            None => Span::default(),
        };
        self.answer(value, span)
    }

    /// The value of the last statement. The variables of the statements end with it.
    fn statements(&mut self, statements: &[Statement]) -> Result<Value> {
        let visible = self.variables.len();
        let mut last = None;
        for statement in statements {
            last = Some(self.statement(statement)?);
        }
        self.variables.truncate(visible);
        last.ok_or_else(|| TextError::new(Span::default(), Reason::Syntax, "the query is empty"))
    }

    fn statement(&mut self, statement: &Statement) -> Result<Value> {
        match statement {
            Statement::Expression(expression) => self.value(expression),
            Statement::Val { name, value } => {
                let defined = self.value(value)?;
                self.define(Variable::val(&name.text, value, self.enclosing.len(), self.variables.len()));
                Ok(defined)
            }
            Statement::Def { name, parameters, value } => {
                if !parameters.is_empty() {
                    let function = self.function(parameters, value);
                    self.define(Variable::bound(&name.text, function.clone()));
                    return Ok(function);
                }
                let defined = self.value(value)?;
                self.define(Variable::def(&name.text, value, self.variables.len()));
                Ok(defined)
            }
        }
    }

    /// Counts a visited expression or step, and fails beyond the limit.
    fn visit(&mut self, span: Span) -> Result<()> {
        self.visited += 1;
        if self.visited > MOST_EXPRESSIONS {
            let message = format!(
                "the query has more than {MOST_EXPRESSIONS} expressions, with its `def`s written out"
            );
            return Err(TextError::new(span, Reason::TooLarge, message));
        }
        Ok(())
    }
}
