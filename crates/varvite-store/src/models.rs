//! Models of the threads that use a store. Loom runs them in every order (up to a bound on preemptions).
//!
//! `cargo xtask loom` runs the models. They call the code of this crate, with the locks of `sync`. In the
//! models, slots are filled, pinned, emptied, and forgotten when their file is closed; files join the watch
//! of the process and leave it; records are appended, synced together, and replaced by a large commit. Each
//! model about syncs has a variant with a deliberate bug, which loom must find.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use loom::thread;
use varvite_format::{Header, Profile, Superblock};

use crate::commits::group_sync::GroupSync;
use crate::commits::log_session::{LogSession, Logged};
use crate::commits::log_writer::{LogEnd, LogWriter};
use crate::error::{Operation, Result, StoreError};
use crate::memory::cache::Cache;
use crate::memory::ledger::{AccountId, Ledger, MemoryState};
use crate::memory::mapping::Mapping;
use crate::memory::open_number::OpenNumber;
use crate::memory::shared_thread::{Running, Service, SharedThread};
use crate::memory::slot::{Loaded, Slot};
use crate::sync::{AtomicU64, Mutex, Ordering};
use crate::vfs::{Attributes, VfsFile};
use crate::{AlignedBytes, Pinned};

/// The largest number of preemptions in one execution of a model. Most bugs need two.
const PREEMPTIONS: usize = 3;
const PATH: &str = "code.varvite";
const BYTES: &[u8] = b"varves";

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(run);
}

/// Two slots, with a cache that has room for the bytes of one slot.
struct Shelf {
    file: OpenNumber,
    slots: Arc<[Slot]>,
    cache: Cache,
    ledger: Ledger,
    loads: AtomicU64,
}

impl Shelf {
    fn new() -> Arc<Self> {
        let slots = [Slot::default(), Slot::default()];
        let cache = Cache::new(BYTES.len() as u64);
        let (file, slots, ledger) = (OpenNumber::next(), Arc::new(slots), Ledger::new());
        Arc::new(Self { file, slots, cache, ledger, loads: AtomicU64::new(0) })
    }

    /// Reads slot `index` as a store reads a segment.
    fn read(&self, index: usize) -> Pinned {
        let load = || {
            self.loads.fetch_add(1, Ordering::Relaxed);
            let account = self.ledger.account(AccountId(index as u32));
            let charge = account.charge(MemoryState::Decoded, BYTES.len() as u64);
            let mut bytes = AlignedBytes::zeroed(BYTES.len())?.with_charge(charge);
            bytes.as_mut_bytes().copy_from_slice(BYTES);
            Ok(Loaded { bytes: Pinned::from(bytes), mapped: None, account })
        };
        let (bytes, is_new) = self.slots[index].lend(load).expect("memory is enough");
        if is_new {
            self.cache.admit(self.file, &self.slots, index, BYTES.len() as u64);
        }
        bytes
    }

    fn held(&self) -> [u64; 2] {
        [MemoryState::Decoded, MemoryState::Pinned].map(|state| self.ledger.total(state))
    }
}

#[test]
fn bytes_are_published_once_and_whole() {
    model(|| {
        let shelf = Shelf::new();
        let other = Arc::clone(&shelf);
        let reader = thread::spawn(move || assert_eq!(&*other.read(0), BYTES));
        let bytes = shelf.read(0);
        assert_eq!(&*bytes, BYTES);
        reader.join().unwrap();
        assert_eq!(shelf.loads.load(Ordering::Relaxed), 1);
        assert_eq!((shelf.cache.bytes(), shelf.held()), (6, [6, 6]));
    });
}

