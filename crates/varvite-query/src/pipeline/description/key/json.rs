//! The form of a [`Key`] in plans.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::function::PLAIN;
use super::{Function, Key, Match, Operands, Split};
use crate::pipeline::description::fields::{Field, Fields};
use crate::pipeline::description::predicate::literal;
use crate::pipeline::error::Result;
use varvite_graph::nearest;

/// The keys, as errors list them.
const EXPECTED: &str = "a key, which is \"itself\", \"label\", \"depth\", {\"property\": ..}, {\"column\": ..}, \
     {\"first\": [..]}, {\"list\": [..]}, {\"exists\": [..]}, {\"constant\": ..} or a function such as \
     {\"add\": [key, key]}";

const ONE_FIELD: &str = "a key has one of property, column, first, list, exists, constant, key and the functions, \
     beside \"as\"";
/// The words of keys that are objects, apart from those of [`PLAIN`].
const WORDS: [&str; 10] =
    ["property", "column", "first", "list", "exists", "constant", "key", "test", "split", "match"];

/// The reader of one key of a step, with all keys inside it.
struct Reader<'f> {
    f: &'f Fields,
    /// The field that holds the key.
    field: &'static str,
    /// The prefix of the numbers of steps inside the key.
    inside: String,
    /// Whether the key is a function, whose pipelines are numbered.
    is_function: bool,
    /// The number of pipelines read so far.
    pipelines: usize,
}

impl Key {
    /// Reads a key. `inside` is the prefix of the numbers of the steps in it.
    fn of_json(f: &Fields, field: &'static str, json: Json, inside: String) -> Result<Self> {
        let mut reader = Reader { f, field, inside, is_function: false, pipelines: 0 };
        let mut object = match json {
            Json::Object(object) => object,
            word => return reader.key(word),
        };
        let name = match object.remove("as") {
            Some(Json::String(name)) => Some(name),
            Some(other) => return Err(f.wrong("as", "a text", &other)),
            None => None,
        };
        let pipelines = ["first", "list", "exists"];
        reader.is_function = !pipelines.iter().any(|word| object.contains_key(*word));
        let key = reader.object(object)?;
        Ok(match name {
            Some(name) => Self::Named(name, Box::new(key)),
            None => key,
        })
    }

    fn of_word(json: &Json) -> Option<Self> {
        match json.as_str()? {
            "itself" => Some(Self::Itself),
            "label" => Some(Self::Label),
            "depth" => Some(Self::Depth),
            _ => None,
        }
    }
}

