//! Makes SCIP indexes: [`ScipIndex`] and [`ScipDocument`].

use varvite_codec::protobuf::Message;

/// The package of the symbols that [`symbol`] makes.
const PACKAGE: &str = "scip-test pip shop 1.0 ";
/// The role of a definition.
pub const DEFINITION: u64 = 1;

/// The symbol with these descriptors.
pub fn symbol(descriptors: &str) -> String {
    format!("{PACKAGE}{descriptors}")
}

/// An index of a few documents.
#[derive(Default)]
pub struct ScipIndex(Message);

/// A document of an index.
#[derive(Default)]
pub struct ScipDocument(Message);

impl ScipIndex {
    /// An index that has only metadata.
    pub fn new() -> Self {
        let mut index = Message::default();
        index.message(1, |metadata| {
            metadata.message(2, |tool| {
                tool.bytes(1, b"scip-test");
                tool
            });
            metadata.bytes(3, b"file:///shop");
            metadata
        });
        Self(index)
    }

    /// Adds a document.
    #[must_use]
    pub fn document(mut self, document: ScipDocument) -> Self {
        self.0.bytes(2, &document.0.0);
        self
    }

    /// Adds a field of any number and content.
    #[must_use]
    pub fn field(mut self, number: u64, bytes: &[u8]) -> Self {
        self.0.bytes(number, bytes);
        self
    }

    /// The bytes of the index.
    pub fn bytes(self) -> Vec<u8> {
        self.0.0
    }
}

impl ScipDocument {
    /// A document at a path.
    pub fn at(path: &str) -> Self {
        let mut document = Message::default();
        document.bytes(1, path.as_bytes());
        Self(document)
    }

    /// Adds a text (field 5), a language (field 4), or another field of bytes.
    #[must_use]
    pub fn text(mut self, number: u64, text: &str) -> Self {
        self.0.bytes(number, text.as_bytes());
        self
    }

    /// Adds a number, such as the position encoding (field 6).
    #[must_use]
    pub fn number(mut self, number: u64, value: u64) -> Self {
        self.0.number(number, value);
        self
    }

    /// Adds an occurrence: its range, its symbol and its roles.
    #[must_use]
    pub fn occurrence(self, range: &[u64], symbol: &str, roles: u64) -> Self {
        self.enclosing(range, symbol, roles, &[])
    }

    /// Adds an occurrence with an enclosing range.
    #[must_use]
    pub fn enclosing(mut self, range: &[u64], symbol: &str, roles: u64, enclosing: &[u64]) -> Self {
        self.0.message(2, |occurrence| {
            occurrence.packed(1, range.iter().copied());
            occurrence.bytes(2, symbol.as_bytes());
            occurrence.number(3, roles);
            if !enclosing.is_empty() {
                occurrence.packed(7, enclosing.iter().copied());
            }
            occurrence
        });
        self
    }

    /// Adds the description of a symbol: its kind, its name, and the symbols that it implements.
    #[must_use]
    pub fn information(self, symbol: &str, kind: u64, name: &str, implements: &[&str]) -> Self {
        let relationships: Vec<(&str, &[u64])> = implements.iter().map(|other| (*other, &[3][..])).collect();
        self.related(symbol, kind, name, &relationships)
    }

    /// Adds the description of a symbol: its kind, its name, and its relationships: the other symbol, and the
    /// numbers of the fields that are true.
    #[must_use]
    pub fn related(mut self, symbol: &str, kind: u64, name: &str, relationships: &[(&str, &[u64])]) -> Self {
        self.0.message(3, |information| {
            information.bytes(1, symbol.as_bytes());
            for (other, fields) in relationships {
                information.message(4, |relationship| {
                    relationship.bytes(1, other.as_bytes());
                    fields.iter().for_each(|field| _ = relationship.number(*field, 1));
                    relationship
                });
            }
            information.number(5, kind);
            information.bytes(6, name.as_bytes());
            information
        });
        self
    }
}
