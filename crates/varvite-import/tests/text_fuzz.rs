//! Runs the targets of `fuzz` a few thousand times, with random tables and documents made from meaningful
//! pieces.

use proptest::prelude::*;
use varvite_testing::targets::text_graphs::{import_graphml, import_tables};

/// Pieces from which tables are made.
const TABLE: [&str; 24] = [
    ":ID",
    ":LABEL",
    ":START_ID",
    ":END_ID",
    ":TYPE",
    ":IGNORE",
    "name",
    "n:int",
    "x:double[]",
    "t:string[]",
    "(S)",
    ",",
    ",",
    ",",
    "\n",
    "\n",
    "\"",
    "\"\"",
    ";",
    "1",
    "2",
    "-7",
    "A",
    "\r\n",
];
/// Pieces from which documents are made.
const DOCUMENT: [&str; 26] = [
    "<graphml>",
    "</graphml>",
    "<graph>",
    "</graph>",
    "<graph edgedefault='undirected'>",
    "<node id='a'>",
    "<node id='b'/>",
    "</node>",
    "<edge source='a' target='b'>",
    "<edge source='b' target='c' label='L'/>",
    "</edge>",
    "<data key='k'>",
    "<data key='n'>",
    "</data>",
    "<key id='k' for='node' attr.name='labels'/>",
    "<key id='n' attr.type='int'/>",
    "<key id='l' attr.type='string' attr.list='long'>",
    "</key>",
    "<default>",
    "</default>",
    "[1,2]",
    "7",
    ":A:B",
    "&amp;",
    "&x;",
    "<!-- -->",
];

fn pieces(of: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(of), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn random_tables_are_imported_or_refused(text in pieces(&TABLE)) {
        import_tables(text.as_bytes());
        import_tables(format!(":ID,n:int,t:string[],:LABEL\n{text}").as_bytes());
        import_tables(format!(":START_ID,:END_ID,:TYPE,n:int\n{text}").as_bytes());
    }

    #[test]
    fn random_documents_are_imported_or_refused(text in pieces(&DOCUMENT)) {
        import_graphml(text.as_bytes());
        import_graphml(format!("<graphml><key id='k'/><key id='n' attr.type='int'/><graph>{text}</graph></graphml>").as_bytes());
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        import_tables(&bytes);
        import_graphml(&bytes);
    }
}
