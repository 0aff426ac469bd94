//! Single results of the whole query: counts, and operators between them.

use varvite::pipeline::Function;

use super::Translator;
use super::links::Link;
use super::value::{Operation, Total, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::Span;

impl Translator {
    /// The value of `total.link`.
    pub(super) fn member_of_total(&mut self, total: Total, link: &Link<'_>) -> Result<Value> {
        match (total, link.text()) {
            (Total::First { rows, .. }, "get") => Ok(Value::Total(Total::First { rows, is_optional: false })),
            (Total::First { rows, .. }, "isDefined" | "nonEmpty") => {
                Ok(Value::Total(Total::Exists { plan: rows.base }))
            }
            (Total::First { rows, is_optional }, _) => self.member_of_first(rows, is_optional, link),
            (total, "toString") => Ok(Value::Total(total)),
            (total, _) => Err(self.unknown_member(&Value::Total(total), link)),
        }
    }

    /// `rows.head.link`: the same as `rows.take(1).link`.
    fn member_of_first(
        &mut self,
        rows: super::value::Rows,
        is_optional: bool,
        link: &Link<'_>,
    ) -> Result<Value> {
        let is_node = rows.kinds().is_some();
        let one = rows.then(|base| base.limit(1));
        let value = self.member_of_rows(one, link)?;
        let is_value = is_node
            && link.arguments.is_none()
            && (crate::names::find_property(link.text()).is_some() || link.text() == "label");
        Ok(match value {
            Value::Rows(rows) if is_value => Value::Total(Total::First { rows, is_optional }),
            value => value,
        })
    }
}

/// An operator between two values, at least one of which is a total.
pub(super) fn combined(
    function: Function,
    left: Value,
    right: Value,
    holds: Type,
    span: Span,
) -> Result<Value> {
    for value in [&left, &right] {
        let fits = match value {
            Value::Total(Total::First { rows, .. }) => matches!(&*rows.item, Value::Scalar(_)),
            Value::Total(_) => true,
            Value::Scalar(scalar) => scalar.literal().is_some(),
            _ => false,
        };
        if !fits {
            let message = format!("{} cannot stand beside the result of a whole query", value.words());
            return Err(TextError::new(span, Reason::NotInPlans, message));
        }
    }
    Ok(Value::Total(Total::Operator(Box::new(Operation { function, operands: vec![left, right], holds }))))
}

/// The negation of a total.
pub(super) fn negated(value: Value) -> Value {
    Value::Total(Total::Operator(Box::new(Operation {
        function: Function::Not,
        operands: vec![value],
        holds: Type::Boolean,
    })))
}