#[test]
fn what_is_pinned_stays_while_others_evict() {
    model(|| {
        let shelf = Shelf::new();
        let (other, evicting) = (Arc::clone(&shelf), Arc::clone(&shelf));
        let reader = thread::spawn(move || assert_eq!(&*other.read(1), BYTES));
        let evictor = thread::spawn(move || evicting.cache.shrink(0));
        let bytes = shelf.read(0);
        let [decoded, pinned] = shelf.held();
        assert!(decoded >= 6 && pinned >= 6, "{decoded}, {pinned}");
        assert_eq!(&*bytes, BYTES);
        reader.join().unwrap();
        evictor.join().unwrap();
        drop(bytes);
        // Shrink twice: the first pass may only clear the marks of used slots.
        shelf.cache.shrink(0);
        shelf.cache.shrink(0);
        assert_eq!((shelf.cache.bytes(), shelf.held()), (0, [0, 0]));
    });
}

#[test]
fn pins_outlive_what_is_closed() {
    model(|| {
        let shelf = Shelf::new();
        let other = Arc::clone(&shelf);
        let ledger = shelf.ledger.clone();
        let reader = thread::spawn(move || {
            let bytes = other.read(0);
            drop(other);
            assert_eq!(&*bytes, BYTES);
        });
        drop(shelf);
        reader.join().unwrap();
        let held = [MemoryState::Decoded, MemoryState::Pinned].map(|state| ledger.total(state));
        assert_eq!(held, [0, 0]);
    });
}

/// The watched files: 1 for each open file, 0 for a closed one.
type Watched = Vec<Arc<AtomicU64>>;

/// A watch that fails if it sees a closed file.
struct ModelWatch;

impl Service<Watched> for ModelWatch {
    fn turn(&mut self, files: &mut Watched) -> Duration {
        files.iter().for_each(|file| assert_eq!(file.load(Ordering::Relaxed), 1, "a closed file is watched"));
        Duration::MAX
    }
}

/// The watch of a process, and the number of its running threads.
struct ModelProcess {
    watch: SharedThread<Watched>,
    threads: AtomicU64,
}

impl ModelProcess {
    /// Opens a file, which the watch then serves, and closes it.
    fn open_and_close(process: &Arc<Self>) {
        let file = Arc::new(AtomicU64::new(1));
        let start = || {
            let serving = Arc::clone(process);
            process.threads.fetch_add(1, Ordering::Relaxed);
            let thread = thread::spawn(move || serving.watch.serve(&mut ModelWatch));
            let process = Arc::clone(process);
            let wait = move || {
                thread.join().unwrap();
                process.threads.fetch_sub(1, Ordering::Relaxed);
            };
            Some(Box::new(wait) as Running)
        };
        process.watch.join(|files| files.push(Arc::clone(&file)), start);
        assert_eq!(process.threads.load(Ordering::Relaxed), 1, "one thread, while a file is open");
        let left = process.watch.leave(|files| {
            let place = files.iter().position(|it| Arc::ptr_eq(it, &file))?;
            Some(files.swap_remove(place))
        });
        assert!(left.is_some());
        file.store(0, Ordering::Relaxed);
    }
}

#[test]
fn one_thread_watches_while_files_are_open_and_sees_none_that_was_closed() {
    model(|| {
        let process = Arc::new(ModelProcess { watch: SharedThread::new(), threads: AtomicU64::new(0) });
        let other = Arc::clone(&process);
        let opening = thread::spawn(move || ModelProcess::open_and_close(&other));
        ModelProcess::open_and_close(&process);
        opening.join().unwrap();
        assert_eq!(process.threads.load(Ordering::Relaxed), 0, "the thread ends with the last file");
    });
}

/// A file without content: only its length and the length of its durable part exist.
#[derive(Debug)]
struct ModelFile {
    len: AtomicU64,
    durable: AtomicU64,
    /// The number of syncs that still succeed.
    good_syncs: Mutex<u64>,
}

impl ModelFile {
    fn new(good_syncs: u64) -> Arc<Self> {
        let [len, durable] = [0, 0].map(AtomicU64::new);
        Arc::new(Self { len, durable, good_syncs: Mutex::new(good_syncs) })
    }

    fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }
}

impl VfsFile for ModelFile {
    fn len(&self) -> Result<u64> {
        Ok(self.len.load(Ordering::Acquire))
    }

