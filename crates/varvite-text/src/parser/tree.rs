//! [`Tree`]: an expression and its height.
//!
//! Code that follows an expression, and the code that drops it, calls itself for each level, so that the
//! height must be small: a query of 1 MiB could be a chain of 500,000 steps.

use crate::error::{Reason, Result, TextError};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Pattern, Span, Word};

/// The greatest height of an expression.
pub(super) const HEIGHT_MAX: usize = 1000;

pub(super) struct Tree {
    pub(super) expression: Expression,
    height: usize,
}

impl Tree {
    /// An expression without parts.
    pub(super) fn leaf(kind: ExpressionKind, span: Span) -> Self {
        Self { expression: Expression { kind, span }, height: 1 }
    }

    /// An expression over parts of which the highest has the height `below`.
    pub(super) fn over(below: usize, kind: ExpressionKind, span: Span) -> Result<Self> {
        if below >= HEIGHT_MAX {
            let message =
                format!("more than {HEIGHT_MAX} steps or operators depend on each other: split the query");
            return Err(TextError::new(span, Reason::TooLarge, message));
        }
        Ok(Self { expression: Expression { kind, span }, height: below + 1 })
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    pub(super) fn span(&self) -> Span {
        self.expression.span
    }

    pub(super) fn boxed(self) -> Box<Expression> {
        Box::new(self.expression)
    }

    /// The same expression, whose place includes the brackets around it.
    pub(super) fn at(mut self, span: Span) -> Self {
        self.expression.span = span;
        self
    }

    /// `on.name`.
    pub(super) fn select(self, name: Word) -> Result<Self> {
        let (below, span) = (self.height, self.span().to(name.span));
        Self::over(below, ExpressionKind::Select { on: self.boxed(), name }, span)
    }

    /// `function[types](arguments)`, whose last bracket ends at `end`.
    pub(super) fn call(self, types: Vec<Word>, arguments: Vec<Self>, end: usize) -> Result<Self> {
        let below = self.height.max(height(&arguments));
        let span = Span { start: self.span().start, end };
        let (function, arguments) = (self.boxed(), expressions(arguments));
        Self::over(below, ExpressionKind::Call { function, types, arguments }, span)
    }

    pub(super) fn binary(left: Self, operator: BinaryOperator, right: Self) -> Result<Self> {
        let (below, span) = (left.height.max(right.height), left.span().to(right.span()));
        Self::over(below, ExpressionKind::Binary { operator, left: left.boxed(), right: right.boxed() }, span)
    }

    pub(super) fn tuple(parts: Vec<Self>, span: Span) -> Result<Self> {
        Self::over(height(&parts), ExpressionKind::Tuple(expressions(parts)), span)
    }

    pub(super) fn lambda(parameters: Vec<Pattern>, body: Self, span: Span) -> Result<Self> {
        Self::over(body.height, ExpressionKind::Lambda { parameters, body: body.boxed() }, span)
    }

    /// `left name right`, where `right` can be several arguments in parentheses.
    pub(super) fn infix_call(left: Self, name: Word, right: Self) -> Result<Self> {
        let (below, end) = (right.height, right.span().end);
        let arguments = match right.expression.kind {
            ExpressionKind::Tuple(parts) => parts,
            kind => vec![Expression { kind, ..right.expression }],
        };
        let function = left.select(name)?;
        let (below, span) = (below.max(function.height), Span { start: function.span().start, end });
        let (function, types) = (function.boxed(), Vec::new());
        Self::over(below, ExpressionKind::Call { function, types, arguments }, span)
    }
}

/// The height of the highest of several expressions.
fn height(trees: &[Tree]) -> usize {
    trees.iter().map(Tree::height).max().unwrap_or(0)
}

fn expressions(trees: Vec<Tree>) -> Vec<Expression> {
    trees.into_iter().map(|tree| tree.expression).collect()
}
