//! The rule that the engine contains no schema: only `varvite-cpg`, the importers and the command-line tool
//! may contain names of labels and properties of code property graphs.

use super::files::{Files, Finding};
use super::rust::{lines_with, strings_of};

/// The crates of the engine, which must work for any graph.
const ENGINE: [&str; 8] = [
    "varvite",
    "varvite-graph",
    "varvite-query",
    "varvite-walk",
    "varvite-compare",
    "varvite-format",
    "varvite-store",
    "varvite-codec",
];

/// Names in the schema of code property graphs that have no other meaning.
const NAMES: [&str; 12] = [
    "METHOD",
    "CALL",
    "IDENTIFIER",
    "TYPE_DECL",
    "AST",
    "CFG",
    "CONTAINS",
    "REACHING_DEF",
    "FULL_NAME",
    "METHOD_FULL_NAME",
    "LINE_NUMBER",
    "FILENAME",
];

/// No string of the engine, except in tests, contains a name from the schema of code property graphs.
pub(crate) fn the_engine_knows_no_schema(files: &Files) -> Vec<Finding> {
    let of_engine = |path: &str, name: Option<&str>| {
        let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
        name.is_some_and(|name| ENGINE.contains(&name)) && !is_test
    };
    let sources = files.texts().filter(|(file, _)| of_engine(&file.path, file.source_of_crate()));
    let findings = sources.flat_map(|(file, text)| {
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
        let named = strings_of(code).into_iter().filter_map(move |(line, string)| {
            let name = NAMES.iter().find(|name| !lines_with(string, name).is_empty())?;
            let what = format!("\"{name}\" is a name of a schema: the graph or the caller says it");
            Some(file.finding(line, what))
        });
        named.collect::<Vec<_>>()
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::files::check_lines as check;

    #[test]
    fn a_name_of_a_schema_in_a_string_of_the_engine_is_found() {
        let text = "const TREE: &str = \"AST\";\n/// `AST`, \"AST\"\nlet a = \"edges CFG out\";\nlet b = \"FASTER\";";
        check(the_engine_knows_no_schema, "crates/varvite/src/a.rs", text, &[1, 3]);
        check(the_engine_knows_no_schema, "crates/varvite-cpg/src/a.rs", text, &[]);
    }

    #[test]
    fn tests_of_the_engine_may_name_a_schema() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    const A: &str = \"AST\";\n}";
        check(the_engine_knows_no_schema, "crates/varvite/src/a.rs", text, &[]);
        check(the_engine_knows_no_schema, "crates/varvite/src/a/tests.rs", "\"AST\"", &[]);
        check(the_engine_knows_no_schema, "crates/varvite/tests/a.rs", "\"AST\"", &[]);
    }
}