    fn read_exact_at(&self, _: u64, _: &mut [u8]) -> Result<()> {
        unreachable!("nobody reads")
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        assert_eq!(offset, self.len.load(Ordering::Acquire), "end to end");
        self.len.store(offset + bytes.len() as u64, Ordering::Release);
        Ok(())
    }

    /// Makes durable the length that the file had at the start of the sync. Other threads may write
    /// meanwhile, and their writes may not be durable.
    fn sync(&self) -> Result<()> {
        let written = self.len.load(Ordering::Acquire);
        thread::yield_now();
        let mut good = self.good_syncs.lock().unwrap();
        *good = good.checked_sub(1).ok_or_else(|| {
            StoreError::io(Operation::Sync, Path::new(PATH), std::io::ErrorKind::Other.into())
        })?;
        self.durable.fetch_max(written, Ordering::AcqRel);
        Ok(())
    }

    fn map(&self) -> Result<Option<Mapping>> {
        Ok(None)
    }

    fn attributes(&self) -> Result<Attributes> {
        unreachable!("no reader asks")
    }

    fn set_attributes(&self, _: &Attributes) -> Result<()> {
        unreachable!("no reader asks")
    }

    fn is_at(&self, _: &Path) -> Result<bool> {
        Ok(true)
    }

    fn name_count(&self) -> Result<u64> {
        Ok(1)
    }

    fn try_lock(&self) -> Result<()> {
        Ok(())
    }

    fn unlock(&self) {}
}

/// A graph with a log. The bytes of its commits have no meaning.
#[derive(Debug)]
struct Session {
    file: Arc<ModelFile>,
    shared: Arc<LogEnd>,
    generation: u64,
    log: Arc<LogWriter>,
}

impl Session {
    fn begin(file: &Arc<ModelFile>) -> Arc<LogSession<Self>> {
        let shared = Arc::default();
        let log = Self::log_of(file, 1, &shared);
        Arc::new(LogSession::new(Self { file: Arc::clone(file), shared, generation: 1, log }))
    }

    fn log_of(file: &Arc<ModelFile>, generation: u64, shared: &Arc<LogEnd>) -> Arc<LogWriter> {
        let header = Header { file_id: [7; 16], profile: Profile::Direct };
        let superblock = Superblock {
            generation,
            directory_offset: 0,
            directory_len: 0,
            directory_hash: generation,
            file_len: file.len().expect("it has one"),
            required_features: 0,
        };
        let path = Path::new(PATH);
        let file = Arc::clone(file) as Arc<dyn VfsFile>;
        Arc::new(LogWriter::begin(file, path, (&header, &superblock), Arc::clone(shared)))
    }

    /// Replaces the log by a large commit.
    fn checkpoint(&mut self) -> Result<()> {
        let written = self.write_large();
        if let Err(error) = &written {
            self.log.fail(error);
        }
        written
    }

    fn write_large(&mut self) -> Result<()> {
        assert!(self.log.end() >= self.file.len()?, "a large commit over a record");
        self.file.write_all_at(self.file.len()?, &[0; 64])?;
        self.file.sync()?;
        self.generation += 1;
        self.log = Self::log_of(&self.file, self.generation, &self.shared);
        Ok(())
    }
}

impl Logged for Session {
    fn log(&self) -> &Arc<LogWriter> {
        &self.log
    }
}

/// Commits a record and syncs it. Returns the end offset of the record if the commit was acknowledged.
fn commit(session: &LogSession<Session>) -> Result<u64> {
    let ((number, end), log) = session.change(|session| {
        let number = session.log.append(b"record")?;
        Result::Ok((number, session.log.end()))
    })?;
    log.sync(number)?;
    Ok(end)
}

