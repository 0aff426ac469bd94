//! The target of a recorder's bytes.

use std::io::{self, Write};

/// Receives the bytes of a trace in order. Every [`io::Write`] is a sink: files, pipes, sockets, vectors.
///
/// A sink that blocks makes the recording threads wait. The thread whose block is full calls the sink, under
/// the recorder's lock.
pub trait Sink: Send {
    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// Any error of the sink. The recorder then accepts no more records.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Flushes buffered bytes. The recorder calls this method after the last [`Sink::put`].
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

/// A sink that calls the caller's function, for example a C callback with a context pointer.
pub struct CallSink<F>(pub F);

impl<F: FnMut(&[u8]) -> io::Result<()> + Send> Sink for CallSink<F> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.0)(bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
