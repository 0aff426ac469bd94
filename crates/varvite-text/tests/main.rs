//! Reads the queries of `conformance/joern-text` that this project wrote.
#![allow(clippy::unwrap_used)] // Everything here is a test.

use std::collections::BTreeMap;
use std::path::Path;

use csv::StringRecord;

/// The columns of `queries.csv`, and of `texts.csv`.
const CLASS: usize = 2;
const JOERN: usize = 3;
const TEXT: usize = 1;

/// The rows of a table by their first column.
fn table(name: &str) -> BTreeMap<String, StringRecord> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/joern-text").join(name);
    let mut rows = csv::Reader::from_path(path).unwrap();
    rows.records().map(|row| row.unwrap()).map(|row| (row[0].to_owned(), row)).collect()
}

#[test]
fn every_query_of_the_core_has_the_form_of_a_query() {
    let (queries, texts) = (table("queries.csv"), table("texts.csv"));
    let is_core = |row: &StringRecord| &row[CLASS] == "core" && &row[JOERN] == "accepted";
    let core = texts.iter().filter(|(id, _)| is_core(&queries[*id]));
    let mut read = 0;
    for (id, row) in core {
        let fault = varvite_text::check(&row[TEXT]).err();
        assert!(fault.is_none(), "{id}: {}", fault.unwrap().pointed(&row[TEXT]));
        read += 1;
    }
    assert!(read >= 296, "{read} queries");
}
