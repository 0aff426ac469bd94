//! Flipped bits: flips every bit of golden files, one at a time, and reads the whole file each time.
//!
//! Bytes that a reader of the undamaged file never reads cannot change its answer, so only samples of flips
//! are tried there. Every other flip must have one of these results: opening or reading the file fails; the
//! answer does not change; the graph reports that it opened the older commit; or it reports bytes after the
//! records of its log, which belong to records that were not synced.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use varvite::vfs::{Vfs, VfsFile};
use varvite_format::SegmentId;
use varvite_store::{OpenMode, Store};
use varvite_testing::vfs::{FaultVfs, MemoryVfs};

use crate::breach::{Breach, Outcome, demand, without_panic};
use crate::writers::answer::Answer;

/// The files of the short form of this check. Each has at most 16 KiB; together they have every kind of
/// column.
const SHORT: [&str; 16] = [
    "changes/changed.varvite",
    "changes/layered.varvite",
    "changes/indexed.varvite",
    "changes/logged.varvite",
    "encodings/index.varvite",
    "encodings/zstd.varvite",
    "encodings/dictionary.varvite",
    "encodings/packed-relative.varvite",
    "encodings/bitmap.varvite",
    "encodings/entries.varvite",
    "encodings/two-level.varvite",
    "graphs/types.varvite",
    "graphs/edge-values.varvite",
    "graphs/deep-tree.varvite",
    "plans/parameters.varvite",
    "whole.varvite",
];
const SHORT_BYTES_MAX: usize = 16 << 10;
/// The number of bytes of a file that a thread takes at a time.
const SHARE: usize = 64;
/// The number of progress lines that the long form prints.
const STEPS: usize = 50;
/// The number of threads. There are more threads than processors, because a reader pauses before it reads a
/// damaged superblock slot again.
const THREADS: usize = 16;
/// One out of this number of flips that change nothing is read through every cursor.
const VERIFY_EVERY: u64 = 2003;
/// One out of this number of flips that the store refuses is read as a graph all the same. That is slow,
/// because it encodes the records of the log.
const WHOLE_EVERY: u64 = 61;
/// The distance between two unread bytes whose bits are flipped all the same.
const UNREAD_EVERY: usize = 61;

/// The choice of files.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which<'a> {
    Short,
    All,
    /// One file, by its path in `conformance/files`.
    One(&'a str),
}

/// The results of all flips.
#[derive(Debug, Default)]
pub(crate) struct Flips {
    pub(crate) files: usize,
    pub(crate) flips: AtomicU64,
    pub(crate) detected: AtomicU64,
    pub(crate) harmless: AtomicU64,
    /// Unread bits that were not tried.
    pub(crate) unread: AtomicU64,
}

/// A golden file.
struct Golden {
    name: String,
    bytes: Vec<u8>,
}

/// Flips every bit of the chosen files.
pub(crate) fn run(which: Which<'_>) -> Outcome<Flips> {
    let goldens = match which {
        Which::Short => short()?,
        Which::All => all()?,
        Which::One(name) => vec![Golden::read(name)?],
    };
    let began = Instant::now();
    let flips = Flips { files: goldens.len(), ..Flips::default() };
    let shares: Vec<(usize, usize)> = goldens
        .iter()
        .enumerate()
        .flat_map(|(file, golden)| (0..golden.bytes.len()).step_by(SHARE).map(move |start| (file, start)))
        .collect();
    let (next, breach) = (AtomicUsize::new(0), Mutex::new(None));
    let take = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        Some((number, shares.get(number)?))
    };
    let work = || {
        let mut known = None;
        while let Some((number, (file, start))) = take() {
            let golden = &goldens[*file];
            if number.is_multiple_of(shares.len().div_ceil(STEPS)) && !matches!(which, Which::Short) {
                let (percent, seconds) = (100 * number / shares.len(), began.elapsed().as_secs());
                println!("flips: {percent} % in {seconds} s, at byte {start} of {}", golden.name);
            }
            let result = Flipped::of(&mut known, golden, *file)
                .and_then(|flipped| flipped.flip(golden, *start, &flips));
            if let Err(failed) = result {
                breach.lock().expect("no panic in it").get_or_insert(failed);
                next.store(shares.len(), Ordering::Relaxed);
            }
        }
    };
    varvite_store::threads::run(THREADS, work);
    match breach.into_inner().expect("no panic in it") {
        Some(breach) => Err(breach),
        None => Ok(flips),
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/files")
}

fn short() -> Outcome<Vec<Golden>> {
    let goldens = SHORT.iter().map(|name| Golden::read(name)).collect::<Outcome<Vec<_>>>()?;
    let long = goldens.iter().find(|golden| golden.bytes.len() > SHORT_BYTES_MAX);
    demand(long.is_none(), || format!("{} is too long", long.map_or("", |golden| &golden.name)))?;
    Ok(goldens)
}

/// All golden files except those that are damaged on purpose.
fn all() -> Outcome<Vec<Golden>> {
    let (mut folders, mut goldens) = (vec![String::new()], Vec::new());
    while let Some(name) = folders.pop() {
        for entry in std::fs::read_dir(folder().join(&name))? {
            let entry = entry?;
            let inner = format!("{name}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                if inner != "damaged" {
                    folders.push(format!("{inner}/"));
                }
            } else if inner.ends_with(".varvite") && inner != "recovered.varvite" {
                goldens.push(Golden::read(&inner)?);
            }
        }
    }
    Ok(goldens)
}

