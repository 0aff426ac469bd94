//! [`Script`]: a query as the parser reads it, before any name in it has a meaning.
//!
//! Every expression and every word has its place in the text, so that errors can point at it. The parser has
//! already resolved the two abbreviations of Scala that depend on the form of the text alone: a call with
//! braces is a call, and an expression with `_` is a lambda.

/// A range of bytes in the text of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The range from the first byte of this one to the last byte of `end`.
    pub(crate) fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

/// A query: statements, the last of which gives the answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Script {
    pub(crate) statements: Vec<Statement>,
}

/// A statement of a query or of a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    /// `val name = value`.
    Val { name: Word, value: Expression },
    /// `def name(parameters) = value`; the parameters may be missing.
    Def { name: Word, parameters: Vec<Word>, value: Expression },
    /// An expression.
    Expression(Expression),
}

/// A name in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An expression, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExpressionKind {
    /// A text, without its quotes and with its escapes replaced. A character (`'a'`) is a text too.
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    /// A name alone: `cpg`, the parameter of a lambda, the name of a `val`.
    Name(String),
    /// `on.name`.
    Select {
        on: Box<Expression>,
        name: Word,
    },
    /// `function(arguments)`. A second list of arguments is a call of a call: `repeat(_.caller)(_.emit)`.
    /// Arguments in braces are one argument. Types in brackets precede the arguments: `collectAll[Call]`; a
    /// name with types but without arguments is a call without arguments.
    Call {
        function: Box<Expression>,
        types: Vec<Word>,
        arguments: Vec<Expression>,
    },
    Unary {
        operator: UnaryOperator,
        operand: Box<Expression>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    /// Two or more expressions in parentheses.
    Tuple(Vec<Expression>),
    /// `pattern => body`, `(a, b) => body`, `{ case (a, b) => body }`, or an expression with `_`. The
    /// parameters made for `_` have the names `_1`, `_2` .., which no name in the text is. A generated name
    /// occurs once in a query.
    Lambda {
        parameters: Vec<Pattern>,
        body: Box<Expression>,
    },
    /// Statements in braces, of which the last gives the value.
    Block(Vec<Statement>),
    /// `if (condition) then else otherwise`.
    If {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
}

/// The form of a lambda's parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pattern {
    Name(Word),
    /// `_`.
    Ignored(Span),
    /// `(a, b)`.
    Tuple(Vec<Pattern>, Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Minus,
    Not,
}

/// The operators between two expressions. The parser has applied their precedence, which depends on the
/// first character of an operator. In ascending order: letters (`a union b` is a call), `|`, `&`, `=` and
/// `!`, `<` and `>`, `+` and `-`, `*` and `/` and `%`. Operators of one precedence group to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `->`, which makes a pair.
    Arrow,
    Plus,
    Minus,
    /// `++`.
    Append,
    Times,
    Divide,
    Remainder,
    /// `&` between sets.
    Intersection,
    /// `|` between sets.
    Union,
    /// `--` between collections, `&~` between sets.
    Difference,
}
