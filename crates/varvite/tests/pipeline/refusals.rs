//! Tests the errors for bad input. Each error is typed and names the step; for an unknown name, it also gives
//! the nearest known name, if there is one.

use varvite::Cancel;
use varvite::error::NameKind;
use varvite::pipeline::{
    ALL, Arguments, Key, Pipeline, PipelineError, PlanLimit, Summary, Template, contains, edges, eq, gt, ids,
    it, nodes, one_of, regex,
};
use varvite::{Budget, ErrorCode, Graph, Profile, Task};
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_testing::draft::Draft;

use super::rows_of;

fn graph() -> Graph {
    let options = RandomGraph { nodes: 300, edges: 900, ..RandomGraph::new(5) };
    Draft::of(&options.build().in_canonical_order()).open(Profile::Direct)
}

#[track_caller]
fn check(pipeline: Pipeline, message: &str) -> PipelineError {
    let error = pipeline.compile(&graph()).unwrap_err();
    assert_eq!(error.to_string(), message);
    // The same plan, sent as text, fails with the same message.
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
    assert_eq!(
        (at.path(), at.name(), kind, nearest.as_deref()),
        ("1", "nodes", NameKind::Label, Some("METHOD"))
    );
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
        r#"step 6 (side): repeats the name of an earlier step, "a""#,
    );
    let inside = "is inside another step, but only outermost steps can give rows aside";
    check(nodes(ALL).where_(it().out(ALL).side("a")), &format!("step 2.2 (side): {inside}"));
    check(
        nodes(ALL).repeat(it().side("a").out("AST"), |walk| walk.times(2)),
        &format!("step 2.1 (side): {inside}"),
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "side"}]}"#,
        "not a plan: step 2 (side): the field \"name\" is missing: expected a text",
    );
}

#[test]
fn a_key_that_is_a_pipeline_gives_nodes_or_values() {
    check(
        nodes(ALL).dedup_by(Key::first(it().out_edges(ALL))),
        "step 2 (dedup): needs a key whose pipeline gives nodes or values, but the step before it gives edges",
    );
    check(
        nodes(ALL).order_by(Key::list(it().out(ALL))),
        "step 2 (order): cannot sort, group or compare by a list: use first or exists; only columns can show a list",
    );
    check(
        nodes(ALL).group_count("NAME").order_by(Key::exists(it())),
        "step 3 (order): needs nodes, edges or values, but the step before it gives rows of columns",
    );
    check(
        nodes(ALL).columns([Key::Itself, Key::first(it().out("AST").depth())]),
        "step 2.2.2 (depth): depth is not available inside a condition",
    );
}

#[test]
fn a_function_names_the_kinds_of_its_operands() {
    let refused = [
        (
            Key::add("NAME", Key::constant(1)),
            "add needs numbers, but its operands are a text and a whole number",
        ),
        (
            Key::equal("ORDER", "NAME"),
            "eq needs numbers, or texts, or truth values, or nodes, but its operands are a whole number and a text",
        ),
        (
            Key::less(Key::Itself, Key::Itself),
            "lt needs numbers, or texts, but its operands are a node and a node",
        ),
        (
            Key::not(Key::constant(0.5)),
            "not needs truth values, but its operands are a number with a fraction",
        ),
        (Key::lower(Key::constant(true)), "lower needs a text, but its operands are a truth value"),
        (
            Key::concat([Key::Itself, Key::Label]),
            "concat needs texts, numbers or truth values, but its operands are a node and a text",
        ),
        (Key::length("NAME"), "needs a key that is true or false, but the key is a whole number"),
        (
            Key::test("NAME", gt(1)),
            "the key holds string, but gt (>) compares numbers: use eq (=), ne (!=) or regex (~)",
        ),
        (Key::matched("NAME", "(a)", 2), "the regular expression has no group 2: its last group is 1"),
        (
            Key::not(Key::list(it())),
            "cannot sort, group or compare by a list: use first or exists; only columns can show a list",
        ),
    ];
    for (key, message) in refused {
        check(nodes(ALL).filter(key), &format!("step 2 (filter): {message}"));
    }
    check(
        edges("AST").map(Key::equal(Key::Itself, Key::Itself)),
        "step 2 (map): cannot compute with an edge",
    );
    check(
        nodes(ALL).map(Key::length(Key::first(it().out_edges("AST")))),
        "step 2 (map): needs a key whose pipeline gives nodes or values, but the step before it gives edges",
    );
    check(
        nodes(ALL).columns([Key::Label, Key::not(Key::exists(it().has("NAM", eq("x"))))]),
        r#"step 2.2.1.1 (has): there is no property "NAM" in this graph; the nearest is "NAME""#,
    );
}

