//! What can be wrong with a file or a call.
//!
//! - `error`, `part`, `fault`: how damage is described, in which part of a file, and what is wrong there;
//!   `foreign`: what a file may be that is not ours. `excess`, `quantity`: what a file can't hold more of.
//!   `input`: what a writer refuses.
//! - `error_code`: one number for every public error, the same in every language.

pub(crate) mod error;
pub(crate) mod error_code;
pub(crate) mod excess;
pub(crate) mod fault;
pub(crate) mod foreign;
pub(crate) mod input;
pub(crate) mod part;
pub(crate) mod quantity;
