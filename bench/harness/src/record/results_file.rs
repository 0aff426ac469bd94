//! The JSON files in `bench/results`: a line for each row, so that a diff of two runs shows rows and a file
//! stays short.

use serde_json::Value;

/// A value as text. An object with a list of objects inside has a line for each field, a list of objects has
/// a line for each item, and any other value is one line.
pub fn text_of(value: &Value) -> String {
    let mut text = String::new();
    put(&mut text, value, 0);
    text.push('\n');
    text
}

/// Adds the fields of one object to another.
pub fn merge(line: &mut Value, fields: Value) {
    if let (Value::Object(line), Value::Object(fields)) = (line, fields) {
        line.extend(fields);
    }
}

fn put(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(fields) if depth == 0 || has_rows(value) => {
            let items = fields.iter().map(|(key, item)| (format!("{}: ", Value::from(key.as_str())), item));
            put_lines(text, ('{', '}'), items, depth);
        }
        Value::Array(items) if has_rows(value) => {
            put_lines(text, ('[', ']'), items.iter().map(|item| (String::new(), item)), depth);
        }
        flat => text.push_str(&flat.to_string()),
    }
}

fn put_lines<'v>(
    text: &mut String,
    (opening, closing): (char, char),
    items: impl Iterator<Item = (String, &'v Value)>,
    depth: usize,
) {
    text.push(opening);
    for (i, (key, item)) in items.enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth + 1));
        text.push_str(&key);
        put(text, item, depth + 1);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
    text.push(closing);
}

/// Whether a value contains a list of objects, at any depth.
fn has_rows(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| item.is_object() || has_rows(item)),
        Value::Object(fields) => fields.values().any(has_rows),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_a_line() {
        let value = json!({
            "date": "2026-01-31",
            "machine": {"cores": 2},
            "rows": [{"name": "a", "samples": [1, 2.5]}, {"name": "b", "samples": []}],
            "streams": [{"rows": [{"level": 3}]}],
        });
        let expected = r#"{
  "date": "2026-01-31",
  "machine": {"cores":2},
  "rows": [
    {"name":"a","samples":[1,2.5]},
    {"name":"b","samples":[]}
  ],
  "streams": [
    {
      "rows": [
        {"level":3}
      ]
    }
  ]
}
"#;
        assert_eq!(text_of(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), value);
    }
}
