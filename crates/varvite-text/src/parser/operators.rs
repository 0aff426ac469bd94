//! The operators between operands, and their precedence.

use super::reader::{Lines, Reader};
use super::refusals;
use super::tokens::{Gap, Token, TokenKind};
use crate::error::Result;
use crate::syntax::{BinaryOperator, Word};

/// An operator, or a method between two operands: `a union b`.
pub(super) enum Infix {
    Operator(BinaryOperator, Level),
    Method(Word),
}

/// The precedence of an operator, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Letters,
    Bar,
    Ampersand,
    Equality,
    Comparison,
    Sum,
    Product,
}

impl Infix {
    pub(super) fn level(&self) -> Level {
        match self {
            Self::Operator(_, level) => *level,
            Self::Method(_) => Level::Letters,
        }
    }
}

impl Reader<'_> {
    /// The next token, if it is an operator or method between two operands.
    pub(super) fn infix(&mut self) -> Result<Option<Infix>> {
        match self.next().kind {
            TokenKind::Operator(sign) if !self.is_at_new_line() || self.leads_line() => {
                let infix = operator(sign).ok_or_else(|| refusals::operator(sign, self.next().span))?;
                self.refuse_several_arguments(sign)?;
                self.take();
                Ok(Some(infix))
            }
            TokenKind::Name(_) if !self.is_at_new_line() => self.name("a name").map(Infix::Method).map(Some),
            TokenKind::Keyword("match") => Err(refusals::keyword("match", self.next().span)),
            _ => Ok(None),
        }
    }

    /// Whether the operator that begins this line goes on with the last line: white space and an operand
    /// follow it, in its line or in another that is indented as much. With the indentation of the statements
    /// around a block, it goes on with the block instead.
    fn leads_line(&self) -> bool {
        let (Token { gap, span, indent, .. }, operand) = (self.next(), self.ahead(1));
        let ends_block = matches!(self.layout.lines, Lines::EndBlock { outer } if *indent <= outer);
        !ends_block
            && *gap != Gap::EmptyLine
            && operand.span.start > span.end
            && (!operand.begins_line() || operand.indent >= *indent)
            && operand.kind.begins_operand()
    }

    /// `f(list*)` passes the values of a list as arguments.
    fn refuse_several_arguments(&self, sign: &str) -> Result<()> {
        let ends = matches!(self.ahead(1).kind, TokenKind::Close(_) | TokenKind::Comma);
        if sign == "*" && ends {
            return Err(refusals::several_arguments(self.next().span));
        }
        Ok(())
    }
}

fn operator(sign: &str) -> Option<Infix> {
    use BinaryOperator::*;
    let (operator, level) = match sign {
        "||" => (Or, Level::Bar),
        "|" => (Union, Level::Bar),
        "&&" => (And, Level::Ampersand),
        "&" => (Intersection, Level::Ampersand),
        "&~" => (Difference, Level::Ampersand),
        "==" => (Equal, Level::Equality),
        "!=" => (NotEqual, Level::Equality),
        "<" => (Less, Level::Comparison),
        "<=" => (LessOrEqual, Level::Comparison),
        ">" => (Greater, Level::Comparison),
        ">=" => (GreaterOrEqual, Level::Comparison),
        "->" => (Arrow, Level::Sum),
        "+" => (Plus, Level::Sum),
        "-" => (Minus, Level::Sum),
        "++" => (Append, Level::Sum),
        "--" => (Difference, Level::Sum),
        "*" => (Times, Level::Product),
        "/" => (Divide, Level::Product),
        "%" => (Remainder, Level::Product),
        _ => return None,
    };
    Some(Infix::Operator(operator, level))
}
