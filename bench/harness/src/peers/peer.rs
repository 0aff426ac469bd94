//! [`Peer`]: another process that answers each command with one JSON line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::Failure;

/// A running process. Dropping the value ends the process.
pub struct Peer {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    is_paused: bool,
}

impl Peer {
    /// Starts a process that answers commands. It inherits the standard error of this process.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn start(name: &str, command: &mut Command) -> Result<Self, Failure> {
        let failed = |error| Failure(format!("cannot start {name}: {error}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure(format!("cannot talk to {name}")));
        };
        Ok(Self { name: name.to_owned(), child, input, output: BufReader::new(output), is_paused: false })
    }

    /// Starts this program in a second process that answers commands about the graph file `file`.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn varvite(name: &str, file: &Path) -> Result<Self, Failure> {
        Self::start(name, own_command()?.arg("serve").arg(file))
    }

    /// Same as [`varvite`](Self::varvite), but questions about columns run on `threads` threads.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn varvite_on(name: &str, file: &Path, threads: usize) -> Result<Self, Failure> {
        Self::start(name, own_command()?.arg("serve").arg(file).arg(threads.to_string()))
    }

    /// Sends a command and waits for the line with the answer.
    ///
    /// # Errors
    /// The process answers with an error, with something that is not JSON, or not at all.
    pub fn ask(&mut self, command: &str) -> Result<Value, Failure> {
        let failed = |what: &dyn std::fmt::Display| Failure(format!("{}: `{command}`: {what}", self.name));
        if self.is_paused {
            self.signal("-CONT")?;
            self.is_paused = false;
        }
        writeln!(self.input, "{command}").map_err(|error| failed(&error))?;
        let mut line = String::new();
        if self.output.read_line(&mut line).map_err(|error| failed(&error))? == 0 {
            return Err(failed(&"the process ended without an answer"));
        }
        let answer: Value = serde_json::from_str(&line).map_err(|error| failed(&error))?;
        match answer["error"].as_str() {
            Some(error) => Err(failed(&error)),
            None => Ok(answer),
        }
    }

    /// Suspends the process until the next question. Otherwise its garbage collector could run in the
    /// background while another peer is measured.
    ///
    /// # Errors
    /// The system has no `kill` command, or the command fails.
    pub fn pause(&mut self) -> Result<(), Failure> {
        self.signal("-STOP")?;
        self.is_paused = true;
        Ok(())
    }

    fn signal(&self, signal: &str) -> Result<(), Failure> {
        let failed = |what: &dyn std::fmt::Display| Failure(format!("{}: kill {signal}: {what}", self.name));
        let status = Command::new("kill").arg(signal).arg(self.child.id().to_string()).status();
        match status.map_err(|error| failed(&error))? {
            status if status.success() => Ok(()),
            status => Err(failed(&status)),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if self.ask("quit").is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// The command that starts this program again.
///
/// # Errors
/// The system does not report the path of this program.
pub fn own_command() -> Result<Command, Failure> {
    let program = std::env::current_exe();
    Ok(Command::new(program.map_err(|error| Failure(format!("cannot find this program: {error}")))?))
}

/// Starts this program with `arguments` and returns the JSON line that it prints.
///
/// # Errors
/// The program fails, or prints something that is not JSON.
pub fn ask_own(arguments: &[&std::ffi::OsStr]) -> Result<Value, Failure> {
    let mut command = own_command()?;
    let output = command.args(arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
        return Err(Failure(format!("failed ({}): varvite-bench {}", output.status, words.join(" "))));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_paused_peer_stands_still_until_it_is_asked() {
        let mut peer = Peer::start("cat", &mut Command::new("cat")).unwrap();
        let stat = format!("/proc/{}/stat", peer.child.id());
        let is_stopped = || std::fs::read_to_string(&stat).unwrap().contains(" T ");
        assert_eq!(peer.ask("1").unwrap(), 1);
        assert!(!is_stopped());
        peer.pause().unwrap();
        while !is_stopped() {
            std::thread::yield_now();
        }
        assert_eq!(peer.ask("2").unwrap(), 2);
        assert!(!is_stopped());
    }
}
