//! [`Messages`]: the socket on which the valgrind tool sends messages, and a recording that reads them.
//!
//! The socket keeps the borders of messages. It ends when the last recorded process has ended.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::Ordering;
use std::thread;

use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::net::{
    AddressFamily, RecvFlags, Shutdown, SocketFlags, SocketType, recv, shutdown, socketpair, sockopt,
};
use varvite_memtrace::reference::References;
use varvite_memtrace::valgrind::{Import, MESSAGE_LEN_MAX, RunReport, Step};

use super::Recording;
use super::build_ids::BuildIds;
use crate::failure::Failure;

/// The bytes that the socket holds while this process compresses a block.
const SOCKET_LEN: usize = 1 << 20;
/// The most bytes that the socket holds: Linux doubles the number.
pub(super) const SOCKET_BYTES_MAX: u64 = 2 * SOCKET_LEN as u64;

/// The messages of the recorded processes.
pub(super) struct Messages(OwnedFd);

impl Messages {
    /// Makes the receiver, and the socket for the tool. Only the latter is open in the program.
    pub(super) fn with_socket() -> rustix::io::Result<(Self, OwnedFd)> {
        let (ours, of_tool) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::empty(), None)?;
        fcntl_setfd(ours.as_fd(), FdFlags::CLOEXEC)?;
        sockopt::set_socket_send_buffer_size(of_tool.as_fd(), SOCKET_LEN)?;
        Ok((Self(ours), of_tool))
    }

    /// Memory for a message.
    pub(super) fn buffer() -> Vec<u8> {
        vec![0; MESSAGE_LEN_MAX]
    }

    /// Waits for the next message, and returns its length; `None` at the end.
    pub(super) fn receive(&self, buffer: &mut [u8]) -> Result<Option<usize>, Failure> {
        loop {
            match recv(self.0.as_fd(), &mut *buffer, RecvFlags::empty()) {
                Ok((0, _)) | Err(Errno::CONNRESET) => return Ok(None),
                Ok((len, _)) => return Ok(Some(len)),
                Err(Errno::INTR) => {}
                Err(error) => return Err(Failure::Output(error.into())),
            }
        }
    }

    /// Asks the tool in all processes to send its records until now, and then to record no more.
    pub(super) fn ask_for_end(&self) {
        // An error means that the tool has closed the socket already.
        let _ = shutdown(self.0.as_fd(), Shutdown::Write);
    }

    /// Closes the socket. The processes that still run go on without being recorded.
    pub(super) fn close(&self) {
        // An error means that the tool has closed it already.
        let _ = shutdown(self.0.as_fd(), Shutdown::Both);
    }
}

/// Reads all messages of one process into the recording's trace. Closes the socket when the trace has all
/// wanted records, or on an error. Another thread compresses and writes the blocks.
pub(super) fn read(recording: &Recording<'_>, messages: &Messages) -> Result<RunReport, Failure> {
    let failed = |source| Failure::Recorder { file: recording.args.output.clone(), source };
    let mut build_ids = BuildIds::default();
    let mut build_id = |path: &[u8]| build_ids.of(path);
    thread::scope(|scope| {
        let target = References::piped(recording.recorder, scope);
        let tool = &recording.args.tool;
        let import = Import::new(target, tool.records_max(), &mut build_id);
        let mut import = import.sampled(tool.samples());
        let mut buffer = Messages::buffer();
        let read = loop {
            let Some(len) = messages.receive(&mut buffer)? else { break Ok(()) };
            let step = import.message(&buffer[..len]);
            recording.records.store(import.counts().records, Ordering::Relaxed);
            match step {
                Ok(Step::Continue) => {}
                Ok(Step::Full | Step::End) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        messages.close();
        read.and_then(|()| import.finish()).map_err(failed)
    })
}
