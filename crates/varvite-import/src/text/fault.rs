//! [`TextFault`]: the faults of a graph in a text format, and [`TextError`], which tells their position.

use std::fmt;

use thiserror::Error;
use varvite::change::ChangeError;
use varvite_graph::internal::DraftFault;

use super::error::{ForeignError, ForeignFault};
use super::place::TextPosition;

/// The reason why an import of text failed.
pub type TextError = ForeignError<TextPosition, TextFault>;

/// The reason why a graph in a text format is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextFault {
    /// The bytes are not UTF-8.
    #[error("this is not UTF-8")]
    NotUtf8,
    /// A quoted field has no closing quote.
    #[error("the quote that opens here is never closed")]
    OpenQuote,
    /// The closing quote of a field is followed by something other than a delimiter.
    #[error(
        "the closing quote is followed by {found:?} rather than by a delimiter: a quote inside a field is written twice"
    )]
    AfterQuote {
        /// The character after the quote.
        found: char,
    },
    /// A row or an element is longer than the limit.
    #[error("{what} of more than {limit} bytes; is a quote missing?")]
    TooLong {
        /// The part that is too long.
        what: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// A file that should start with a header is empty.
    #[error("the file is empty: expected a header, such as {example}")]
    NoHeader {
        /// A valid example.
        example: &'static str,
    },
    /// A field of a header is unknown.
    #[error("{} is not a valid column of a header: {reason}", Shown(.field))]
    HeaderField {
        /// The field.
        field: String,
        /// The reason.
        reason: &'static str,
    },
    /// A header lacks a mandatory column.
    #[error("the header has no column {missing}{hint}")]
    MissingColumn {
        /// The missing column.
        missing: &'static str,
        /// An option that can replace the column.
        hint: &'static str,
    },
    /// Two columns of a header are the same.
    #[error("the header has two columns {}", Shown(.name))]
    ColumnTwice {
        /// The name of the columns.
        name: String,
    },
    /// A row has more fields than its header.
    #[error("the row has {found} fields, the header {expected}")]
    ExtraFields {
        /// The number of fields of the row.
        found: usize,
        /// The number of fields of the header.
        expected: usize,
    },
    /// A value can't be parsed as its type.
    #[error("{} is not a valid {expected}", Shown(.text))]
    Value {
        /// The text of the value.
        text: String,
        /// The name of the type.
        expected: &'static str,
    },
    /// A node has no id although the table has a column of ids.
    #[error("a node without an id")]
    NoId,
    /// Two nodes have the same id.
    #[error("a second node with the id {}{}", Shown(.id), InSpace(.space))]
    NodeTwice {
        /// The id.
        id: String,
        /// The id space; empty for the space without a name.
        space: String,
    },
    /// An edge names no start node, or no end node.
    #[error("an edge without {what}")]
    NoEnd {
        /// The missing end.
        what: &'static str,
    },
    /// The start or end node of an edge does not exist.
    #[error("there is no node with the id {}{}", Shown(.id), InSpace(.space))]
    NoSuchNode {
        /// The id of the node.
        id: String,
        /// The id space; empty for the space without a name.
        space: String,
    },
    /// The document is not valid XML.
    #[error("not XML: {what}")]
    NotXml {
        /// The fault in words.
        what: String,
    },
    /// There are more labels than a graph can have. Perhaps the labels in the document are captions.
    #[error(
        "there are more than {limit} {what}: if they are captions, name the key of the labels with \
         {option}; captions then become a property"
    )]
    Captions {
        /// The name of the items whose number exceeds the limit.
        what: &'static str,
        /// The limit.
        limit: usize,
        /// The option that names the key of the labels. The import has a method of the same name.
        option: &'static str,
    },
    /// The document is XML, but not GraphML.
    #[error("the document is {}, not graphml", Shown(.found))]
    NotGraphml {
        /// The name of the document's first element.
        found: String,
    },
    /// The document refers to an entity other than the five predefined ones of XML.
    #[error("the entity {} is not one of XML's own; other entities are not expanded", Shown(.name))]
    Entity {
        /// The name of the entity.
        name: String,
    },
    /// Elements are nested too deeply.
    #[error("elements are nested more than {limit} deep")]
    TooDeep {
        /// The largest allowed depth.
        limit: usize,
    },
    /// An element is at a position where it is not allowed.
    #[error("unexpected element {} in {within}", Shown(.name))]
    Element {
        /// The name of the element.
        name: String,
        /// The name of the enclosing element.
        within: &'static str,
    },
    /// The document uses an element that a graph can't represent.
    #[error("{what} cannot be imported; remove it from the document")]
    Unsupported {
        /// The element, in words.
        what: &'static str,
    },
    /// An element lacks an attribute.
    #[error("a {element} without {attribute}")]
    NoAttribute {
        /// The name of the element.
        element: &'static str,
        /// The name of the attribute.
        attribute: &'static str,
    },
    /// An attribute has an unknown value.
    #[error("{attribute} is {}, expected {expected}", Shown(.found))]
    Attribute {
        /// The name of the attribute.
        attribute: &'static str,
        /// The value in the file.
        found: String,
        /// The allowed values.
        expected: &'static str,
    },
    /// A value refers to a key that was not declared.
    #[error("no key {} is declared before the graph", Shown(.key))]
    NoSuchKey {
        /// The id of the key.
        key: String,
    },
    /// A key is declared twice, or an element has two values of a key.
    #[error("a second {what} {}", Shown(.key))]
    Twice {
        /// The name of the repeated part.
        what: &'static str,
        /// The id of the key.
        key: String,
    },
    /// The document has more items of a kind than the limit.
    #[error("more than {limit} {what}")]
    TooMany {
        /// The name of the items whose number exceeds the limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The document has no graph, or ends within it.
    #[error("the document ends without a graph")]
    NoGraph,
    /// The graph can't represent the content.
    #[error(transparent)]
    Draft(DraftFault),
}

impl ForeignFault for TextFault {
    fn into_graph_error(self) -> Result<ChangeError, Self> {
        match self {
            Self::Draft(DraftFault::Change(error)) => Ok(error),
            fault => Err(fault),
        }
    }
}

impl From<DraftFault> for TextFault {
    fn from(fault: DraftFault) -> Self {
        Self::Draft(fault)
    }
}

/// The largest number of characters of a text that a message shows.
const SHOWN: usize = 60;

/// The start of a text from outside, in quotes.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(SHOWN) {
            None => write!(formatter, "{:?}", self.0),
            Some((end, _)) => write!(formatter, "{:?}..", &self.0[..end]),
        }
    }
}

/// An id space in a message; shown as nothing if the space has no name.
struct InSpace<'a>(&'a str);

impl fmt::Display for InSpace<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(formatter, " in the space {}", self.0) }
    }
}
