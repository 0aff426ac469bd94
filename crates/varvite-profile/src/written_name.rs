//! Names of functions as written in the source, for profilers that leave the mangled names of Rust's
//! compiler.

use std::borrow::Cow;

use varvite_cpg::join::rust_name;

/// The name without mangling and hash if Rust's compiler made it, else unchanged.
pub(crate) fn written(name: &[u8]) -> Cow<'_, [u8]> {
    let rust = std::str::from_utf8(name).ok().and_then(rust_name);
    rust.map_or(Cow::Borrowed(name), |name| Cow::Owned(name.into_bytes()))
}