#[test]
fn an_acknowledged_commit_is_durable_whoever_synced_it() {
    model(|| {
        let file = ModelFile::new(u64::MAX);
        let session = Session::begin(&file);
        let committing = |file: &Arc<ModelFile>, session: &Arc<LogSession<Session>>| {
            let (file, session) = (Arc::clone(file), Arc::clone(session));
            move || {
                let end = commit(&session).unwrap();
                assert!(file.durable() >= end);
            }
        };
        let others = [(); 2].map(|()| thread::spawn(committing(&file, &session)));
        committing(&file, &session)();
        others.into_iter().for_each(|other| other.join().unwrap());
        assert_eq!(session.records(), 3);
    });
}

#[test]
fn after_a_failed_sync_nothing_is_acknowledged() {
    model(|| {
        let file = ModelFile::new(1);
        let session = Session::begin(&file);
        let (other_file, other) = (Arc::clone(&file), Arc::clone(&session));
        let committing = thread::spawn(move || {
            let results = [commit(&other), commit(&other)];
            let acknowledged = results.iter().flatten().max().copied().unwrap_or_default();
            assert!(other_file.durable() >= acknowledged);
            results.iter().filter(|result| result.is_ok()).count()
        });
        let mine = [commit(&session)];
        let acknowledged = mine.iter().flatten().max().copied().unwrap_or(0);
        assert!(file.durable() >= acknowledged);
        let done = committing.join().unwrap() + mine.iter().filter(|result| result.is_ok()).count();
        assert!(done <= 2, "one sync acknowledged {done}");
        if done < 2 {
            assert!(matches!(session.sync(), Err(StoreError::Poisoned { .. })));
            assert!(matches!(commit(&session), Err(StoreError::Poisoned { .. })));
        }
    });
}

#[test]
fn a_commit_is_durable_in_the_log_or_in_what_took_its_place() {
    for good_syncs in [u64::MAX, 1] {
        model(move || {
            let file = ModelFile::new(good_syncs);
            let session = Session::begin(&file);
            let other = Arc::clone(&session);
            let checkpoint = thread::spawn(move || other.change(Session::checkpoint).map(drop));
            let committed = commit(&session);
            if let Ok(end) = &committed {
                assert!(file.durable() >= *end);
            }
            let replaced = checkpoint.join().unwrap();
            assert!(good_syncs == 1 || committed.is_ok() && replaced.is_ok());
            if committed.is_err() || replaced.is_err() {
                assert!(matches!(session.sync(), Err(StoreError::Poisoned { .. })));
            }
        });
    }
}

/// Runs two threads that write and then call `GroupSync::reach` with `sync`, which returns the synced length.
fn reach_by(sync: impl Fn(&ModelFile) -> Result<u64> + Copy + Send + Sync + 'static) {
    model(move || {
        let (file, syncs) = (ModelFile::new(u64::MAX), Arc::new(GroupSync::default()));
        let writing = Arc::new(Mutex::new(()));
        let work = || {
            let (file, syncs, writing) = (Arc::clone(&file), Arc::clone(&syncs), Arc::clone(&writing));
            move || {
                let end = {
                    let _turn = writing.lock().unwrap();
                    let end = file.len().unwrap();
                    file.write_all_at(end, &[1]).unwrap();
                    end + 1
                };
                syncs.reach(end, || sync(&file)).unwrap();
                assert!(file.durable() >= end, "acknowledged and not durable");
                let claimed = syncs.durable();
                assert!(file.durable() >= claimed, "more is called durable than is");
            }
        };
        let other = thread::spawn(work());
        work()();
        other.join().unwrap();
    });
}

#[test]
fn a_sync_covers_what_was_written_before_it() {
    reach_by(|file| {
        let last = file.len()?;
        file.sync()?;
        Ok(last)
    });
}

#[test]
#[should_panic(expected = "durable")]
fn a_sync_that_is_said_to_cover_what_came_during_it_is_found() {
    reach_by(|file| {
        file.sync()?;
        file.len()
    });
}

#[test]
#[should_panic(expected = "durable")]
fn a_sync_that_is_left_out_is_found() {
    reach_by(|file| file.len());
}
