//! A small schema with every type and cardinality, and with names that have a meaning in Java.

use std::collections::BTreeSet;

use varvite::{Cardinality, ValueType};
use varvite_generate::{EdgeLabel, Property, Schema};

const METHOD: usize = 0;
const CALL: usize = 1;
const STRING: usize = 2;
const TYPE_REF: usize = 3;

/// The schema of the golden files.
pub(crate) fn small() -> Schema {
    use Cardinality::{List, One, Optional};
    use ValueType::{Bool, Bytes, F64, I16, I32, I64, Ref, String, U8};
    let mut parent = property("PARENT", Ref, One, None, &[CALL]);
    parent.targets = BTreeSet::from([METHOD]);
    let mut evidence = property("evidence", Ref, List, None, &[STRING]);
    evidence.targets = BTreeSet::from([METHOD, CALL]);
    Schema {
        labels: ["METHOD", "CALL", "STRING", "TYPE_REF", "type-ref", "*/ class X {", "größe", "\\u002a/"]
            .map(str::to_owned)
            .into(),
        properties: vec![
            property("NAME", String, One, Some("<empty>"), &[METHOD, CALL]),
            property("ORDER", I32, One, Some("-1"), &[METHOD, CALL, TYPE_REF]),
            property("LINE_NUMBER", I32, Optional, None, &[METHOD, CALL]),
            property("CLASS", Bool, One, Some("false"), &[CALL]),
            property("IS_WILD", Bool, Optional, None, &[CALL]),
            property("ID", I64, Optional, None, &[CALL]),
            property("KIND", I16, One, None, &[CALL]),
            property("WEIGHT", F64, One, Some("0.5"), &[CALL]),
            property("FLAGS", U8, List, None, &[STRING]),
            property("TRUTHS", Bool, List, None, &[STRING]),
            property("\\u002a/", String, List, None, &[STRING]),
            property("ALIAS", String, Optional, Some("a\"\\\n\u{20ac}"), &[STRING]),
            property("NAME_CODE", Bytes, Optional, None, &[STRING]),
            property("COLUMN", Bytes, List, None, &[STRING]),
            parent,
            evidence,
            property("UNUSED", String, One, Some(""), &[]),
        ],
        edges: vec![
            edges("AST", true, &[(METHOD, CALL), (METHOD, STRING), (CALL, CALL), (STRING, STRING)], vec![]),
            edges("CALL", false, &[(CALL, METHOD)], vec![property("ARGUMENT", I32, Optional, None, &[])]),
            edges("NOWHERE", false, &[], vec![]),
        ],
    }
}

fn property(
    name: &str,
    value_type: ValueType,
    cardinality: Cardinality,
    default: Option<&str>,
    owners: &[usize],
) -> Property {
    Property {
        name: name.to_owned(),
        value_type,
        cardinality,
        default: default.map(str::to_owned),
        owners: owners.iter().copied().collect(),
        targets: BTreeSet::new(),
    }
}

fn edges(name: &str, is_forest: bool, pairs: &[(usize, usize)], properties: Vec<Property>) -> EdgeLabel {
    EdgeLabel { name: name.to_owned(), is_forest, pairs: pairs.iter().copied().collect(), properties }
}
