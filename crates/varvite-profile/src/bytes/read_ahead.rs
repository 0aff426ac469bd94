//! [`read_ahead`]: a stream that a second thread reads and decompresses in advance, while the caller works on
//! earlier bytes.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Size in bytes of the blocks that the two threads exchange.
const BLOCK: usize = 256 << 10;
/// Maximum number of filled blocks that wait for the reader. In addition, one block is being filled, and one
/// is being read.
const WAITING: usize = 2;

/// Calls `work` with the stream. At most a megabyte is read ahead.
///
/// # Errors
/// The operating system's error, if no thread can be started.
pub(crate) fn read_ahead<T>(source: impl Read + Send, work: impl FnOnce(Ahead) -> T) -> io::Result<T> {
    let (full, filled) = sync_channel(WAITING);
    let (empty, emptied) = channel();
    thread::scope(|scope| {
        // The thread ends when `work` has dropped the other ends of the channels.
        thread::Builder::new().spawn_scoped(scope, move || fill(source, &full, &emptied))?;
        Ok(work(Ahead { filled, empty, block: Vec::new(), start: 0 }))
    })
}

fn fill(mut source: impl Read, full: &SyncSender<io::Result<Vec<u8>>>, emptied: &Receiver<Vec<u8>>) {
    loop {
        let mut block = emptied.try_recv().unwrap_or_default();
        block.clear();
        let outcome = source.by_ref().take(BLOCK as u64).read_to_end(&mut block);
        let is_over = block.is_empty() || outcome.is_err();
        // The bytes before an error are complete, and are sent first.
        let is_wanted = block.is_empty() || full.send(Ok(block)).is_ok();
        let is_told = outcome.map_or_else(|error| full.send(Err(error)).is_ok(), |_| true);
        if is_over || !is_wanted || !is_told {
            return;
        }
    }
}

/// The reader's end of the stream, which receives the blocks that the other thread fills.
pub(crate) struct Ahead {
    filled: Receiver<io::Result<Vec<u8>>>,
    empty: Sender<Vec<u8>>,
    block: Vec<u8>,
    start: usize,
}

impl Read for Ahead {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start == self.block.len() {
            // If the other thread has dropped its end of the channel, the stream has ended.
            let Ok(block) = self.filled.recv() else { return Ok(0) };
            let used = std::mem::replace(&mut self.block, block?);
            self.start = 0;
            _ = self.empty.send(used);
        }
        let rest = &self.block[self.start..];
        let len = rest.len().min(out.len());
        out[..len].copy_from_slice(&rest[..len]);
        self.start += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that returns this number of bytes, and then an error.
    struct Failing(usize);

    impl Read for Failing {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = out.len().min(self.0);
            out[..len].fill(b'x');
            self.0 -= len;
            if len == 0 { Err(io::Error::other("the cable was pulled")) } else { Ok(len) }
        }
    }

    #[test]
    fn the_whole_stream_arrives_in_order() {
        let bytes: Vec<u8> = (0..3 * BLOCK + 7).map(|place| (place % 251) as u8).collect();
        let mut read = Vec::new();
        let len = read_ahead(&bytes[..], |mut ahead| ahead.read_to_end(&mut read)).expect("a thread");
        assert_eq!((len.expect("no failure"), read), (bytes.len(), bytes));
    }

    #[test]
    fn a_failure_arrives_behind_what_came_before_it() {
        let mut read = Vec::new();
        let source = Failing(BLOCK + 5);
        let outcome = read_ahead(source, |mut ahead| ahead.read_to_end(&mut read)).expect("a thread");
        assert_eq!(outcome.expect_err("it failed").to_string(), "the cable was pulled");
        assert_eq!(read.len(), BLOCK + 5);
    }

    #[test]
    fn an_endless_stream_may_be_left() {
        let first = read_ahead(io::repeat(7), |mut ahead| {
            let mut first = [0; 3];
            ahead.read_exact(&mut first).map(|()| first)
        });
        assert_eq!(first.expect("a thread").expect("no failure"), [7; 3]);
    }
}
