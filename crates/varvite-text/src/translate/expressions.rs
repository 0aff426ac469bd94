//! The values of expressions.

use varvite::pipeline::Literal;

use super::Translator;
use super::links::{Link, chain};
use super::value::{Part, Scalar, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{Expression, ExpressionKind, Span};

/// Objects whose methods make lists, sets and options.
const COLLECTIONS: [&str; 8] = ["List", "Seq", "Set", "Vector", "Array", "Iterator", "IndexedSeq", "Some"];

impl Translator {
    /// The value of an expression.
    pub(super) fn value(&mut self, expression: &Expression) -> Result<Value> {
        let span = expression.span;
        self.visit(span)?;
        match &expression.kind {
            ExpressionKind::Text(text) => Ok(Value::text(text.clone())),
            ExpressionKind::Integer(number) => Ok(Value::Scalar(Scalar::constant(*number, Type::Integer))),
            ExpressionKind::Float(number) => Ok(Value::Scalar(Scalar::constant(*number, Type::Float))),
            ExpressionKind::Boolean(value) => Ok(Value::Scalar(Scalar::constant(*value, Type::Boolean))),
            ExpressionKind::Name(name) => self.named_value(name, span),
            ExpressionKind::Select { .. } | ExpressionKind::Call { .. } => self.chained(expression),
            ExpressionKind::Unary { operator, operand } => self.unary(*operator, operand, span),
            ExpressionKind::Binary { operator, left, right } => self.binary(*operator, left, right, span),
            ExpressionKind::Tuple(items) => self.tuple(items),
            ExpressionKind::Block(statements) => self.statements(statements),
            ExpressionKind::Lambda { .. } => {
                Err(TextError::new(span, Reason::Type, "a lambda can only be the argument of a step"))
            }
            ExpressionKind::If { .. } => {
                let message = "`if` is not supported here: write two queries, or `choose` steps of a plan";
                Err(TextError::new(span, Reason::NotInPlans, message))
            }
        }
    }

    fn named_value(&mut self, name: &str, span: Span) -> Result<Value> {
        if let Some(value) = self.variable(name, span)? {
            return Ok(value);
        }
        match name {
            "cpg" | "atom" => Ok(Value::Graph),
            "Operators" => Ok(Value::Operators),
            "None" => Ok(Value::List(Vec::new())),
            name => Err(self.unknown_variable(name, span)),
        }
    }

    fn unknown_variable(&self, name: &str, span: Span) -> TextError {
        const JVM: [&str; 8] = ["java", "scala", "sys", "System", "Runtime", "os", "better", "math"];
        if JVM.contains(&name) {
            let message = format!("{name}: a plan calls no library of the JVM");
            return TextError::new(span, Reason::JvmCall, message);
        }
        TextError::new(
            span,
            Reason::UnknownName,
            format!("nothing is named {name} here: queries begin with cpg"),
        )
    }

    fn tuple(&mut self, items: &[Expression]) -> Result<Value> {
        let part = |(number, item): (usize, &Expression)| {
            Ok(Part { name: format!("_{number}"), value: self.value(item)? })
        };
        Ok(Value::Parts((1..).zip(items).map(part).collect::<Result<_>>()?))
    }

    /// The value of a chain `a.b(c).d`.
    fn chained(&mut self, expression: &Expression) -> Result<Value> {
        let (first, links) = chain(expression);
        let mut links = &links[..];
        let mut value = match (&first.kind, links) {
            (ExpressionKind::Call { function, arguments, .. }, _) => {
                let ExpressionKind::Name(name) = &function.kind else {
                    let message = "only steps and functions take arguments";
                    return Err(TextError::new(first.span, Reason::Syntax, message));
                };
                self.call(name, arguments, function.span)?
            }
            (ExpressionKind::Name(name), [link, rest @ ..]) if is_constructor(name, link) => {
                links = rest;
                self.list(link.list())?
            }
            _ => self.value(first)?,
        };
        for link in links {
            self.visit(link.span())?;
            value = self.member(value, link)?;
        }
        Ok(value)
    }

    /// The value of a function's call: `List(1, 2)`, or that of a `def` with parameters.
    fn call(&mut self, name: &str, arguments: &[Expression], span: Span) -> Result<Value> {
        match self.variable(name, span)? {
            Some(Value::Function(function)) => {
                let values =
                    arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>>>()?;
                self.called(&function, values, span)
            }
            Some(Value::List(_) | Value::Rows(_)) | None if COLLECTIONS.contains(&name) => {
                self.list(arguments)
            }
            Some(other) => {
                let message = format!("{name} is {}, which takes no arguments", other.words());
                Err(TextError::new(span, Reason::Type, message))
            }
            None if name == "cpg" => {
                Err(TextError::new(span, Reason::Type, "cpg takes no arguments: write cpg.call(\"name\")"))
            }
            None => Err(self.unknown_variable(name, span)),
        }
    }

    fn list(&mut self, items: &[Expression]) -> Result<Value> {
        let items = items.iter().map(|item| self.value(item)).collect::<Result<Vec<_>>>()?;
        Ok(Value::List(items))
    }

    /// The value of `value.link`.
    fn member(&mut self, value: Value, link: &Link<'_>) -> Result<Value> {
        match value {
            Value::Graph => self.start(link),
            Value::Operators => operator_name(link),
            Value::Node(node) => self.member_of_node(node, link),
            Value::Scalar(scalar) => self.member_of_scalar(scalar, link),
            Value::Rows(rows) => self.member_of_rows(rows, link),
            Value::Parts(parts) => self.member_of_parts(parts, link),
            Value::List(items) => self.member_of_list(items, link),
            Value::Total(total) => self.member_of_total(total, link),
            Value::Walk(walk) => self.member_of_walk(*walk, link),
            Value::Function(_) => Err(self.unknown_member(&value, link)),
        }
    }

    fn member_of_parts(&mut self, parts: Vec<Part>, link: &Link<'_>) -> Result<Value> {
        let found = parts.iter().find(|part| part.name == link.text());
        match found {
            Some(part) if link.arguments.is_none() => Ok(part.value.clone()),
            _ => Err(self.unknown_member(&Value::Parts(parts), link)),
        }
    }

    /// The error for a name that a value does not have.
    pub(super) fn unknown_member(&self, value: &Value, link: &Link<'_>) -> TextError {
        super::rows::unknown(link, &value.words())
    }

    /// The texts of arguments that must be texts, with their places.
    pub(super) fn texts(&mut self, link: &Link<'_>) -> Result<Vec<(String, Span)>> {
        let mut texts = Vec::new();
        for argument in link.list() {
            texts.extend(self.value(argument)?.into_texts(argument.span)?);
        }
        Ok(texts)
    }

    /// The number of a link's only argument.
    pub(super) fn number(&mut self, link: &Link<'_>) -> Result<u64> {
        let [argument] = link.list() else {
            let message = format!("{} takes one number", link.text());
            return Err(TextError::new(link.span(), Reason::Type, message));
        };
        let span = argument.span;
        let literal = match self.value(argument)? {
            Value::Scalar(scalar) => scalar.literal().cloned(),
            _ => None,
        };
        match literal {
            Some(Literal::Int(number)) if number >= 0 => Ok(number as u64),
            Some(Literal::Int(_)) => Ok(0),
            _ => {
                let message = format!("{} takes a whole number that stands in the query", link.text());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }
}

/// Whether a link makes a list: `Iterator.single(x)`, `List.empty`.
fn is_constructor(name: &str, link: &Link<'_>) -> bool {
    COLLECTIONS.contains(&name) && matches!(link.text(), "single" | "empty" | "apply" | "from")
}

/// The name of an operator: `Operators.shiftLeft` is `<operator>.shiftLeft`.
fn operator_name(link: &Link<'_>) -> Result<Value> {
    match crate::names::operator(link.text()) {
        Some(name) if link.arguments.is_none() => Ok(Value::text(name)),
        _ => Err(super::rows::unknown(link, "the object Operators")),
    }
}
