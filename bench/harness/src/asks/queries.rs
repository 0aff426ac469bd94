//! [`Query`]: a query of this project in Joern's language.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Failure;

/// A query that both engines answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Its source and its name there: `everyday/copies`.
    pub id: String,
    /// The text.
    pub text: String,
}

/// Reads the queries that `cargo xtask bench-ask` writes: lines of JSON with `id` and `text`.
///
/// # Errors
/// The file cannot be read, or a line is no query.
pub fn read(path: &Path) -> Result<Vec<Query>, Failure> {
    let cannot = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", path.display()));
    let lines = fs::read_to_string(path).map_err(|error| cannot(&error))?;
    let numbered = lines.lines().enumerate();
    let queries = numbered.map(|(index, line)| {
        of_line(line).ok_or_else(|| cannot(&format!("line {} is no query with id and text", index + 1)))
    });
    queries.collect()
}

fn of_line(line: &str) -> Option<Query> {
    let line: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    // The protocol of peers splits commands at blanks.
    let id = text("id").filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))?;
    Some(Query { id, text: text("text")? })
}

impl Query {
    /// The source of the query: the part of its id before the first `/`.
    pub fn source(&self) -> &str {
        source_of(&self.id)
    }
}

/// The part of an id before the first `/`.
pub fn source_of(id: &str) -> &str {
    id.split_once('/').map_or(id, |(source, _)| source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_query_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("queries.jsonl");
        let good = r#"{"id":"card/size","text":"cpg.call.size"}"#;
        for bad in ["{", "{}", r#"{"id":"a b","text":"cpg.call.l"}"#, r#"{"id":"a","text":1}"#] {
            fs::write(&path, format!("{good}\n{bad}\n")).unwrap();
            let failure = read(&path).unwrap_err().0;
            assert!(failure.ends_with("queries.jsonl: line 2 is no query with id and text"), "{failure}");
        }
        fs::write(&path, good).unwrap();
        let queries = read(&path).unwrap();
        assert_eq!((queries[0].source(), queries[0].text.as_str()), ("card", "cpg.call.size"));
    }
}
