//! Lists the differences between two JSON values, one per line.

use serde_json::Value;

/// A line for each path at which `found` differs from `expected`, such as `labels/CALL: expected 3, found 4`.
pub(crate) fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    compare("", Some(expected), Some(found), &mut lines);
    lines
}

fn compare(place: &str, expected: Option<&Value>, found: Option<&Value>, lines: &mut Vec<String>) {
    if let (Some(Value::Object(expected)), Some(Value::Object(found))) = (expected, found) {
        let added = found.keys().filter(|key| !expected.contains_key(*key));
        for key in expected.keys().chain(added) {
            let below = if place.is_empty() { key.clone() } else { format!("{place}/{key}") };
            compare(&below, expected.get(key), found.get(key), lines);
        }
    } else if expected != found {
        lines.push(format!("{place}: expected {}, found {}", text(expected), text(found)));
    }
}

fn text(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_values_have_no_differences() {
        let facts = json!({"nodes": 3, "labels": {"CALL": 2}});
        assert!(differences(&facts, &facts.clone()).is_empty());
    }

    #[test]
    fn each_difference_names_its_place() {
        let expected = json!({"nodes": 3, "labels": {"CALL": 2, "FILE": 1}});
        let found = json!({"nodes": 3, "labels": {"CALL": 4, "TYPE": 1}});
        let lines = [
            "labels/CALL: expected 2, found 4",
            "labels/FILE: expected 1, found nothing",
            "labels/TYPE: expected nothing, found 1",
        ];
        assert_eq!(differences(&expected, &found), lines);
    }
}
