//! Plants one of the known bugs in this process, if the process was built with them.

use std::sync::OnceLock;

use crate::breach::{Breach, Outcome};

static PLANTED: OnceLock<String> = OnceLock::new();

/// Plants the bug with this name.
#[cfg(feature = "planted")]
pub(crate) fn plant(name: &str) -> Outcome {
    use varvite_store::planted::{self, Bug};
    let bug = Bug::ALL.iter().find(|bug| bug.name() == name);
    planted::plant(*bug.ok_or_else(|| Breach::new(format!("there is no bug '{name}'")))?);
    PLANTED.get_or_init(|| name.to_owned());
    Ok(())
}

#[cfg(not(feature = "planted"))]
pub(crate) fn plant(name: &str) -> Outcome {
    PLANTED.get_or_init(|| name.to_owned());
    Err(Breach::new("built without planted bugs: cargo xtask planted builds them"))
}

/// The names of all bugs, and their descriptions.
#[cfg(feature = "planted")]
pub(crate) fn bugs() -> Vec<(&'static str, &'static str)> {
    varvite_store::planted::Bug::ALL.iter().map(|bug| (bug.name(), bug.text())).collect()
}

#[cfg(not(feature = "planted"))]
pub(crate) fn bugs() -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

/// The arguments that plant the same bug in a child process.
pub(crate) fn words() -> Vec<String> {
    PLANTED.get().map_or_else(Vec::new, |name| vec!["--plant".to_owned(), name.clone()])
}
