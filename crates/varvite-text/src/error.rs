//! [`TextError`]: a query that is not understood, and the place in its text.

use crate::excerpt::Excerpt;
use crate::syntax::Span;

/// A query that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    /// The place of the fault in the text.
    pub span: Span,
    /// The reason.
    pub reason: Reason,
    /// One line that says what is at fault, and what can be written instead.
    pub message: String,
}

/// The result of reading a query.
pub type Result<T> = std::result::Result<T, TextError>;

/// The kinds of faults in queries. Programs in Scala can do more than a plan; each form of theirs that a plan
/// cannot hold has a reason of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The text is no expression: a bracket is missing, a word is in the wrong place.
    Syntax,
    /// The text ends too early: a bracket is open, or a value is missing. A shell can ask for another line.
    Unfinished,
    /// A limit of the text is exceeded: its length or the depth of its brackets.
    TooLarge,
    /// No step, property, label or variable has this name.
    UnknownName,
    /// A value has a type that the step or operator does not accept.
    Type,
    /// `match`, or `case` with anything but names and tuples.
    Match,
    /// `class`, `object`, `trait`, `enum`, `type`, `given`, `extension`, `import`, `package`.
    Declaration,
    /// `for`, `while`, `do`.
    Loop,
    /// `var` and assignments.
    Variable,
    /// `s"..."` and its like.
    Interpolation,
    /// `try`, `throw`, `return`.
    Exception,
    /// `new`, and calls of libraries of the JVM.
    JvmCall,
    /// Data flow between functions: `reachableBy` and its like.
    Flows,
    /// Steps that change the graph, write files, or draw.
    Effect,
    /// The value is one that plans do not hold yet.
    NotInPlans,
}

impl TextError {
    pub(crate) fn new(span: Span, reason: Reason, message: impl Into<String>) -> Self {
        Self { span, reason, message: message.into() }
    }

    /// The error for a terminal, in three lines: its place and message, the line of the query, and marks
    /// under the fault. Characters that a terminal would obey are shown as escapes, and a long line is cut.
    ///
    /// ```
    /// let query = "cpg.call.name(\"a\".l";
    /// let error = varvite_text::check(query).unwrap_err();
    /// let expected = "1:14: `(` is never closed: write `)`\n  cpg.call.name(\"a\".l\n               ^";
    /// assert_eq!(error.pointed(query), expected);
    /// ```
    pub fn pointed(&self, query: &str) -> String {
        let excerpt = Excerpt::of(query, self.span);
        format!("{}:{}: {}\n{excerpt}", excerpt.line, excerpt.column, self.message)
    }
}
