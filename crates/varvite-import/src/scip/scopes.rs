//! [`Scopes`]: the definitions that enclose a position of a document.
//!
//! A definition with an enclosing range is a scope. If no definition of a document has an enclosing range, a
//! scope goes from the name of a METHOD or TYPE_DECL to the next one.

use super::range::{Position, Range};

/// A definition and the range that it encloses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) range: Range,
    /// The node of the definition.
    pub(super) node: u32,
    /// The parent, in the tree, of the occurrences in the scope: the node, or the FILE if the node belongs to
    /// another document.
    pub(super) parent: u32,
    pub(super) is_method: bool,
    /// Whether the symbol belongs to a single document.
    pub(super) is_local: bool,
}

/// A scope that encloses the current position.
#[derive(Clone, Copy, Debug)]
struct Enclosing {
    end: Position,
    parent: u32,
    /// The innermost METHOD.
    method: Option<u32>,
    /// The parent of the innermost scope whose symbol all documents know.
    global: u32,
}

/// The scopes around a position that only moves forwards.
pub(super) struct Scopes {
    /// All scopes, by their start.
    scopes: Vec<Scope>,
    /// The index of the next scope.
    next: usize,
    stack: Vec<Enclosing>,
    file: u32,
}

impl Scopes {
    /// The scopes of the document with the node `file`.
    pub(super) fn of(mut scopes: Vec<Scope>, file: u32) -> Self {
        // Of two scopes with one start, the longer one is the outer one.
        scopes.sort_by_key(|scope| (scope.range.start, std::cmp::Reverse(scope.range.end)));
        Self { scopes, next: 0, stack: Vec::new(), file }
    }

    /// Moves to a position.
    pub(super) fn move_to(&mut self, position: Position) {
        while let Some(scope) = self.scopes.get(self.next).copied() {
            if scope.range.start > position {
                break;
            }
            self.leave(scope.range.start);
            self.enter(scope);
            self.next += 1;
        }
        self.leave(position);
    }

    /// Leaves all scopes and enters one.
    pub(super) fn replace(&mut self, scope: Scope) {
        self.stack.clear();
        self.enter(scope);
    }

    /// The parent, in the tree, of an occurrence at the current position.
    pub(super) fn parent(&self) -> u32 {
        self.stack.last().map_or(self.file, |scope| scope.parent)
    }

    /// The parent, in the tree, of the definition of a local symbol that is itself a scope. Local scopes are
    /// not below each other, because ranges that lie could make a circle of them.
    pub(super) fn global_parent(&self) -> u32 {
        self.stack.last().map_or(self.file, |scope| scope.global)
    }

    /// The innermost METHOD at the current position.
    pub(super) fn method(&self) -> Option<u32> {
        self.stack.last()?.method
    }

    fn enter(&mut self, Scope { range, node, parent, is_method, is_local }: Scope) {
        let method = if is_method { Some(node) } else { self.method() };
        let global = if is_local { self.global_parent() } else { parent };
        self.stack.push(Enclosing { end: range.end, parent, method, global });
    }

    fn leave(&mut self, position: Position) {
        while self.stack.last().is_some_and(|scope| scope.end <= position) {
            self.stack.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(line: u32) -> Position {
        Position { line, column: 0 }
    }

    fn scope(node: u32, start: u32, end: u32) -> Scope {
        let range = Range { start: position(start), end: position(end) };
        Scope { range, node, parent: node, is_method: node >= 10, is_local: node >= 20 }
    }

    #[test]
    fn the_innermost_scope_is_the_parent_and_the_innermost_method_contains() {
        let scopes = vec![scope(11, 4, 6), scope(1, 0, 9), scope(10, 2, 8), scope(2, 3, 7)];
        let mut scopes = Scopes::of(scopes, 99);
        let mut found = Vec::new();
        for line in [0, 2, 3, 4, 6, 7, 8, 9] {
            scopes.move_to(position(line));
            found.push((line, scopes.parent(), scopes.method()));
        }
        assert_eq!(
            found,
            [
                (0, 1, None),
                (2, 10, Some(10)),
                (3, 2, Some(10)),
                (4, 11, Some(11)),
                (6, 2, Some(10)),
                (7, 10, Some(10)),
                (8, 1, None),
                (9, 99, None),
            ]
        );
    }

    #[test]
    fn local_scopes_are_not_below_each_other() {
        let mut scopes = Scopes::of(vec![scope(1, 0, 9), scope(20, 1, 9), scope(21, 1, 9)], 99);
        scopes.move_to(position(3));
        assert_eq!((scopes.parent(), scopes.method(), scopes.global_parent()), (21, Some(21), 1));
    }

    #[test]
    fn scopes_that_cross_end_where_they_say() {
        let mut scopes = Scopes::of(vec![scope(10, 0, 5), scope(11, 3, 8)], 99);
        scopes.move_to(position(6));
        assert_eq!(scopes.method(), Some(11));
        scopes.move_to(position(8));
        assert_eq!((scopes.method(), scopes.parent()), (None, 99));
    }

    #[test]
    fn scopes_between_two_positions_are_left_again() {
        let mut scopes = Scopes::of(vec![scope(10, 1, 2), scope(11, 3, 4)], 99);
        scopes.move_to(position(5));
        assert_eq!(scopes.parent(), 99);
    }
}
