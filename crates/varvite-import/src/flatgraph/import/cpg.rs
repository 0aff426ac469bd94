//! Facts of Joern's schema that a flatgraph file lacks: cardinalities, defaults, the name of the edge
//! property.
//!
//! Source: the generated domain classes of the code property graph specification (Apache-2.0), version
//! 1.7.35. For a property that is not listed, the values in the file decide the cardinality.

use varvite::Cardinality;
use varvite::columns::Heat;

use crate::flatgraph::Direction;

/// The edge label of the data-flow layer, which is the only edge label with a property.
pub(super) const DATAFLOW: &str = "REACHING_DEF";

/// How frequently queries follow an edge label. The AST needs no entry: its edges are computed from the
/// forest.
pub(super) fn heat(edge_label: &str, direction: Direction) -> Heat {
    if edge_label == "CFG" && direction == Direction::Out { Heat::Hot } else { Heat::Cold }
}

/// Whether a property contains full names of methods and types. All such properties share a string table.
pub(super) fn shares_texts(property: &str) -> bool {
    property.ends_with("FULL_NAME")
}

/// The property of the edges of [`DATAFLOW`].
pub(super) const VARIABLE: KnownProperty = KnownProperty::one("VARIABLE", "<empty>");

/// The property with the text of source files, and the properties that locate each node in this text.
///
/// With the option `--enable-file-content`, a front end writes the text of each file into CONTENT of its FILE
/// node. OFFSET then counts UTF-16 units from the start of the file to the code of a node. The end is
/// computed from CODE rather than taken from OFFSET_END: for a macro, OFFSET_END is the end of the macro's
/// use, not of its expansion.
pub(super) const SOURCE: SourceText = SourceText {
    content: "CONTENT",
    file: "FILE",
    file_name: "NAME",
    name_of_file: "FILENAME",
    offset: "OFFSET",
    code: "CODE",
};

/// The names of properties and labels by which code is found in the text of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceText {
    /// The property with the text of a file.
    pub(super) content: &'static str,
    /// The label of the nodes that have the property `content`.
    pub(super) file: &'static str,
    /// The property of nodes with the label `file` that contains the file's name.
    pub(super) file_name: &'static str,
    /// The property by which other nodes name their file. A name applies to all descendants of the node,
    /// except those below another node with this property.
    pub(super) name_of_file: &'static str,
    /// The property with the offset of a node in its file, in UTF-16 units.
    pub(super) offset: &'static str,
    /// The property with the code of a node.
    pub(super) code: &'static str,
}

/// A property of Joern's schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownProperty {
    pub(super) name: &'static str,
    cardinality: Cardinality,
    pub(super) default: Option<&'static str>,
}

impl KnownProperty {
    const fn one(name: &'static str, default: &'static str) -> Self {
        Self { name, cardinality: Cardinality::One, default: Some(default) }
    }

    const fn required(name: &'static str) -> Self {
        Self { name, cardinality: Cardinality::One, default: None }
    }

    const fn optional(name: &'static str) -> Self {
        Self { name, cardinality: Cardinality::Optional, default: None }
    }

    const fn list(name: &'static str) -> Self {
        Self { name, cardinality: Cardinality::List, default: None }
    }

    /// The cardinality in the schema. If the file has more values than this cardinality allows, or if values
    /// are missing and there is no default, the result is the cardinality `found` in the file.
    pub(super) fn cardinality_with(self, found: Cardinality) -> Cardinality {
        match found {
            Cardinality::List => found,
            Cardinality::Optional if self.default.is_none() && self.cardinality == Cardinality::One => found,
            _ => self.cardinality,
        }
    }
}

/// The schema's entry for a node property.
pub(super) fn property(name: &str) -> Option<KnownProperty> {
    PROPERTIES.iter().find(|known| known.name == name).copied()
}

