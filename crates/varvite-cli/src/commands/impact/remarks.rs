//! Notes on standard error about changes that the answer leaves out.

use varvite_cpg::impact::{FileImpact, FileState, Side};

use super::report::Report;
use crate::output::{counted, note, shortened};

/// The maximum number of files that a note names.
const NAMES_MAX: usize = 5;

/// Why files are left out, in words, and whether a file is one of them.
type Reason = (&'static str, fn(&FileState) -> bool);

/// Writes a note for each reason why the answer may lack something.
pub(super) fn write(report: &Report) {
    of(report).iter().for_each(|text| note(text));
}

/// The notes.
pub(super) fn of(report: &Report) -> Vec<String> {
    let total = counted(report.counts.files, "changed file");
    let other_side = match report.side {
        Side::Old => "new, so a graph of the old side has no lines of them",
        Side::New => "deleted, so a graph of the new side has no lines of them",
    };
    let states: [Reason; 4] = [
        ("not in the graph", |state| *state == FileState::Unknown),
        ("ambiguous, and left out", |state| matches!(state, FileState::Ambiguous(_))),
        (other_side, |state| *state == FileState::OtherSide),
        ("binary, and left out", |state| *state == FileState::Binary),
    ];
    let files = states.into_iter().filter_map(|(what, is)| {
        let found: Vec<&FileImpact> = report.impact.files.iter().filter(|file| is(&file.state)).collect();
        let verb = if found.len() == 1 { "is" } else { "are" };
        (!found.is_empty()).then(|| format!("{} of {total} {verb} {what}: {}", found.len(), names(&found)))
    });
    let counts = &report.counts;
    let outside = (counts.outside > 0).then(|| {
        let (outside, lines) = (counts.outside, counted(counts.lines, "changed line"));
        format!("{outside} of {lines} {} in no METHOD", if outside == 1 { "is" } else { "are" })
    });
    let cut = (report.cut > 0).then(|| {
        let (more, verb) =
            (counted(report.cut as u64, "more METHOD"), if report.cut == 1 { "is" } else { "are" });
        format!("{more} {verb} not shown; raise --limit")
    });
    let incomplete = (!report.impact.is_complete)
        .then(|| "the syntax tree is too deep: the callers of some METHODs are missing".to_owned());
    files.chain(outside).chain(cut).chain(incomplete).collect()
}

/// The names of files, each with the files of the graph that it may be.
fn names(files: &[&FileImpact]) -> String {
    let name = |file: &&FileImpact| match &file.state {
        FileState::Ambiguous(names) => format!("{} ({})", shortened(&file.path), names.join(" or ")),
        _ => shortened(&file.path).into_owned(),
    };
    let shown: Vec<String> = files.iter().take(NAMES_MAX).map(name).collect();
    let more = if files.len() > NAMES_MAX { ", .." } else { "" };
    format!("{}{more}", shown.join(", "))
}
