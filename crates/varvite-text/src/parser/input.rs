//! [`Input`]: the rest of a query, for the modules that split it into tokens.

use winnow::error::{ErrMode, ParserError};
use winnow::stream::Location;
use winnow::{LocatingSlice, ModalResult};

use crate::error::{Reason, TextError};
use crate::syntax::Span;

/// The rest of a query. It knows its place in the text.
pub(super) type Input<'t> = LocatingSlice<&'t str>;

/// The result of reading a part of a query. `Backtrack` says that the part is absent; `Cut` is a fault of the
/// query.
pub(super) type Lexed<T> = ModalResult<T, TextError>;

/// The fault of a query at `span`.
pub(super) fn cut(span: Span, reason: Reason, message: impl Into<String>) -> ErrMode<TextError> {
    ErrMode::Cut(TextError::new(span, reason, message))
}

/// The number of bytes before the rest of the query.
pub(super) fn place(input: &Input<'_>) -> usize {
    input.current_token_start()
}

/// An absent part has no message: the caller reads something else instead.
impl<'t> ParserError<Input<'t>> for TextError {
    type Inner = Self;

    fn from_input(input: &Input<'t>) -> Self {
        let place = place(input);
        Self::new(Span { start: place, end: place }, Reason::Syntax, String::new())
    }

    fn into_inner(self) -> std::result::Result<Self, Self> {
        Ok(self)
    }
}
