//! [`Link`]: what stands after a dot, with its arguments.
//!
//! A chain of links is translated in a loop and not by recursion, so that its length costs no stack.

use crate::syntax::{Expression, ExpressionKind, Span, Word};

/// A name after a dot, with its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'e> {
    pub(super) name: &'e Word,
    pub(super) types: &'e [Word],
    /// The arguments in the first parentheses. `None` without parentheses.
    pub(super) arguments: Option<&'e [Expression]>,
    /// The arguments in the second parentheses, as in `repeat(_.caller)(_.emit)`.
    pub(super) more: Option<&'e [Expression]>,
}

impl<'e> Link<'e> {
    /// The arguments in the first parentheses; none without parentheses.
    pub(super) fn list(&self) -> &'e [Expression] {
        self.arguments.unwrap_or_default()
    }

    pub(super) fn text(&self) -> &'e str {
        &self.name.text
    }

    pub(super) fn span(&self) -> Span {
        self.name.span
    }
}

/// The expression with which a chain begins, and its links in order. The chain is empty for other
/// expressions.
pub(super) fn chain(mut expression: &Expression) -> (&Expression, Vec<Link<'_>>) {
    let mut links = Vec::new();
    while let Some((on, link)) = last_link(expression) {
        links.push(link);
        expression = on;
    }
    links.reverse();
    (expression, links)
}

fn last_link(expression: &Expression) -> Option<(&Expression, Link<'_>)> {
    match &expression.kind {
        ExpressionKind::Select { on, name } => {
            Some((on, Link { name, types: &[], arguments: None, more: None }))
        }
        ExpressionKind::Call { function, types, arguments } => match &function.kind {
            ExpressionKind::Select { on, name } => {
                Some((on, Link { name, types, arguments: Some(arguments), more: None }))
            }
            ExpressionKind::Call { function: inner, types: inner_types, arguments: first } => {
                let ExpressionKind::Select { on, name } = &inner.kind else { return None };
                let types = if inner_types.is_empty() { types } else { inner_types };
                Some((on, Link { name, types, arguments: Some(first), more: Some(arguments) }))
            }
            _ => None,
        },
        _ => None,
    }
}
