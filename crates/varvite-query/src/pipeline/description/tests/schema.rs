//! Compares the JSON Schema of plans with the table of steps. `docs/plan.schema.json` is for people and
//! tools, with parameters and the first sentence of each step; the schema of the tool `query` of agents has
//! neither, since it is sent with every session.

use serde_json::{Map, Value as Json, json};

use super::ALL;
use super::document::first_sentence;
use crate::pipeline::PREDICATES;
use crate::pipeline::description::declare::{FieldDescription, StepDescription};
use crate::pipeline::description::key::PLAIN;
use varvite_model::written::check_whole;

#[test]
fn the_schema_says_what_the_table_says() {
    let document = serde_json::to_string_pretty(&Form::Document.schema()).unwrap();
    check_whole("docs/plan.schema.json", &format!("{document}\n"));
    let tool = serde_json::to_string(&Form::Tool.schema()).unwrap();
    check_whole("crates/varvite-mcp/src/tools/plan.schema.json", &format!("{tool}\n"));
}

/// A form of the schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With parameters and descriptions.
    Document,
    /// For agents: no more than a plan without parameters needs.
    Tool,
}

impl Form {
    fn schema(self) -> Json {
        let mut definitions = Map::new();
        let mut define = |name: &str, schema: Json| definitions.insert(name.to_owned(), schema);
        define("plan", self.plan());
        define("steps", json!({ "type": "array", "items": of("step") }));
        define("branches", json!({ "type": "array", "items": of("steps"), "minItems": 1 }));
        define("step", json!({ "anyOf": self.step_forms() }));
        define("predicate", predicate());
        define("key", self.key());
        define(
            "operand",
            json!({ "allOf": [of("key"), { "not": { "type": "object", "required": ["as"] } }] }),
        );
        define("summary", summary());
        define("case", object(json!({ "is": of("predicate"), "then": of("steps") }), &["is", "then"]));
        define("literal", self.value(json!({ "type": ["string", "number", "boolean"] })));
        define("literals", self.list(of("literal")));
        define("pair", json!({ "type": "array", "items": of("literal"), "minItems": 2, "maxItems": 2 }));
        define("text", self.value(json!({ "type": "string" })));
        define("texts", self.list(of("text")));
        define("count", self.value(json!({ "type": "integer", "minimum": 0 })));
        define("id", self.value(json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })));
        define("ids", self.list(of("id")));
        define("flag", self.value(json!({ "type": "boolean" })));
        if self == Self::Document {
            define("parameter", object(json!({ "param": { "type": "string" } }), &["param"]));
        }
        match self {
            Self::Tool => json!({ "$defs": definitions }),
            Self::Document => json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "title": "A plan of Varvite, version 1",
                "description": "docs/plan.md describes plans. This schema is generated from the same table.",
                "$ref": "#/$defs/plan",
                "$defs": definitions,
            }),
        }
    }

    fn plan(self) -> Json {
        let mut properties = json!({ "version": { "const": 1 }, "steps": of("steps") });
        if self == Self::Document {
            let types = ["text", "integer", "number", "boolean", "texts", "integers", "numbers"];
            properties["parameters"] = json!({
                "type": "object",
                "propertyNames": { "pattern": "^[A-Za-z0-9_]+$" },
                "additionalProperties": { "enum": types },
            });
        }
        object(properties, &["version", "steps"])
    }

    /// The form of each step. For agents, steps with the same fields share a form.
    fn step_forms(self) -> Vec<Json> {
        let mut forms: Vec<(Json, Vec<&StepDescription>)> = Vec::new();
        for step in ALL {
            let form = step_form(step);
            match forms.iter_mut().find(|(known, _)| self == Self::Tool && *known == form) {
                Some((_, steps)) => steps.push(step),
                None => forms.push((form, vec![step])),
            }
        }
        let named = |(mut form, steps): (Json, Vec<&StepDescription>)| {
            let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
            form["properties"]["step"] = json!({ "enum": names });
            if self == Self::Document {
                form["description"] = first_sentence(steps[0]).into();
            }
            form
        };
        forms.into_iter().map(named).collect()
    }

    /// A value of a field, in whose place a parameter can stand.
    fn value(self, schema: Json) -> Json {
        match self {
            Self::Document => json!({ "anyOf": [schema, of("parameter")] }),
            Self::Tool => schema,
        }
    }

    fn list(self, items: Json) -> Json {
        self.value(json!({ "type": "array", "items": items, "minItems": 1 }))
    }

    fn key(self) -> Json {
        let words = json!({ "enum": ["itself", "label", "depth"] });
        let mut single = json!({ "key": words, "constant": of("literal"), "as": of("text") });
        ["property", "column"].into_iter().for_each(|word| single[word] = of("text"));
        ["first", "list", "exists"].into_iter().for_each(|word| single[word] = of("steps"));
        for function in &PLAIN {
            single[function.name()] = operands(*function.arity().start(), *function.arity().end());
        }
        let mut single = object(single, &[]);
        // One word, or one word and a name.
        single["oneOf"] = json!([
            { "minProperties": 1, "maxProperties": 1, "not": { "required": ["as"] } },
            { "minProperties": 2, "maxProperties": 2, "required": ["as"] },
        ]);
        let with_fields = |word: &str, mut fields: Json| {
            let required: Vec<String> = fields.as_object().into_iter().flat_map(Map::keys).cloned().collect();
            let required: Vec<&str> = required.iter().map(String::as_str).chain([word]).collect();
            (fields[word], fields["as"]) = (of("operand"), of("text"));
            object(fields, &required)
        };
        json!({ "anyOf": [
            words,
            single,
            with_fields("test", json!({ "is": of("predicate") })),
            with_fields("split", json!({ "on": of("text"), "part": of("id") })),
            with_fields("match", json!({ "regex": of("text"), "group": of("id") })),
        ] })
    }
}

