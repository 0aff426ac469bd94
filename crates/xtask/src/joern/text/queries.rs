//! [`Queries`]: the queries that both engines are asked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::{Failure, Outcome, cannot};

use super::guide::{self, Shown};

/// The environment variable that names a file of queries that are not in this repository: lines of JSON with
/// `id` and `text`, and `source`, `class`, `joern`, `same_as` and `text_without_helper` where they are known.
const FILE: &str = "VARVITE_TEXT_QUERIES";
/// The begin of the steps that follow data.
const FLOWS: &str = "reachableBy";
/// Classes of queries that a query alone can answer.
const COUNTED: [&str; 3] = ["core", "scala", "flows"];
/// Ends of queries that print what `.l` gives.
const PRINTS: [&str; 3] = [".toJsonPretty", ".toJson", ".p"];

/// A query, and what `queries.csv` says of it.
pub(super) struct Query {
    pub(super) id: String,
    source: String,
    class: String,
    pub(super) text: String,
}

/// All queries that Joern accepts, each text once.
pub(super) struct Queries(Vec<Query>);

impl Queries {
    /// Reads the queries of this project, and before them those of the file that the environment names.
    pub(super) fn read(folder: &Path) -> Outcome<Self> {
        let own = own(folder)?;
        let Some(file) = std::env::var_os(FILE) else {
            return Ok(Self(own.iter().filter_map(query).collect()));
        };
        let file = Path::new(&file);
        let text = fs::read_to_string(file).map_err(|error| cannot("read", file, &error))?;
        let own: BTreeMap<&str, &Value> =
            own.iter().filter_map(|row| Some((row["id"].as_str()?, row))).collect();
        let mut queries = Vec::new();
        for line in text.lines() {
            let row: Value = serde_json::from_str(line)
                .map_err(|error| Failure(format!("{}: a line is no JSON: {error}", file.display())))?;
            // The repository has the present text of a query of its own.
            let row = row["id"].as_str().and_then(|id| own.get(id)).map_or(&row, |own| own);
            queries.extend(query(row));
        }
        Ok(Self(queries))
    }

    /// The queries of this project that both engines can answer again and again, those of the guide
    /// included, whose ids begin with one of `prefixes`; all if there are none.
    pub(super) fn own(root: &Path, prefixes: &[String]) -> Outcome<Self> {
        let own = own(&root.join(super::FOLDER))?.iter().filter_map(query).collect::<Vec<_>>();
        let is_wanted = |query: &Query| {
            let is_named = prefixes.is_empty() || prefixes.iter().any(|prefix| query.id.starts_with(prefix));
            is_named && !query.text.contains(FLOWS)
        };
        let all = own.into_iter().chain(guide::queries(root)?.into_iter().map(Query::of_guide));
        let wanted: Vec<Query> = all.filter(is_wanted).collect();
        match wanted.is_empty() {
            true => Err(Failure(format!("the id of no query begins with {}", prefixes.join(" or ")))),
            false => Ok(Self(wanted)),
        }
    }

    /// Writes the queries for the judge.
    pub(super) fn write(&self, path: &Path) -> Outcome {
        let line = |query: &Query| {
            let Query { id, source, class, text } = query;
            format!("{}\n", json!({ "id": id, "source": source, "class": class, "text": text }))
        };
        let lines: String = self.0.iter().map(line).collect();
        fs::write(path, lines).map_err(|error| cannot("write", path, &error))
    }

    /// The queries that Joern is asked: all but those that need data flow, which takes hours on some graphs.
    pub(super) fn asked(&self) -> impl Iterator<Item = &Query> {
        self.0.iter().filter(|query| !query.text.contains(FLOWS))
    }
}

impl Query {
    fn of_guide(Shown { id, text }: Shown) -> Self {
        Self { id, source: "guide".to_owned(), class: "core".to_owned(), text }
    }

    /// The text for Joern, which gives nodes instead of printing them. Joern's shell shows a last `val`; in a
    /// function its name has to follow.
    pub(super) fn listed(&self) -> String {
        let text = self.text.trim();
        let last = text.lines().next_back().and_then(|line| line.strip_prefix("val "));
        if let Some(name) = last.and_then(|line| line.split([' ', ':', '=']).next()) {
            return format!("{text}\n{name}");
        }
        match PRINTS.iter().find_map(|end| text.strip_suffix(end)) {
            Some(begin) => format!("{begin}.l"),
            None => text.to_owned(),
        }
    }
}

/// The queries of this project: rows of `texts.csv` with those of `queries.csv`.
fn own(folder: &Path) -> Outcome<Vec<Value>> {
    let texts: BTreeMap<String, String> = rows(&folder.join("texts.csv"))?
        .into_iter()
        .map(|row| (row[0].to_owned(), row[1].to_owned()))
        .collect();
    let rows = rows(&folder.join("queries.csv"))?;
    let own = rows.iter().filter_map(|row| {
        let text = texts.get(&row[0])?;
        Some(json!({ "id": row[0], "source": row[1], "class": row[2], "joern": row[3], "text": text }))
    });
    Ok(own.collect())
}

fn rows(path: &Path) -> Outcome<Vec<csv::StringRecord>> {
    let wrong = |error: csv::Error| Failure(format!("cannot read {}: {error}", path.display()));
    let mut rows = csv::Reader::from_path(path).map_err(wrong)?;
    rows.records().collect::<Result<_, _>>().map_err(wrong)
}

/// The query of a row. `None` if it is no query, if Joern refuses it, or if an earlier row has its text.
fn query(row: &Value) -> Option<Query> {
    let text = |name: &str| row[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let class = text("class").unwrap_or_else(|| "core".to_owned());
    let is_accepted = text("joern").is_none_or(|joern| joern.starts_with("accepted"));
    if !is_accepted || !COUNTED.contains(&class.as_str()) || text("same_as").is_some() {
        return None;
    }
    Some(Query {
        id: text("id")?,
        source: text("source").unwrap_or_else(|| "others".to_owned()),
        class,
        text: text("text_without_helper").or_else(|| text("text"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_that_print_are_listed_for_joern() {
        let listed = |text: &str| query(&json!({ "id": "a", "text": text })).unwrap().listed();
        assert_eq!(listed("cpg.call.toJsonPretty\n"), "cpg.call.l");
        assert_eq!(listed("cpg.call.p"), "cpg.call.l");
        assert_eq!(listed("cpg.call.map(_.p)"), "cpg.call.map(_.p)");
        assert_eq!(
            listed("val a = 1\nval calls = cpg.call.size"),
            "val a = 1\nval calls = cpg.call.size\ncalls"
        );
    }

    #[test]
    fn queries_that_joern_refuses_or_that_need_more_than_a_query_are_not_asked() {
        let is_query = |row: Value| query(&row).is_some();
        assert!(is_query(json!({ "id": "a", "text": "cpg.call.l" })));
        assert!(!is_query(json!({ "id": "a", "text": "cpg.call.l", "joern": "rejected: no" })));
        assert!(!is_query(json!({ "id": "a", "text": "cpg.call.l", "class": "other" })));
        assert!(!is_query(json!({ "id": "a", "text": "cpg.call.l", "same_as": "b" })));
    }
}
