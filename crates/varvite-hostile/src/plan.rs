//! Plans that are too deep, too long, or ask for too much of a graph of twenty nodes.

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
