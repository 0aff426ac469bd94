//! The sections of a report, a module for each.

mod changes;
mod contents;
mod dead;
mod files;
mod findings;
mod functions;
mod made;
mod questions;
mod runs;

use crate::error::Result;
use crate::html::Page;
use crate::report::Facts;
use crate::section::Section;

/// Writes what is between the heading of a section and its end.
pub(crate) fn write(section: Section, facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    match section {
        Section::Contents => contents::write(facts, page),
        Section::Functions => functions::write(facts, page),
        Section::Files => files::write(facts, page),
        Section::Dead => dead::write(facts, page),
        Section::Findings => findings::write(facts, page),
        Section::Runs => runs::write(facts, page),
        Section::Changes => changes::write(facts, page),
        Section::Questions => questions::write(facts, page),
        Section::Made => made::write(facts, page),
    }
}
