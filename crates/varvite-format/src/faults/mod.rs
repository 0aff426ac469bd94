//! Faults of files and calls.
//!
//! - `error`, `part`, `fault`: errors, the damaged part of a file, and the fault of that part; `foreign`: the
//!   likely kind of a file that is not a Varvite file; `excess`, `quantity`: limits of a file's claims;
//!   `input`: input that a writer refuses.
//! - `error_code`: one number for every public error, the same in every language.

pub(crate) mod error;
pub(crate) mod error_code;
pub(crate) mod excess;
pub(crate) mod fault;
pub(crate) mod foreign;
pub(crate) mod input;
pub(crate) mod part;
pub(crate) mod quantity;
