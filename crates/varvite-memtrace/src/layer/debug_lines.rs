//! Source lines of addresses, from DWARF.

use std::sync::Arc;

use addr2line::{Context, Frame};
use gimli::{Dwarf, RunTimeEndian, SectionId};
use object::Endianness;
use varvite_cpg::join::SourcePlace;

use super::debug_weight::{Slice, is_in_proportion};

/// A function and where in it an address is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CodePlace {
    /// The name of the function, as debug information has it.
    pub(super) function: Option<String>,
    /// The place of the address, or of the code inlined there.
    pub(super) place: Option<SourcePlace>,
}

/// The debug information of a binary.
pub(super) struct DebugLines {
    context: Context<Slice>,
}

impl DebugLines {
    /// Debug information from its sections. Nothing if there is none, none that is valid, or none in
    /// proportion to its bytes.
    pub(super) fn load(endianness: Endianness, section: impl Fn(&str) -> Option<Vec<u8>>) -> Option<Self> {
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

    /// The function that has the address as its own code, and the line in it; damage gives nothing.
    pub(super) fn function(&self, address: u64) -> CodePlace {
        self.frames(address).pop().unwrap_or_default()
    }

    /// The function whose source the address comes from: the innermost of those inlined there.
    pub(super) fn source(&self, address: u64) -> CodePlace {
        self.frames(address).into_iter().next().unwrap_or_default()
    }

    /// From the innermost to the function that all was inlined into.
    fn frames(&self, address: u64) -> Vec<CodePlace> {
        let mut found = Vec::new();
        // The library adds one to the address.
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
