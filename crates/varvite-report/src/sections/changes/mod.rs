//! What changed since an earlier graph: the functions of two builds, and the costs of two runs.

mod builds;
mod digests;
mod profiles;
mod traces;

use crate::code::Code;
use crate::error::Result;
use crate::functions::Functions;
use crate::html::Page;
use crate::report::Facts;

/// The number of rows of a table.
const ROWS: usize = 40;

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let Some(before) = &facts.report.before else { return Ok(()) };
    page.paragraph(&format!("Before: {}. After: {}.", before.file, facts.report.made.file));
    let code = Code::of(before.graph, &facts.report.task)?;
    let functions = Functions::of(&code)?;
    let pairs = builds::write((&code, &functions), (&facts.code, &facts.functions), page)?;
    profiles::write(before, facts, page)?;
    traces::write(&code, &facts.code, &pairs, page)?;
    before.graph.check()?;
    Ok(())
}
