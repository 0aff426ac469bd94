//! Modules: the mapped files to which addresses in records belong. They are written as they become known, in
//! chunks of whole entries. Each such chunk has the offset of the previous chunk of modules; the end of the
//! trace has the offset of the last one.
//!
//! A chunk begins with the offset of the previous chunk of modules, or 0 if it is the first (`u64`). Entries
//! follow:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | first address |
//! | 8 | 8 | length of the mapping in bytes |
//! | 16 | 8 | offset in the file of the byte at the first address |
//! | 24 | 2 | bytes of the path |
//! | 26 | 1 | bytes of the build id |
//! | 27 | 1 | bit 0: the part contains instructions |
//! | 28 | 4 | zero |
//! | 32 | | path, then build id |

use crate::bytes::{array_at, put, u64_at};
use crate::error::{Result, TraceError};
use crate::index::{ENTRY_LEN, TABLE_ENTRIES};

/// The maximum number of modules in a trace.
pub(crate) const MODULES_MAX: usize = 65_536;
/// The size in bytes of an entry without its path and build id.
pub(crate) const MODULE_FIXED_LEN: usize = 32;
/// The maximum length of a path, in bytes.
pub(crate) const PATH_MAX: usize = 4096;
/// The maximum length of a build id, in bytes.
pub(crate) const BUILD_ID_MAX: usize = 64;
/// The maximum content size of a chunk in bytes, the same as that of an index table.
const CONTENT_MAX: usize = 8 + TABLE_ENTRIES * ENTRY_LEN;

/// A part of a file that was mapped while the trace was recorded. If several parts of a file were mapped,
/// there is one module for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Module {
    /// The path of the file, as the bytes that the operating system reported. They may have any character
    /// set.
    pub path: Vec<u8>,
    /// The build id that the linker put into the file; empty if unknown.
    pub build_id: Vec<u8>,
    /// The first address of the mapping.
    pub address: u64,
    /// The length of the mapping in bytes.
    pub len: u64,
    /// The offset in the file of the byte at the first address.
    pub file_offset: u64,
    /// Whether the part contains instructions.
    pub is_code: bool,
}

impl Module {
    fn check(&self) -> Result<()> {
        let refuse = |what, found: usize, limit: usize| {
            Err(TraceError::Options { what, found: found as u64, limit: limit as u64 })
        };
        match (self.path.len(), self.build_id.len()) {
            (path, _) if path > PATH_MAX => refuse("a module with a path of so many bytes", path, PATH_MAX),
            (_, id) if id > BUILD_ID_MAX => {
                refuse("a module with a build id of so many bytes", id, BUILD_ID_MAX)
            }
            _ => Ok(()),
        }
    }

    fn entry_len(&self) -> usize {
        MODULE_FIXED_LEN + self.path.len() + self.build_id.len()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let mut fixed = [0; MODULE_FIXED_LEN];
        put(&mut fixed, 0, &self.address.to_le_bytes());
        put(&mut fixed, 8, &self.len.to_le_bytes());
        put(&mut fixed, 16, &self.file_offset.to_le_bytes());
        put(&mut fixed, 24, &(self.path.len() as u16).to_le_bytes());
        put(&mut fixed, 26, &[self.build_id.len() as u8, u8::from(self.is_code)]);
        bytes.extend_from_slice(&fixed);
        bytes.extend_from_slice(&self.path);
        bytes.extend_from_slice(&self.build_id);
    }

    /// Reads an entry, and removes it from the front of `bytes`.
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (fixed, rest) = bytes.split_at_checked(MODULE_FIXED_LEN)?;
        let path_len = usize::from(u16::from_le_bytes(array_at(fixed, 24)));
        let (path, rest) = rest.split_at_checked(path_len).filter(|_| path_len <= PATH_MAX)?;
        let id_len = usize::from(fixed[26]);
        let (build_id, rest) = rest.split_at_checked(id_len).filter(|_| id_len <= BUILD_ID_MAX)?;
        *bytes = rest;
        Some(Self {
            path: path.to_vec(),
            build_id: build_id.to_vec(),
            address: u64_at(fixed, 0),
            len: u64_at(fixed, 8),
            file_offset: u64_at(fixed, 16),
            is_code: fixed[27] & 1 != 0,
        })
    }
}

/// Splits modules into groups that each fit a chunk.
///
/// # Errors
/// [`TraceError::Options`] for a module that a trace can't have.
pub(crate) fn groups(modules: &[Module]) -> Result<Vec<&[Module]>> {
    modules.iter().try_for_each(Module::check)?;
    let mut groups = Vec::new();
    let mut rest = modules;
    while !rest.is_empty() {
        let mut len = 8;
        let fits = rest.iter().take_while(|module| {
            len += module.entry_len();
            len <= CONTENT_MAX
        });
        let (group, after) = rest.split_at(fits.count());
        groups.push(group);
        rest = after;
    }
    Ok(groups)
}

/// The content of a chunk with these modules.
pub(crate) fn content_of(modules: &[Module], chunk_before: u64) -> Vec<u8> {
    let mut content = chunk_before.to_le_bytes().to_vec();
    modules.iter().for_each(|module| module.write(&mut content));
    content
}

/// Reads the offset of the previous chunk of modules, and the modules of this chunk. `None` if the bytes are
/// not whole entries.
pub(crate) fn parse(content: &[u8]) -> Option<(u64, Vec<Module>)> {
    let (before, mut entries) = content.split_first_chunk::<8>()?;
    let mut modules = Vec::new();
    while !entries.is_empty() {
        modules.push(Module::take(&mut entries)?);
    }
    Some((u64::from_le_bytes(*before), modules))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path_len: usize) -> Module {
        Module { path: vec![b'p'; path_len], build_id: vec![7; 20], ..Module::default() }
    }

    #[test]
    fn modules_come_back_from_chunks_that_hold_as_many_as_fit() {
        let modules: Vec<Module> = [PATH_MAX, PATH_MAX, PATH_MAX, 3, 0].map(module).into();
        let groups = groups(&modules).unwrap();
        assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [2, 3]);
        let parsed: Vec<Module> =
            groups.iter().flat_map(|group| parse(&content_of(group, 9)).unwrap().1).collect();
        assert_eq!(parsed, modules);
    }

    #[test]
    fn a_cut_entry_is_none() {
        let content = content_of(&[module(5)], 0);
        assert!(parse(&content).is_some() && parse(&content[..8]).unwrap().1.is_empty());
        (9..content.len()).chain(0..8).for_each(|len| assert_eq!(parse(&content[..len]), None, "{len}"));
    }

    #[test]
    fn a_module_that_no_trace_can_have_is_refused() {
        assert!(matches!(groups(&[module(PATH_MAX + 1)]), Err(TraceError::Options { .. })));
        let long_id = Module { build_id: vec![0; BUILD_ID_MAX + 1], ..Module::default() };
        assert!(matches!(groups(&[long_id]), Err(TraceError::Options { .. })));
    }
}
