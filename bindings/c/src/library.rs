//! Facts of the library: its versions, the names of errors, and the number of open handles.

use std::sync::OnceLock;

use varvite::ErrorCode;
use varvite_format::FORMAT_VERSION;

use crate::c_type::Char;
use crate::handle;
use crate::pointer::OutAddress;

/// The major version of the interface. A program also runs with later minor versions of the major version for
/// which it was built.
pub(crate) const ABI_MAJOR: u32 = 1;
/// The minor version of the interface, which grows when a function, constant or field is added.
pub(crate) const ABI_MINOR: u32 = 0;

const BUILD: &[u8] = concat!("varvite ", env!("CARGO_PKG_VERSION"), "\0").as_bytes();

/// The error numbers and the names of their constants, computed on first use.
static ERROR_NAMES: OnceLock<Vec<(i32, String)>> = OnceLock::new();

fn error_names() -> &'static [(i32, String)] {
    let name = |code: &ErrorCode| (code.number(), format!("VARVITE_E_{}\0", code.name()));
    ERROR_NAMES.get_or_init(|| ErrorCode::ALL.iter().map(name).collect())
}

plain_exports! {
    /// The version of the interface: the major version in the upper 16 bits, the minor version in the lower.
    fn varvite_abi_version() -> u32 {
        ABI_MAJOR << 16 | ABI_MINOR
    }

    /// The newest version of the file format that this library reads.
    fn varvite_format_version() -> u32 {
        FORMAT_VERSION
    }

    /// The name and version of the library.
    fn varvite_build_info() -> OutAddress<Char> {
        OutAddress::text(BUILD)
    }

    /// The name of the constant for an error number, or null for a number that is no error.
    fn varvite_error_name(code: i32) -> OutAddress<Char> {
        let known = error_names().iter().find(|(number, _)| *number == code);
        known.map_or(OutAddress::NULL, |(_, name)| OutAddress::text(name.as_bytes()))
    }

    /// The number of handles that were not released: 0 at the end of a program that released all its handles.
    fn varvite_live_handles() -> u64 {
        handle::live()
    }
}
