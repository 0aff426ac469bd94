//! What stands between two expressions: comparison, arithmetic, and sets.

use varvite::pipeline::{Function, Key, Pipeline, Step, it};

use super::Translator;
use super::collections::alone;
use super::filters::{negated, pipeline_of};
use super::totals;
use super::value::{Part, Rows, Scalar, Sort, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{BinaryOperator, Expression, Span, UnaryOperator};

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    fn function(self) -> Function {
        match self {
            Self::Equal => Function::Eq,
            Self::NotEqual => Function::Ne,
            Self::Less => Function::Lt,
            Self::LessOrEqual => Function::Lte,
            Self::Greater => Function::Gt,
            Self::GreaterOrEqual => Function::Gte,
        }
    }

    fn is_equality(self) -> bool {
        matches!(self, Self::Equal | Self::NotEqual)
    }
}

impl Translator {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expression,
        span: Span,
    ) -> Result<Value> {
        let value = self.value(operand)?;
        match (operator, value) {
            (UnaryOperator::Minus, Value::Scalar(scalar))
                if scalar.holds.is_number() && !scalar.is_optional =>
            {
                Ok(Value::Scalar(minus(scalar)))
            }
            (UnaryOperator::Not, Value::Scalar(scalar))
                if scalar.holds == Type::Boolean && !scalar.is_optional =>
            {
                let key = negated(scalar.key.clone());
                Ok(Value::Scalar(scalar.with(key)))
            }
            (UnaryOperator::Not, value @ Value::Total(_)) => Ok(totals::negated(value)),
            (UnaryOperator::Minus, value @ Value::Total(_)) => {
                let zero = Value::Scalar(Scalar::constant(0, Type::Integer));
                totals::combined(Function::Subtract, zero, value, Type::Integer, span)
            }
            (UnaryOperator::Not, Value::Rows(_)) => {
                let message = "! takes true or false, not rows: write .isEmpty";
                Err(TextError::new(span, Reason::Type, message))
            }
            (_, value) => {
                let message = format!("this operator does not take {}", value.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Result<Value> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        match operator {
            BinaryOperator::Or => self.joined_truths(Function::Or, left, right, span),
            BinaryOperator::And => self.joined_truths(Function::And, left, right, span),
            BinaryOperator::Equal => self.compared(Order::Equal, left, right, span),
            BinaryOperator::NotEqual => self.compared(Order::NotEqual, left, right, span),
            BinaryOperator::Less => self.compared(Order::Less, left, right, span),
            BinaryOperator::LessOrEqual => self.compared(Order::LessOrEqual, left, right, span),
            BinaryOperator::Greater => self.compared(Order::Greater, left, right, span),
            BinaryOperator::GreaterOrEqual => self.compared(Order::GreaterOrEqual, left, right, span),
            BinaryOperator::Arrow => {
                let part = |name: &str, value| Part { name: name.to_owned(), value };
                Ok(Value::Parts(vec![part("_1", left), part("_2", right)]))
            }
            BinaryOperator::Plus => self.calculated(Function::Add, left, right, span),
            BinaryOperator::Minus => self.calculated(Function::Subtract, left, right, span),
            BinaryOperator::Times => self.calculated(Function::Multiply, left, right, span),
            BinaryOperator::Divide => self.calculated(Function::Divide, left, right, span),
            BinaryOperator::Remainder => self.calculated(Function::Remainder, left, right, span),
            BinaryOperator::Append | BinaryOperator::Union => self.appended(left, right, span),
            BinaryOperator::Intersection => self.set_operation(left, right, true, span),
            BinaryOperator::Difference => self.set_operation(left, right, false, span),
        }
    }

    fn joined_truths(&mut self, function: Function, left: Value, right: Value, span: Span) -> Result<Value> {
        if matches!(left, Value::Total(_)) || matches!(right, Value::Total(_)) {
            return totals::combined(function, left, right, Type::Boolean, span);
        }
        let (Value::Scalar(a), Value::Scalar(b)) = (&left, &right) else {
            let message = format!(
                "&& and || stand between truth values, not {} and {}: rows have .nonEmpty",
                left.words(),
                right.words()
            );
            return Err(TextError::new(span, Reason::Type, message));
        };
        for scalar in [a, b] {
            if scalar.holds != Type::Boolean || scalar.is_optional {
                let message = format!(
                    "&& and || stand between truth values, not {}",
                    Value::Scalar(scalar.clone()).words()
                );
                return Err(TextError::new(span, Reason::Type, message));
            }
        }
        Ok(Value::Scalar(self.function_of(function, a, b, Type::Boolean)))
    }

    /// A function of two scalars, in the scope of both or of the innermost lambda.
    fn function_of(&mut self, function: Function, a: &Scalar, b: &Scalar, holds: Type) -> Scalar {
        let scope = match (a.scope, b.scope) {
            (None, scope) | (scope, None) => Some(scope),
            (a, b) if a == b => Some(a),
            _ => None,
        };
        match scope {
            Some(scope) => {
                let key = Key::function(function, [a.key.clone(), b.key.clone()]);
                Scalar { scope, key, holds, is_optional: false }
            }
            None => {
                let key = Key::function(function, [self.key_here(a), self.key_here(b)]);
                Scalar { scope: self.here(), key, holds, is_optional: false }
            }
        }
    }

    /// The truth value of a comparison.
    pub(super) fn compared(&mut self, order: Order, left: Value, right: Value, span: Span) -> Result<Value> {
        match (&left, &right) {
            (Value::Total(_), _) | (_, Value::Total(_)) => {
                totals::combined(order.function(), left, right, Type::Boolean, span)
            }
            (Value::Scalar(option), Value::List(items)) if option.is_optional && order.is_equality() => {
                self.compared_option(order, option, items, span)
            }
            (Value::Scalar(a), Value::Scalar(b)) => {
                self.check_comparable(order, a, b, span)?;
                Ok(Value::Scalar(self.function_of(order.function(), a, b, Type::Boolean)))
            }
            (Value::Node(a), Value::Node(b)) if order.is_equality() => {
                let (a, b) = (self.node_key_here(a), self.node_key_here(b));
                Ok(self.truth_here(Key::function(order.function(), [a, b])))
            }
            _ => {
                let message = format!("{} and {} cannot be compared", left.words(), right.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }

    /// A comparison of an Option with `Some(x)` or `None`.
    fn compared_option(
        &mut self,
        order: Order,
        option: &Scalar,
        items: &[Value],
        span: Span,
    ) -> Result<Value> {
        let plain = Scalar { is_optional: false, ..option.clone() };
        let equal = match items {
            [] => {
                let key = Key::exists(it().map(option.key.clone()));
                Scalar::constant(0, Type::Boolean).with(Key::not(key))
            }
            [Value::Scalar(item)] => {
                self.check_comparable(Order::Equal, &plain, item, span)?;
                let compared = self.function_of(Function::Eq, &plain, item, Type::Boolean);
                let key = Key::first_of([compared.key.clone(), Key::constant(false)]);
                compared.with(key)
            }
            _ => {
                return Err(TextError::new(
                    span,
                    Reason::Type,
                    "an Option is compared with Some(value) or None",
                ));
            }
        };
        let scope = equal.scope.or(option.scope);
        let key = if order == Order::Equal { equal.key.clone() } else { negated(equal.key.clone()) };
        Ok(Value::Scalar(Scalar { scope, ..equal.with(key) }))
    }

    fn check_comparable(&self, order: Order, a: &Scalar, b: &Scalar, span: Span) -> Result<()> {
        if a.is_optional || b.is_optional {
            let message = "an Option cannot be compared with a value: write == Some(5), .exists(_ > 5) or .getOrElse(-1)";
            return Err(TextError::new(span, Reason::Type, message));
        }
        let fits = a.holds == b.holds || (a.holds.is_number() && b.holds.is_number());
        let has_order = order.is_equality() || a.holds.is_number();
        match fits && has_order {
            true => Ok(()),
            false => {
                let message = format!("{} and {} cannot be compared so", a.holds.words(), b.holds.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }

    fn calculated(&mut self, function: Function, left: Value, right: Value, span: Span) -> Result<Value> {
        if matches!(left, Value::Total(_)) || matches!(right, Value::Total(_)) {
            return totals::combined(function, left, right, Type::Integer, span);
        }
        let (Value::Scalar(a), Value::Scalar(b)) = (&left, &right) else {
            let message = format!("{} and {} cannot be calculated with", left.words(), right.words());
            return Err(TextError::new(span, Reason::Type, message));
        };
        if a.is_optional || b.is_optional {
            let message = "an Option is no number: write .get or .getOrElse(0)";
            return Err(TextError::new(span, Reason::Type, message));
        }
        if function == Function::Add && (a.holds == Type::Text || b.holds == Type::Text) {
            let (a, b) = (a.clone().with(a.as_text()), b.clone().with(b.as_text()));
            return Ok(Value::Scalar(self.function_of(Function::Concat, &a, &b, Type::Text)));
        }
        let holds = match (a.holds, b.holds) {
            (Type::Integer, Type::Integer) => Type::Integer,
            (a, b) if a.is_number() && b.is_number() => Type::Float,
            _ => {
                let message = format!("{} and {} cannot be calculated with", left.words(), right.words());
                return Err(TextError::new(span, Reason::Type, message));
            }
        };
        Ok(Value::Scalar(self.function_of(function, a, b, holds)))
    }

    fn set_operation(&mut self, left: Value, right: Value, is_kept: bool, span: Span) -> Result<Value> {
        match left {
            Value::Rows(rows) => self.kept_if_in(rows, right, is_kept, span),
            left => {
                let message = format!("a set is expected here, not {}", left.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }

    fn appended(&mut self, left: Value, right: Value, span: Span) -> Result<Value> {
        let left = match left {
            Value::List(items) => match <[Value; 1]>::try_from(items) {
                Ok([Value::Node(node)]) => self.rows_of_node(node),
                _ => {
                    return Err(TextError::new(
                        span,
                        Reason::NotInPlans,
                        "++ of a list that the query writes out",
                    ));
                }
            },
            Value::Rows(rows) => rows,
            other => {
                let message = format!("++ stands between rows, not {}", other.words());
                return Err(TextError::new(span, Reason::Type, message));
            }
        };
        self.append(left, right, span)
    }

    /// The rows of one pipeline, and then those of another.
    pub(super) fn append(&mut self, left: Rows, right: Value, span: Span) -> Result<Value> {
        let right = self.as_rows(right, "++ stands between rows", span)?;
        let sort = Sort::of(&left, span)?.wider(Sort::of(&right, span)?);
        let (left, right) = (self.elements(&left, span)?, self.elements(&right, span)?);
        let is_list = left.is_list && right.is_list;
        let (from, base) = match (left.from, right.from) {
            (None, None) => (None, both_starts(left.base, right.base, span)?),
            (Some(a), Some(b)) if a == b => (Some(a), it().union([left.base, right.base])),
            (Some(_), Some(_)) => {
                let branches =
                    [self.begun_here(left.from, &left.base), self.begun_here(right.from, &right.base)];
                (self.here(), it().union(branches))
            }
            _ => return Err(super::collections::from_the_graph(span)),
        };
        let rows = self.rows_of(from, base, sort);
        Ok(Value::Rows(Rows { is_list, ..rows }))
    }
}

/// A pipeline that gives the rows of two that begin with the graph. A plan begins once, so it begins with the
/// nodes of both, and each part takes its own.
fn both_starts(a: Pipeline, b: Pipeline, span: Span) -> Result<Pipeline> {
    let refused = |what: &str| {
        let message = format!("++ of {what}: write two queries");
        Err(TextError::new(span, Reason::NotInPlans, message))
    };
    let (Some((labels_a, rest_a)), Some((labels_b, rest_b))) = (begin_of(&a), begin_of(&b)) else {
        return refused("pipelines that do not begin with nodes");
    };
    let needs_all = |pipeline: &Pipeline| *pipeline != alone(pipeline.clone());
    if needs_all(&rest_a) || needs_all(&rest_b) {
        return refused("a traversal that sorts, cuts or counts");
    }
    let branch = |labels: &[String], rest: Pipeline| match labels.is_empty() || labels_a == labels_b {
        true => rest,
        false => super::scopes::then(it().has_label(labels), &rest),
    };
    let mut labels = labels_a.clone();
    match labels_a.is_empty() || labels_b.is_empty() {
        true => labels.clear(),
        false => labels.extend(labels_b.iter().filter(|label| !labels_a.contains(label)).cloned()),
    }
    let start = match labels.is_empty() {
        true => varvite::pipeline::all_nodes(),
        false => varvite::pipeline::nodes(&labels[..]),
    };
    Ok(start.union([branch(&labels_a, rest_a), branch(&labels_b, rest_b)]))
}

/// The labels with which a pipeline begins, and its other steps.
fn begin_of(pipeline: &Pipeline) -> Option<(Vec<String>, Pipeline)> {
    match pipeline.steps().split_first()? {
        (Step::Nodes { labels }, rest) => Some((labels.clone(), pipeline_of(rest))),
        _ => None,
    }
}

/// The negative of a number: `0 - x`, or the constant.
fn minus(scalar: Scalar) -> Scalar {
    use varvite::pipeline::Literal;
    let key = match scalar.literal() {
        Some(Literal::Int(number)) if *number != i64::MIN => Key::constant(-number),
        Some(Literal::Float(number)) => Key::constant(-number),
        _ => Key::subtract(Key::constant(0), scalar.key.clone()),
    };
    scalar.with(key)
}
