//! Tests of the JSON Schema of plans, `docs/plan.schema.json`, by a validator that is not ours.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value as Json, json};
use varvite::pipeline::{Pipeline, Template};
use varvite_model::Ask;

use super::cases::cases;

const SCHEMA: &str = include_str!("../../../../docs/plan.schema.json");
/// The schema that agents see, which has no parameters.
const TOOL: &str = include_str!("../../../varvite-mcp/src/tools/plan.schema.json");
const DOCUMENT: &str = include_str!("../../../../docs/plan.md");

/// A compiled schema.
struct Validator(Schemas, SchemaIndex);

impl Validator {
    fn of(schema: &str, definition: &str) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("plan.json", serde_json::from_str(schema).unwrap()).unwrap();
        let index = compiler.compile(&format!("plan.json{definition}"), &mut schemas).unwrap();
        Self(schemas, index)
    }

    fn accepts(&self, plan: &Json) -> bool {
        self.0.validate(plan, self.1).is_ok()
    }
}

/// Every example of the page, and every plan of a case that the engine reads.
fn valid_plans() -> Vec<String> {
    let blocks = DOCUMENT.split("```json\n").skip(1).filter_map(|block| block.split("```").next());
    let examples = blocks.filter(|block| block.contains("\"version\"")).map(str::to_owned);
    let asks = cases().into_values().flat_map(|case| case.asks);
    let is_valid = |ask: &Ask| {
        let params = ask.params.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Template::from_json(&ask.plan).and_then(|plan| plan.bind_texts(params)).is_ok()
    };
    examples.chain(asks.filter(is_valid).map(|ask| ask.plan)).collect()
}

#[test]
fn the_schema_accepts_every_example() {
    let (document, tool) = (Validator::of(SCHEMA, ""), Validator::of(TOOL, "#/$defs/plan"));
    let plans = valid_plans();
    assert!(plans.len() > 200, "{}", plans.len());
    for plan in plans {
        let json: Json = serde_json::from_str(&plan).unwrap();
        assert!(document.accepts(&json), "{plan}");
        assert_eq!(tool.accepts(&json), !plan.contains("\"parameters\""), "{plan}");
    }
}

#[test]
fn the_schema_refuses_what_is_no_plan() {
    let validators = [Validator::of(SCHEMA, ""), Validator::of(TOOL, "#/$defs/plan")];
    let with = |step: Json| json!({ "version": 1, "steps": [{ "step": "nodes" }, step] });
    for plan in [
        json!([]),
        json!({ "steps": [] }),
        json!({ "version": 2, "steps": [] }),
        json!({ "version": 1, "steps": [], "more": 1 }),
        with(json!({ "step": "node" })),
        with(json!({ "labels": ["CALL"] })),
        with(json!({ "step": "out", "label": ["CALL"] })),
        with(json!({ "step": "out", "labels": [] })),
        with(json!({ "step": "out", "labels": "CALL" })),
        with(json!({ "step": "limit" })),
        with(json!({ "step": "limit", "count": -1 })),
        with(json!({ "step": "limit", "count": 1.5 })),
        with(json!({ "step": "has", "property": "NAME", "is": { "equals": "a" } })),
        with(json!({ "step": "has", "property": "NAME", "is": { "eq": "a", "ne": "b" } })),
        with(json!({ "step": "has", "property": "ORDER", "is": { "between": [1] } })),
        with(json!({ "step": "order", "by": { "property": "NAME", "column": "count" } })),
        with(json!({ "step": "map", "by": { "add": ["itself"] } })),
        with(json!({ "step": "map", "by": { "not": { "as": "a", "constant": true } } })),
        with(json!({ "step": "repeat", "emit": "all" })),
        with(json!({ "step": "repeat", "body": [], "emit": "some" })),
        with(json!({ "step": "where", "pipeline": [{ "step": "ou" }] })),
        with(json!({ "step": "summarize", "columns": [{ "median": "ORDER" }] })),
    ] {
        assert!(Pipeline::from_json(&plan.to_string()).is_err(), "the engine reads {plan}");
        assert!(validators.iter().all(|schema| !schema.accepts(&plan)), "{plan}");
    }
}
