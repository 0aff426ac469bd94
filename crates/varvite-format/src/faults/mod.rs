//! Faults of files and calls.
//!
//! - `error`, `part`, `fault`: damage, the part of a file that it is in, and the fault there; `foreign`: the
//!   likely form of other files. `excess`, `quantity`: limits of a file's claims. `input`: input that a
//!   writer refuses.
//! - `error_code`: one number for every public error, the same in every language.

pub(crate) mod error;
pub(crate) mod error_code;
pub(crate) mod excess;
pub(crate) mod fault;
pub(crate) mod foreign;
pub(crate) mod input;
pub(crate) mod part;
pub(crate) mod quantity;
