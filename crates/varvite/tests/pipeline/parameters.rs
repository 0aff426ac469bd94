//! Tests plans with parameters: the plans that result from given values, and the values that are refused.

use varvite::ErrorCode;
use varvite::pipeline::{
    Arguments, Literal, ParameterType, Pipeline, PipelineError, Template, between, eq, nodes, one_of, regex,
};

/// A plan that declares `parameters`, and that tests a property with the predicate `is`.
fn template(parameters: &str, is: &str) -> Template {
    Template::from_json(&plan(parameters, is)).unwrap()
}

fn plan(parameters: &str, is: &str) -> String {
    let has = format!(r#"{{"step": "has", "property": "P", "is": {is}}}"#);
    format!(r#"{{"version": 1, "parameters": {parameters}, "steps": [{{"step": "nodes"}}, {has}]}}"#)
}

fn has(is: varvite::pipeline::Predicate) -> Pipeline {
    varvite::pipeline::all_nodes().has("P", is)
}

#[track_caller]
fn refused(error: &PipelineError, message: &str) {
    assert_eq!((error.to_string().as_str(), error.code()), (message, ErrorCode::Plan));
    assert!(error.at().is_none());
}

#[test]
fn a_value_stands_where_its_parameter_stood() {
    let bound = template(r#"{"x": "text"}"#, r#"{"eq": {"param": "x"}}"#);
    assert_eq!(bound.bind(&Arguments::new().with("x", "main")).unwrap(), has(eq("main")));
    let bound = template(
        r#"{"low": "integer", "high": "number"}"#,
        r#"{"between": [{"param": "low"}, {"param": "high"}]}"#,
    );
    let arguments = Arguments::new().with("low", u64::MAX).with("high", 1.5);
    assert_eq!(bound.bind(&arguments).unwrap(), has(between(u64::MAX, 1.5)));
    let bound = template(r#"{"x": "boolean"}"#, r#"{"one_of": [true, {"param": "x"}]}"#);
    assert_eq!(bound.bind(&Arguments::new().with("x", false)).unwrap(), has(one_of([true, false])));
    let bound = template(r#"{"x": "text"}"#, r#"{"regex": {"param": "x"}}"#);
    assert_eq!(bound.bind(&Arguments::new().with("x", "a|b")).unwrap(), has(regex("a|b")));
}

#[test]
fn counts_labels_and_lists_may_be_parameters_and_one_may_stand_twice() {
    let template = Template::from_json(
        r#"{"version": 1, "parameters": {"labels": "texts", "most": "integer", "ids": "integers"}, "steps": [
            {"step": "nodes", "labels": {"param": "labels"}}, {"step": "has_id", "ids": {"param": "ids"}},
            {"step": "where", "pipeline": [{"step": "out"}, {"step": "limit", "count": {"param": "most"}}]},
            {"step": "limit", "count": {"param": "most"}}]}"#,
    )
    .unwrap();
    let names: Vec<(&str, ParameterType)> =
        template.parameters().iter().map(|parameter| (parameter.name.as_str(), parameter.holds)).collect();
    let expected = [
        ("ids", ParameterType::Integers),
        ("labels", ParameterType::Texts),
        ("most", ParameterType::Integer),
    ];
    assert_eq!(names, expected);
    let arguments = Arguments::new().with_list("labels", ["A", "B"]).with_list("ids", [3, 4]).with("most", 5);
    let inner = varvite::pipeline::it().out(varvite::pipeline::ALL).limit(5);
    let pipeline = nodes(["A", "B"]).has_id([3, 4]).where_(inner).limit(5);
    assert_eq!(template.bind(&arguments).unwrap(), pipeline);
    let texts = [("labels", "A"), ("most", "5"), ("ids", "3"), ("labels", "B"), ("ids", "4")];
    assert_eq!(template.bind_texts(texts).unwrap(), pipeline, "a list has a pair for each value");
}

#[test]
fn no_text_is_more_than_a_text() {
    let bound = template(r#"{"x": "text"}"#, r#"{"eq": {"param": "x"}}"#);
    for text in ["", "\"", "\"}}, {\"step\": \"count\"}", "{\"param\": \"x\"}", "$x", "\\u0041", "\0", "💥"]
    {
        assert_eq!(bound.bind(&Arguments::new().with("x", text)).unwrap(), has(eq(text)));
        assert_eq!(bound.bind_texts([("x", text)]).unwrap(), has(eq(text)));
    }
    // A text that begins with `$` is a plain text, not a parameter.
    let plain = Template::from_json(&plan("{}", r#"{"eq": "$x"}"#)).unwrap();
    assert_eq!(plain.bind(&Arguments::new()).unwrap(), has(eq("$x")));
}

#[test]
fn each_parameter_has_one_value_of_its_type() {
    let bound = template(
        r#"{"name": "text", "most": "integer"}"#,
        r#"{"one_of": [{"param": "name"}, {"param": "most"}]}"#,
    );
    let fault = |arguments: Arguments| bound.bind(&arguments).unwrap_err();
    let named = Arguments::new().with("name", "x");
    refused(&fault(named.clone()), "the parameter \"most\" has no value: give it one of type integer");
    refused(
        &fault(named.clone().with("mst", 1)),
        "the plan has no parameter \"mst\"; the nearest is \"most\"",
    );
    let most = |value: Literal| fault(named.clone().with("most", value));
    refused(&most("1".into()), "the parameter \"most\" is declared as integer, found a text");
    refused(
        &most(1.5.into()),
        "the parameter \"most\" is declared as integer, found a number with a fraction",
    );
    let list = named.with_list("most", [1]);
    refused(&fault(list), "the parameter \"most\" is declared as integer, found a list");
    let texts = |texts: &[(&'static str, &'static str)]| bound.bind_texts(texts.iter().copied()).unwrap_err();
    refused(
        &texts(&[("most", "many")]),
        "the parameter \"most\" is declared as integer, found the text \"many\"",
    );
    refused(
        &texts(&[("most", "1"), ("most", "2")]),
        "the parameter \"most\" is declared as integer, found two values",
    );
    refused(&texts(&[("x", "1")]), "the plan has no parameter \"x\"");

    let list = template(r#"{"x": "texts"}"#, r#"{"one_of": {"param": "x"}}"#);
    let fault = list.bind(&Arguments::new().with("x", "a")).unwrap_err();
    refused(&fault, "the parameter \"x\" is declared as texts, found a text, which is not a list");
    let fault = list.bind(&Arguments::new().with_list("x", [1])).unwrap_err();
    refused(&fault, "the parameter \"x\" is declared as texts, found a whole number");
    let number = template(r#"{"x": "number"}"#, r#"{"lt": {"param": "x"}}"#);
    for number_of in [f64::NAN, f64::INFINITY] {
        assert!(number.bind(&Arguments::new().with("x", number_of)).is_err());
    }
    assert!(number.bind_texts([("x", "1e999")]).is_err());
    assert!(number.bind_texts([("x", "NaN")]).is_err());
}

#[test]
fn a_value_is_checked_as_if_it_had_stood_there() {
    let bound = template(r#"{"x": "integer"}"#, r#"{"prefix": {"param": "x"}}"#);
    let error = bound.bind(&Arguments::new().with("x", 5)).unwrap_err();
    refused(&error, "not a plan: step 2 (has): the field \"prefix\" must be a text, found the number 5");
    let bound = template(r#"{"x": "texts"}"#, r#"{"one_of": {"param": "x"}}"#);
    let error = bound.bind(&Arguments::new().with_list("x", Vec::<&str>::new())).unwrap_err();
    refused(&error, "not a plan: step 2 (has): the field \"one_of\" is an empty list");
    let error = bound.bind_texts([]).unwrap_err();
    assert!(matches!(error, PipelineError::ParameterMissing { .. }), "{error}");
    // A value can never become a predicate or a step.
    let bound = template(r#"{"x": "text"}"#, r#"{"param": "x"}"#);
    let error = bound.bind(&Arguments::new().with("x", "{\"eq\": 1}")).unwrap_err();
    assert!(error.to_string().contains("step 2 (has): the field \"is\" must be a predicate"), "{error}");
}

#[test]
fn what_is_declared_and_what_is_used_are_the_same() {
    let fault = |parameters, is| Template::from_json(&plan(parameters, is)).unwrap_err();
    let x = r#"{"eq": {"param": "x"}}"#;
    refused(
        &fault("{}", x),
        "not a plan: the parameter \"x\" is not declared: give its type in \"parameters\", as in {\"x\": \"text\"}",
    );
    refused(
        &fault(r#"{"x": "text", "y": "text"}"#, x),
        "not a plan: the parameter \"y\" is declared but not used",
    );
    refused(
        &fault(r#"{"x": "txt"}"#, x),
        "not a plan: the plan: the type of parameter \"x\" must be one of text, integer, number, boolean, texts, integers, numbers, found the text \"txt\"",
    );
    refused(
        &fault(r#"{"x y": "text"}"#, x),
        "not a plan: the plan: \"x y\" is not a name for a parameter: use letters from a to z, digits and _",
    );
    refused(
        &fault("[]", x),
        "not a plan: the plan: the field \"parameters\" must be an object with a field for each parameter, such as {\"name\": \"text\"}, found a list",
    );
    for malformed in [r#"{"eq": {"param": 1}}"#, r#"{"eq": {"param": "x", "default": 1}}"#] {
        refused(
            &fault(r#"{"x": "text"}"#, malformed),
            "not a plan: a parameter must be {\"param\": \"name\"}, with no other field",
        );
    }
    let step = r#"{"version": 1, "parameters": {"x": "text"}, "steps": [{"step": {"param": "x"}}]}"#;
    refused(&Template::from_json(step).unwrap_err(), "not a plan: the name of a step cannot be a parameter");
}

#[test]
fn a_plan_with_parameters_is_no_pipeline_without_values() {
    let error = Pipeline::from_json(&plan(r#"{"x": "text"}"#, r#"{"eq": {"param": "x"}}"#)).unwrap_err();
    refused(&error, "the parameter \"x\" has no value: give it one of type text");
}