#[test]
fn a_name_belongs_to_the_row_with_which_a_pipeline_begins() {
    let late = "names the row with which an inner pipeline begins, so it must be the first step of one";
    check(nodes(ALL).as_("a"), &format!("step 2 (as): {late}"));
    check(nodes(ALL).where_(it().out("AST").as_("a")), &format!("step 2.2 (as): {late}"));
    let missing = "no pipeline around the step begins with as";
    check(nodes(ALL).select("a"), &format!("step 2 (select): {missing} \"a\""));
    check(
        nodes(ALL).union([it().as_("above"), it().select("above")]),
        &format!("step 2.2.1 (select): {missing} \"above\""),
    );
    check(
        nodes(ALL).where_(it().as_("above").out("AST").select("abov")),
        &format!("step 2.3 (select): {missing} \"abov\"; the nearest is \"above\""),
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
        "step 2 (has): property NAME holds string, but eq compares with a whole number",
    );
    check(
        nodes(ALL).has("ORDER", eq("1")),
        "step 2 (has): property ORDER holds i32, but eq compares with a text",
    );
    check(
        nodes(ALL).has("ORDER", contains("1")),
        "step 2 (has): property ORDER holds i32, but contains tests texts: use eq (=), ne (!=), lt (<), lte (<=), \
         gt (>) or gte (>=)",
    );
    check(
        nodes(ALL).has("NAME", gt(1)),
        "step 2 (has): property NAME holds string, but gt (>) compares numbers: use eq (=), ne (!=) or regex (~)",
    );
    check(
        nodes(ALL).has("IS_EXTERNAL", gt(true)),
        "step 2 (has): property IS_EXTERNAL holds bool, but gt (>) compares numbers: use eq (=) or ne (!=)",
    );
    check(
        nodes(ALL).values("ORDER").is(eq(true)),
        "step 3 (is): the value holds i32, but eq compares with a truth value",
    );
    check(
        nodes(ALL).has("BYTES", eq("00")),
        "step 2 (has): property BYTES holds bytes, but eq compares with a text",
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
    // The engine puts parentheses around a pattern, but a pattern that closes them itself is still invalid.
    let error = nodes(ALL).has("NAME", regex("a)|(b")).compile(&graph()).unwrap_err();
    assert!(matches!(error, PipelineError::BadRegex { .. }), "{error}");
}

#[test]
fn steps_get_rows_that_they_can_work_on() {
    let needs_nodes = "needs nodes, but the step before it gives";
    check(nodes(ALL).values("NAME").out(ALL), &format!("step 3 (out): {needs_nodes} values"));
    check(edges(ALL).out(ALL), &format!("step 2 (out): {needs_nodes} edges"));
    check(nodes(ALL).source(), "step 2 (source): needs edges, but the step before it gives nodes");
    check(nodes(ALL).sum(), "step 2 (sum): needs values, but the step before it gives nodes");
    check(nodes(ALL).values("NAME").sum(), "step 3 (sum): needs numbers, but the values are string");
    check(
        nodes(ALL).summarize(Key::Label, [Summary::Count, Summary::max("NAME")]),
        "step 2 (summarize): needs numbers, but the values are string",
    );
    check(
        nodes(ALL).values("ORDER").summarize(Key::Itself, [Summary::Count]),
        "step 3 (summarize): needs nodes or edges, but the step before it gives values",
    );
    check(
        edges(ALL).summarize(Key::Itself, [Summary::Count]),
        "step 2 (summarize): cannot group by the edges themselves: group by their label or a property",
    );
    check(
        nodes(ALL).group_count(Key::Label).dedup(),
        "step 3 (dedup): needs nodes, edges or values, but the step before it gives rows of columns",
    );
    check(
        nodes(ALL).group_count(Key::Label).order_by(Key::Label),
        "step 3 (order): needs the name of a column: label, count",
    );
    check(
        nodes(ALL).group_count(Key::Label).order_by(Key::column("cuont")),
        r#"step 3 (order): there is no column "cuont": the rows of the step before have label, count"#,
    );
    check(
        nodes(ALL).order_by(Key::column("count")),
        "step 2 (order): needs rows of columns, but the step before it gives nodes",
    );
    check(
        nodes(ALL).values("ORDER").path(),
        "step 3 (path): needs nodes or edges, but the step before it gives values",
    );
    check(
        nodes(ALL).repeat(it().values("NAME"), |repeat| repeat.times(1)),
        "step 2 (repeat): needs a body that gives nodes, but the step before it gives values",
    );
    check(
        nodes(ALL).union([it(), it().values("NAME")]),
        "step 2 (union): one branch gives nodes, another gives different values",
    );
    check(
        nodes(ALL).union([it().values("CODE"), it().values("NAME")]),
        "step 2 (union): one branch gives values, another gives different values",
    );
    check(nodes(ALL).where_(it().path()), "step 2.1 (path): path is not available inside a condition");
}

#[test]
fn a_pipeline_has_one_start_and_it_is_first() {
    check(it(), "step 1 (nodes): the pipeline is empty: begin with nodes, ids or edges");
    check(it().out(ALL), "step 1 (out): cannot begin a pipeline: begin with nodes, ids or edges");
    check(
        nodes(ALL).where_(nodes("METHOD")),
        "step 2.1 (nodes): begins a pipeline, and cannot come later or inside a step",
    );
    check(ids([1, 300]), "step 1 (ids): there is no node 300: ids are 0 to 299");
    check(nodes(ALL).has_id([1000]), "step 2 (has_id): there is no node 1000: ids are 0 to 299");
}

#[test]
fn nesting_and_length_have_limits() {
    let nested = |depth: usize| nodes(ALL).where_((1..depth).fold(it(), |inside, _| it().where_(inside)));
    let error = nested(257).compile(&graph()).unwrap_err();
    assert!(error.to_string().ends_with("is nested deeper than 256 pipelines"), "{error}");
    assert_eq!(Pipeline::from_json(&nested(257).to_json()).unwrap_err().to_string(), error.to_string());
    let long = |steps: usize| (1..steps).fold(nodes(ALL), |pipeline, _| pipeline.skip(0));
    let error = long(100_001).compile(&graph()).unwrap_err();
    assert_eq!(error.to_string(), "step 100001 (skip): a plan has at most 100000 steps");
    let error = Pipeline::from_json(&long(100_001).to_json()).unwrap_err();
    assert!(matches!(error, PipelineError::TooLarge { of: PlanLimit::Steps, most: 100_000 }), "{error}");
    let deep = format!("{}{}", r#"{"version":1,"steps":["#, r#"{"step":"where","pipeline":["#.repeat(5000));
    let error = Pipeline::from_json(&deep).unwrap_err();
    assert!(matches!(error, PipelineError::TooLarge { of: PlanLimit::Depth, most: 256 }), "{error}");
    assert_eq!(error.to_string(), "the plan is nested deeper than 256 pipelines");
}

#[test]
fn what_is_as_deep_and_as_long_as_may_be_runs() {
    let graph = graph();
    let all = rows_of(&graph, &nodes(ALL));
    let deepen = |deepen: &dyn Fn(Pipeline) -> Pipeline| (0..255).fold(it(), |inside, _| deepen(inside));
    let deep = [
        nodes(ALL).where_(deepen(&|inside| it().where_(inside))),
        nodes(ALL).where_(deepen(&|inside| it().where_(inside).limit(1))),
        nodes(ALL).union([deepen(&|inside| it().union([inside]))]),
        nodes(ALL).coalesce([deepen(&|inside| it().coalesce([inside]))]),
        nodes(ALL).or([deepen(&|inside| it().and([inside]))]),
        nodes(ALL).union([deepen(&|inside| it().choose(it().values("ORDER"), [], Some(inside)))]),
        nodes(ALL).repeat(
            deepen(&|inside| it().limit(1).repeat(inside.limit(1), |walk| walk.times(1))).limit(1),
            |walk| walk.times(1),
        ),
        nodes(ALL).filter((0..256).fold(Key::constant(true), |key, _| Key::not(key))),
        nodes(ALL).filter((0..255).fold(Key::exists(it()), |key, _| Key::and([key]))),
        nodes(ALL).filter((0..255).fold(Key::exists(it()), |key, _| Key::exists(it().filter(key)))),
    ];
    for pipeline in deep {
        let sent = Pipeline::from_json(&pipeline.to_json()).unwrap();
        assert!(sent == pipeline && pipeline.clone() == sent);
        assert_eq!(rows_of(&graph, &sent), all, "{:.100}", pipeline.to_json());
        assert!(!pipeline.compile(&graph).unwrap().explain().to_string().is_empty());
    }
    let long = (1..100_000).fold(nodes(ALL), |pipeline, _| pipeline.skip(0));
    let sent = Pipeline::from_json(&long.to_json()).unwrap();
    assert_eq!(rows_of(&graph, &sent), all);
    // A pipeline inside a step may have as many steps as an outermost one.
    let asked = nodes(ALL).limit(3).where_((3..100_000).fold(it(), |pipeline, _| pipeline.has_any("ORDER")));
    assert_eq!(rows_of(&graph, &asked), rows_of(&graph, &nodes(ALL).limit(3).has_any("ORDER")));
}

#[test]
fn a_condition_of_many_branches_is_explained() {
    let wide = nodes(ALL).or(vec![it().has_any("NAME"); 20_000]);
    assert!(wide.compile(&graph()).unwrap().explain().to_string().len() > 65_536);
}

/// Here conditions are nested 200 deep. If the pipeline inside each condition were compiled twice, this would
/// be 2^200 pipelines.
#[test]
fn conditions_inside_of_conditions_are_compiled_once() {
    let nested =
        (0..200).fold(it().limit(1), |inside, _| it().out(ALL).where_(inside).out(ALL).count().is(gt(0)));
    nodes(ALL).where_(nested).compile(&graph()).unwrap();
}

#[test]
fn what_nobody_can_compile_is_dropped_all_the_same() {
    let deep = (0..200_000).fold(it(), |inside, _| it().union([inside]));
    assert!(matches!(deep.compile(&graph()), Err(PipelineError::BadStep { .. })));
    drop(deep);
}

#[test]
fn a_field_that_stands_twice_is_refused_wherever_it_stands() {
    let check = |json: &str, field: &str| {
        let error = Pipeline::from_json(json).unwrap_err().to_string();
        assert!(error.starts_with("not a plan: line 1, column "), "{error}");
        assert!(error.ends_with(&format!("the field {field:?} occurs twice in one object")), "{error}");
    };
    check(r#"{"version": 1, "version": 1, "steps": [{"step": "nodes"}]}"#, "version");
    check(r#"{"version": 1, "steps": [{"step": "nodes"}], "steps": [{"step": "nodes"}]}"#, "steps");
    check(r#"{"version": 1, "steps": [{"step": "nodes", "step": "nodes"}]}"#, "step");
    check(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "limit", "count": 1, "count": 2}]}"#,
        "count",
    );
    check(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "has", "property": "NAME", "is": {"eq": 1, "\u0065q": 2}}]}"#,
        "eq",
    );
    check(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "where", "pipeline": [{"step": "dedup", "by": {"property": "A", "property": "A"}}]}]}"#,
        "property",
    );
    check(
        r#"{"version": 1, "parameters": {"x": "text", "x": "text"}, "steps": [{"step": "nodes", "labels": [{"param": "x"}]}]}"#,
        "x",
    );
}

