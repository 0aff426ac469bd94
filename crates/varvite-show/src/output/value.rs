//! Values of a graph as JSON values.

use serde_json::Value as Json;
use varvite::{Cardinality, Property, Value, ValueType};

/// Converts a value to JSON. Missing values and null become JSON's null, and floats that are not JSON numbers
/// become strings.
pub(crate) fn json_of(value: Option<Value<'_>>) -> Json {
    match value {
        None | Some(Value::Null | Value::Ref(None)) => Json::Null,
        Some(Value::Bool(value)) => value.into(),
        Some(Value::Int(value)) => value.into(),
        Some(Value::Uint(value)) => value.into(),
        Some(Value::F32(value)) if !value.is_finite() => name_of_float(value.into()).into(),
        Some(Value::F64(value)) if !value.is_finite() => name_of_float(value).into(),
        // The number is converted through its shortest decimal form. Converted directly to a double, 0.1
        // would get more digits.
        Some(Value::F32(value)) => value.to_string().parse::<f64>().map_or(Json::Null, Json::from),
        Some(Value::F64(value)) => value.into(),
        Some(Value::Str(value)) => String::from(value).into(),
        Some(value @ Value::Bytes(_)) => value.to_string().into(),
        Some(Value::Ref(Some(node))) => node.into(),
    }
}

/// The name of a float that is not finite, the same as in diffs.
pub(super) fn name_of_float(value: f64) -> &'static str {
    match value {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    }
}

/// Whether the values of a property are single numbers.
pub(crate) fn is_number(property: &Property) -> bool {
    let is_other = matches!(property.value_type(), ValueType::Bool | ValueType::String | ValueType::Bytes);
    !is_other && property.cardinality() != Cardinality::List
}
