//! Generates Java classes that use the module `varvite`, with a type for each label and a type for each
//! member that several labels share.
//!
//! Code that is the same for all graphs is not generated: it is in the package `varvite.typed`. The generated
//! classes are the entry class (`Cpg`), the columns (`Columns`), a handle for each label, and interfaces.
//! Each column is looked up by its name only once. Only creating a handle requires the label of its node;
//! reading a value does not.

mod accessor;
mod columns;
mod cpg;
mod hops;
mod layout;
mod names;
mod nodes;
mod package;
mod text;
mod values;
mod words;

pub use package::Package;

use crate::error::Result;
use crate::schema::Schema;
use crate::source_file::SourceFile;

/// The sources of a package for graphs with this schema, sorted by path.
///
/// The sources need Java 22 or later and the module `varvite` of the same version, and compile without
/// warnings.
///
/// # Errors
/// [`GenerateError::NoLabels`](crate::GenerateError::NoLabels) and
/// [`GenerateError::TooMany`](crate::GenerateError::TooMany).
pub fn sources(schema: &Schema, package: &Package) -> Result<Vec<SourceFile>> {
    let layout = layout::Layout::of(schema)?;
    let mut files = nodes::files(&layout, package);
    files.push(cpg::file(&layout, package));
    files.push(columns::file(&layout, package));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}
