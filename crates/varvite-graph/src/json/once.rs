//! [`Once`]: wraps a JSON value in types that are read with `serde`. Reading fails if any object in the value
//! has a key twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value as Json};

/// A JSON value in which no object has a key twice.
#[derive(Debug, Default)]
pub struct Once<T>(pub(crate) T);

impl<'de> Deserialize<'de> for Once<Json> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Self)
    }
}

impl<'de> Deserialize<'de> for Once<Map<String, Json>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields).map(Self)
    }
}

/// A visitor that reads any JSON value.
struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Ok(Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Json, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(Once(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Json, A::Error> {
        Fields.visit_map(entries).map(Json::Object)
    }
}

/// A visitor that reads the fields of an object.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Map<String, Json>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the field {key:?} occurs twice in one object")));
            }
            let Once(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_refused_at_every_level() {
        for text in
            [r#"{"a": 1, "a": 1}"#, r#"[{"b": {"a": [{"c": 1, "c": 2}]}}]"#, r#"{"a": 1, "\u0061": 1}"#]
        {
            let error = serde_json::from_str::<Once<Json>>(text).unwrap_err().to_string();
            assert!(error.contains("occurs twice in one object"), "{text}: {error}");
        }
    }

    #[test]
    fn what_has_each_key_once_is_read_as_ever() {
        let text =
            r#"{"a": [1, -1, 18446744073709551615, 0.1, 1e300, "\u00e9\n", null, true, {"b": {}, "c": []}]}"#;
        let Once(read) = serde_json::from_str::<Once<Json>>(text).unwrap();
        assert_eq!(read, serde_json::from_str::<Json>(text).unwrap());
    }
}
