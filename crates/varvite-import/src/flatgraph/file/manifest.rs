//! The manifest as JSON: its keys and values, without an interpretation.
//!
//! Fields have the same order as in flatgraph, so that printing a parsed manifest gives the same bytes.
//! flatgraph stores numbers as doubles: they are whole and below 2^53, but may be printed as `1.0E7`.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use super::FlatgraphError;

/// The top-level object of the manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    pub(super) version: Number,
    pub(super) nodes: Vec<NodeEntry>,
    pub(super) edges: Vec<EdgeEntry>,
    pub(super) properties: Vec<PropertyEntry>,
    pub(super) string_pool_length: BlobEntry,
    pub(super) string_pool_bytes: BlobEntry,
}

/// One node kind. Its index in the list is the kind's index in node references.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeEntry {
    pub(super) node_label: Box<str>,
    pub(super) nnodes: Number,
    pub(super) deletions: Option<Vec<Number>>,
}

/// The edges of one label and direction, at one node kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EdgeEntry {
    pub(super) node_label: Box<str>,
    pub(super) edge_label: Box<str>,
    pub(super) inout: Number,
    pub(super) qty: Option<BlobEntry>,
    pub(super) neighbors: BlobEntry,
    pub(super) property: Option<BlobEntry>,
}

/// The values of one property of one node kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PropertyEntry {
    pub(super) node_label: Box<str>,
    pub(super) property_label: Box<str>,
    pub(super) qty: Option<BlobEntry>,
    pub(super) property: BlobEntry,
}

/// The offset, the lengths and the element type of a blob.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlobEntry {
    #[serde(rename = "type")]
    pub(super) element: Box<str>,
    pub(super) start_offset: Number,
    pub(super) compressed_length: Number,
    pub(super) decompressed_length: Number,
}

impl Manifest {
    /// Parses the manifest that begins at `offset` in the file.
    pub(super) fn parse(json: &[u8], offset: u64) -> Result<Self, FlatgraphError> {
        serde_json::from_slice(json).map_err(|error| FlatgraphError::ManifestJson {
            offset: offset + position(json, &error),
            reason: error.to_string(),
        })
    }

    /// Prints the manifest in flatgraph's form.
    pub(super) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings and whole numbers always have a JSON form")
    }
}

/// The offset at which the parser stopped, computed from the line and column in its error, which count from
/// one.
fn position(json: &[u8], error: &serde_json::Error) -> u64 {
    let lines_before = json.split_inclusive(|&byte| byte == b'\n').take(error.line().saturating_sub(1));
    let before: usize = lines_before.map(<[u8]>::len).sum();
    (before + error.column().saturating_sub(1)).min(json.len()) as u64
}

/// A whole number that a double represents exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(super) struct Number(u64);

impl Number {
    const MAX: u64 = 1 << 53;

    pub(super) fn get(self) -> u64 {
        self.0
    }
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self(value.into())
    }
}

impl TryFrom<u64> for Number {
    type Error = u64;

    fn try_from(value: u64) -> Result<Self, u64> {
        if value <= Self::MAX { Ok(Self(value)) } else { Err(value) }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0 to 2^53")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Number::try_from(value).map_err(|found| E::invalid_value(de::Unexpected::Unsigned(found), &self))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        let whole = value.fract() == 0.0 && (0.0..=Number::MAX as f64).contains(&value);
        // The cast is exact: the value is whole, not negative and at most 2^53.
        if whole {
            Ok(Number(value as u64))
        } else {
            Err(E::invalid_value(de::Unexpected::Float(value), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(json: &str) -> Result<u64, String> {
        serde_json::from_str::<Number>(json).map(Number::get).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_are_whole_however_they_are_printed() {
        for (json, value) in
            [("0", 0), ("1.0E7", 10_000_000), ("3e0", 3), ("2.0", 2), ("9007199254740992", 1 << 53)]
        {
            assert_eq!(number(json), Ok(value), "{json}");
        }
        for json in ["-1", "-0.5", "1.5", "9007199254740993", "1e300", "\"1\"", "null", "true"] {
            assert!(number(json).unwrap_err().contains("a whole number from 0 to 2^53"), "{json}");
        }
    }

    #[test]
    fn a_parse_error_is_placed_in_the_file() {
        let error = Manifest::parse(b"\n\n{\"version\":x}", 100).unwrap_err();
        let FlatgraphError::ManifestJson { offset, .. } = error else { panic!("{error}") };
        assert_eq!(offset, 100 + 13);
    }

    #[test]
    fn a_printed_manifest_is_what_flatgraph_prints() {
        let json = concat!(
            r#"{"version":0,"nodes":[{"nodeLabel":"A","nnodes":3,"deletions":[1]},"#,
            r#"{"nodeLabel":"B","nnodes":0,"deletions":null}],"#,
            r#""edges":[{"nodeLabel":"A","edgeLabel":"E","inout":1,"#,
            r#""qty":{"type":"int","startOffset":16,"compressedLength":20,"decompressedLength":16},"#,
            r#""neighbors":{"type":"ref","startOffset":36,"compressedLength":10,"decompressedLength":8},"#,
            r#""property":null}],"#,
            r#""properties":[{"nodeLabel":"A","propertyLabel":"P","qty":null,"#,
            r#""property":{"type":"bool","startOffset":46,"compressedLength":9,"decompressedLength":0}}],"#,
            r#""stringPoolLength":{"type":"int","startOffset":55,"compressedLength":9,"decompressedLength":0},"#,
            r#""stringPoolBytes":{"type":"byte","startOffset":64,"compressedLength":9,"decompressedLength":0}}"#,
        );
        let manifest = Manifest::parse(json.as_bytes(), 0).unwrap();
        assert_eq!(String::from_utf8(manifest.to_json()).unwrap(), json);
    }
}
