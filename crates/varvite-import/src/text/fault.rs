//! [`TextFault`]: the faults of a graph as text.

use std::fmt;

use thiserror::Error;
use varvite_graph::internal::DraftFault;

/// The reason why a graph as text is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextFault {
    /// Bytes are no text.
    #[error("this is not UTF-8")]
    NotUtf8,
    /// A quoted field has no end.
    #[error("the quote that opens here is never closed")]
    OpenQuote,
    /// Something follows a quoted field.
    #[error(
        "the closing quote is followed by {found:?} rather than by a delimiter: a quote inside a field is written twice"
    )]
    AfterQuote {
        /// The next character.
        found: char,
    },
    /// A row or an element is larger than any should be.
    #[error("{what} of more than {limit} bytes; is a quote missing?")]
    TooLong {
        /// The part that is too long.
        what: &'static str,
        /// The limit.
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
    /// A header lacks a column that there must be.
    #[error("the header has no column {missing}{hint}")]
    MissingColumn {
        /// The missing part.
        missing: &'static str,
        /// A possible replacement.
        hint: &'static str,
    },
    /// Two columns of a header are the same.
    #[error("the header has two columns {}", Shown(.name))]
    ColumnTwice {
        /// Their name.
        name: String,
    },
    /// A row has more fields than its header.
    #[error("the row has {found} fields, the header {expected}")]
    ExtraFields {
        /// Fields of the row.
        found: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// A value is not of its type.
    #[error("{} is not a valid {expected}", Shown(.text))]
    Value {
        /// The value.
        text: String,
        /// The type.
        expected: &'static str,
    },
    /// A node has no id where there is a column for it.
    #[error("a node without an id")]
    NoId,
    /// Two nodes have one id.
    #[error("a second node with the id {}{}", Shown(.id), InSpace(.space))]
    NodeTwice {
        /// The id.
        id: String,
        /// The space of ids, empty for the one without a name.
        space: String,
    },
    /// An edge leads from or to nowhere.
    #[error("an edge without {what}")]
    NoEnd {
        /// The missing part.
        what: &'static str,
    },
    /// An edge leads from or to a node that there is not.
    #[error("there is no node with the id {}{}", Shown(.id), InSpace(.space))]
    NoSuchNode {
        /// The id.
        id: String,
        /// The space of ids, empty for the one without a name.
        space: String,
    },
    /// Bytes are no XML.
    #[error("not XML: {what}")]
    NotXml {
        /// The fault.
        what: String,
    },
    /// More labels than a graph can have: they may be captions.
    #[error(
        "there are more than {limit} {what}: if they are captions, name the key of the labels with \
         {option}; captions then become a property"
    )]
    Captions {
        /// The counted parts, in words.
        what: &'static str,
        /// The limit.
        limit: usize,
        /// The option of the command, which is also the name of a method of the import.
        option: &'static str,
    },
    /// The document is of another kind.
    #[error("the document is {}, not graphml", Shown(.found))]
    NotGraphml {
        /// Its first element.
        found: String,
    },
    /// A reference to an entity that XML does not define itself.
    #[error("the entity {} is not one of XML's own; other entities are not expanded", Shown(.name))]
    Entity {
        /// Its name.
        name: String,
    },
    /// Elements in elements in elements.
    #[error("elements are nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// An element is where it can't be.
    #[error("unexpected element {} in {within}", Shown(.name))]
    Element {
        /// Its name.
        name: String,
        /// The element around it.
        within: &'static str,
    },
    /// The document uses an element that a graph can't have.
    #[error("{what} cannot be imported; remove it from the document")]
    Unsupported {
        /// The thing, in words.
        what: &'static str,
    },
    /// An element lacks an attribute.
    #[error("a {element} without {attribute}")]
    NoAttribute {
        /// The element.
        element: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
    /// An attribute has an unknown value.
    #[error("{attribute} is {}, expected {expected}", Shown(.found))]
    Attribute {
        /// The attribute.
        attribute: &'static str,
        /// The value in the file.
        found: String,
        /// The possible values.
        expected: &'static str,
    },
    /// No key of this name was declared.
    #[error("no key {} is declared before the graph", Shown(.key))]
    NoSuchKey {
        /// The name.
        key: String,
    },
    /// A key is declared twice, or an element has two values of one.
    #[error("a second {what} {}", Shown(.key))]
    Twice {
        /// The part that occurs twice.
        what: &'static str,
        /// Their key.
        key: String,
    },
    /// More of something than a document should have.
    #[error("more than {limit} {what}")]
    TooMany {
        /// The counted parts, in words.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A graph that has no end, or nothing in it.
    #[error("the document ends without a graph")]
    NoGraph,
    /// The graph can't have this.
    #[error(transparent)]
    Draft(DraftFault),
}

impl From<DraftFault> for TextFault {
    fn from(fault: DraftFault) -> Self {
        Self::Draft(fault)
    }
}

/// Characters of a text that a message shows.
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

/// A space of ids, if it has a name.
struct InSpace<'a>(&'a str);

impl fmt::Display for InSpace<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(formatter, " in the space {}", self.0) }
    }
}
