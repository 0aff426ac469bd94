//! Generates Java: classes that use the module `varvite`, with a type for each label and for members that
//! labels share.
//!
//! Code that is equal for all graphs is not a template here but a class of the package `varvite.typed`.
//! Generated are the entry class (`Cpg`), the columns (`Columns`), a handle for each label, and interfaces. A
//! name is looked up only once, and only the making of handles depends on the label of a node.

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