impl Golden {
    fn read(name: &str) -> Outcome<Self> {
        let path = folder().join(name);
        let bytes =
            std::fs::read(&path).map_err(|error| Breach::new(format!("{}: {error}", path.display())))?;
        Ok(Self { name: name.to_owned(), bytes })
    }

    /// The content of the file, and for each of its bytes whether it was read.
    fn read_watched(&self, disk: &MemoryVfs) -> Outcome<(Answer, Vec<bool>)> {
        let is_read = Arc::new(Mutex::new(vec![false; self.bytes.len()]));
        let marks = Arc::clone(&is_read);
        let watched = FaultVfs::watched_reads(Arc::new(disk.clone()), move |bytes| {
            marks.lock().expect("no panic in it")[bytes.start as usize..bytes.end as usize].fill(true);
        });
        let answer = Answer::read_at(&watched, Path::new(&self.name))?;
        let is_read = is_read.lock().expect("no panic in it").clone();
        Ok((answer, is_read))
    }

    /// The contents of the file with some of its last records removed.
    fn shorter(&self, good: &Answer) -> Outcome<Vec<Answer>> {
        let mut shorter: Vec<Answer> = Vec::new();
        for _ in 0..good.graph().store().log().records() {
            let last = shorter.last().unwrap_or(good);
            let disk = MemoryVfs::new();
            disk.put(&self.name, &self.bytes[..last.graph().store().log().end() as usize - 1]);
            shorter.push(Answer::read_at(&disk, Path::new(&self.name))?);
        }
        shorter.reverse();
        Ok(shorter)
    }
}

/// A file in memory in which bits are flipped and restored.
struct Flipped {
    number: usize,
    disk: MemoryVfs,
    file: Arc<dyn VfsFile>,
    good: Answer,
    /// For each byte, whether reading the undamaged file reads it.
    is_read: Vec<bool>,
    /// The content of the file for each smaller number of records in its log, indexed by that number.
    shorter: Vec<Answer>,
}

impl Flipped {
    /// The file that this thread has in memory, or a new one.
    fn of<'a>(known: &'a mut Option<Self>, golden: &Golden, number: usize) -> Outcome<&'a Self> {
        if known.as_ref().is_none_or(|known| known.number != number) {
            let disk = MemoryVfs::new();
            disk.put(&golden.name, &golden.bytes);
            let file = disk.open_writable(Path::new(&golden.name))?;
            let (good, is_read) = golden.read_watched(&disk)?;
            let shorter = golden.shorter(&good)?;
            *known = Some(Self { number, disk, file, good, is_read, shorter });
        }
        Ok(known.as_ref().expect("made above"))
    }

    fn flip(&self, golden: &Golden, start: usize, flips: &Flips) -> Outcome {
        for (at, byte) in golden.bytes.iter().enumerate().skip(start).take(SHARE) {
            if !self.is_read[at] && !at.is_multiple_of(UNREAD_EVERY) {
                flips.unread.fetch_add(8, Ordering::Relaxed);
                continue;
            }
            for bit in 0..8 {
                self.file.write_all_at(at as u64, &[byte ^ 1 << bit])?;
                let result = without_panic(|| self.read(golden, at, flips));
                result.map_err(|breach| breach.at(format!("bit {bit} of byte {at} of {}", golden.name)))?;
            }
            self.file.write_all_at(at as u64, &[*byte])?;
        }
        Ok(())
    }

    /// Whether the content is that of the file when its log has fewer records, and the graph reports leftover
    /// bytes.
    fn is_shorter(&self, found: &Answer) -> bool {
        let log = found.graph().store().log();
        let expected = self.shorter.get(log.records() as usize);
        log.leftover_bytes() > 0 && expected.is_some_and(|expected| expected.is_same(found))
    }

    /// Whether the store refuses the file, or the segment with the byte `at`. No answer can contain bytes of
    /// a refused segment.
    fn is_refused(&self, golden: &Golden, at: usize) -> bool {
        let Ok(store) = Store::open(&self.disk, Path::new(&golden.name), OpenMode::Buffered) else {
            return true;
        };
        let rows = store.directory().segments.iter().enumerate();
        let before = rows.filter(|(_, row)| row.offset <= at as u64);
        let segment = before.max_by_key(|(_, row)| row.offset).map(|(segment, _)| SegmentId(segment as u32));
        segment.is_some_and(|segment| store.load(segment).is_err())
    }

    /// Reads the file, which has a flip in the byte `at`, and counts the result.
    fn read(&self, golden: &Golden, at: usize, flips: &Flips) -> Outcome {
        let number = flips.flips.fetch_add(1, Ordering::Relaxed);
        if !number.is_multiple_of(WHOLE_EVERY) && self.is_refused(golden, at) {
            flips.detected.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let Ok(found) = Answer::read_at(&self.disk, Path::new(&golden.name)) else {
            flips.detected.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        let is_older = found.identity().generation < self.good.identity().generation;
        let is_told = found.graph().is_recovered() && (is_older || found.is_same(&self.good));
        if is_told || self.is_shorter(&found) {
            flips.detected.fetch_add(1, Ordering::Relaxed);
        } else {
            demand(found.is_same(&self.good), || "another answer".to_owned())?;
            flips.harmless.fetch_add(1, Ordering::Relaxed);
        }
        if number.is_multiple_of(VERIFY_EVERY) {
            let is_same = is_older || self.is_shorter(&found) || found.means_same(&self.good)?;
            demand(is_same, || "another digest".to_owned())?;
        }
        Ok(())
    }
}
