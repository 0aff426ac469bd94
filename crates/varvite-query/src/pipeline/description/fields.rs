//! [`Fields`]: the fields of an object in a plan while it is read. An error names the step and the field.
//!
//! Unknown fields, missing fields, values of the wrong kind and empty lists are refused, so that a mistake in
//! a plan is reported and not ignored.

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::{Map, Value as Json};

use super::{Case, Steps};
use crate::pipeline::error::{PipelineError, Result};
use varvite_graph::nearest;

/// A type that a field of a step may have.
pub(super) trait Field: Sized + Serialize {
    /// Whether the field is a list. If a list may be omitted, an empty list is still refused.
    const IS_LIST: bool = false;

    /// Reads the field from an object.
    fn read(f: &mut Fields, field: &'static str) -> Result<Self>;

    /// Writes the field into an object.
    fn write<M: SerializeMap>(
        &self,
        field: &'static str,
        object: &mut M,
    ) -> std::result::Result<(), M::Error> {
        object.serialize_entry(field, self)
    }

    /// Whether the value is a default that plans omit.
    fn is_left_out(&self) -> bool {
        false
    }
}

/// The fields of an object, while they are read.
pub(super) struct Fields {
    /// The name of the object in errors.
    at: String,
    /// The prefix of nested steps' numbers, such as `2.`.
    inside: String,
    left: Map<String, Json>,
    known: Vec<&'static str>,
    /// The number of cases read so far.
    cases: usize,
}

impl Fields {
    pub(super) fn of(at: &str, inside: String, json: Json) -> Result<Self> {
        match json {
            Json::Object(left) => Ok(Self { at: at.to_owned(), inside, left, known: Vec::new(), cases: 0 }),
            other => Err(refused(format!("{at} must be an object, found {}", kind(&other)))),
        }
    }

    /// The fields of an object nested in this one.
    pub(super) fn inner(&self, at: &str, json: Json) -> Result<Self> {
        Self::of(at, self.inside.clone(), json)
    }

    /// The name of the object in errors.
    pub(super) fn at(&self) -> &str {
        &self.at
    }

    pub(super) fn read<T: Field>(&mut self, field: &'static str) -> Result<T> {
        T::read(self, field)
    }

    /// Reads a field that may be omitted. Errors quote `default` to explain what an omitted field means.
    pub(super) fn read_or_default<T: Field + Default>(
        &mut self,
        field: &'static str,
        default: &str,
    ) -> Result<T> {
        match self.left.get(field) {
            None => {
                self.known.push(field);
                Ok(T::default())
            }
            Some(Json::Array(list)) if T::IS_LIST && list.is_empty() => Err(self.says(format!(
                "the field {field:?} is an empty list: leave it out for {default}, or list some"
            ))),
            Some(_) => T::read(self, field),
        }
    }

    pub(super) fn says(&self, what: impl AsRef<str>) -> PipelineError {
        refused(format!("{}: {}", self.at, what.as_ref()))
    }

    pub(super) fn no_such_step(&self, name: &str, known: &[&str]) -> PipelineError {
        let nearest = nearest(name, known.iter().copied());
        let hint = nearest.map_or_else(String::new, |nearest| format!("; the nearest is {nearest:?}"));
        self.says(format!("unknown step{hint}"))
    }

    /// The error for a value of the wrong kind.
    pub(super) fn wrong(&self, field: &str, expected: &str, found: &Json) -> PipelineError {
        self.says(format!("the field {field:?} must be {expected}, found {}", kind(found)))
    }

    /// Takes a field out of the object. `None` if it is missing.
    pub(super) fn take(&mut self, field: &'static str) -> Option<Json> {
        self.known.push(field);
        self.left.remove(field)
    }

    pub(super) fn need(&mut self, field: &'static str, expected: &str) -> Result<Json> {
        self.take(field)
            .ok_or_else(|| self.says(format!("the field {field:?} is missing: expected {expected}")))
    }

    /// Reads a list, which may be empty.
    fn list(&mut self, field: &'static str) -> Result<Vec<Json>> {
        match self.need(field, "a list")? {
            Json::Array(list) => Ok(list),
            other => Err(self.wrong(field, "a list", &other)),
        }
    }

    /// Reads a list that must not be empty.
    pub(super) fn some(&mut self, field: &'static str) -> Result<Vec<Json>> {
        let list = self.list(field)?;
        match list.is_empty() {
            true => Err(self.says(format!("the field {field:?} is an empty list"))),
            false => Ok(list),
        }
    }

