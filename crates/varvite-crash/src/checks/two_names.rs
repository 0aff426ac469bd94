//! Two names of one file, and file systems without locks: for each pair of writers, the second writer runs at
//! each operation of the first.
//!
//! An acknowledged commit must be in the file to which the writer's name led at that time. A writer that
//! appends changes the file under both names. A writer that makes a new file puts it only under the writer's
//! own name; the other name still leads to the old file.

use std::path::Path;
use std::sync::{Arc, Mutex};

use varvite::change::ChangeError;
use varvite::error::StoreError;
use varvite::vfs::Vfs;
use varvite::{ErrorCode, GraphError};
use varvite_store::Operation;
use varvite_testing::vfs::{FaultVfs, LocklessVfs, MemoryVfs};

use crate::breach::{Breach, Outcome, demand};
use crate::extent::Extent;
use crate::writers::answer::Answer;
use crate::writers::history::{History, copy_of};
use crate::writers::session::Session;
use crate::writers::writer::{Content, PATH, Writer};

/// The writers that run before the two under test.
const BEFORE: [Writer; 3] = [Writer::FirstImport, Writer::Layer(1), Writer::Apply];
const FIRST: usize = BEFORE.len();
const SECOND: usize = FIRST + 1;
const SEED: u64 = 6;
/// The other name of the file at [`PATH`].
const OTHER: &str = "graphs/other.varvite";
/// All kinds of writers that change an existing graph.
const KINDS: [Writer; 9] = [
    Writer::Apply,
    Writer::Compact,
    Writer::Import,
    Writer::Log(Session::Closed),
    Writer::CompactOnline,
    Writer::Layer(0),
    Writer::Log(Session::Left),
    Writer::Index(0),
    Writer::DropLayer(1),
];
/// How many of [`KINDS`], from the first on, the small extent uses. These writers make every kind of commit.
const SMALL: usize = 4;

/// The content under each of the two names, and whether both lead to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Names {
    path: Content,
    other: Content,
    is_one: bool,
}

impl Names {
    /// The names after a writer that used one of them.
    fn after(mut self, writer: Writer, number: usize, is_path: bool) -> Option<Self> {
        let content = if is_path { &mut self.path } else { &mut self.other };
        *content = writer.after(Some(content), SEED, number as u32)?;
        if writer.is_anew() {
            self.is_one = false;
        } else if self.is_one {
            let content = content.clone();
            (self.path, self.other) = (content.clone(), content);
        }
        Some(self)
    }
}

pub(crate) fn check(extent: Extent) -> Outcome<String> {
    let mut meetings = Meetings::default();
    let kinds = &KINDS[..extent.choose(SMALL, KINDS.len())];
    for first in kinds {
        for second in kinds {
            let pair = [*first, *second];
            let history = History { seed: SEED, writers: BEFORE.into_iter().chain(pair).collect() };
            meetings
                .of_names(&history, extent)
                .map_err(|breach| breach.at(format!("{pair:?}, two names")))?;
            meetings
                .without_locks(&history, extent)
                .map_err(|breach| breach.at(format!("{pair:?}, no locks")))?;
        }
    }
    let Meetings { of_names, without_locks, done, kept_out, refused } = meetings;
    Ok(format!(
        "{of_names} meetings at two names, {without_locks} without locks: {done} writers done, {kept_out} kept out, {refused} refused"
    ))
}

#[derive(Default)]
struct Meetings {
    of_names: usize,
    without_locks: usize,
    done: usize,
    kept_out: usize,
    refused: usize,
}

/// The results of the two writers; `None` for a writer that never began.
type Results = [Option<varvite::Result<(), ChangeError>>; 2];

impl Meetings {
    /// Runs both writers, the first by one name and the second by the other.
    fn of_names(&mut self, history: &History, extent: Extent) -> Outcome {
        let before = history.disk(FIRST)?;
        before.put_link(PATH, OTHER);
        let places = places_of(history, &copy_of(&before), extent)?;
        for place in places {
            let disk = copy_of(&before);
            let vfs = Arc::new(disk.clone());
            let results = meet(history, &vfs, place, OTHER);
            self.judge(history, &disk, &results, true)
                .map_err(|breach| breach.at(format!("operation {place}")))?;
            self.of_names += 1;
        }
        Ok(())
    }

    /// Runs both writers by one name, in a file system without locks, with writing permitted.
    fn without_locks(&mut self, history: &History, extent: Extent) -> Outcome {
        let before = history.disk(FIRST)?;
        let places = places_of(history, &lockless(&copy_of(&before)), extent)?;
        for place in places {
            let disk = copy_of(&before);
            let vfs = Arc::new(lockless(&disk));
            let results = meet(history, &vfs, place, PATH);
            self.judge(history, &disk, &results, false)
                .map_err(|breach| breach.at(format!("operation {place}")))?;
            self.without_locks += 1;
        }
        Ok(())
    }

