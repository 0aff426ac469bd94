//! Values of a graph as JSON values, which is what cells of answers are.

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

/// What `owner` has of a property: a value, or an array of them where the schema has lists.
pub(crate) fn all_of(property: &Property, owner: u32) -> Json {
    match property.cardinality() {
        Cardinality::List => property.all(owner).map(|value| json_of(Some(value))).collect(),
        _ => json_of(property.get(owner)),
    }
}

/// Whether the values of a property are single numbers.
pub(crate) fn is_number(property: &Property) -> bool {
    let is_other = matches!(property.value_type(), ValueType::Bool | ValueType::String | ValueType::Bytes);
    !is_other && property.cardinality() != Cardinality::List
}