    fn id(&self, field: &str, json: &Json) -> Result<u32> {
        let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| self.wrong(field, "whole numbers from 0 to 4294967295", json))
    }

    pub(super) fn steps_of(&self, field: &str, json: Json, inside: &str) -> Result<Steps> {
        match json {
            Json::Array(list) => Steps::of_list(list, inside),
            other => Err(self.wrong(field, "a list of steps", &other)),
        }
    }

    /// The prefix of the numbers of the steps in a field. The fields of `choose` have different prefixes,
    /// because several of them contain steps.
    pub(super) fn inside_of(&self, field: &str) -> String {
        match field {
            "on" => format!("{}on.", self.inside),
            "otherwise" => format!("{}{}.", self.inside, self.cases + 1),
            _ => self.inside.clone(),
        }
    }

    /// The prefix of the numbers of the steps in the item with this number of a list.
    pub(super) fn inside_of_nth(&self, number: usize) -> String {
        format!("{}{number}.", self.inside)
    }

    /// Fails if any unknown field is left.
    pub(super) fn finish(&self) -> Result<()> {
        let Some(field) = self.left.keys().next() else { return Ok(()) };
        let known: Vec<&str> = self.known.iter().copied().filter(|name| *name != "step").collect();
        let has = match known.is_empty() {
            true => "it has no fields".to_owned(),
            false => format!("its fields are {}", known.join(", ")),
        };
        Err(self.says(format!("unknown field {field:?}: {has}")))
    }
}

/// A field that may be omitted; it is then read as `None`.
impl<T: Field> Field for Option<T> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        match f.left.contains_key(field) {
            true => T::read(f, field).map(Some),
            false => {
                f.known.push(field);
                Ok(None)
            }
        }
    }

    fn write<M: SerializeMap>(
        &self,
        field: &'static str,
        object: &mut M,
    ) -> std::result::Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |value| value.write(field, object))
    }
}

impl Field for bool {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        match f.need(field, "true or false")? {
            Json::Bool(flag) => Ok(flag),
            other => Err(f.wrong(field, "true or false", &other)),
        }
    }
}

impl Field for u64 {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let expected = "a whole number of 0 or more";
        let found = f.need(field, expected)?;
        found.as_u64().ok_or_else(|| f.wrong(field, expected, &found))
    }
}

impl Field for u32 {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let found = f.need(field, "a number")?;
        f.id(field, &found)
    }
}

/// A list of node ids.
impl Field for Vec<u32> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?;
        list.iter().map(|id| f.id(field, id)).collect()
    }
}

impl Field for String {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        match f.need(field, "a text")? {
            Json::String(text) => Ok(text),
            other => Err(f.wrong(field, "a text", &other)),
        }
    }
}

/// A list of names.
impl Field for Vec<String> {
    const IS_LIST: bool = true;

    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?;
        let read = |json: Json| match json {
            Json::String(text) => Ok(text),
            other => Err(f.wrong(field, "a list of texts", &other)),
        };
        list.into_iter().map(read).collect()
    }

    fn is_left_out(&self) -> bool {
        self.is_empty()
    }
}

impl Field for Steps {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let steps = f.need(field, "a list of steps")?;
        f.steps_of(field, steps, &f.inside_of(field))
    }
}

/// A list of branches.
impl Field for Vec<Steps> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?;
        let branches =
            (1..).zip(list).map(|(number, steps)| f.steps_of(field, steps, &f.inside_of_nth(number)));
        branches.collect()
    }
}

impl Field for Vec<Case> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let mut cases = Self::new();
        for (number, case) in (1..).zip(f.list(field)?) {
            let inside = f.inside_of_nth(number);
            let mut case = Fields::of(&format!("{}, case {number}", f.at), inside, case)?;
            cases.push(Case { is: case.read("is")?, then: case.read("then")? });
            case.finish()?;
        }
        f.cases = cases.len();
        Ok(cases)
    }
}

pub(super) fn refused(reason: String) -> PipelineError {
    PipelineError::NotAPlan { reason }
}

/// The name and the value of the only field of an object. `None` if the object does not have exactly one
/// field.
pub(super) fn only_field(json: &Json) -> Option<(&str, &Json)> {
    let (name, value) = json.as_object().filter(|map| map.len() == 1)?.iter().next()?;
    Some((name, value))
}

/// The kind of a JSON value, as errors name it.
pub(super) fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(text) if text.chars().count() <= SHOWN => format!("the text {text:?}"),
        Json::String(_) => "a long text".to_owned(),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// The maximum number of characters of a text that an error quotes.
const SHOWN: usize = 40;