impl Reader<'_> {
    fn key(&mut self, json: Json) -> Result<Key> {
        match json {
            Json::Object(object) => self.object(object),
            word => Key::of_word(&word).ok_or_else(|| self.f.wrong(self.field, EXPECTED, &word)),
        }
    }

    fn object(&mut self, mut object: Map<String, Json>) -> Result<Key> {
        if object.contains_key("as") {
            return Err(self.f.says("\"as\" names a column, so only a key that is no operand has it"));
        }
        for word in ["test", "split", "match"] {
            if let Some(json) = object.remove(word) {
                let operand = self.key(json)?;
                return self.with_fields(word, operand, object);
            }
        }
        let mut entries = object.into_iter();
        match (entries.next(), entries.next()) {
            (Some((word, value)), None) => self.entry(&word, value),
            _ => Err(self.f.says(ONE_FIELD)),
        }
    }

    /// The key of a function that has other fields beside its operand.
    fn with_fields(&self, word: &str, operand: Key, left: Map<String, Json>) -> Result<Key> {
        let at = format!("{}, key {word:?}", self.f.at());
        let mut fields = self.f.inner(&at, Json::Object(left))?;
        let function = match word {
            "test" => Function::Test(Box::new(fields.read("is")?)),
            "split" => {
                Function::Split(Box::new(Split { on: fields.read("on")?, part: fields.read("part")? }))
            }
            _ => {
                let (regex, group) = (fields.read("regex")?, fields.read("group")?);
                Function::Match(Box::new(Match { regex, group }))
            }
        };
        fields.finish()?;
        Ok(Key::function(function, [operand]))
    }

    fn entry(&mut self, word: &str, value: Json) -> Result<Key> {
        let (f, field) = (self.f, self.field);
        if let Some(function) = PLAIN.iter().find(|function| function.name() == word) {
            return self.function(function.clone(), value);
        }
        match (word, value) {
            ("key", word) => Key::of_word(&word).ok_or_else(|| f.wrong("key", EXPECTED, &word)),
            ("property", Json::String(name)) => Ok(Key::Property(name)),
            ("column", Json::String(name)) => Ok(Key::Column(name)),
            ("constant", value) => literal(f, "constant", &value).map(Key::Constant),
            ("first", steps) => f.steps_of("first", steps, &self.next_inside()).map(Key::First),
            ("list", steps) => f.steps_of("list", steps, &self.next_inside()).map(Key::List),
            ("exists", steps) => f.steps_of("exists", steps, &self.next_inside()).map(Key::Exists),
            ("property" | "column", value) => Err(f.wrong(word, "a text", &value)),
            _ => {
                let known = WORDS.into_iter().chain(PLAIN.iter().map(Function::name));
                let hint = nearest(word, known).map(|nearest| format!("; the nearest word is {nearest:?}"));
                let hint = hint.unwrap_or_default();
                Err(f.says(format!(
                    "the field {field:?} must be {EXPECTED}, found an object with {word:?}{hint}"
                )))
            }
        }
    }

    fn function(&mut self, function: Function, value: Json) -> Result<Key> {
        let (name, arity) = (function.name(), function.arity());
        if arity == (1..=1) {
            return Ok(Key::function(function, [self.key(value)?]));
        }
        let expected = match (*arity.start(), *arity.end()) {
            (2, 2) => "a list of two keys",
            (1, _) => "a list of keys, which is not empty",
            _ => "a list of two or more keys",
        };
        match value {
            Json::Array(list) if arity.contains(&list.len()) => {
                let keys = list.into_iter().map(|key| self.key(key)).collect::<Result<Vec<_>>>()?;
                Ok(Key::Function(function, Operands(keys)))
            }
            Json::Array(list) => {
                let found = list.len();
                Err(self.f.says(format!("the field {name:?} must be {expected}, found a list of {found}")))
            }
            other => Err(self.f.wrong(name, expected, &other)),
        }
    }

    /// The prefix of the numbers of the steps in the next pipeline inside the key.
    fn next_inside(&mut self) -> String {
        self.pipelines += 1;
        match self.is_function {
            true => format!("{}{}.", self.inside, self.pipelines),
            false => self.inside.clone(),
        }
    }
}

impl Key {
    /// Writes the fields of the key into an object.
    fn write_into<M: SerializeMap>(&self, object: &mut M) -> std::result::Result<(), M::Error> {
        match self {
            Self::Itself | Self::Label | Self::Depth => object.serialize_entry("key", self),
            Self::Property(name) => object.serialize_entry("property", name),
            Self::Column(name) => object.serialize_entry("column", name),
            Self::First(steps) => object.serialize_entry("first", steps),
            Self::List(steps) => object.serialize_entry("list", steps),
            Self::Exists(steps) => object.serialize_entry("exists", steps),
            Self::Constant(value) => object.serialize_entry("constant", value),
            Self::Function(function, Operands(keys)) => match keys.as_slice() {
                [operand] if function.arity() == (1..=1) => {
                    object.serialize_entry(function.name(), operand)?;
                    function.write_fields(object)
                }
                operands => object.serialize_entry(function.name(), operands),
            },
            Self::Named(name, key) => {
                object.serialize_entry("as", name)?;
                key.write_into(object)
            }
        }
    }
}

impl Function {
    /// Writes the fields that a function has beside its operand.
    fn write_fields<M: SerializeMap>(&self, object: &mut M) -> std::result::Result<(), M::Error> {
        match self {
            Self::Test(is) => object.serialize_entry("is", is),
            Self::Split(split) => {
                object.serialize_entry("on", &split.on)?;
                object.serialize_entry("part", &split.part)
            }
            Self::Match(found) => {
                object.serialize_entry("regex", &found.regex)?;
                object.serialize_entry("group", &found.group)
            }
            _ => Ok(()),
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Itself => serializer.serialize_str("itself"),
            Self::Label => serializer.serialize_str("label"),
            Self::Depth => serializer.serialize_str("depth"),
            key => {
                let mut object = serializer.serialize_map(None)?;
                key.write_into(&mut object)?;
                object.end()
            }
        }
    }
}

