//! [`Frames`]: JSON-RPC messages as lines, from a client that may send anything.
//!
//! The SDK's own transport drops a line that is too long or that is no JSON, and its client then waits. Here
//! such a line gets an error with id null, as JSON-RPC demands, and the next line is read. A thread reads
//! one line at a time, and holds no more bytes of it than a message may have.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, ProtocolVersion, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value as Json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most bytes of a line.
pub(crate) const LINE_BYTES_MAX: u64 = 1 << 20;

type Message = RxJsonRpcMessage<RoleServer>;

/// The messages of a client, and the way to answer them.
pub(crate) struct Frames<W> {
    messages: Receiver<Message>,
    out: Answers<W>,
    /// Whether a session has begun. Before, the SDK takes a notification for the end of the session.
    has_begun: bool,
}

impl<W: Write + Send + 'static> Frames<W> {
    /// Starts the thread that reads `input`. It ends with the input, or when a message can't be passed on.
    pub(crate) fn start(input: impl Read + Send + 'static, output: W) -> io::Result<Self> {
        let (sender, messages) = channel(1);
        let out = Answers(Arc::new(Mutex::new(output)));
        let answers = out.clone();
        let read = move || read_all(BufReader::new(input), &sender, &answers);
        std::thread::Builder::new().name("varvite-mcp-input".into()).spawn(read)?;
        Ok(Self { messages, out, has_begun: false })
    }

    /// Whether the SDK can take a message now.
    fn may_pass(&mut self, message: &Message) -> bool {
        self.has_begun |= begins_session(message);
        self.has_begun || matches!(message, ClientJsonRpcMessage::Request(_))
    }
}

/// Whether a message begins a session: `initialize`, or a request that says all about its client.
fn begins_session(message: &Message) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else { return false };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty(),
    }
}

impl<W: Write + Send + 'static> Transport<RoleServer> for Frames<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        std::future::ready(self.out.write(&message))
    }

    async fn receive(&mut self) -> Option<Message> {
        loop {
            let message = self.messages.recv().await?;
            if self.may_pass(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads lines to the end of the input. A line that is no message gets an error.
fn read_all<W: Write>(mut input: impl BufRead, messages: &Sender<Message>, answers: &Answers<W>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let outcome = match read_line(&mut input, &mut line) {
            Ok(LineRead::Line) if line.trim_ascii().is_empty() => continue,
            Ok(LineRead::Line) => message_of(&line),
            Ok(LineRead::TooLong) => Err((too_long(), None)),
            Ok(LineRead::End) | Err(_) => return,
        };
        let is_over = match outcome {
            Ok(message) => messages.blocking_send(*message).is_err(),
            Err((error, id)) => answers.write(&TxJsonRpcMessage::<RoleServer>::error(error, id)).is_err(),
        };
        if is_over {
            return;
        }
        // A long line would hold its memory until the session ends.
        line.shrink_to(1 << 16);
    }
}

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
enum LineRead {
    Line,
    TooLong,
    End,
}

/// Reads a line into `line`. The rest of a line that is too long is dropped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LineRead> {
    if input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', line)? == 0 {
        return Ok(LineRead::End);
    }
    if line.ends_with(b"\n") || (line.len() as u64) < LINE_BYTES_MAX {
        return Ok(LineRead::Line);
    }
    input.skip_until(b'\n')?;
    Ok(LineRead::TooLong)
}

fn too_long() -> ErrorData {
    ErrorData::invalid_request(format!("the message is longer than {LINE_BYTES_MAX} bytes"), None)
}

/// The message of a line; otherwise the error, with the id of the request that it answers.
fn message_of(line: &[u8]) -> Result<Box<Message>, (ErrorData, Option<RequestId>)> {
    let json: Json = serde_json::from_slice(line)
        .map_err(|error| (ErrorData::parse_error(format!("the line is not JSON: {error}"), None), None))?;
    let id = json.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    let message = serde_json::from_value(json);
    message.map(Box::new).map_err(|_| {
        let what = "the line is not a message of JSON-RPC 2.0: an object with jsonrpc, id, method and params";
        (ErrorData::invalid_request(what, None), id)
    })
}

/// Writes answers, each in a line of its own, from several threads.
struct Answers<W>(Arc<Mutex<W>>);

impl<W> Clone for Answers<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Answers<W> {
    fn write(&self, message: &TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&line)?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(mut input: &[u8]) -> Vec<(LineRead, usize)> {
        let mut found = Vec::new();
        loop {
            let mut line = Vec::new();
            match read_line(&mut input, &mut line).unwrap() {
                LineRead::End => return found,
                read => found.push((read, line.len())),
            }
        }
    }

    #[test]
    fn a_line_beyond_the_limit_is_dropped_and_the_next_is_read() {
        let most = LINE_BYTES_MAX as usize;
        let mut input = b"x".repeat(3 * most);
        input.extend(b"\nnext\n");
        assert_eq!(reads(&input), [(LineRead::TooLong, most), (LineRead::Line, 5)]);
        let mut exact = b"x".repeat(most - 1);
        exact.extend(b"\nlast");
        assert_eq!(reads(&exact), [(LineRead::Line, most), (LineRead::Line, 4)]);
    }

    #[test]
    fn a_line_that_is_no_message_gets_an_error_with_its_id() {
        let (error, id) = message_of(b"{\"jsonrpc\":\"2.0\",").unwrap_err();
        assert!(error.message.starts_with("the line is not JSON") && id.is_none());
        let (_, id) = message_of(b"{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}").unwrap_err();
        assert_eq!(id, Some(RequestId::Number(7)));
        assert!(message_of(b"[]").is_err() && message_of(&b"[".repeat(100_000)).is_err());
    }
}
