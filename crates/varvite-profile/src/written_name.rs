//! Converts names that the Rust compiler mangled to the names in the source, since some profilers record
//! mangled names.

use std::borrow::Cow;

use varvite_cpg::join::rust_name;

/// If the Rust compiler mangled the name, the name without mangling and hash; otherwise the unchanged name.
pub(crate) fn written(name: &[u8]) -> Cow<'_, [u8]> {
    let rust = std::str::from_utf8(name).ok().and_then(rust_name);
    rust.map_or(Cow::Borrowed(name), |name| Cow::Owned(name.into_bytes()))
}