fn of(definition: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// The form of a step, without its name.
fn step_form(step: &StepDescription) -> Json {
    let (mut properties, mut required) = (json!({ "step": {} }), vec!["step"]);
    step.fields.iter().for_each(|field| add_field(field, &mut properties, &mut required));
    object(properties, &required)
}

/// An object with these fields and no others.
fn object(properties: Json, required: &[&str]) -> Json {
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn add_field(field: &FieldDescription, properties: &mut Json, required: &mut Vec<&str>) {
    if field.holds == "Repeat" {
        return add_repeat(properties, required);
    }
    let inner = field.holds.strip_prefix("Option<").and_then(|holds| holds.strip_suffix('>'));
    properties[field.name] = match inner.unwrap_or(field.holds) {
        "String" => of("text"),
        "Vec<String>" => of("texts"),
        "Vec<u32>" => of("ids"),
        "u64" => of("count"),
        "bool" => of("flag"),
        "Predicate" => of("predicate"),
        "Steps" => of("steps"),
        "Vec<Steps>" => of("branches"),
        "Key" => of("key"),
        "Vec<Key>" => json!({ "type": "array", "items": of("key"), "minItems": 1 }),
        "Vec<Summary>" => json!({ "type": "array", "items": of("summary"), "minItems": 1 }),
        "Vec<Case>" => json!({ "type": "array", "items": of("case") }),
        other => panic!("the schema has no form for {other}"),
    };
    if inner.is_none() && field.default.is_none() {
        required.push(field.name);
    }
}

/// The fields of `repeat`, which its type reads by itself.
fn add_repeat(properties: &mut Json, required: &mut Vec<&str>) {
    let where_ = object(json!({ "where": of("steps") }), &["where"]);
    let emit = json!({ "anyOf": [{ "enum": ["all", "all_but_first"] }, where_] });
    let fields = [
        ("body", of("steps")),
        ("times", of("id")),
        ("until", of("steps")),
        ("whilst", of("steps")),
        ("emit", emit),
        ("dedup", of("flag")),
        ("order", json!({ "enum": ["depth", "breadth"] })),
    ];
    for (name, schema) in fields {
        properties[name] = schema;
    }
    required.push("body");
}

/// An object with one field: a predicate.
fn predicate() -> Json {
    let operand = |name: &str| match name {
        "eq" | "ne" | "lt" | "lte" | "gt" | "gte" => of("literal"),
        "one_of" | "none_of" => of("literals"),
        "between" | "inside" | "outside" => of("pair"),
        "prefix" | "suffix" | "contains" | "regex" => of("text"),
        other => panic!("the schema has no form for the predicate {other}"),
    };
    let operands: Map<String, Json> =
        PREDICATES.iter().map(|name| ((*name).to_owned(), operand(name))).collect();
    let mut schema = object(operands.into(), &[]);
    (schema["minProperties"], schema["maxProperties"]) = (1.into(), 1.into());
    schema
}

fn operands(least: usize, most: usize) -> Json {
    match (least, most) {
        (1, 1) => of("operand"),
        (2, 2) => json!({ "type": "array", "items": of("operand"), "minItems": 2, "maxItems": 2 }),
        (least, _) => json!({ "type": "array", "items": of("operand"), "minItems": least }),
    }
}

fn summary() -> Json {
    let of_property = |name: &str| object(json!({ name: of("text") }), &[name]);
    let mut forms = vec![json!({ "const": "count" })];
    forms.extend(["sum", "min", "max", "mean"].map(of_property));
    json!({ "anyOf": forms })
}
