//! Plans that are too deep or too long, or need too many resources for a graph of twenty nodes.

use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Plan,
        &[
            ("100000-brackets", || "[".repeat(100_000).into_bytes()),
            ("a-plan-100000-deep", deep),
            ("a-plan-100-deep", || nested(100)),
            ("100000-steps", || steps(&vec![r#"{"step": "both"}"#; 100_000].join(", "))),
            ("500-steps-that-double", || steps(&vec![r#"{"step": "both"}"#; 200].join(", "))),
            ("a-union-of-20000-branches", || steps(&union(20_000))),
            ("unions-of-unions", || steps(&vec![union(40); 12].join(", "))),
            ("a-million-ids", || {
                steps(&format!(r#"{{"step": "has_id", "ids": [{}]}}"#, vec!["7"; 1_000_000].join(",")))
            }),
            ("ids-past-the-graph", || steps(r#"{"step": "has_id", "ids": [4294967295, 4294967294]}"#)),
            ("ids-past-32-bits", || steps(r#"{"step": "has_id", "ids": [99999999999999999999]}"#)),
            ("numbers-of-10000-digits", || {
                steps(&format!(r#"{{"step": "limit", "count": {}}}"#, "9".repeat(10_000)))
            }),
            ("a-limit-of-2^64", || steps(r#"{"step": "limit", "count": 18446744073709551615}"#)),
            ("a-skip-of-2^64", || steps(r#"{"step": "skip", "count": 18446744073709551615}"#)),
            ("a-sample-of-2^63", || steps(r#"{"step": "sample", "count": 9223372036854775808, "seed": 1}"#)),
            ("a-repeat-without-end", || repeat(r#""emit": "all""#)),
            ("a-repeat-of-2^32-times", || repeat(r#""times": 4294967295, "emit": "all""#)),
            ("a-repeat-in-a-repeat-in-a-repeat", repeats),
            ("a-regex-of-nested-counts", || regex("((a{1000}){1000}){1000}")),
            ("a-regex-of-100000-groups", || regex(&"(a|".repeat(100_000))),
            ("a-regex-that-backtracks", || regex("(a*)*b")),
            ("a-property-of-a-megabyte", || {
                steps(&format!(r#"{{"step": "values", "property": "{}"}}"#, "x".repeat(1 << 20)))
            }),
            ("a-plan-of-17-megabytes", || steps(&" ".repeat(17 << 20))),
            ("a-plan-256-deep", || nested(256)),
            ("a-plan-257-deep", || nested(257)),
            ("a-plan-10000-deep", || nested(10_000)),
            ("unions-256-deep", || around(256, r#"{"step": "union", "branches": [["#, "]]}")),
            ("conditions-that-are-compiled-twice", || {
                let end = r#", {"step": "limit", "count": 1}]}"#;
                around(250, r#"{"step": "where", "pipeline": [{"step": "out"}, "#, end)
            }),
            ("a-million-empty-branches", || steps(&empty("union", 1_000_000))),
            ("five-million-empty-branches", || steps(&empty("coalesce", 5_000_000))),
            ("100000-empty-conditions", || steps(&empty("or", 100_000))),
            ("100001-steps", || steps(&vec![r#"{"step": "skip", "count": 0}"#; 100_000].join(", "))),
            ("20000-steps-that-skip", || steps(&vec![r#"{"step": "skip", "count": 0}"#; 20_000].join(", "))),
            ("20000-sides", || {
                let side = |number: usize| format!(r#"{{"step": "side", "name": "{number}"}}"#);
                steps(&(0..20_000).map(side).collect::<Vec<_>>().join(", "))
            }),
            ("a-million-texts", || steps(&none_of("NAME", "\"text\"", 1_000_000))),
            ("a-million-numbers", || steps(&none_of("ORDER", "7.5", 1_000_000))),
            ("a-label-a-million-times", || {
                steps(&format!(
                    r#"{{"step": "has_label", "labels": [{}]}}"#,
                    vec!["\"METHOD\""; 1_000_000].join(",")
                ))
            }),
            ("an-edge-label-100000-times", || {
                steps(&format!(r#"{{"step": "out", "labels": [{}]}}"#, vec!["\"AST\""; 100_000].join(",")))
            }),
            ("a-regex-of-a-million-classes", || regex(&"\\\\w".repeat(1_000_000))),
            ("3000-regexes", || {
                let branch = r#"[{"step": "has", "property": "NAME", "is": {"regex": "[a-z]+[0-9]x?"}}]"#;
                steps(&format!(r#"{{"step": "or", "branches": [{}]}}"#, vec![branch; 3000].join(", ")))
            }),
            ("100000-parameters", parameters),
            ("a-field-twice", || steps(r#"{"step": "limit", "count": 1, "count": 2}"#)),
            ("a-predicate-twice", || {
                steps(r#"{"step": "has", "property": "NAME", "is": {"eq": "a", "\u0065q": "b"}}"#)
            }),
            ("steps-twice", || br#"{"version": 1, "steps": [{"step": "nodes"}], "steps": []}"#.to_vec()),
            ("a-plan-that-is-not-utf-8", || b"{\"version\": 1, \"steps\": [{\"step\": \"\xff\"}]}".to_vec()),
            ("a-field-100000-times", || {
                steps(&format!(r#"{{"step": "limit"{}}}"#, r#", "count": 1"#.repeat(100_000)))
            }),
        ],
    )
}

fn steps(steps: &str) -> Vec<u8> {
    let comma = if steps.trim().is_empty() { "" } else { ", " };
    format!(r#"{{"version": 1, "steps": [{{"step": "nodes"}}{comma}{steps}]}}"#).into_bytes()
}

fn nested(depth: usize) -> Vec<u8> {
    let (begin, end) = (r#"{"step": "where", "pipeline": ["#, "]}");
    steps(&format!("{}{}{}", begin.repeat(depth), r#"{"step": "out"}"#, end.repeat(depth)))
}

/// A plan with a step nested `depth` times in itself.
fn around(depth: usize, begin: &str, end: &str) -> Vec<u8> {
    steps(&format!("{}{}{}", begin.repeat(depth), r#"{"step": "out"}"#, end.repeat(depth)))
}

fn empty(step: &str, branches: usize) -> String {
    format!(r#"{{"step": "{step}", "branches": [{}]}}"#, vec!["[]"; branches].join(","))
}

fn none_of(property: &str, value: &str, count: usize) -> String {
    let values = vec![value; count].join(",");
    format!(r#"{{"step": "has", "property": "{property}", "is": {{"none_of": [{values}]}}}}"#)
}

/// A plan with 100,000 parameters, each declared and used.
fn parameters() -> Vec<u8> {
    let all = |form: &dyn Fn(usize) -> String| (0..100_000).map(form).collect::<Vec<_>>().join(", ");
    let declared = all(&|number| format!(r#""p{number}": "text""#));
    let used = all(&|number| format!(r#"{{"param": "p{number}"}}"#));
    let steps = format!(r#"{{"step": "nodes", "labels": [{used}]}}"#);
    format!(r#"{{"version": 1, "parameters": {{{declared}}}, "steps": [{steps}]}}"#).into_bytes()
}

fn deep() -> Vec<u8> {
    nested(100_000)
}

fn union(branches: usize) -> String {
    format!(r#"{{"step": "union", "branches": [{}]}}"#, vec![r#"[{"step": "both"}]"#; branches].join(", "))
}

fn repeat(how: &str) -> Vec<u8> {
    steps(&format!(r#"{{"step": "repeat", "body": [{{"step": "both"}}], {how}}}, {{"step": "path"}}"#))
}

fn repeats() -> Vec<u8> {
    let mut body = r#"{"step": "both"}"#.to_owned();
    for _ in 0..6 {
        body = format!(r#"{{"step": "repeat", "body": [{body}], "times": 1000, "emit": "all"}}"#);
    }
    steps(&body)
}

fn regex(pattern: &str) -> Vec<u8> {
    steps(&format!(r#"{{"step": "has", "property": "NAME", "is": {{"regex": "{pattern}"}}}}"#))
}
