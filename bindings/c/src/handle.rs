//! Handles: what C holds is a number dressed as a pointer, and what it means is looked up here.
//!
//! A handle is never followed, so that a stale, foreign or invented one is an error and can't be a crash. Its lower half is
//! the number of a slot, its upper half the generation of that slot, which changes with each release; only after 2^32
//! objects in one slot could an old handle mean a new object. A slot has a lock of its own: calls share it, the last
//! release waits for them. Looking up costs two atomic operations; threads that ask much are better off with a handle each.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

use crate::adjacency::AdjacencyObject;
use crate::c_type::{CType, join};
use crate::error::ErrorOut;
use crate::export::{Argument, Status, guard};
use crate::failure::Failure;
use crate::graph::GraphObject;
use crate::pin::PinObject;
use crate::property::PropertyObject;
use crate::recorder::{RecorderObject, StreamObject};
use crate::run::RunObject;

/// Something that C may hold.
pub(crate) enum Object {
    Graph(Box<GraphObject>),
    Adjacency(Box<AdjacencyObject>),
    Property(Box<PropertyObject>),
    Pin(Box<PinObject>),
    Recorder(Box<RecorderObject>),
    Stream(Box<StreamObject>),
    Run(Box<RunObject>),
}

/// One kind of thing that C may hold.
pub(crate) trait Kind: Sized + 'static {
    /// What messages call it.
    const NAME: &'static str;
    /// Its type in C.
    #[cfg_attr(not(test), allow(dead_code))] // Only the test of the header asks.
    const C: &'static str;

    /// The graph that calls read through it, so that each of them is told of the damage that it meets.
    const GRAPH: Option<fn(&Self) -> &varvite::Graph>;

    fn into_object(self: Box<Self>) -> Object;
    fn of(object: &Object) -> Option<&Self>;
    fn of_mut(object: &mut Object) -> Option<&mut Self>;
    fn of_box(object: Object) -> Option<Box<Self>>;
}

macro_rules! kinds {
    ($($type:ident: $variant:ident, $name:literal, $found:literal, $c:literal, $graph:expr;)+) => {
        $(impl Kind for $type {
            const NAME: &'static str = $name;
            const C: &'static str = $c;
            const GRAPH: Option<fn(&Self) -> &varvite::Graph> = $graph;

            fn into_object(self: Box<Self>) -> Object {
                Object::$variant(self)
            }

            fn of(object: &Object) -> Option<&Self> {
                match object {
                    Object::$variant(it) => Some(it),
                    _ => None,
                }
            }

            fn of_mut(object: &mut Object) -> Option<&mut Self> {
                match object {
                    Object::$variant(it) => Some(it),
                    _ => None,
                }
            }

            fn of_box(object: Object) -> Option<Box<Self>> {
                match object {
                    Object::$variant(it) => Some(it),
                    _ => None,
                }
            }
        })+

        impl Object {
            fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $found,)+
                }
            }
        }
    };
}

kinds! {
    GraphObject: Graph, "graph", "it is one of a graph", "varvite_graph", Some(|it| &it.0.graph);
    AdjacencyObject: Adjacency, "adjacency", "it is one of an adjacency", "varvite_adjacency", Some(|it| &it.open.graph);
    PropertyObject: Property, "property", "it is one of a property", "varvite_property", Some(|it| &it.open.graph);
    PinObject: Pin, "pin", "it is one of a pin", "varvite_pin", None;
    RecorderObject: Recorder, "recorder", "it is one of a recorder", "varvite_recorder", None;
    StreamObject: Stream, "stream", "it is one of a stream", "varvite_stream", None;
    RunObject: Run, "run", "it is one of a run", "varvite_run", None;
}

/// A handle to read through: `const` in C, and for any thread.
#[repr(transparent)]
pub(crate) struct Handle<K>(usize, PhantomData<fn() -> K>);

/// A handle to count up or down, or a new one with one holder.
#[repr(transparent)]
pub(crate) struct Counted<K>(usize, PhantomData<fn() -> K>);

impl<K> Clone for Counted<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Counted<K> {}

impl<K: Kind> Argument for Handle<K> {
    type Checked = Named<K>;

