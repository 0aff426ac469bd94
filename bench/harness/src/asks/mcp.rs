//! [`Agent`]: a client of `varvite mcp`, which calls its tools.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::Failure;

/// A server with its session. Dropping the value ends the server.
pub(super) struct Agent {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

/// A server's answer to a call.
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) is_error: bool,
    /// The length of the whole message.
    pub(super) bytes: usize,
}

impl Agent {
    /// Starts a server for a graph, and a session.
    pub(super) fn start(command: &Path, graph: &Path) -> Result<Self, Failure> {
        let mut server = Command::new(command);
        server.arg("mcp").arg(graph).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |error| Failure(format!("cannot start {} mcp: {error}", command.display()));
        let mut server = server.spawn().map_err(failed)?;
        let input = server.stdin.take();
        let output = server.stdout.take().ok_or_else(|| Failure("varvite mcp has no output".into()))?;
        let mut agent = Self { server, input, output: BufReader::new(output), id: 0 };
        let client = json!({"name": "bench-ask", "version": "1"});
        agent.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        )?;
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }

    /// The id of the server's process.
    pub(super) fn process(&self) -> u32 {
        self.server.id()
    }

    /// Calls a tool.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Reply, Failure> {
        let line = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let answer: Value = serde_json::from_str(&line)?;
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.ok_or_else(|| Failure(format!("varvite mcp answers {}", line.trim_end())))?;
        let is_error = result["isError"] == true;
        Ok(Reply { text: text.to_owned(), is_error, bytes: line.trim_end().len() })
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<String, Failure> {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}))?;
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err(Failure(format!("varvite mcp ended at {method}"))),
            _ => Ok(line),
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let Some(input) = &mut self.input else { return Ok(()) };
        writeln!(input, "{message}")?;
        Ok(input.flush()?)
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The server ends with its input.
        drop(self.input.take());
        let _ = self.server.wait();
    }
}
