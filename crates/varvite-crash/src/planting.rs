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

/// Bugs that no early check finds, with the check that does. A process with such a bug begins with this
/// check, because the early ones would take most of its time.
const FOUND_BY: [(&str, &[&str]); 6] = [
    ("real disk", &["AppendWriteErrorSwallowed", "LockDroppedEarly", "LinkNotFollowed", "ShortWrite"]),
    (
        "damage",
        &[
            "CommitOverDamagedSlot",
            "DirectoryChecksumIgnored",
            "RecoverySilent",
            "TornReadNotRepeated",
            "BlockChecksumIgnored",
        ],
    ),
    ("log", &["LogChainNotChecked", "LogOlderGenerationTaken", "LogTornRecordTaken", "LogDamageDropped"]),
    (
        "intruders",
        &[
            "BaseNotCheckedLast",
            "NameNotCheckedAgain",
            "AppendToReplacedFile",
            "NamesNotChecked",
            "CompactWithoutCheck",
            "LogWriteErrorSwallowed",
            "LogReplacedNotNoticed",
        ],
    ),
    (
        "faults",
        &[
            "UnsyncedSuperblockReported",
            "AppendSyncRetried",
            "WrittenSuperblockDenied",
            "LogFailureForgotten",
        ],
    ),
    ("names", &["LeftoverReused"]),
];

/// The check that finds the planted bug. `None` if there is none, or if an early check finds it.
pub(crate) fn found_by() -> Option<&'static str> {
    let planted = PLANTED.get()?;
    FOUND_BY.iter().find(|(_, bugs)| bugs.contains(&planted.as_str())).map(|(check, _)| *check)
}

/// The arguments that plant the same bug in a child process.
pub(crate) fn words() -> Vec<String> {
    PLANTED.get().map_or_else(Vec::new, |name| vec!["--plant".to_owned(), name.clone()])
}