    fn check(self, name: &'static str) -> Result<Named<K>, Failure> {
        Ok(Named { handle: self.0, argument: name, kind: PhantomData })
    }
}

impl<K: Kind> Argument for Counted<K> {
    type Checked = Named<K>;

    fn check(self, name: &'static str) -> Result<Named<K>, Failure> {
        Handle(self.0, PhantomData).check(name)
    }
}

impl<K: Kind> CType for Handle<K> {
    fn declare(name: &str) -> String {
        join(&format!("const {} *", K::C), name)
    }
}

impl<K: Kind> CType for Counted<K> {
    fn declare(name: &str) -> String {
        join(&format!("{} *", K::C), name)
    }
}

/// A handle with the name of its argument.
pub(crate) struct Named<K> {
    handle: usize,
    argument: &'static str,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Named<K> {
    /// Whether C gave null.
    pub(crate) fn is_null(&self) -> bool {
        self.handle == 0
    }

    /// Lets `read` see what the handle means. Nothing can release it meanwhile, so `read` should not take long.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&K) -> Result<R, Failure>) -> Result<R, Failure> {
        let slot = self.slot()?;
        let entry = slot.read().unwrap_or_else(PoisonError::into_inner);
        let object = self.object(&entry)?;
        match K::GRAPH {
            Some(graph) => graph(object).watch(|| read(object))?,
            None => read(object),
        }
    }

    /// Lets `change` change what the handle means. Other calls on it wait meanwhile.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut K) -> Result<R, Failure>) -> Result<R, Failure> {
        let mut entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        self.object(&entry)?;
        let object = entry.object.as_mut().and_then(K::of_mut);
        change(object.expect("the line above found one of this kind"))
    }

    /// Ends the handle and gives what it meant, if `may_end` agrees.
    pub(crate) fn take(&self, may_end: impl FnOnce(&K) -> Result<(), Failure>) -> Result<K, Failure> {
        let entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        may_end(self.object(&entry)?)?;
        let object = self.end(entry).and_then(K::of_box);
        Ok(*object.expect("the line above found one of this kind"))
    }

    /// One more holder.
    pub(crate) fn retain(&self) -> Result<(), Failure> {
        let mut entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        self.object(&entry)?;
        entry.holders = entry.holders.saturating_add(1);
        Ok(())
    }

    /// One holder fewer; the last one ends it. Null is nobody's.
    pub(crate) fn release(&self) -> Result<(), Failure> {
        if self.is_null() {
            return Ok(());
        }
        let mut entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        self.object(&entry)?;
        entry.holders -= 1;
        if entry.holders > 0 {
            return Ok(());
        }
        // What a pin or a graph owns may take a while to give back: not under the lock.
        drop(self.end(entry));
        Ok(())
    }

    /// Empties the slot, so that the handle means nothing any more.
    fn end(&self, mut entry: RwLockWriteGuard<'_, Entry>) -> Option<Object> {
        let ended = entry.object.take();
        entry.generation = (entry.generation.wrapping_add(1) & half_max()).max(1);
        drop(entry);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.handle & half_max());
        LIVE.fetch_sub(1, Ordering::Relaxed);
        ended
    }

    fn slot(&self) -> Result<&'static RwLock<Entry>, Failure> {
        if self.is_null() {
            return Err(Failure::Null { argument: self.argument });
        }
        slot_at(self.handle & half_max()).ok_or_else(|| self.failure("nobody gave it out"))
    }

    fn object<'e>(&self, entry: &'e Entry) -> Result<&'e K, Failure> {
        let object = entry.object.as_ref().filter(|_| entry.generation == self.handle >> HALF);
        let object = object.ok_or_else(|| self.failure("it was released, or nobody gave it out"))?;
        K::of(object).ok_or_else(|| self.failure(object.name()))
    }

    fn failure(&self, found: &'static str) -> Failure {
        Failure::Handle { argument: self.argument, expected: K::NAME, found }
    }
}

impl<K: Kind> Counted<K> {
    /// No handle.
    pub(crate) const NULL: Self = Self(0, PhantomData);

    /// A handle of its own for `object`, with one holder.
    pub(crate) fn new(object: K) -> Self {
        Self::new_boxed(Box::new(object))
    }

