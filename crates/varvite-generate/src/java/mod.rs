//! Java: classes over the module `varvite`, with a type for each label and each thing that labels share.
//!
//! Code that is the same for every graph is no template here but a class of package `varvite.typed`. The
//! generated code is the entry (`Cpg`), the columns (`Columns`), a handle for each label, and interfaces.
//! Nothing looks a name up after the first time, and nothing depends on the label of a node but the making of
//! handles.

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

/// The sources of a package for graphs of this schema, by path.
///
/// They need Java 22 or later and the module `varvite` of the same version, and compile without warnings.
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
