//! The target of a recorder's bytes: anything that takes them in order.

use std::io::{self, Write};

/// Takes the bytes of a trace, in order. Every [`io::Write`] is one: files, pipes, sockets, vectors.
///
/// A sink that blocks makes the recording threads wait, as back-pressure. It is called under the recorder's
/// lock, by the thread whose block is full.
pub trait Sink: Send {
    /// Takes all of `bytes`.
    ///
    /// # Errors
    /// Any error of the sink. The recorder takes no more records afterwards.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Passes on its buffered bytes. Called after the last bytes.
    ///
    /// # Errors
    /// Any error of the sink.
    fn finish(&mut self) -> io::Result<()>;
}

impl<W: Write + Send> Sink for W {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

/// The caller's function as a sink. A C callback with a context pointer is wrapped in one of these.
pub struct CallSink<F>(pub F);

impl<F: FnMut(&[u8]) -> io::Result<()> + Send> Sink for CallSink<F> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.0)(bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
