//! Functions that no call reaches.

use std::cmp::Reverse;

use varvite_show::counted;

use crate::error::Result;
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The question, which is one of the everyday questions that Varvite is measured by.
pub(super) const DEAD: &str = "cpg.method.internal.nameNot(\"<global>|<module>|<clinit>|<init>|main\")\
    .whereNot(_.callIn).whereNot(_._refIn.collectAll[MethodRef])";
/// The number of functions in the table.
const ROWS: usize = 60;
const CAVEAT: &str = "Nothing in this graph calls these functions or names them as a value. They may be in \
    use all the same: a library's callers are outside of it; calls through pointers, tables, reflection and \
    assembly are no calls in the graph; of several functions of one name calls lead to one, and the others \
    have <duplicate> in their name. Look before you delete.";

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let Facts { code, functions, .. } = facts;
    if !functions.has_calls {
        page.paragraph("The graph has no calls, so it does not tell which code is dead.");
        return Ok(());
    }
    let mut dead: Vec<_> =
        code.nodes_of(DEAD)?.into_iter().filter_map(|node| functions.at(node).copied()).collect();
    if dead.is_empty() {
        page.paragraph("Every function with code is called or named somewhere.");
        return Ok(());
    }
    dead.sort_by_key(|function| (Reverse(function.lines), function.node));
    let lines = dead.iter().map(|function| function.lines).fold(0, u64::saturating_add);
    let (count, lines) = (counted(dead.len() as u64, "function"), counted(lines, "line"));
    page.paragraph(&format!("{count} with {lines} of code."));
    page.note(CAVEAT);
    let titles = vec![Title::text("function"), Title::text("place"), Title::number("lines")];
    let mut table = Table::new("Functions without calls, by lines", titles);
    for function in dead.iter().take(ROWS) {
        table.push(vec![
            Cell::Code(code.name(function.node)),
            Cell::Code(code.place(function.node).words()),
            Cell::Number(function.lines),
        ]);
    }
    table.of_all(dead.len() as u64, "function");
    page.table(&table);
    Ok(())
}
