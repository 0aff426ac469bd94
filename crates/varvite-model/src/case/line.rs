//! One line of the graph of a case, read from left to right.

use std::collections::BTreeMap;

use crate::{NodeId, Value};

/// The part of a line after `=`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values {
    pub(crate) values: Vec<Value>,
    pub(crate) is_list: bool,
}

/// The rest of a line, which has not been read yet.
pub(crate) struct Line<'t> {
    rest: &'t str,
}

impl<'t> Line<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { rest: text.trim() }
    }

    /// Skips `token` if the line continues with it. Returns whether `token` was there.
    pub(crate) fn skip(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    /// Reads names: `a, b` or `n0..n9`.
    pub(crate) fn names(&mut self) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        loop {
            let first = self.word("the name of a node")?;
            match self.skip("..") {
                true => names.extend(range(first, self.word("the end of a range")?)?),
                false => names.push(first.to_owned()),
            }
            if !self.skip(",") {
                return Ok(names);
            }
        }
    }

    /// Reads labels: `METHOD&STUB`.
    pub(crate) fn labels(&mut self) -> Result<Vec<String>, String> {
        let mut labels = vec![self.word("a label")?.to_owned()];
        while self.skip("&") {
            labels.push(self.word("a label")?.to_owned());
        }
        Ok(labels)
    }

    /// Reads an arrow, `-AST->`, and returns its edge label.
    pub(crate) fn arrow(&mut self) -> Result<String, String> {
        let label = if self.skip("-") { self.word("an edge label")? } else { "" };
        match !label.is_empty() && self.skip("->") {
            true => Ok(label.to_owned()),
            false => Err("`:` and labels, or `-LABEL->` and nodes, stand behind names".to_owned()),
        }
    }

    /// Reads the name before the next `=`. `None` at the end of the line.
    pub(crate) fn property(&mut self) -> Result<Option<String>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let name = self.word("the name of a property")?.to_owned();
        if self.skip("=") { Ok(Some(name)) } else { Err(format!("`=` stands behind {name}")) }
    }

    /// Reads a value, or a list of values: `[1, 2]`.
    pub(crate) fn values(&mut self, nodes: &BTreeMap<String, NodeId>) -> Result<Values, String> {
        if !self.skip("[") {
            return Ok(Values { values: vec![self.value(nodes)?], is_list: false });
        }
        let mut values = Vec::new();
        while !self.skip("]") {
            values.push(self.value(nodes)?);
            if !self.skip(",") && !self.rest.starts_with(']') {
                return Err("`,` or `]` stands behind a value of a list".to_owned());
            }
        }
        Ok(Values { values, is_list: true })
    }

    fn value(&mut self, nodes: &BTreeMap<String, NodeId>) -> Result<Value, String> {
        if self.rest.starts_with('"') {
            return self.text().map(Value::String);
        }
        if self.skip("@") {
            let name = self.word("the name of a node")?;
            let node = nodes.get(name).copied();
            return match node.is_some() || name == "null" {
                true => Ok(Value::Ref(node)),
                false => Err(format!("no node {name}")),
            };
        }
        let end = self.rest.find([' ', ',', ']']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        match word {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            "null" => Ok(Value::Null),
            _ => number(word).or_else(|| bytes(word)).ok_or_else(|| format!("{word:?} is no value")),
        }
    }

    /// Reads a text in quotes, which may contain `\"`, `\\`, `\n` and `\t`.
    fn text(&mut self) -> Result<String, String> {
        let (mut text, mut letters) = (String::new(), self.rest[1..].char_indices());
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = self.rest[at + 2..].trim_start();
                    return Ok(text);
                }
                '\\' => text.push(match letters.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, 't')) => '\t',
                    Some((_, letter)) => letter,
                    None => break,
                }),
                letter => text.push(letter),
            }
        }
        Err("a text has no end".to_owned())
    }

    fn word(&mut self, what: &str) -> Result<&'t str, String> {
        let end = self.rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        if word.is_empty() { Err(format!("{what} is missing at {rest:?}")) } else { Ok(word) }
    }
}

/// All names of a range, such as `n0` to `n9`.
fn range(first: &str, last: &str) -> Result<Vec<String>, String> {
    let digits =
        |name: &str| name.len() - name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    let split = |name: &str| {
        let (stem, number) = name.split_at(name.len() - digits(name));
        number.parse::<usize>().ok().map(|number| (stem.to_owned(), number))
    };
    match (split(first), split(last)) {
        (Some((stem, low)), Some((other, high))) if stem == other => {
            Ok((low..=high).map(|number| format!("{stem}{number}")).collect())
        }
        _ => Err(format!("{first}..{last} is no range of names")),
    }
}

/// The number that a word stands for. The word may end with the number's type: `1`, `1.5`, `1u8`, `1.5f32`.
fn number(word: &str) -> Option<Value> {
    type Read = fn(&str) -> Option<Value>;
    let types: [(&str, Read); 10] = [
        ("i8", |digits| digits.parse().ok().map(Value::I8)),
        ("i16", |digits| digits.parse().ok().map(Value::I16)),
        ("i32", |digits| digits.parse().ok().map(Value::I32)),
        ("i64", |digits| digits.parse().ok().map(Value::I64)),
        ("u8", |digits| digits.parse().ok().map(Value::U8)),
        ("u16", |digits| digits.parse().ok().map(Value::U16)),
        ("u32", |digits| digits.parse().ok().map(Value::U32)),
        ("u64", |digits| digits.parse().ok().map(Value::U64)),
        ("f32", |digits| digits.parse().ok().map(Value::F32)),
        ("f64", |digits| digits.parse().ok().map(Value::F64)),
    ];
    let typed = types.iter().find_map(|(ending, read)| word.strip_suffix(ending).map(read));
    let plain = || word.parse().ok().map(Value::I32).or_else(|| word.parse().ok().map(Value::F64));
    if word.starts_with("0x") { None } else { typed.unwrap_or_else(plain) }
}

/// The bytes of a word such as `0x00ff`.
fn bytes(word: &str) -> Option<Value> {
    let digits = word.strip_prefix("0x").filter(|digits| digits.len() % 2 == 0 && digits.is_ascii())?;
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect::<Option<Vec<u8>>>().map(Value::Bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<Value>, String> {
        let nodes = BTreeMap::from([("a".to_owned(), NodeId(7))]);
        Line::new(text).values(&nodes).map(|values| values.values)
    }

    #[test]
    fn a_literal_says_its_type() {
        for (text, value) in [
            ("-3", Value::I32(-3)),
            ("3u8", Value::U8(3)),
            ("18446744073709551615u64", Value::U64(u64::MAX)),
            ("1.5", Value::F64(1.5)),
            ("1.5f32", Value::F32(1.5)),
            ("true", Value::Bool(true)),
            ("\"a \\\"b\\\" \\\\\"", Value::string("a \"b\" \\")),
            ("0x00ff", Value::Bytes(vec![0, 255])),
            ("0x", Value::Bytes(Vec::new())),
            ("null", Value::Null),
            ("@a", Value::Ref(Some(NodeId(7)))),
            ("@null", Value::Ref(None)),
        ] {
            assert_eq!(values(text), Ok(vec![value]), "{text}");
        }
        assert_eq!(values("[1, 2]"), Ok(vec![Value::I32(1), Value::I32(2)]));
        assert_eq!(values("[]"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in ["one", "300u8", "0x0", "0xzz", "\"open", "@b", "[1 2]", ""] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
