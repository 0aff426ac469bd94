//! What changed between two builds: sizes, and functions that were added, removed or edited.

use std::cmp::{Ordering, Reverse};

use varvite_show::thousands;

use super::ROWS;
use super::digests::{Digested, digests};
use crate::code::Code;
use crate::error::Result;
use crate::functions::{Function, Functions};
use crate::html::{Cell, Page, Table, Title};

/// A graph and its functions.
type Side<'s> = (&'s Code<'s>, &'s Functions);

/// The functions that two graphs do not share.
#[derive(Default)]
struct Changes {
    added: Vec<Function>,
    removed: Vec<Function>,
    /// The functions that both graphs have, before and after.
    pairs: Vec<[Function; 2]>,
    /// Those of them whose content differs.
    edited: Vec<[Function; 2]>,
}

/// Writes the tables, and returns the functions that both graphs have.
pub(super) fn write(before: Side<'_>, after: Side<'_>, page: &mut Page) -> Result<Vec<[Function; 2]>> {
    page.table(&sizes(before, after));
    let (old, new) = (digests(before.0, before.1)?, digests(after.0, after.1)?);
    // Each function that both have is in the list of pairs, and may be in that of edited ones.
    after.0.budget.take(2 * old.len().min(new.len()) * size_of::<[Function; 2]>())?;
    let changes = Changes::of(&old, &new);
    let equal = thousands((changes.pairs.len() - changes.edited.len()) as u64);
    page.paragraph(&format!(
        "{} functions were added, {} were removed, {} have another content, and {equal} are equal.",
        thousands(changes.added.len() as u64),
        thousands(changes.removed.len() as u64),
        thousands(changes.edited.len() as u64),
    ));
    page.note(
        "A function is the same if its full name and its file are. Its content is its syntax tree: labels \
         and code. A function that only moved is equal.",
    );
    page.table(&list("Edited functions", after.0, &changes.edited));
    page.table(&list("Added functions", after.0, &changes.added));
    page.table(&list("Removed functions", before.0, &changes.removed));
    Ok(changes.pairs)
}

fn sizes(before: Side<'_>, after: Side<'_>) -> Table {
    let files = |code: &Code<'_>| code.graph.nodes("FILE").map_or(0, |nodes| u64::from(nodes.len()));
    let sum = |functions: &Functions, of: fn(&Function) -> u64| {
        functions.all.iter().map(of).fold(0_u64, u64::saturating_add)
    };
    let numbers = |(code, functions): Side<'_>| {
        [
            ("nodes", u64::from(code.graph.node_count())),
            ("edges", code.graph.edge_count()),
            ("files", files(code)),
            ("functions", functions.all.len() as u64),
            ("lines of functions", sum(functions, |function| function.lines)),
            ("complexity of all functions", sum(functions, |function| function.complexity)),
        ]
    };
    let titles = ["before", "after", "change"].map(Title::number).into_iter();
    let mut table = Table::new("Sizes", [Title::text("what")].into_iter().chain(titles).collect());
    for ((what, before), (_, after)) in numbers(before).into_iter().zip(numbers(after)) {
        table.push(vec![
            Cell::Text(what.to_owned()),
            Cell::Number(before),
            Cell::Number(after),
            Cell::Amount(change(before, after)),
        ]);
    }
    table
}

/// The change of a number with its sign.
fn change(before: u64, after: u64) -> String {
    match after.cmp(&before) {
        Ordering::Less => format!("-{}", thousands(before - after)),
        Ordering::Equal => "0".to_owned(),
        Ordering::Greater => format!("+{}", thousands(after - before)),
    }
}

impl Changes {
    /// Compares two sorted lists. If several functions have one name and file, they pair in their order.
    fn of(before: &[Digested], after: &[Digested]) -> Self {
        let (mut changes, mut old, mut new) =
            (Self::default(), before.iter().peekable(), after.iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (None, None) => return changes,
                (Some(one), Some(other)) if one.key == other.key => {
                    let pair = [one.function, other.function];
                    changes.edited.extend((one.content != other.content).then_some(pair));
                    changes.pairs.push(pair);
                    _ = old.next();
                    _ = new.next();
                }
                (Some(one), other) if other.is_none_or(|other| one.key < other.key) => {
                    changes.removed.extend(old.next().map(|digested| digested.function));
                }
                _ => changes.added.extend(new.next().map(|digested| digested.function)),
            }
        }
    }
}

/// A row of a list of functions.
trait Listed {
    /// The function as it is in the shown graph, and as it was before if that differs.
    fn states(&self) -> (Function, Option<Function>);
}

impl Listed for Function {
    fn states(&self) -> (Function, Option<Function>) {
        (*self, None)
    }
}

impl Listed for [Function; 2] {
    fn states(&self) -> (Function, Option<Function>) {
        (self[1], Some(self[0]))
    }
}

/// A table of functions, the largest first.
fn list(caption: &str, code: &Code<'_>, functions: &[impl Listed]) -> Table {
    let mut rows: Vec<_> = functions.iter().map(Listed::states).collect();
    rows.sort_by_key(|(function, _)| (Reverse(function.lines), function.node));
    let titles = ["lines", "complexity"].map(Title::number).into_iter();
    let texts = ["function", "place"].map(Title::text).into_iter();
    let mut table = Table::new(caption, texts.chain(titles).collect());
    for (function, before) in rows.iter().take(ROWS) {
        let numbers = |of: fn(&Function) -> u64| match before.map(|before| (of(&before), of(function))) {
            Some((before, after)) if before != after => {
                Cell::Amount(format!("{} ({})", thousands(after), change(before, after)))
            }
            _ => Cell::Number(of(function)),
        };
        table.push(vec![
            Cell::Code(code.name(function.node)),
            Cell::Code(code.place(function.node).words()),
            numbers(|function| function.lines),
            numbers(|function| function.complexity),
        ]);
    }
    table.of_all(rows.len() as u64, "function");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digested(key: u8, content: u8, node: u32) -> Digested {
        let function = Function { node, lines: 1, nodes: 1, calls: 0, complexity: 1 };
        Digested { key: [key; 16], content: [content; 16], function }
    }

    #[test]
    fn functions_pair_by_name_and_then_in_their_order() {
        let before = [digested(1, 1, 1), digested(2, 1, 2), digested(2, 2, 3), digested(4, 1, 4)];
        let after = [digested(2, 1, 1), digested(2, 9, 2), digested(2, 3, 3), digested(3, 1, 4)];
        let changes = Changes::of(&before, &after);
        let nodes = |functions: &[Function]| functions.iter().map(|it| it.node).collect::<Vec<_>>();
        assert_eq!((nodes(&changes.removed), nodes(&changes.added)), (vec![1, 4], vec![3, 4]));
        assert_eq!((changes.pairs.len(), changes.edited.len(), changes.edited[0][0].node), (2, 1, 3));
    }

    #[test]
    fn changes_have_their_sign() {
        assert_eq!([change(5, 3), change(3, 3), change(0, 1000)], ["-2", "0", "+1,000"]);
    }
}
