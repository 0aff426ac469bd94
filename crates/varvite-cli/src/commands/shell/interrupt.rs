//! Ctrl-C: it ends the running query, and not the shell.

use std::sync::{Mutex, PoisonError};

use varvite::Cancel;

/// The flag of the running query.
static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

/// Makes Ctrl-C cancel the running query. Without a query it does nothing; the editor sees it by itself.
pub(super) fn install() {
    // If there is no handler, Ctrl-C ends the shell, as it ends other commands.
    let _ = ctrlc::try_set_handler(|| {
        if let Some(cancel) = &*RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
            cancel.cancel();
        }
    });
}

/// Does `work`, which Ctrl-C cancels by the flag that it gets.
pub(super) fn cancelled_by_user<T>(work: impl FnOnce(&Cancel) -> T) -> T {
    let cancel = Cancel::default();
    let set = |flag| *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = flag;
    set(Some(cancel.clone()));
    let outcome = work(&cancel);
    set(None);
    outcome
}
