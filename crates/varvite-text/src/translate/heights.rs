//! `depth` and `depth(f)`: the height of a node's subtree, in nodes for which `f` is true.

use varvite::pipeline::{Key, Repeat, it};

use super::Translator;
use super::filters::keep;
use super::links::Link;
use super::scopes::name_of;
use super::value::{Rows, Scalar, Scope, Sort, Type};
use crate::error::Result;
use crate::names::Kinds;

impl Translator {
    /// The height of the subtree of a scope's row: the most nodes for which the lambda is true, or of all
    /// nodes without a lambda, on a way from the row down.
    ///
    /// The plan goes the other way: from each such node up to the row.
    pub(super) fn height(&mut self, scope: Scope, link: &Link<'_>) -> Result<Scalar> {
        let node = Sort::Nodes(Kinds::AST_NODE);
        let below = self.rows_of(Some(scope), it().subtree(), node);
        let is_top = Key::equal(Key::Itself, Key::first(it().select(&name_of(scope))));
        let not_top = it().filter(Key::not(is_top));
        let up = it().repeat(it().in_("AST"), |walk: Repeat| walk.emit().whilst(not_top));
        let above = self.rows_of(Some(below.scope), up, node);
        let above = self.counted(above, link)?;
        let below = self.counted(below, link)?;
        let on_the_way = Key::first(self.closed(below.scope, above.base.count()));
        let greatest = Key::first(self.closed(scope, below.base.map(on_the_way).max()));
        Ok(Scalar::of(scope, Key::first_of([greatest, Key::constant(0)]), Type::Integer))
    }

    /// The rows for which the lambda of a link is true.
    fn counted(&mut self, rows: Rows, link: &Link<'_>) -> Result<Rows> {
        if link.list().is_empty() {
            return Ok(rows);
        }
        let key = self.condition(&rows, link)?;
        Ok(Rows { base: keep(rows.base.clone(), key), ..rows })
    }
}
