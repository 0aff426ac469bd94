//! The parts of Scala that queries do not have, and what to write instead.

use super::reader::Reader;
use super::tokens::{Token, TokenKind};
use crate::error::{Reason, TextError};
use crate::syntax::Span;
use crate::visible::quoted;

/// Words of Scala that begin a declaration only if another word follows them.
const SOFT_KEYWORDS: [&str; 5] = ["extension", "inline", "opaque", "open", "transparent"];

/// Reserved words that are close to the name of a step.
const STEPS: [(&str, &str); 3] = [("import", "imports"), ("return", "ret"), ("type", "typ")];

impl Reader<'_> {
    /// The fault of a statement that begins with a word of Scala that queries do not have.
    pub(super) fn refused_statement(&self) -> Option<TextError> {
        let (next, second) = (self.next(), self.ahead(1));
        match next.kind {
            TokenKind::Keyword(word) if !matches!(word, "true" | "false" | "null" | "if") => {
                Some(keyword(word, next.span))
            }
            TokenKind::At => Some(annotation(next.span)),
            TokenKind::Name(word) if SOFT_KEYWORDS.contains(&word) => {
                let declares = |token: &Token<'_>| matches!(token.kind, TokenKind::Keyword(_));
                (declares(second) || declares(self.after_brackets(1))).then(|| keyword(word, next.span))
            }
            _ => None,
        }
    }

    /// The fault of `using name`, among parameters and arguments.
    pub(super) fn refused_using(&self) -> Option<TextError> {
        let (next, second) = (self.next(), self.ahead(1));
        let refused = next.kind == TokenKind::Name("using") && matches!(second.kind, TokenKind::Name(_));
        refused.then(|| keyword("using", next.span))
    }

    /// The fault of a value that has less indentation than its block.
    pub(super) fn outdented(&self) -> Option<TextError> {
        let message = "a value is expected, but this line ends the block: write more white space before it";
        self.is_outdented().then(|| TextError::new(self.next().span, Reason::Syntax, message))
    }

    /// The fault of a value that queries do not have.
    pub(super) fn refused_value(&self) -> Option<TextError> {
        let next = self.next();
        match next.kind {
            TokenKind::Keyword(word) => Some(keyword(word, next.span)),
            TokenKind::At => Some(annotation(next.span)),
            TokenKind::Operator(sign) if sign.starts_with('<') => Some(xml(next.span)),
            _ => None,
        }
    }
}

/// The fault of a reserved word.
pub(super) fn keyword(word: &str, span: Span) -> TextError {
    let (reason, advice) = match word {
        "match" => (Reason::Match, "write `collectAll[Call]`, `isCall` or a condition"),
        "import" | "export" | "package" => (Reason::Declaration, "leave this line out, all steps are known"),
        "given" | "implicit" | "using" => (Reason::Declaration, "write the value as an argument"),
        "inline" | "transparent" | "open" | "private" | "protected" | "override" => {
            (Reason::Declaration, "leave the word out")
        }
        "class" | "trait" | "object" | "enum" | "type" | "extends" | "abstract" | "final" | "sealed"
        | "opaque" | "extension" => (Reason::Declaration, "write `val` or `def`"),
        "for" | "yield" => (Reason::Loop, "write `flatMap`, `filter` or `map`"),
        "while" | "do" => (Reason::Loop, "write `repeat(..)(..)`"),
        "var" => (Reason::Variable, "write `val`"),
        "try" | "catch" | "finally" | "throw" => (Reason::Exception, "write a condition, or `headOption`"),
        "return" => (Reason::Exception, "the last expression of a block is its value"),
        "new" => (Reason::JvmCall, "write a value of the graph, a text, a number, `List(..)` or `Set(..)`"),
        "null" => (Reason::NotInPlans, "an absent value is `None`"),
        "this" | "super" => (Reason::UnknownName, "write `cpg` or a name"),
        "if" => (Reason::Syntax, "write parentheses around `if`"),
        "val" | "def" | "case" => return braces(word, span),
        _ => return TextError::new(span, Reason::Syntax, format!("`{word}` is in the wrong place")),
    };
    TextError::new(span, reason, format!("queries have no `{word}`: {advice}"))
}

