//! Values of a graph as JSON values.

use serde_json::Value as Json;
use varvite::{Cardinality, Property, Value, ValueType};

/// A value; absence, null and floats that are no number are JSON's null.
pub(crate) fn json_of(value: Option<Value<'_>>) -> Json {
    match value {
        None | Some(Value::Null | Value::Ref(None)) => Json::Null,
        Some(Value::Bool(value)) => value.into(),
        Some(Value::Int(value)) => value.into(),
        Some(Value::Uint(value)) => value.into(),
        // By way of its own shortest digits: as a double, 0.1 would grow a tail.
        Some(Value::F32(value)) => value.to_string().parse::<f64>().map_or(Json::Null, Json::from),
        Some(Value::F64(value)) => value.into(),
        Some(Value::Str(value)) => String::from(value).into(),
        Some(value @ Value::Bytes(_)) => value.to_string().into(),
        Some(Value::Ref(Some(node))) => node.into(),
    }
}

/// Whether the values of a property are single numbers.
pub(crate) fn is_number(property: &Property) -> bool {
    let is_other = matches!(property.value_type(), ValueType::Bool | ValueType::String | ValueType::Bytes);
    !is_other && property.cardinality() != Cardinality::List
}
