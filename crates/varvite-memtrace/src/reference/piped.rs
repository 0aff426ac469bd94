//! [`Piped`]: a thread that compresses and writes blocks, while the calling thread fills the next block.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

use varvite_trace::{Recorder, Sink, TraceError};

use super::block_writer::{BlockWriter, Filled};

/// A thread with a [`BlockWriter`].
///
/// No block waits between the two threads, so a killed process loses at most one block more than it would
/// without the thread.
pub(super) struct Piped<'r> {
    /// `None` when no more blocks follow.
    orders: Option<SyncSender<Order>>,
    /// The memory of blocks that were written.
    spent: Receiver<Filled>,
    worker: Option<ScopedJoinHandle<'r, Result<(), TraceError>>>,
}

enum Order {
    AddThread(u64),
    Write(usize, Box<Filled>),
}

impl<'r> Piped<'r> {
    /// Starts the thread.
    pub(super) fn start<S: Sink + Send>(recorder: &'r Recorder<S>, scope: &'r Scope<'r, '_>) -> Self {
        let (orders, received) = sync_channel(0);
        let (returned, spent) = channel();
        let worker = scope.spawn(move || {
            let mut writer = BlockWriter::new(recorder);
            for order in received {
                match order {
                    Order::AddThread(thread) => writer.add_thread(thread)?,
                    Order::Write(index, mut filled) => {
                        writer.write(index, &mut filled)?;
                        filled.clear();
                        // After `Piped` was dropped, the memory is freed.
                        let _ = returned.send(*filled);
                    }
                }
            }
            writer.finish()
        });
        Self { orders: Some(orders), spent, worker: Some(worker) }
    }

    pub(super) fn add_thread(&mut self, thread: u64) -> Result<(), TraceError> {
        self.send(Order::AddThread(thread))
    }

    /// Writes references of a thread as a block, after the previous block has been written. Leaves memory for
    /// other references in `filled`.
    pub(super) fn write(&mut self, index: usize, filled: &mut Filled) -> Result<(), TraceError> {
        let filled = std::mem::replace(filled, self.spent.try_recv().unwrap_or_default());
        self.send(Order::Write(index, Box::new(filled)))
    }

    fn send(&mut self, order: Order) -> Result<(), TraceError> {
        let is_sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        // After an error the thread takes no more orders, and `finish` returns the error.
        if is_sent { Ok(()) } else { self.finish().and(Err(TraceError::Closed)) }
    }

    /// Waits until all blocks have been written.
    pub(super) fn finish(&mut self) -> Result<(), TraceError> {
        self.orders = None;
        self.worker.take().map_or(Ok(()), |worker| worker.join().expect("writing blocks does not panic"))
    }
}
