//! [`KnownPlace`]: a place in the source, in the form that answers have.

use super::stored::HeapLayer;

/// A place in the source, with the fields that the graph has. A field that is unknown, or by which the rows
/// are not grouped, is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPlace {
    /// The function; if it is not known, its address in hexadecimal, or the name of its module in brackets.
    pub function: String,
    /// The source file of the function; empty if it is not known.
    pub file: String,
    /// The line; 0 if it is not known.
    pub line: i64,
    /// The file of the code, a program or a library; empty if it is not known.
    pub module: String,
    /// The METHOD of the place, if there is one.
    pub method: Option<u32>,
}

impl HeapLayer {
    /// The place with a number.
    pub(super) fn known_place(&self, place: u32) -> KnownPlace {
        let stored = &self.places[place as usize];
        let function = match stored.function.as_str() {
            "" if stored.address == 0 => format!("[{}]", stored.module_name()),
            "" => format!("0x{:x}", stored.address),
            function => function.to_owned(),
        };
        KnownPlace {
            function,
            file: stored.file.clone(),
            line: stored.line,
            module: stored.module.clone(),
            method: self.join.places[place as usize].0,
        }
    }
}
