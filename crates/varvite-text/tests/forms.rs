//! The form of the queries of `conformance/joern-text` that this project wrote.

use crate::conformance::queries;

#[test]
fn every_query_of_the_core_has_the_form_of_a_query() {
    let queries = queries();
    for (id, text) in &queries {
        let fault = varvite_text::check(text).err();
        assert!(fault.is_none(), "{id}: {}", fault.unwrap().pointed(text));
    }
    assert!(queries.len() >= 296, "{} queries", queries.len());
}