#[test]
fn a_plan_that_needs_more_than_its_budget_ends_with_it() {
    let branches = format!(
        r#"{{"version": 1, "steps": [{{"step": "nodes"}}, {{"step": "union", "branches": [{}]}}]}}"#,
        vec!["[]"; 1_000_000].join(",")
    );
    let budget = Budget::new(32 << 20);
    let error = Pipeline::from_json_within(&branches, &budget).unwrap_err();
    assert!(matches!(error, PipelineError::PlanOverBudget { limit: 33_554_432, .. }), "{error}");
    assert_eq!((error.code(), budget.held()), (ErrorCode::OverBudget, 0));
    // With a larger budget, the plan can be read, but not compiled.
    let budget = Budget::new(128 << 20);
    let pipeline = Pipeline::from_json_within(&branches, &budget).unwrap();
    assert!(budget.held() > 24 << 20);
    let error = pipeline.compile_within(&graph(), &Cancel::default(), &budget).unwrap_err();
    let PipelineError::OverBudget { at, limit: 134_217_728, .. } = &error else { panic!("{error}") };
    assert!(at.path().starts_with('2'), "{error}");
    drop(pipeline);
    assert_eq!(budget.held(), 0);
    // The memory of a plan that was compiled without a budget is charged to the budget of its run.
    let few = nodes(ALL).union(vec![it(); 20_000]);
    let plan = few.compile(&graph()).unwrap();
    let error = plan.run(Task::new().memory(2 << 20)).next().unwrap_err();
    assert!(matches!(error, PipelineError::PlanOverBudget { limit: 2_097_152, .. }), "{error}");
}