    /// Checks that the files have all acknowledged commits, and nothing from a writer that was kept out.
    fn judge(&mut self, history: &History, disk: &MemoryVfs, results: &Results, has_names: bool) -> Outcome {
        let mut done = Vec::new();
        for (number, result) in [FIRST, SECOND].into_iter().zip(results) {
            match result {
                None => {}
                Some(Ok(())) => done.push(number),
                Some(Err(ChangeError::Graph(GraphError::Store(error)))) if is_kept_out(error) => {
                    self.kept_out += 1
                }
                // The other writer has removed the element that this one would change.
                Some(Err(error)) if is_refusal(error) => self.refused += 1,
                Some(Err(error)) => return Err(Breach::new(format!("writer {number} failed: {error}"))),
            }
        }
        self.done += done.len();
        let found = |path: &str| -> Outcome<Content> {
            let answer = Answer::read_at(disk, Path::new(path))?;
            answer.verify()?;
            answer.content(0)
        };
        let path = found(PATH)?;
        let other = if has_names { found(OTHER)? } else { path.clone() };
        let orders: Vec<Vec<usize>> = vec![done.clone(), done.iter().rev().copied().collect()];
        let is_expected = orders.iter().any(|order| {
            names_after(history, order, has_names).is_some_and(|names| {
                let same = |expected: Content, found: &Content| Content { graph: 0, ..expected } == *found;
                same(names.path, &path) && (!has_names || same(names.other, &other))
            })
        });
        demand(is_expected, || format!("a change was lost: {path:?} and {other:?}, done: {done:?}"))?;
        let hidden: Vec<_> = disk.paths().into_iter().filter(|path| is_hidden(path)).collect();
        demand(hidden.is_empty(), || format!("left behind: {hidden:?}"))
    }
}

/// The expected names after these writers, each of which used its own name.
fn names_after(history: &History, order: &[usize], has_names: bool) -> Option<Names> {
    let content = history.content(FIRST)?;
    let begin = Names { path: content.clone(), other: content, is_one: has_names };
    order.iter().try_fold(begin, |names, number| {
        names.after(history.writers[*number], *number, !has_names || *number == FIRST)
    })
}

/// Runs the first writer at [`PATH`]. Runs the second at `second_path` before operation `place` of the first.
fn meet<V: Vfs + Clone + 'static>(
    history: &History,
    vfs: &Arc<V>,
    place: usize,
    second_path: &'static str,
) -> Results {
    let second = Arc::new(Mutex::new(None));
    let (other, of_second, below) = (history.clone(), Arc::clone(&second), Arc::clone(vfs));
    let watched = FaultVfs::watched(Arc::clone(vfs) as Arc<dyn Vfs>, move |number, _| {
        if number == place as u64 {
            let writer = other.writers[SECOND];
            let result = writer.write(below.clone(), Path::new(second_path), SEED, SECOND as u32);
            *of_second.lock().expect("no panic in it") = Some(result);
        }
    });
    let first = history.write(FIRST, Arc::new(watched));
    let second = second.lock().expect("no panic in it").take();
    [Some(first), second]
}

/// The numbers of the first writer's operations before which the second one runs.
fn places_of<V: Vfs + Clone + 'static>(history: &History, vfs: &V, extent: Extent) -> Outcome<Vec<usize>> {
    let operations = Arc::new(Mutex::new(Vec::<Operation>::new()));
    let seen = Arc::clone(&operations);
    let watched = FaultVfs::watched(Arc::new(vfs.clone()), move |_, operation| {
        seen.lock().expect("no panic in it").push(operation);
    });
    match history.write(FIRST, Arc::new(watched)) {
        Ok(()) => {}
        Err(ChangeError::Graph(GraphError::Store(error))) if is_kept_out(&error) => {}
        Err(error) => return Err(Breach::new(format!("the first writer failed on a good disk: {error}"))),
    }
    let operations = operations.lock().expect("no panic in it");
    Ok(extent.places(&operations))
}

/// Whether an error is that of a writer that came too late, or that needs a lock in a file system without
/// locks.
fn is_kept_out(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Busy { .. }
            | StoreError::Unfinished { .. }
            | StoreError::Replaced { .. }
            | StoreError::NoLocks { .. }
    )
}

/// Whether the graph refused the change, such as removing a missing layer or adding an existing index.
fn is_refusal(error: &ChangeError) -> bool {
    !matches!(error, ChangeError::Graph(GraphError::Store(_))) && error.code() != ErrorCode::Damaged
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// These files in a file system without locks, with writing permitted as by `--no-lock`.
fn lockless(disk: &MemoryVfs) -> LocklessVfs {
    LocklessVfs::over(Arc::new(disk.clone())).going_without_locks()
}
