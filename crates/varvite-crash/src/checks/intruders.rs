//! Two writers: another program changes the file at each operation of the first writer.
//!
//! If the program uses locks, it is kept out, or its change is in the file at the end too; neither writer
//! gets the error that the file was replaced. If the program ignores locks and overwrites or replaces the
//! file before the writer's last check, the writer notices this, and does not change the program's file.

use std::path::Path;
use std::sync::{Arc, Mutex};

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::StoreError;
use varvite::vfs::Vfs;
use varvite_store::Operation;
use varvite_testing::vfs::{FaultVfs, MemoryVfs};

use crate::breach::{Breach, Outcome, demand};
use crate::checks::faults::operations_of;
use crate::extent::Extent;
use crate::writers::answer::Answer;
use crate::writers::history::{History, copy_of};
use crate::writers::session::Session;
use crate::writers::writer::{Content, PATH, Writer};

/// The writers that run before the two under test.
const BEFORE: [Writer; 2] = [Writer::FirstImport, Writer::Apply];
/// The numbers of the two writers in the history.
const FIRST: usize = BEFORE.len();
const SECOND: usize = FIRST + 1;
const SEED: u64 = 5;
/// The number that a program without locks writes.
const THEIRS: u32 = 99;

pub(crate) fn check(extent: Extent) -> Outcome<String> {
    let mut meetings = 0;
    for first in [Writer::Apply, Writer::Compact, Writer::Import] {
        for second in [Writer::Apply, Writer::Compact, Writer::Import] {
            meetings += check_locked(&pair(first, second), extent)
                .map_err(|breach| breach.at(format!("{first:?}, {second:?}")))?;
        }
    }
    let (closed, left) = (Writer::Log(Session::Closed), Writer::Log(Session::Left));
    for (first, second) in
        [(closed, Writer::Apply), (left, Writer::Import), (Writer::Apply, closed), (Writer::Compact, left)]
    {
        meetings += check_locked(&pair(first, second), extent)
            .map_err(|breach| breach.at(format!("{first:?}, {second:?}")))?;
    }
    let manners = [Manner::Overwrite, Manner::Replace];
    for first in [Writer::Layer(0), Writer::Apply, Writer::Compact, left] {
        let history = pair(first, Writer::Layer(1));
        // A log does not read the bytes before its end, so it can't notice that they were overwritten.
        for manner in manners.into_iter().skip(usize::from(first == left)) {
            meetings += check_unlocked(&history, manner, extent)
                .map_err(|breach| breach.at(format!("{first:?}, {manner:?}")))?;
        }
    }
    Ok(format!("{meetings} meetings of two writers"))
}

fn pair(first: Writer, second: Writer) -> History {
    History { seed: SEED, writers: BEFORE.into_iter().chain([first, second]).collect() }
}

/// Runs the first writer, and calls `intrude` before its operation `index`.
fn meet(
    history: &History,
    disk: &MemoryVfs,
    index: usize,
    intrude: impl Fn() + Send + Sync + 'static,
) -> varvite::Result<(), ChangeError> {
    let watched = FaultVfs::watched(Arc::new(disk.clone()), move |number, _| {
        if number == index as u64 {
            intrude();
        }
    });
    history.write(FIRST, Arc::new(watched))
}

fn check_locked(history: &History, extent: Extent) -> Outcome<usize> {
    let before = history.disk(FIRST)?;
    let places = extent.places(&operations_of(history, FIRST, &copy_of(&before))?);
    for index in &places {
        let index = *index;
        let disk = copy_of(&before);
        let second = Arc::new(Mutex::new(None));
        let (other, of_second, file) = (history.clone(), Arc::clone(&second), disk.clone());
        let first = meet(history, &disk, index, move || {
            let result = other.write(SECOND, Arc::new(file.clone()));
            *of_second.lock().expect("no panic in it") = Some(result);
        });
        let second = second.lock().expect("no panic in it").take();
        let is_verified = index.is_multiple_of(8);
        check_both(history, &disk, first, second, is_verified)
            .map_err(|breach| breach.at(format!("operation {index}")))?;
    }
    Ok(places.len())
}

/// Checks that the file has the changes of the writers that reported success.
fn check_both(
    history: &History,
    disk: &MemoryVfs,
    first: varvite::Result<(), ChangeError>,
    second: Option<varvite::Result<(), ChangeError>>,
    is_verified: bool,
) -> Outcome {
    first.map_err(|error| Breach::new(format!("the first writer was told: {error}")))?;
    let second_is_done = match second {
        Some(Ok(())) => true,
        None | Some(Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. })))) => false,
        Some(Err(error)) => return Err(Breach::new(format!("the second writer was told: {error}"))),
    };
    let answer = Answer::read(disk)?;
    if is_verified {
        answer.verify()?;
    }
    let found = answer.content(0)?;
    let orders: &[&[usize]] =
        if second_is_done { &[&[FIRST, SECOND], &[SECOND, FIRST]] } else { &[&[FIRST]] };
    let is_expected = orders.iter().any(|order| {
        let content = order.iter().try_fold(history.content(FIRST), |content, number| {
            let writer = history.writers[*number];
            writer.after(content.as_ref(), history.seed, *number as u32).map(Some)
        });
        content.flatten().is_some_and(|content| Content { graph: 0, ..content } == found)
    });
    demand(is_expected, || format!("a change was lost: {found:?}, the second done: {second_is_done}"))
}

