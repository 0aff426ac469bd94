//! What bad input gets: a typed error that names the step, and the nearest name where there is one.

use varvite::pipeline::{ALL, Key, Pipeline, PipelineError, contains, edges, eq, gt, ids, it, nodes, regex};
use varvite::{Graph, Profile};
use varvite_model::RandomGraph;

use crate::draft::Draft;

fn graph() -> Graph {
    let options = RandomGraph { nodes: 300, edges: 900, ..RandomGraph::new(5) };
    Draft::of(&options.build().in_canonical_order()).open(Profile::Direct)
}

#[track_caller]
fn check(pipeline: Pipeline, message: &str) -> PipelineError {
    let error = pipeline.compile(&graph()).unwrap_err();
    assert_eq!(error.to_string(), message);
    // What came over the wire fails alike.
    let sent = Pipeline::from_json(&pipeline.to_json()).unwrap();
    assert_eq!(sent.compile(&graph()).unwrap_err().to_string(), message);
    error
}

#[track_caller]
fn check_form(json: &str, message: &str) {
    assert_eq!(Pipeline::from_json(json).unwrap_err().to_string(), message);
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let error = check(
        nodes("METHODS"),
        r#"step 1 (nodes): there is no label "METHODS" in this graph; the nearest is "METHOD""#,
    );
    let PipelineError::Unknown { at, kind, nearest, .. } = error else { panic!("{error:?}") };
    assert_eq!((at.path(), at.name(), kind, nearest.as_deref()), ("1", "nodes", "label", Some("METHOD")));
    check(
        nodes(ALL).out("CALLS"),
        r#"step 2 (out): there is no edge label "CALLS" in this graph; the nearest is "CALL""#,
    );
    check(
        nodes(ALL).has("NAM", eq("x")),
        r#"step 2 (has): there is no property "NAM" in this graph; the nearest is "NAME""#,
    );
    check(
        edges("REACHING_DEF").values("VARIABL"),
        r#"step 2 (values): there is no edge property "VARIABL" in this graph; the nearest is "VARIABLE""#,
    );
    check(
        nodes(ALL).has_label("qqqqqqqq"),
        r#"step 2 (has_label): there is no label "qqqqqqqq" in this graph"#,
    );
}

#[test]
fn sides_have_names_of_their_own_and_stand_outermost() {
    check(
        nodes(ALL).side("a").out(ALL).side("b").in_(ALL).side("a"),
        r#"step 6 (side): has the name of an earlier one, "a""#,
    );
    let inside = "stands inside of a step, and only rows of the outermost steps can be given";
    check(nodes(ALL).where_(it().out(ALL).side("a")), &format!("step 2.2 (side): {inside}"));
    check(
        nodes(ALL).repeat(it().side("a").out("AST"), |walk| walk.times(2)),
        &format!("step 2.1 (side): {inside}"),
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "side"}]}"#,
        "not a plan: step 2 (side): missing field `name`",
    );
}

#[test]
fn a_step_inside_a_step_has_a_path() {
    let inner = || it().out("AST").has("NAM", eq("x"));
    let nearest = r#"there is no property "NAM" in this graph; the nearest is "NAME""#;
    check(nodes(ALL).where_(inner()), &format!("step 2.2 (has): {nearest}"));
    check(nodes(ALL).union([it(), inner()]), &format!("step 2.2.2 (has): {nearest}"));
    check(nodes(ALL).repeat(inner(), |repeat| repeat.times(1)), &format!("step 2.2 (has): {nearest}"));
    check(
        nodes(ALL).choose(inner().values("NAME"), [(eq("x"), it())], None),
        &format!("step 2.on.2 (has): {nearest}"),
    );
    check(
        nodes(ALL).descendants().has_label("METHODS").count(),
        r#"step 3 (has_label): there is no label "METHODS" in this graph; the nearest is "METHOD""#,
    );
}

#[test]
fn values_are_compared_with_their_like() {
    check(
        nodes(ALL).has("NAME", eq(1)),
        "step 2 (has): property NAME holds string, and eq compares with a whole number",
    );
    check(
        nodes(ALL).has("ORDER", eq("1")),
        "step 2 (has): property ORDER holds i32, and eq compares with a text",
    );
    check(
        nodes(ALL).has("ORDER", contains("1")),
        "step 2 (has): property ORDER holds i32, and contains compares with a text",
    );
    check(
        nodes(ALL).has("NAME", gt(1)),
        "step 2 (has): property NAME holds string, and gt compares with a whole number",
    );
    check(
        nodes(ALL).has("IS_EXTERNAL", gt(true)),
        "step 2 (has): property IS_EXTERNAL holds bool, and gt compares with a truth value",
    );
    check(
        nodes(ALL).values("ORDER").is(eq(true)),
        "step 3 (is): the value holds i32, and eq compares with a truth value",
    );
    check(
        nodes(ALL).has("BYTES", eq("00")),
        "step 2 (has): property BYTES holds bytes, and eq compares with a text",
    );
}

