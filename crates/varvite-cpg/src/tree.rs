//! Steps along the syntax tree: edges AST, which the subtree index of a graph makes ranges of ids.

use varvite::pipeline::{Key, Pipeline, Step, it};

/// Steps along AST edges.
pub trait Tree: Sized {
    /// The node itself and everything below it, depth first: AST out, any number of times.
    fn ast(self) -> Self;
    /// Everything below: [`Tree::ast`] without the node itself.
    fn ast_minus_root(self) -> Self;
    /// The node itself and everything above it, the nearest first: AST in, any number of times.
    fn in_ast(self) -> Self;
    /// Everything above: [`Tree::in_ast`] without the node itself.
    fn in_ast_minus_leaf(self) -> Self;
    /// The node above: AST in.
    fn ast_parent(self) -> Self;
    /// The nodes directly below, of each node by their ORDER: AST out.
    fn ast_children(self) -> Self;
    /// The nearest BLOCK above: AST in until there.
    fn parent_block(self) -> Self;
}

impl Tree for Pipeline {
    fn ast(self) -> Self {
        self.subtree()
    }

    fn ast_minus_root(self) -> Self {
        self.descendants()
    }

    fn in_ast(self) -> Self {
        self.then(Step::Ancestors { with_self: true })
    }

    fn in_ast_minus_leaf(self) -> Self {
        self.ancestors()
    }

    fn ast_parent(self) -> Self {
        self.in_("AST")
    }

    fn ast_children(self) -> Self {
        // A branch sees one row at a time, so that children of different nodes stay apart.
        self.union([it().out("AST").order_by(Key::Property("ORDER".into()))])
    }

    fn parent_block(self) -> Self {
        self.nearest_ancestor("BLOCK")
    }
}