#[test]
fn a_text_has_256_mib_at_most() {
    let mut text = r#"{"version": 1, "steps": [{"step": "nodes"}]}"#.to_owned();
    text.extend(std::iter::repeat_n(' ', (256 << 20) - text.len()));
    assert!(Pipeline::from_json(&text).is_ok());
    text.push(' ');
    let error = Pipeline::from_json(&text).unwrap_err();
    assert!(
        matches!(error, PipelineError::TooLarge { of: PlanLimit::TextBytes, most: 268_435_456 }),
        "{error}"
    );
}

#[test]
fn values_of_parameters_count_as_often_as_they_stand() {
    let has = r#"{"step": "has", "property": "NAME", "is": {"eq": {"param": "x"}}}"#;
    let plan = format!(
        r#"{{"version": 1, "parameters": {{"x": "text"}}, "steps": [{{"step": "nodes"}}, {}]}}"#,
        vec![has; 100].join(",")
    );
    let budget = Budget::new(8 << 20);
    let template = Template::from_json_within(&plan, &budget).unwrap();
    assert!(template.bind(&Arguments::new().with("x", "a")).is_ok());
    let error = template.bind(&Arguments::new().with("x", "a".repeat(100_000))).unwrap_err();
    assert!(matches!(error, PipelineError::PlanOverBudget { limit: 8_388_608, .. }), "{error}");
    drop(template);
    assert_eq!(budget.held(), 0);
}