/// All properties of version 1.7.35 of the specification; those that refer to nodes come last. `node` is
/// mandatory for one kind of nodes and optional for another.
const PROPERTIES: &[KnownProperty] = &[
    KnownProperty::optional("ALIAS_TYPE_FULL_NAME"),
    KnownProperty::one("ARGUMENT_INDEX", "-1"),
    KnownProperty::optional("ARGUMENT_NAME"),
    KnownProperty::one("AST_PARENT_FULL_NAME", "<empty>"),
    KnownProperty::one("AST_PARENT_TYPE", "<empty>"),
    KnownProperty::one("CANONICAL_NAME", "<empty>"),
    KnownProperty::one("CLASS_NAME", "<empty>"),
    KnownProperty::one("CLASS_SHORT_NAME", "<empty>"),
    KnownProperty::optional("CLOSURE_BINDING_ID"),
    KnownProperty::optional("CLOSURE_ORIGINAL_NAME"),
    KnownProperty::one("CODE", "<empty>"),
    KnownProperty::optional("COLUMN_NUMBER"),
    KnownProperty::optional("COLUMN_NUMBER_END"),
    KnownProperty::one("CONTAINED_REF", "<empty>"),
    KnownProperty::one("CONTENT", "<empty>"),
    KnownProperty::one("CONTROL_STRUCTURE_TYPE", "<empty>"),
    KnownProperty::optional("DEPENDENCY_GROUP_ID"),
    KnownProperty::one("DISPATCH_TYPE", "<empty>"),
    KnownProperty::list("DYNAMIC_TYPE_HINT_FULL_NAME"),
    KnownProperty::one("EVALUATION_STRATEGY", "<empty>"),
    KnownProperty::list("EVIDENCE_DESCRIPTION"),
    KnownProperty::optional("EXPLICIT_AS"),
    KnownProperty::one("FILENAME", "<empty>"),
    KnownProperty::one("FULL_NAME", "<empty>"),
    KnownProperty::one("GENERIC_SIGNATURE", "<empty>"),
    KnownProperty::optional("HASH"),
    KnownProperty::optional("IMPORTED_AS"),
    KnownProperty::optional("IMPORTED_ENTITY"),
    KnownProperty::one("INDEX", "-1"),
    KnownProperty::list("INHERITS_FROM_TYPE_FULL_NAME"),
    KnownProperty::optional("IS_EXPLICIT"),
    KnownProperty::one("IS_EXTERNAL", "false"),
    KnownProperty::one("IS_VARIADIC", "false"),
    KnownProperty::optional("IS_WILDCARD"),
    KnownProperty::one("KEY", "<empty>"),
    KnownProperty::one("LANGUAGE", "<empty>"),
    KnownProperty::optional("LINE_NUMBER"),
    KnownProperty::optional("LINE_NUMBER_END"),
    KnownProperty::one("METHOD_FULL_NAME", "<empty>"),
    KnownProperty::one("METHOD_SHORT_NAME", "<empty>"),
    KnownProperty::one("MODIFIER_TYPE", "<empty>"),
    KnownProperty::one("NAME", "<empty>"),
    KnownProperty::one("NODE_LABEL", "<empty>"),
    KnownProperty::optional("OFFSET"),
    KnownProperty::optional("OFFSET_END"),
    KnownProperty::one("ORDER", "-1"),
    KnownProperty::list("OVERLAYS"),
    KnownProperty::one("PACKAGE_NAME", "<empty>"),
    KnownProperty::one("PARSER_TYPE_NAME", "<empty>"),
    KnownProperty::list("POSSIBLE_TYPES"),
    KnownProperty::one("ROOT", "<empty>"),
    KnownProperty::one("SIGNATURE", ""),
    KnownProperty::one("SYMBOL", "<empty>"),
    KnownProperty::one("TYPE_DECL_FULL_NAME", "<empty>"),
    KnownProperty::one("TYPE_FULL_NAME", "<empty>"),
    KnownProperty::one("VALUE", ""),
    KnownProperty::one("VERSION", "<empty>"),
    KnownProperty::list("evidence"),
    KnownProperty::list("keyValuePairs"),
    KnownProperty::optional("node"),
    KnownProperty::required("tag"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flatgraph::FlatgraphFile;

    #[test]
    fn every_property_of_a_real_graph_is_known() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.cpg.bin");
        for column in FlatgraphFile::open(path).unwrap().property_columns() {
            assert!(property(&column.name).is_some(), "{}", column.name);
        }
    }

    #[test]
    fn every_property_is_listed_once() {
        assert!(PROPERTIES.is_sorted_by(|one, next| one.name < next.name));
    }

    #[test]
    fn the_file_may_hold_more_than_the_schema_allows_or_less_than_it_demands() {
        let cardinality = |name, found| property(name).unwrap().cardinality_with(found);
        assert_eq!(cardinality("NAME", Cardinality::Optional), Cardinality::One);
        assert_eq!(cardinality("NAME", Cardinality::List), Cardinality::List);
        assert_eq!(cardinality("LINE_NUMBER", Cardinality::One), Cardinality::Optional);
        assert_eq!(cardinality("tag", Cardinality::One), Cardinality::One);
        assert_eq!(cardinality("tag", Cardinality::Optional), Cardinality::Optional);
    }
}
