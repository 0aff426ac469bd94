//! Threads that write at the same time to one real file by two names. The names are hard links until a
//! compaction gives one name a new file.
//!
//! Every acknowledged commit must be in the file to which its name led at that time. No thread removes
//! anything, so at the end of the round the commit must be in the file under that name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use varvite::change::{ChangeError, CompactOptions, CompactWhen, compact_online};
use varvite::error::StoreError;
use varvite::vfs::RealVfs;
use varvite::{GraphError, Task};
use varvite_model::SplitMix64;

use crate::breach::{Breach, Outcome, demand};
use crate::processes::real_disk::Folder;
use crate::writers::answer::Answer;
use crate::writers::session::Session;
use crate::writers::writer::{Content, Writer};

const THREADS: usize = 3;
/// The number of commits of a thread before the names are linked anew.
const EACH: usize = 24;
/// The number of bytes that an online compaction writes per second, so that other threads commit meanwhile.
const BYTES_PER_SECOND: u64 = 5_000_000;
/// The time that an online compaction waits for another writer.
const LOCK_WAIT: Duration = Duration::from_millis(3);
const NAMES: [&str; 2] = ["one.varvite", "two.varvite"];

/// The results of all rounds.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    /// The number of acknowledged commits.
    pub(crate) done: u64,
    /// The number of writers that another writer kept out.
    pub(crate) kept_out: u64,
}

/// An acknowledged commit: the index of its name, and its content.
type Done = (usize, Left);

#[derive(Debug)]
enum Left {
    Marks(Vec<i64>),
    Layer,
    Index,
    /// A new file with the content of the old one.
    Same,
}

/// Runs rounds until `commits` commits were acknowledged.
pub(crate) fn run(commits: u64, seed: u64) -> Outcome<Rounds> {
    let (folder, mut all, mut round) = (Folder::new("links")?, Rounds::default(), 0);
    let names = NAMES.map(|name| folder.file(name));
    while all.done < commits {
        link(&names, seed + round)?;
        let numbers = AtomicU32::new(1);
        let (done, kept_out) = write_at_once(&names, seed + round, &numbers)?;
        check(&names, &done).map_err(|breach| breach.at(format!("round {round}")))?;
        all.done += done.len() as u64;
        all.kept_out += kept_out;
        round += 1;
    }
    Ok(all)
}

/// Makes a new file with both names, after removing the old files.
fn link(names: &[PathBuf; 2], seed: u64) -> Outcome {
    names.iter().filter(|name| name.exists()).try_for_each(fs::remove_file)?;
    Writer::Import.write(Arc::new(RealVfs), &names[0], seed, 0)?;
    Ok(fs::hard_link(&names[0], &names[1])?)
}

fn write_at_once(names: &[PathBuf; 2], seed: u64, numbers: &AtomicU32) -> Outcome<(Vec<Done>, u64)> {
    let (mut done, mut kept_out) = (Vec::new(), 0);
    let work = |thread: usize| {
        let mut random = SplitMix64::new(seed * THREADS as u64 + thread as u64);
        let (mut done, mut kept_out) = (Vec::new(), 0);
        for _ in 0..EACH {
            let (name, number) = (random.below(NAMES.len()), numbers.fetch_add(1, Ordering::Relaxed));
            match write_one(&names[name], &mut random, seed, number)? {
                Some(left) => done.push((name, left)),
                None => kept_out += 1,
            }
        }
        Outcome::Ok((done, kept_out))
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().try_for_each(|thread| {
            let (more, out) = thread.join().expect("no panic in it")?;
            done.extend(more);
            kept_out += out;
            Outcome::Ok(())
        })
    })?;
    Ok((done, kept_out))
}

/// Makes one commit; `None` if another writer kept it out.
fn write_one(name: &Path, random: &mut SplitMix64, seed: u64, number: u32) -> Outcome<Option<Left>> {
    // Layers, indexes and compactions that lock make an online compaction begin again. In three of four
    // rounds nothing disturbs it.
    let kinds = if seed.is_multiple_of(4) { 10 } else { 7 };
    let (writer, left) = match random.below(kinds) {
        0..2 => (Writer::Apply, Left::Marks(vec![number.into()])),
        2..4 => (Writer::Log(Session::Left), Left::Marks(Session::Left.marks(number).collect())),
        4..7 => (Writer::CompactOnline, Left::Same),
        7 => (Writer::Layer(0), Left::Layer),
        8 => (Writer::Index(number as usize % 3), Left::Index),
        _ => (Writer::Compact, Left::Same),
    };
    let written = match writer {
        Writer::CompactOnline => compact_slowly(name),
        _ => writer.write(Arc::new(RealVfs), name, seed, number),
    };
    match written {
        Ok(()) => Ok(Some(left)),
        Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. }))) => Ok(None),
        // All writers use locks, but an online compaction may fail because an index was added meanwhile, or
        // another compaction came first.
        Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. })))
            if writer == Writer::CompactOnline =>
        {
            Ok(None)
        }
        // The index exists already.
        Err(error)
            if matches!(writer, Writer::Index(_))
                && !matches!(error, ChangeError::Graph(GraphError::Store(_))) =>
        {
            Ok(None)
        }
        Err(error) => Err(Breach::new(format!("{writer:?} failed: {error}"))),
    }
}

/// Compacts the file online, so slowly that other threads commit to it and compact it meanwhile.
fn compact_slowly(name: &Path) -> varvite::Result<(), ChangeError> {
    let options = CompactOptions::default().when(CompactWhen::OverBytes(0));
    let options = options.bytes_per_second(BYTES_PER_SECOND).lock_wait(LOCK_WAIT);
    compact_online(Arc::new(RealVfs), name, &options, &Task::new().threads(1)).map(drop)
}

fn check(names: &[PathBuf; 2], done: &[Done]) -> Outcome {
    let found = names.each_ref().map(|name| -> Outcome<Content> {
        let answer = Answer::read_at(&RealVfs, name)?;
        answer.verify()?;
        answer.content(0)
    });
    let [one, two] = found;
    let found = [one?, two?];
    for (name, left) in done {
        let content = &found[*name];
        let is_there = match left {
            Left::Marks(marks) => marks.iter().all(|mark| content.marks.contains(mark)),
            Left::Layer => !content.layers.is_empty(),
            Left::Index => !content.indexes.is_empty(),
            Left::Same => true,
        };
        demand(is_there, || format!("{left:?} of {} was lost: {content:?}", NAMES[*name]))?;
    }
    let folder = names[0].parent().unwrap_or(Path::new("."));
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let files = files.collect::<Outcome<BTreeSet<String>>>()?;
    demand(files == NAMES.map(str::to_owned).into(), || format!("the folder has {files:?}"))
}
