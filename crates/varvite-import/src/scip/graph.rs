//! [`GraphDraft`]: a draft with the labels, edge labels and properties of code property graphs. A name is
//! added to the schema when it is first used.

use varvite::ValueType;
use varvite_graph::Budget;
use varvite_graph::internal::{Draft, DraftFault, Element, Kind};

/// Declares an enum of names.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name { $($variant),* }

        impl $name {
            const COUNT: usize = [$($text),*].len();

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }
    };
}

names! {
    /// The labels of nodes.
    Label {
        MetaData = "META_DATA", File = "FILE", NamespaceBlock = "NAMESPACE_BLOCK", TypeDecl = "TYPE_DECL",
        TypeParameter = "TYPE_PARAMETER", Method = "METHOD", MethodParameterIn = "METHOD_PARAMETER_IN",
        Member = "MEMBER", Local = "LOCAL", Unknown = "UNKNOWN", Call = "CALL", MethodRef = "METHOD_REF",
        TypeRef = "TYPE_REF", FieldIdentifier = "FIELD_IDENTIFIER", Identifier = "IDENTIFIER",
        Import = "IMPORT",
    }
}

names! {
    /// The labels of edges. The last three are relationships of SCIP that code property graphs lack.
    EdgeLabel {
        Ast = "AST", SourceFile = "SOURCE_FILE", Contains = "CONTAINS", Call = "CALL", Ref = "REF",
        InheritsFrom = "INHERITS_FROM", EvalType = "EVAL_TYPE", IsImplementation = "IS_IMPLEMENTATION",
        IsReference = "IS_REFERENCE", IsDefinition = "IS_DEFINITION",
    }
}

names! {
    /// The properties of nodes.
    Property {
        Name = "NAME", FullName = "FULL_NAME", Package = "PACKAGE", FileName = "FILENAME",
        LineNumber = "LINE_NUMBER", ColumnNumber = "COLUMN_NUMBER", LineNumberEnd = "LINE_NUMBER_END",
        ColumnNumberEnd = "COLUMN_NUMBER_END", Order = "ORDER", Index = "INDEX", IsExternal = "IS_EXTERNAL",
        SymbolRoles = "SYMBOL_ROLES", Code = "CODE", MethodFullName = "METHOD_FULL_NAME",
        TypeFullName = "TYPE_FULL_NAME", CanonicalName = "CANONICAL_NAME", ImportedEntity = "IMPORTED_ENTITY",
        Language = "LANGUAGE", Root = "ROOT", Version = "VERSION",
    }
}

impl Property {
    fn kind(self) -> Kind {
        let value_type = match self {
            Self::LineNumber
            | Self::ColumnNumber
            | Self::LineNumberEnd
            | Self::ColumnNumberEnd
            | Self::Order
            | Self::Index
            | Self::SymbolRoles => ValueType::I32,
            Self::IsExternal => ValueType::Bool,
            _ => ValueType::String,
        };
        Kind { value_type, is_list: false }
    }
}

/// A graph that is being made from an index.
pub(super) struct GraphDraft {
    draft: Draft,
    labels: [Option<u32>; Label::COUNT],
    edge_labels: [Option<u32>; EdgeLabel::COUNT],
    properties: [Option<usize>; Property::COUNT],
}

/// The first byte of the key of a FILE. No symbol begins with it.
const FILE_KEY: u8 = 0;

fn key_of_file(path: &str) -> Vec<u8> {
    [&[FILE_KEY], path.as_bytes()].concat()
}

impl GraphDraft {
    pub(super) fn over(draft: Draft) -> Self {
        Self {
            draft,
            labels: [None; Label::COUNT],
            edge_labels: [None; EdgeLabel::COUNT],
            properties: [None; Property::COUNT],
        }
    }

    pub(super) fn budget(&self) -> &Budget {
        self.draft.budget()
    }

    pub(super) fn into_draft(self) -> Draft {
        self.draft
    }

    /// Adds a node that no other node finds.
    pub(super) fn node(&mut self, label: Label) -> Result<u32, DraftFault> {
        let label = self.label(label)?;
        self.draft.add_nameless_node(&[label])
    }

    /// Adds the node of a symbol that has none.
    pub(super) fn symbol(&mut self, symbol: &str, label: Label) -> Result<u32, DraftFault> {
        Ok(self.keyed(symbol.as_bytes(), label)?.0)
    }

    /// The node of the file at a path, and whether it is new.
    pub(super) fn file(&mut self, path: &str) -> Result<(u32, bool), DraftFault> {
        self.keyed(&key_of_file(path), Label::File)
    }

    /// Whether a file was added before.
    pub(super) fn has_file(&self, path: &str) -> bool {
        self.draft.node(&key_of_file(path)).is_some()
    }

    /// The node of a symbol.
    pub(super) fn find(&self, symbol: &str) -> Option<u32> {
        match symbol.as_bytes().first() {
            None | Some(&FILE_KEY) => None,
            Some(_) => self.draft.node(symbol.as_bytes()),
        }
    }

    pub(super) fn set_label(&mut self, node: u32, label: Label) -> Result<(), DraftFault> {
        let label = self.label(label)?;
        self.draft.set_labels(node, &[label])
    }

    pub(super) fn edge(&mut self, label: EdgeLabel, source: u32, target: u32) -> Result<(), DraftFault> {
        let number = match self.edge_labels[label as usize] {
            Some(number) => number,
            None => *self.edge_labels[label as usize].insert(self.draft.edge_label(label.name())?),
        };
        self.draft.add_edge(number, source, target).map(drop)
    }

    pub(super) fn text(&mut self, property: Property, node: u32, text: &str) -> Result<(), DraftFault> {
        let number = self.property(property)?;
        self.draft.put_text(number, node, text)
    }

    pub(super) fn number(&mut self, property: Property, node: u32, number: u32) -> Result<(), DraftFault> {
        let of = self.property(property)?;
        self.draft.put_number(of, node, i64::from(number.cast_signed()))
    }

    fn keyed(&mut self, key: &[u8], label: Label) -> Result<(u32, bool), DraftFault> {
        let label = self.label(label)?;
        match self.draft.add_node(key, &[label])? {
            Some(node) => Ok((node, true)),
            // `add_node` adds nothing if a node has this key.
            None => Ok((self.draft.node(key).unwrap_or(u32::MAX), false)),
        }
    }

    fn label(&mut self, label: Label) -> Result<u32, DraftFault> {
        match self.labels[label as usize] {
            Some(number) => Ok(number),
            None => Ok(*self.labels[label as usize].insert(self.draft.label(label.name())?)),
        }
    }

    fn property(&mut self, property: Property) -> Result<usize, DraftFault> {
        match self.properties[property as usize] {
            Some(number) => Ok(number),
            None => {
                let number = self.draft.property(Element::Node, property.name(), property.kind())?;
                Ok(*self.properties[property as usize].insert(number))
            }
        }
    }
}