#[test]
fn regular_expressions_must_compile_and_stay_small() {
    let error = nodes(ALL).has("NAME", regex("mem(")).compile(&graph()).unwrap_err();
    assert!(matches!(&error, PipelineError::BadRegex { at, .. } if at.path() == "2"), "{error}");
    assert!(error.to_string().contains("mem(") && error.to_string().contains("unclosed group"), "{error}");
    check(
        nodes(ALL).has("NAME", regex(r"(\w{1000}){1000}")),
        "step 2 (has): the regular expression needs more than 2097152 bytes compiled: repeat less, or use contains or prefix",
    );
    let deep = format!("{}a{}", "(".repeat(500), ")".repeat(500));
    let error = nodes(ALL).has("NAME", regex(deep)).compile(&graph()).unwrap_err();
    assert!(matches!(error, PipelineError::BadRegex { .. }), "{error}");
    // Whoever tries to leave the brackets around the pattern fails alone.
    let error = nodes(ALL).has("NAME", regex("a)|(b")).compile(&graph()).unwrap_err();
    assert!(matches!(error, PipelineError::BadRegex { .. }), "{error}");
}

#[test]
fn steps_get_rows_that_they_can_work_on() {
    let needs_nodes = "needs nodes, and the step before it gives";
    check(nodes(ALL).values("NAME").out(ALL), &format!("step 3 (out): {needs_nodes} values"));
    check(edges(ALL).out(ALL), &format!("step 2 (out): {needs_nodes} edges"));
    check(nodes(ALL).source(), "step 2 (source): needs edges, and the step before it gives nodes");
    check(nodes(ALL).sum(), "step 2 (sum): needs values, and the step before it gives nodes");
    check(nodes(ALL).values("NAME").sum(), "step 3 (sum): needs numbers, and the values are string");
    check(
        nodes(ALL).group_count(Key::Label).dedup(),
        "step 3 (dedup): needs nodes, edges or values, and the step before it gives rows of columns",
    );
    check(
        nodes(ALL).group_count(Key::Label).order_by(Key::Label),
        "step 3 (order): needs the name of a column: label, count",
    );
    check(
        nodes(ALL).group_count(Key::Label).order_by(Key::column("cuont")),
        r#"step 3 (order): there is no column "cuont": the rows before it have label, count"#,
    );
    check(
        nodes(ALL).order_by(Key::column("count")),
        "step 2 (order): needs rows of columns, and the step before it gives nodes",
    );
    check(
        nodes(ALL).values("ORDER").path(),
        "step 3 (path): needs nodes or edges, and the step before it gives values",
    );
    check(
        nodes(ALL).repeat(it().values("NAME"), |repeat| repeat.times(1)),
        "step 2 (repeat): needs a body that gives nodes, and the step before it gives values",
    );
    check(
        nodes(ALL).union([it(), it().values("NAME")]),
        "step 2 (union): one branch gives nodes, another one other values",
    );
    check(
        nodes(ALL).union([it().values("CODE"), it().values("NAME")]),
        "step 2 (union): one branch gives values, another one other values",
    );
    check(nodes(ALL).where_(it().path()), "step 2.1 (path): there is no path inside of a condition");
}

#[test]
fn a_pipeline_has_one_start_and_it_is_first() {
    check(it(), "step 1 (nodes): a pipeline begins with nodes, ids or edges, and this one is empty");
    check(it().out(ALL), "step 1 (out): can't begin a pipeline: begin with nodes, ids or edges");
    check(
        nodes(ALL).where_(nodes("METHOD")),
        "step 2.1 (nodes): begins a pipeline, and can't come later or inside of a step",
    );
    check(ids([1, 300]), "step 1 (ids): there is no node 300: ids are 0 to 299");
    check(nodes(ALL).has_id([1000]), "step 2 (has_id): there is no node 1000: ids are 0 to 299");
}

#[test]
fn nesting_and_length_have_limits() {
    let mut nested = it();
    for _ in 0..40 {
        nested = it().where_(nested);
    }
    let error = nodes(ALL).where_(nested).compile(&graph()).unwrap_err();
    assert!(error.to_string().ends_with("is nested deeper than 32 pipelines"), "{error}");
    let long = (0..2000).fold(nodes(ALL).dedup(), |pipeline, _| pipeline.limit(5));
    let error = long.compile(&graph()).unwrap_err();
    assert!(error.to_string().ends_with("a pipeline has at most 1000 steps"), "{error}");
    let deep = format!("{}{}", r#"{"version":1,"steps":["#, r#"{"step":"where","pipeline":["#.repeat(5000));
    assert!(matches!(Pipeline::from_json(&deep), Err(PipelineError::NotAPlan { .. })));
}

#[test]
fn plans_that_are_none_are_refused() {
    check_form("nodes", "not a plan: expected ident at line 1 column 2");
    check_form(r#"{"steps": []}"#, "not a plan: missing field `version`");
    check_form(r#"{"version": 1}"#, "not a plan: missing field `steps`");
    check_form(
        r#"{"version": 2, "steps": [{"step": "new"}]}"#,
        "the plan has version 2; this library reads version 1: use a library of its time",
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "limit", "cuont": 3}]}"#,
        "not a plan: step 2 (limit): unknown field `cuont`, expected `count`",
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "where", "pipeline": [{"step": "limit"}]}]}"#,
        "not a plan: step 2 (where): step 1 (limit): missing field `count`",
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "count", "by": "itself"}]}"#,
        "not a plan: step 1 (count): unknown field `by`, there are no fields",
    );
}