impl Field for Key {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let found = f.need(field, "a key")?;
        Self::of_json(f, field, found, f.inside_of(field))
    }

    fn is_left_out(&self) -> bool {
        *self == Self::Itself
    }
}

impl Field for Vec<Key> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?.into_iter();
        let key = |(number, json)| Key::of_json(f, field, json, f.inside_of_nth(number));
        (1..).zip(list).map(key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Pipeline, eq, it, nodes};

    fn plan(key: &str) -> String {
        format!(r#"{{"version":1,"steps":[{{"step":"nodes"}},{{"step":"map","by":{key}}}]}}"#)
    }

    fn refusal(key: &str) -> String {
        Pipeline::from_json(&plan(key)).unwrap_err().to_string()
    }

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let name = || Key::from("NAME");
        let forms = [
            (r#"{"constant":-1.5}"#, Key::constant(-1.5)),
            (r#"{"add":[{"property":"NAME"},{"constant":1}]}"#, Key::add("NAME", Key::constant(1))),
            (r#"{"and":["itself"]}"#, Key::and([Key::Itself])),
            (r#"{"not":{"exists":[{"step":"out"}]}}"#, Key::not(Key::exists(it().out(crate::pipeline::ALL)))),
            (r#"{"as":"size","length":{"property":"NAME"}}"#, Key::length("NAME").named("size")),
            (r#"{"first_of":[{"property":"NAME"},"label"]}"#, Key::first_of([name(), Key::Label])),
            (r#"{"test":{"property":"NAME"},"is":{"eq":"main"}}"#, Key::test("NAME", eq("main"))),
            (r#"{"split":{"property":"NAME"},"on":".","part":2}"#, Key::split("NAME", ".", 2)),
            (r#"{"match":{"lower":"itself"},"regex":"a(b)","group":1}"#, {
                Key::matched(Key::lower(Key::Itself), "a(b)", 1)
            }),
        ];
        for (json, key) in forms {
            let pipeline = nodes(crate::pipeline::ALL).map(key);
            assert_eq!(pipeline.to_json(), plan(json));
            assert_eq!(Pipeline::from_json(&plan(json)).unwrap(), pipeline);
        }
    }

    #[test]
    fn an_error_names_the_word_of_the_key() {
        let all = [
            (r#"{"add":["itself"]}"#, r#"the field "add" must be a list of two keys, found a list of 1"#),
            (r#"{"concat":"itself"}"#, r#"the field "concat" must be a list of two or more keys"#),
            (r#"{"and":[]}"#, r#"the field "and" must be a list of keys, which is not empty"#),
            (r#"{"lengt":"itself"}"#, r#"the nearest word is "length""#),
            (r#"{"constant":null}"#, r#"the field "constant" must be a text, a number, true or false"#),
            (r#"{"not":{"as":"a","constant":true}}"#, r#""as" names a column"#),
            (r#"{"split":"itself","on":","}"#, r#"key "split": the field "part" is missing"#),
            (r#"{"test":"itself","is":{"eq":1},"part":1}"#, r#"key "test": unknown field "part""#),
            (r#"{"eq":["itself",{"first":[{"step":"ou"}]}]}"#, "step 2.1.1 (ou): unknown step"),
        ];
        for (key, message) in all {
            assert!(refusal(key).contains(message), "{}", refusal(key));
        }
    }

    #[test]
    fn a_plan_nested_a_million_deep_is_refused() {
        let key = format!("{}\"itself\"{}", "{\"not\":".repeat(1_000_000), "}".repeat(1_000_000));
        assert!(refusal(&key).contains("deep"), "{}", refusal(&key));
        let key = format!("{}\"itself\"{}", "{\"not\":".repeat(300), "}".repeat(300));
        assert_eq!(refusal(&key), "step 2 (map): is nested deeper than 256 pipelines");
    }
}
