//! [`Holder`]: who holds a lock, as the lock file says it.
//!
//! A lock file has one line, the number of the process and its command. It is a note for people: nothing is decided by it,
//! because anyone may have written it.

use std::fmt;
use std::path::Path;

/// A process that holds a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// Its number.
    pub process: u32,
    /// The program and its arguments, cut where they are long.
    pub command: String,
}

/// Longest line that is written or read, in bytes.
pub(crate) const LINE_MAX: usize = 256;

impl Holder {
    /// This process.
    pub fn ourselves() -> Self {
        let mut words = std::env::args_os();
        let program = words.next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let command = std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ");
        Self { process: std::process::id(), command: shown(&command) }
    }

    /// The line of a lock file.
    pub(crate) fn to_line(&self) -> String {
        format!("{} {}\n", self.process, self.command)
    }

    /// What a lock file says, if it says it in one line.
    pub(crate) fn of_line(bytes: &[u8]) -> Option<Self> {
        let line = bytes.split(|byte| *byte == b'\n').next()?;
        let line = String::from_utf8_lossy(line);
        let (process, command) = line.split_once(' ')?;
        Some(Self { process: process.parse().ok()?, command: shown(command) })
    }
}

/// Without what would move a terminal's cursor, and not too long.
fn shown(command: &str) -> String {
    let mut text: String = command.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let room = LINE_MAX - "4294967295 \n".len();
    if text.len() > room {
        let end = (0..=room - 3).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        text.push_str("...");
    }
    text
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "process {} ({})", self.process, self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_who_wrote_it() {
        let holder = Holder { process: 7, command: "varvite index --add NAME".into() };
        let line = holder.to_line();
        assert_eq!(line, "7 varvite index --add NAME\n");
        assert_eq!(Holder::of_line(line.as_bytes()), Some(holder));
        assert_eq!(Holder::ourselves().process, std::process::id());
    }

    #[test]
    fn what_others_wrote_is_no_command_to_a_terminal() {
        let holder = Holder::of_line(b"7 a\x1b[2Jb\nolder and longer").unwrap();
        assert_eq!(holder.to_string(), "process 7 (a [2Jb)");
        for nonsense in [&b""[..], b"\n", b"varvite", b"x varvite"] {
            assert_eq!(Holder::of_line(nonsense), None);
        }
    }

    #[test]
    fn a_long_command_is_cut() {
        let holder = Holder { process: u32::MAX, command: shown(&"\u{e4}".repeat(400)) };
        assert!(holder.command.ends_with("...") && holder.to_line().len() <= LINE_MAX);
    }
}