/// The action of a program that uses no locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// The program commits in place.
    Overwrite,
    /// The program replaces the file.
    Replace,
}

/// The last operation at which the writer must notice the other program.
fn noticed_until(operations: &[Operation], writer: Writer, manner: Manner) -> Option<usize> {
    let of = |kind: Operation| operations.iter().rposition(|operation| *operation == kind);
    match manner {
        // The writer's last check reads the superblocks. It comes just before the write of the superblock or,
        // if the writer makes a new file, before the check of both names.
        Manner::Overwrite if writer.is_anew() => of(Operation::Read),
        Manner::Overwrite => of(Operation::Write)?.checked_sub(1),
        // The rename follows the check of both names.
        Manner::Replace if writer.is_anew() => of(Operation::Rename)?.checked_sub(2),
        // The name is checked just before each record.
        Manner::Replace if is_log(writer) => of(Operation::Write)?.checked_sub(1),
        // The name is checked before the superblocks are read.
        Manner::Replace => of(Operation::Read)?.checked_sub(1),
    }
}

fn is_log(writer: Writer) -> bool {
    matches!(writer, Writer::Log(_))
}

fn check_unlocked(history: &History, manner: Manner, extent: Extent) -> Outcome<usize> {
    let before = history.disk(FIRST)?;
    let operations = operations_of(history, FIRST, &copy_of(&before))?;
    let theirs = their_file(history, manner)?;
    let last = noticed_until(&operations, history.writers[FIRST], manner)
        .ok_or_else(|| Breach::new("the writer does not look at its file before it commits"))?;
    let places = extent.places(&operations[..=last]);
    for index in &places {
        let index = *index;
        let disk = copy_of(&before);
        let (bytes, file) = (theirs.clone(), disk.clone());
        let result = meet(history, &disk, index, move || intrude(&file, &bytes, manner));
        check_theirs(&disk, &theirs, history, manner, result)
            .map_err(|breach| breach.at(format!("operation {index}")))?;
    }
    Ok(places.len())
}

/// The bytes of the file that the other program leaves. The file is so long that the bytes that the writer
/// adds do not reach its end.
fn their_file(history: &History, manner: Manner) -> Outcome<Vec<u8>> {
    let seed = if manner == Manner::Replace { SEED + 1 } else { SEED };
    let disk = History { seed, ..history.clone() }.disk(FIRST)?;
    for number in 90..THEIRS {
        Writer::Layer(0).write(Arc::new(disk.clone()), Path::new(PATH), SEED, number)?;
    }
    Writer::Layer(1).write(Arc::new(disk.clone()), Path::new(PATH), SEED, THEIRS)?;
    disk.contents(PATH).ok_or_else(|| Breach::new("no file"))
}

fn intrude(disk: &MemoryVfs, theirs: &[u8], manner: Manner) {
    match manner {
        Manner::Overwrite => {
            let file = disk.open_writable(Path::new(PATH)).expect("the file is there");
            file.write_all_at(0, theirs).expect("a disk in memory");
        }
        Manner::Replace => disk.put(PATH, theirs),
    }
}

/// Checks that the writer either opened and changed the other program's file, or noticed that file and left
/// it unchanged.
fn check_theirs(
    disk: &MemoryVfs,
    theirs: &[u8],
    history: &History,
    manner: Manner,
    result: varvite::Result<(), ChangeError>,
) -> Outcome {
    let writer = history.writers[FIRST];
    match result {
        Ok(()) => {
            let answer = Answer::read(disk)?;
            answer.verify()?;
            let Content { marks, layers, .. } = answer.content(0)?;
            let has_theirs = layers.values().any(|number| *number == i64::from(THEIRS));
            demand(has_theirs, || "the other program's change was lost".to_owned())?;
            let has_own = match writer {
                Writer::Apply => marks.contains(&(FIRST as i64)),
                Writer::Log(session) => session.marks(FIRST as u32).all(|mark| marks.contains(&mark)),
                Writer::Layer(_) => layers.values().any(|number| *number == FIRST as i64),
                _ => true,
            };
            demand(has_own, || "the writer's change was lost".to_owned())
        }
        // Two programs that append to one file without locks write to the same bytes; only locks prevent
        // this.
        Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. })))
            if manner == Manner::Overwrite && !writer.is_anew() =>
        {
            Ok(())
        }
        // A session makes each diff for the file that has the name at that time, so the diff may not fit the
        // graph that the session changes.
        Err(ChangeError::Operation { .. }) if is_log(writer) => {
            let is_same = disk.contents(PATH).as_deref() == Some(theirs);
            demand(is_same, || "the other program's file was written to".to_owned())
        }
        Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. }))) => {
            let is_same = disk.contents(PATH).as_deref() == Some(theirs);
            demand(is_same, || "the other program's file was written to".to_owned())
        }
        Err(error) => Err(Breach::new(format!("the writer was told: {error}"))),
    }
}
