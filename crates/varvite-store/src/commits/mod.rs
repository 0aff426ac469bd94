//! The commits of a file: the valid one, its log, and the sync of writers.
//!
//! - `commit`, `identity`: the newest commit; `opened_state`: the state that a file must still be in before a
//!   change is published.
//! - `log`, `log_writer`, `log_session`: small commits as records after the last large commit; `group_sync`:
//!   syncs that threads share.

pub(crate) mod commit;
pub(crate) mod group_sync;
pub(crate) mod identity;
pub(crate) mod log;
pub(crate) mod log_session;
pub(crate) mod log_writer;
pub(crate) mod opened_state;
