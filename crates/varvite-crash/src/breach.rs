//! [`Breach`]: a broken promise, with a description of where it was broken.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A broken promise, as one line of text.
#[derive(Debug)]
pub(crate) struct Breach {
    kind: Kind,
    text: String,
}

/// The kind of a broken promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A change that was reported as done is missing.
    Lost,
    /// A file can't be opened.
    Unopenable,
    /// Another fault: a file whose content is that of no commit, a wrong answer, a false report.
    Other,
}

pub(crate) type Outcome<T = ()> = Result<T, Breach>;

impl Breach {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { kind: Kind::Other, text: text.into() }
    }

    pub(crate) fn lost(text: impl Into<String>) -> Self {
        Self { kind: Kind::Lost, text: text.into() }
    }

    pub(crate) fn unopenable(text: impl Into<String>) -> Self {
        Self { kind: Kind::Unopenable, text: text.into() }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The breach, with a description of where it was found.
    pub(crate) fn at(self, place: impl fmt::Display) -> Self {
        Self { text: format!("{}; {place}", self.text), ..self }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl<E: std::error::Error> From<E> for Breach {
    fn from(error: E) -> Self {
        Self::new(format!("unexpected error: {error}"))
    }
}

/// Fails with a text if `holds` is false.
pub(crate) fn demand(holds: bool, text: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(Breach::new(text())) }
}

/// Runs `work`, and turns a panic into a breach.
pub(crate) fn without_panic<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("of an unknown kind");
        Err(Breach::new(format!("panic: {text}")))
    })
}
