//! Expressions: lambdas, conditionals, and operands with operators between.

use std::mem;

use super::operators::{Infix, Level};
use super::reader::Reader;
use super::tokens::{Bracket, TokenKind};
use super::tree::Tree;
use super::{lambdas, refusals};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{ExpressionKind, UnaryOperator};

impl Reader<'_> {
    /// An expression. If it has a `_` that no smaller expression has, it is a lambda.
    pub(super) fn expression(&mut self) -> Result<Tree> {
        let expression = self.open_expression()?;
        if lambdas::is_placeholder(&expression) {
            Err(lambdas::unbound(expression.span()))
        } else {
            Ok(expression)
        }
    }

    /// An expression, or a `_` alone, which belongs to the expression around.
    fn open_expression(&mut self) -> Result<Tree> {
        self.limit_placeholders(|reader| reader.deeper(Self::form))
    }

    /// Reads an expression that is a lambda if it has a `_`.
    pub(super) fn limit_placeholders(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Tree>,
    ) -> Result<Tree> {
        let outer = mem::take(&mut self.placeholders);
        let expression = read(self)?;
        let placeholders = mem::replace(&mut self.placeholders, outer);
        self.bind(placeholders, expression)
    }

    fn form(&mut self) -> Result<Tree> {
        if let Some(fault) = self.outdented() {
            return Err(fault);
        }
        if self.begins_lambda() {
            return self.lambda();
        }
        if self.is_keyword("if") {
            return self.conditional();
        }
        let expression = self.operators()?;
        match self.next().kind {
            TokenKind::Colon => self.ascription()?,
            TokenKind::Assign => return Err(refusals::assignment(self.next().span)),
            _ => {}
        }
        Ok(expression)
    }

    /// Operands with operators between. An operator waits for its right operand until one that binds less
    /// follows.
    fn operators(&mut self) -> Result<Tree> {
        let operand = self.operand()?;
        self.operators_after(operand)
    }

    /// The operators and operands after the first.
    pub(super) fn operators_after(&mut self, mut operand: Tree) -> Result<Tree> {
        let mut waiting = Vec::new();
        while let Some(infix) = self.infix()? {
            operand = settle(&mut waiting, operand, infix.level())?;
            match infix {
                Infix::Method(name) if !self.begins_operand() => return operand.select(name),
                infix => waiting.push((operand, infix)),
            }
            operand = self.operand()?;
        }
        settle(&mut waiting, operand, Level::Letters)
    }

    fn begins_operand(&self) -> bool {
        !self.is_at_new_line() && self.next().kind.begins_operand()
    }

    /// An operand, perhaps after `-`, `+` or `!`.
    fn operand(&mut self) -> Result<Tree> {
        if let Some(fault) = self.outdented() {
            return Err(fault);
        }
        match self.next().kind {
            TokenKind::Operator(sign @ ("-" | "+" | "!")) => self.deeper(|reader| reader.unary(sign)),
            _ => self.chain(),
        }
    }

    fn unary(&mut self, sign: &str) -> Result<Tree> {
        let start = self.take().span;
        if sign == "-"
            && let Some(number) = self.negative(start.start)
        {
            return self.steps(number);
        }
        let operand = self.operand()?;
        let (below, span) = (operand.height(), start.to(operand.span()));
        let operator = match sign {
            "+" => return Ok(operand),
            "-" => UnaryOperator::Minus,
            _ => UnaryOperator::Not,
        };
        Tree::over(below, ExpressionKind::Unary { operator, operand: operand.boxed() }, span)
    }

    /// The number after a minus: they are one literal, so that `-1.abs` is 1.
    fn negative(&mut self, start: usize) -> Option<Tree> {
        let kind = match self.next().kind {
            TokenKind::Integer(value) => ExpressionKind::Integer(value.wrapping_neg()),
            TokenKind::Float(value) => ExpressionKind::Float(-value),
            _ => return None,
        };
        self.take();
        Some(Tree::leaf(kind, self.span_from(start)))
    }

    /// `(value)`, or a tuple.
    pub(super) fn parentheses(&mut self) -> Result<Tree> {
        let start = self.take().span;
        let mut parts =
            self.within(self.joined_lines(), |reader| reader.list(Bracket::Round, Self::argument))?;
        let span = start.to(self.last_span());
        match (parts.pop(), parts.is_empty()) {
            (None, _) => {
                Err(TextError::new(span, Reason::Syntax, "`()` has no value: write a value between"))
            }
            (Some(only), true) => Ok(only.at(span)),
            (Some(last), false) => {
                parts.push(last);
                Tree::tuple(parts, span)
            }
        }
    }

    /// An expression in parentheses.
    pub(super) fn argument(&mut self) -> Result<Tree> {
        if let (TokenKind::Name(name), TokenKind::Assign) = (&self.next().kind, &self.ahead(1).kind) {
            return Err(refusals::named_argument(name, self.next().span.to(self.ahead(1).span)));
        }
        self.refused_using().map_or_else(|| self.open_expression(), Err)
    }
}

/// Joins operands with the waiting operators that bind as strongly as `level`.
fn settle(waiting: &mut Vec<(Tree, Infix)>, mut right: Tree, level: Level) -> Result<Tree> {
    while let Some((left, infix)) = waiting.pop_if(|(_, infix)| infix.level() >= level) {
        right = match infix {
            Infix::Operator(operator, _) => Tree::binary(left, operator, right)?,
            Infix::Method(name) => Tree::infix_call(left, name, right)?,
        };
    }
    Ok(right)
}
