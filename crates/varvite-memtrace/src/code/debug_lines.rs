//! [`DebugLines`]: source lines of addresses, read from DWARF.

use std::sync::Arc;

use addr2line::{Context, Frame};
use gimli::{Dwarf, RunTimeEndian, SectionId};
use object::Endianness;
use varvite_cpg::join::SourcePlace;

use super::debug_weight::{Slice, is_in_proportion};

/// The function and the source line of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodePlace {
    /// The name of the function in the debug information.
    pub(crate) function: Option<String>,
    /// The source line of the address, in that function.
    pub(crate) place: Option<SourcePlace>,
}

/// Finds source lines in the debug information of a binary.
pub(crate) struct DebugLines {
    context: Context<Slice>,
}

impl DebugLines {
    /// Loads debug information from its sections. `None` if there is no debug information, or if it is
    /// invalid, or if reading it would take more work than its length justifies.
    pub(crate) fn load(endianness: Endianness, section: impl Fn(&str) -> Option<Vec<u8>>) -> Option<Self> {
        let endian = match endianness {
            Endianness::Little => RunTimeEndian::Little,
            Endianness::Big => RunTimeEndian::Big,
        };
        let mut len = 0;
        let load = |id: SectionId| -> Result<Slice, gimli::Error> {
            let bytes = section(id.name()).unwrap_or_default();
            len += bytes.len() as u64;
            Ok(Slice::new(Arc::from(bytes), endian))
        };
        let mut dwarf = Dwarf::load(load).ok()?;
        dwarf.units().next().ok().flatten()?;
        if !is_in_proportion(&mut dwarf, len) {
            return None;
        }
        let context = Context::from_dwarf(dwarf).ok()?;
        Some(Self { context })
    }

    /// The function that contains the address (not one that was inlined), and the line in this function.
    /// Empty if the debug information is damaged.
    pub(crate) fn function(&self, address: u64) -> CodePlace {
        self.frames(address).pop().unwrap_or_default()
    }

    /// The function from whose source the instruction at the address comes: the innermost function that was
    /// inlined there.
    pub(crate) fn source(&self, address: u64) -> CodePlace {
        self.frames(address).into_iter().next().unwrap_or_default()
    }

    /// The functions of an address, from the innermost inlined one to the one that contains all the others.
    fn frames(&self, address: u64) -> Vec<CodePlace> {
        let mut found = Vec::new();
        // The library adds one to the address; this would overflow.
        if address == u64::MAX {
            return found;
        }
        if let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() {
            while let Ok(Some(frame)) = frames.next() {
                found.push(place_of(&frame));
            }
        }
        found
    }
}

fn place_of(frame: &Frame<'_, Slice>) -> CodePlace {
    let function =
        frame.function.as_ref().and_then(|name| name.raw_name().ok()).map(|name| name.into_owned());
    let place = frame
        .location
        .as_ref()
        .and_then(|location| Some(SourcePlace { file: location.file?.to_owned(), line: location.line? }));
    CodePlace { function, place }
}