#[test]
fn plans_that_are_none_are_refused() {
    check_form(
        "nodes",
        "not a plan: line 1, column 1: expected a plan, which is {\"version\": 1, \"steps\": [..]}, found \"nodes\"",
    );
    check_form(
        r#"{"steps": []}"#,
        "not a plan: the plan: the field \"version\" is missing: expected a whole number of 0 or more",
    );
    check_form(
        r#"{"version": 1}"#,
        "not a plan: the plan: the field \"steps\" is missing: expected a list of steps",
    );
    check_form(
        r#"{"version": 2, "steps": [{"step": "new"}]}"#,
        "the plan has version 2, but this library reads version 1: use a library for the plan's version",
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "limit", "cuont": 3}]}"#,
        "not a plan: step 2 (limit): the field \"count\" is missing: expected a whole number of 0 or more",
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "where", "pipeline": [{"step": "limit"}]}]}"#,
        "not a plan: step 2.1 (limit): the field \"count\" is missing: expected a whole number of 0 or more",
    );
    check_form(
        r#"{"version": 1, "steps": [{"step": "count", "by": "itself"}]}"#,
        "not a plan: step 1 (count): unknown field \"by\": it has no fields",
    );
}

#[test]
fn a_plan_is_refused_by_step_and_field() {
    let check = |steps: &str, message: &str| {
        check_form(&format!(r#"{{"version": 1, "steps": [{steps}]}}"#), &format!("not a plan: {message}"));
    };
    check(r#"{"step": "jump"}"#, r#"step 1 (jump): unknown step"#);
    check(r#"{"step": "node"}"#, r#"step 1 (node): unknown step; the nearest is "nodes""#);
    check(r#"{"labels": ["METHOD"]}"#, r#"step 1 (no name): the field "step" is missing: expected a text"#);
    check(r#""nodes""#, r#"step 1 (no name) must be an object, found the text "nodes""#);
    check(
        r#"{"step": "nodes", "lables": ["METHOD"]}"#,
        r#"step 1 (nodes): unknown field "lables": its fields are labels"#,
    );
    check(
        r#"{"step": "nodes", "labels": "METHOD"}"#,
        r#"step 1 (nodes): the field "labels" must be a list, found the text "METHOD""#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "order", "by": {"first": [], "exists": []}}"#,
        r#"step 2 (order): a key has one of property, column, first, list, exists, constant, key and the functions, beside "as""#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "columns", "columns": ["itself", {"exists": [{"step": "limit"}]}]}"#,
        r#"step 2.2.1 (limit): the field "count" is missing: expected a whole number of 0 or more"#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "has", "property": 7}"#,
        r#"step 2 (has): the field "property" must be a text, found the number 7"#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "has", "property": "NAME", "is": {"equal": "x"}}"#,
        r#"step 2 (has): unknown predicate "equal": predicates are eq, ne, one_of, none_of, lt, lte, gt, gte, between, inside, outside, prefix, suffix, contains, regex"#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "has", "property": "NAME", "is": "x"}"#,
        r#"step 2 (has): the field "is" must be a predicate, an object with one field such as {"eq": 1}, found the text "x""#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "has", "property": "NAME", "is": {"between": [1]}}"#,
        r#"step 2 (has): the field "between" must be a list of two numbers, found a list"#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "dedup", "by": "name"}"#,
        r#"step 2 (dedup): the field "by" must be a key, which is "itself", "label", "depth", {"property": ..}, {"column": ..}, {"first": [..]}, {"list": [..]}, {"exists": [..]}, {"constant": ..} or a function such as {"add": [key, key]}, found the text "name""#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "union", "branches": [[], [{"step": "skip"}]]}"#,
        r#"step 2.2.1 (skip): the field "count" is missing: expected a whole number of 0 or more"#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "choose", "on": [], "cases": [{"is": {"eq": 1}}]}"#,
        r#"step 2 (choose), case 1: the field "then" is missing: expected a list of steps"#,
    );
    check(
        r#"{"step": "nodes"}, {"step": "repeat", "body": [], "order": "deep"}"#,
        r#"step 2 (repeat): the field "order" must be "depth" or "breadth", found the text "deep""#,
    );
}

/// Tests that an empty list is refused: some authors would mean "none" by an empty list, and others "all".
#[test]
fn empty_lists_are_refused() {
    let check_list = |step: &str, message: &str| {
        let json = format!(r#"{{"version": 1, "steps": [{{"step": "nodes"}}, {step}]}}"#);
        check_form(&json, &format!("not a plan: step 2 {message}"));
    };
    let labels = r#"the field "labels" is an empty list: leave it out for all, or list some"#;
    for name in
        ["nodes", "edges", "out", "in", "both", "out_edges", "in_edges", "both_edges", "nearest_ancestor"]
    {
        check_list(&format!(r#"{{"step": "{name}", "labels": []}}"#), &format!("({name}): {labels}"));
    }
    let empty = |field: &str| format!(r#"the field "{field}" is an empty list"#);
    check_list(r#"{"step": "has_label", "labels": []}"#, &format!("(has_label): {}", empty("labels")));
    check_list(r#"{"step": "has_id", "ids": []}"#, &format!("(has_id): {}", empty("ids")));
    check_list(r#"{"step": "and", "branches": []}"#, &format!("(and): {}", empty("branches")));
    check_list(r#"{"step": "columns", "columns": []}"#, &format!("(columns): {}", empty("columns")));
    check_list(
        r#"{"step": "has", "property": "NAME", "is": {"one_of": []}}"#,
        &format!("(has): {}", empty("one_of")),
    );
    // If a program builds a pipeline with an empty list, compiling the pipeline gives the error.
    let refuse = |pipeline: Pipeline, message: &str| {
        assert_eq!(pipeline.compile(&graph()).unwrap_err().to_string(), message);
    };
    refuse(ids([]), "step 1 (ids): has an empty list of ids");
    refuse(nodes(ALL).has("NAME", one_of::<&str>([])), "step 2 (has): has an empty list of values");
    refuse(nodes(ALL).where_(it().has_label(ALL)), "step 2.1 (has_label): has an empty list of labels");
    refuse(nodes(ALL).union([it(), it().or([])]), "step 2.2.1 (or): has an empty list of branches");
}

#[test]
fn a_property_that_no_node_of_the_label_has_is_refused() {
    let mut model = ModelGraph::default();
    let (method, call) = (model.add_node(&["METHOD"]), model.add_node(&["CALL"]));
    model.add_node(&["METHOD"]);
    model.set_property(method, "FULL_NAME", vec![Value::string("main")]);
    model.set_property(call, "CODE", vec![Value::string("main()")]);
    let graph = Draft::of(&model).open(Profile::Direct);
    let refuse = |pipeline: Pipeline, message: &str| {
        assert_eq!(pipeline.compile(&graph).unwrap_err().to_string(), message);
    };
    let call_has = "no CALL has the property FULL_NAME: METHOD has it";
    refuse(nodes("CALL").has("FULL_NAME", eq("main")), &format!("step 2 (has): {call_has}"));
    refuse(nodes("CALL").has_any("CODE").has_any("FULL_NAME"), &format!("step 3 (has): {call_has}"));
    refuse(nodes(ALL).has_label("CALL").has_any("FULL_NAME"), &format!("step 3 (has): {call_has}"));
    refuse(nodes(ALL).has_any("NOWHERE"), "step 2 (has): no node has the property NOWHERE");
    // These conditions are allowed: at least one node with the label has the property, the condition is on
    // the absence of the property, or it does not come right after the start.
    assert_eq!(rows_of(&graph, &nodes("METHOD").has("FULL_NAME", eq("none"))), [""; 0]);
    assert_eq!(rows_of(&graph, &nodes("CALL").has_not("FULL_NAME", eq("main"))), ["#1"]);
    assert_eq!(rows_of(&graph, &nodes("CALL").out(ALL).has("FULL_NAME", eq("main"))), [""; 0]);
}