fn braces(word: &str, span: Span) -> TextError {
    let message =
        format!("`{word}` is within an expression: write braces around it and its value, `{{ {word} .. }}`");
    TextError::new(span, Reason::Syntax, message)
}

/// The fault of a reserved word as the name of a step.
pub(super) fn step(word: &str, span: Span) -> TextError {
    if word == "match" {
        return keyword(word, span);
    }
    let advice = match STEPS.iter().find(|(reserved, _)| *reserved == word) {
        Some((_, step)) => format!("write `{step}`"),
        None => "write it in backquotes to name a step".to_owned(),
    };
    TextError::new(span, Reason::Syntax, format!("`{word}` is a reserved word: {advice}"))
}

/// The fault of an operator that queries do not have.
pub(super) fn operator(sign: &str, span: Span) -> TextError {
    let sign_shown = quoted(sign);
    let (reason, advice) = match sign {
        "#>" | "#>>" | "|>" => (Reason::Effect, ": it writes a file; redirect the output of the command"),
        "::" | "+:" | ":+" | ":::" => (Reason::NotInPlans, ": write `List(..) ++ ..`"),
        "<-" => (Reason::Loop, ": write `flatMap`, `filter` or `map`"),
        "^" | "<<" | ">>" | ">>>" | "~" => (Reason::NotInPlans, ": numbers have `+ - * / %`"),
        "===" | "!==" => (Reason::Syntax, ": write `==` or `!=`"),
        "<>" => (Reason::Syntax, ": write `!=`"),
        _ if is_assignment(sign) => return assignment(span),
        _ if sign.len() > 1 && sign.ends_with(['-', '!', '+']) => {
            (Reason::Syntax, ": write a space between two operators")
        }
        _ => (Reason::Syntax, ""),
    };
    TextError::new(span, reason, format!("queries have no operator `{sign_shown}`{advice}"))
}

fn is_assignment(sign: &str) -> bool {
    sign.ends_with('=') && !sign.starts_with(['=', '!', '<', '>'])
}

/// The fault of `name = value` outside of a `val`.
pub(super) fn assignment(span: Span) -> TextError {
    let message = "no name can get another value: write `val` and a new name, or `==` to compare";
    TextError::new(span, Reason::Variable, message)
}

/// The fault of `f(name = value)`.
pub(super) fn named_argument(name: &str, span: Span) -> TextError {
    let name = quoted(name);
    let message =
        format!("arguments have no names: write the value without `{name} =`, or `{name} ==` to compare");
    TextError::new(span, Reason::Variable, message)
}

/// The fault of `f(list*)` and `f(list: _*)`.
pub(super) fn several_arguments(span: Span) -> TextError {
    let message = "a list cannot be passed as several arguments: write each argument, or one pattern `a|b|c`";
    TextError::new(span, Reason::NotInPlans, message)
}

/// The fault of `map: x => ..`.
pub(super) fn colon_lambda(span: Span) -> TextError {
    TextError::new(
        span,
        Reason::Syntax,
        "a lambda after `:` is no argument: write `(x => ..)` or `{ x => .. }`",
    )
}

/// The fault of a pattern that is no name, `_` or tuple.
pub(super) fn pattern(span: Span) -> TextError {
    let message =
        "after `case`, queries have names, `_` and tuples of these: write `collectAll[Call]` or a condition";
    TextError::new(span, Reason::Match, message)
}

/// The fault of a second `case`.
pub(super) fn second_case(span: Span) -> TextError {
    let message =
        "queries have one `case` in braces: write `collectAll[Call]`, `isCall` or `if .. then .. else`";
    TextError::new(span, Reason::Match, message)
}

/// The fault of `def f[A]`.
pub(super) fn type_parameters(span: Span) -> TextError {
    let message = "a `def` has no types as parameters: write the type of each value";
    TextError::new(span, Reason::Declaration, message)
}

fn annotation(span: Span) -> TextError {
    TextError::new(span, Reason::Declaration, "queries have no annotations: leave `@` and its word out")
}

fn xml(span: Span) -> TextError {
    TextError::new(
        span,
        Reason::Syntax,
        "queries have no XML, and no operator begins with `<` here: write a value",
    )
}