    /// The same for an object that must not move.
    pub(crate) fn new_boxed(object: Box<K>) -> Self {
        let number = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let number = number.unwrap_or_else(|| FRESH.fetch_add(1, Ordering::Relaxed) as usize);
        let mut entry = new_slot(number).write().unwrap_or_else(PoisonError::into_inner);
        entry.object = Some(object.into_object());
        entry.holders = 1;
        LIVE.fetch_add(1, Ordering::Relaxed);
        Self(entry.generation << HALF | number, PhantomData)
    }
}

/// How many things C holds.
pub(crate) fn live() -> u64 {
    LIVE.load(Ordering::Relaxed)
}

struct Entry {
    generation: usize,
    holders: u64,
    object: Option<Object>,
}

/// Half of the bits of a handle.
const HALF: u32 = usize::BITS / 2;

/// The largest number of a slot, and generation.
const fn half_max() -> usize {
    (1 << HALF) - 1
}

/// Slots of the first chunk; each further chunk has twice as many as the one before, and none ever moves.
const FIRST_CHUNK: usize = 64;

static CHUNKS: [OnceLock<Box<[RwLock<Entry>]>>; HALF as usize] = [const { OnceLock::new() }; HALF as usize];
static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static FRESH: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicU64 = AtomicU64::new(0);

/// The chunk of a slot, and its place in there: chunk `c` begins at slot `64 * (2^c - 1)`.
fn place(number: usize) -> (usize, usize) {
    let chunk = (number / FIRST_CHUNK + 1).ilog2() as usize;
    (chunk, number - FIRST_CHUNK * ((1 << chunk) - 1))
}

fn slot_at(number: usize) -> Option<&'static RwLock<Entry>> {
    let (chunk, place) = place(number);
    CHUNKS.get(chunk)?.get()?.get(place)
}

fn new_slot(number: usize) -> &'static RwLock<Entry> {
    let (chunk, place) = place(number);
    let slots = CHUNKS[chunk].get_or_init(|| {
        let empty = || RwLock::new(Entry { generation: 1, holders: 0, object: None });
        std::iter::repeat_with(empty).take(FIRST_CHUNK << chunk).collect()
    });
    &slots[place]
}

/// Runs one of the two things that are done to a count.
fn count<K: Kind>(handle: Counted<K>, change: fn(&Named<K>) -> Result<(), Failure>) -> i32 {
    guard(ErrorOut::none(), || change(&handle.check("handle")?).map(|()| Status::Ok))
}

plain_exports! {
    /// One more holder.
    fn varvite_graph_retain(graph: Counted<GraphObject>) -> i32 {
        count(graph, Named::retain)
    }

    /// One holder fewer; the last one closes the graph.
    fn varvite_graph_release(graph: Counted<GraphObject>) -> i32 {
        count(graph, Named::release)
    }

    /// One more holder.
    fn varvite_adjacency_retain(adjacency: Counted<AdjacencyObject>) -> i32 {
        count(adjacency, Named::retain)
    }

    /// One holder fewer.
    fn varvite_adjacency_release(adjacency: Counted<AdjacencyObject>) -> i32 {
        count(adjacency, Named::release)
    }

    /// One more holder.
    fn varvite_property_retain(property: Counted<PropertyObject>) -> i32 {
        count(property, Named::retain)
    }

    /// One holder fewer.
    fn varvite_property_release(property: Counted<PropertyObject>) -> i32 {
        count(property, Named::release)
    }

    /// One more holder.
    fn varvite_run_retain(run: Counted<RunObject>) -> i32 {
        count(run, Named::retain)
    }

    /// One holder fewer; the last one ends the run.
    fn varvite_run_release(run: Counted<RunObject>) -> i32 {
        count(run, Named::release)
    }

    /// Gives a pin back: what it kept may go.
    fn varvite_pin_release(pin: Counted<PinObject>) -> i32 {
        count(pin, Named::release)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_fill_chunk_after_chunk() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(63), (0, 63));
        assert_eq!(place(64), (1, 0));
        assert_eq!(place(191), (1, 127));
        assert_eq!(place(192), (2, 0));
    }
}
