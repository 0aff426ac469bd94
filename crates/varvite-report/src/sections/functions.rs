//! The functions that are the largest, the most called and the most complex.

use crate::code::Code;
use crate::error::Result;
use crate::functions::{Function, Functions};
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The number of functions in a table.
const ROWS: usize = 25;
const COMPLEXITY: &str = "Complexity is the cyclomatic number of T. J. McCabe (A Complexity Measure, IEEE \
    Transactions on Software Engineering, SE-2, number 4, 1976): E - N + 2, with E edges and N nodes of the \
    flow of control of a function. Here it is 1 and, for each node of the CFG, its successors less one. The \
    CFG has the branches of &&, || and ?: too, so tools that count only statements give smaller numbers.";

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let Facts { code, functions, .. } = facts;
    if functions.all.is_empty() {
        page.paragraph("The graph has no functions with code.");
        return Ok(());
    }
    table("Largest functions, by lines", code, functions, |function| function.lines, page);
    if functions.has_calls {
        table(
            "Most called functions, by calls in the code",
            code,
            functions,
            |function| function.calls,
            page,
        );
    }
    if functions.has_flow {
        table("Most complex functions", code, functions, |function| function.complexity, page);
        page.note(COMPLEXITY);
    }
    Ok(())
}

fn table(
    caption: &str,
    code: &Code<'_>,
    functions: &Functions,
    number: impl Fn(&Function) -> u64,
    page: &mut Page,
) {
    let titles = ["lines", "nodes", "calls", "complexity"].map(Title::number);
    let texts = ["function", "place"].map(Title::text);
    let mut table = Table::new(caption, texts.into_iter().chain(titles).collect());
    for function in functions.top(ROWS, number) {
        table.push(vec![
            Cell::Code(code.name(function.node)),
            Cell::Code(code.place(function.node).words()),
            Cell::Number(function.lines),
            Cell::Number(function.nodes),
            Cell::Number(function.calls),
            if functions.has_flow { Cell::Number(function.complexity) } else { Cell::Empty },
        ]);
    }
    table.of_all(functions.all.len() as u64, "function");
    page.table(&table);
}
