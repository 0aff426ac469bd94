//! [`KnownPlace`]: a place in the source, as results contain it.

use super::stored::HeapLayer;

/// A place in the source. A field is empty if the graph does not have its value, or if rows that differ in
/// this field were merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPlace {
    /// The function. If it is not known, its address in hexadecimal, or the name of its module in brackets.
    pub function: String,
    /// The source file of the function; empty if it is not known.
    pub file: String,
    /// The line; 0 if it is not known.
    pub line: i64,
    /// The file of the machine code, which is a program or a library; empty if it is not known.
    pub module: String,
    /// The METHOD of the place, if it has one.
    pub method: Option<u32>,
}

impl HeapLayer {
    /// The place with the number `place`.
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
