//! [`Token`]: a word, literal or sign of a query.
//!
//! White space and comments are no tokens; a token keeps what the grammar needs of them: whether it begins a
//! line, and how far that line is indented.

use crate::syntax::Span;

/// A word, literal or sign, and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) span: Span,
    pub(super) gap: Gap,
    /// The number of characters before the token in its line; only for a token that begins a line.
    pub(super) indent: usize,
}

/// The white space and comments before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The token does not begin a line.
    Space,
    /// The token begins a line.
    NewLine,
    /// The token begins a line, and the line before it is empty.
    EmptyLine,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// A name, without backquotes.
    Name(&'t str),
    /// A reserved word of Scala.
    Keyword(&'t str),
    /// `_`.
    Underscore,
    /// A sign of one or more characters: `&&`, `+`.
    Operator(&'t str),
    /// A text, with its escapes replaced.
    Text(String),
    Integer(i64),
    Float(f64),
    Open(Bracket),
    Close(Bracket),
    Dot,
    Comma,
    Semicolon,
    Colon,
    /// `=`.
    Assign,
    /// `=>`.
    Arrow,
    /// `@`.
    At,
    /// The end of the query.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    Round,
    Square,
    Curly,
}

impl Token<'_> {
    pub(super) fn begins_line(&self) -> bool {
        self.gap != Gap::Space
    }
}

impl TokenKind<'_> {
    /// Whether an operand can begin with this token.
    pub(super) fn begins_operand(&self) -> bool {
        match self {
            Self::Name(_) | Self::Underscore | Self::Text(_) | Self::Integer(_) | Self::Float(_) => true,
            Self::Open(bracket) => *bracket != Bracket::Square,
            Self::Operator(operator) => matches!(*operator, "-" | "!" | "+"),
            Self::Keyword(word) => matches!(*word, "true" | "false" | "null" | "new" | "this" | "if"),
            _ => false,
        }
    }
}

impl Bracket {
    pub(super) fn opening(self) -> char {
        match self {
            Self::Round => '(',
            Self::Square => '[',
            Self::Curly => '{',
        }
    }

    pub(super) fn closing(self) -> char {
        match self {
            Self::Round => ')',
            Self::Square => ']',
            Self::Curly => '}',
        }
    }
}
