//! [`Holder`]: the process that has a file locked, as the system reports it.
//!
//! No file records the holder. Linux lists all locks in `/proc/locks`, by device and inode number. The
//! process number from that list and the short name of the process appear in messages only; no decision
//! depends on them. If the file system has another device number in that list (btrfs, overlays), and on other
//! systems, the holder is unknown.

use std::fmt;
use std::fs::File;

/// A process that has the lock of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// The process number.
    pub process: u32,
    /// The short name of the process, at most 15 characters on Linux; empty if the system does not report it.
    pub name: String,
}

impl Holder {
    /// The calling process as a holder.
    pub fn ourselves() -> Self {
        Self::of_process(std::process::id())
    }

    fn of_process(process: u32) -> Self {
        let name = std::fs::read(format!("/proc/{process}/comm")).unwrap_or_default();
        Self { process, name: shown(&String::from_utf8_lossy(&name)) }
    }

    /// The process that has the lock of a file; `None` if the system does not report it.
    #[cfg(target_os = "linux")]
    pub(crate) fn of(file: &File) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let data = file.metadata().ok()?;
        let place = format!("{}:{}", device(data.dev()), data.ino());
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        locks.lines().find_map(|line| process_of(line, &place)).map(Self::of_process)
    }

    /// Always `None`: this system does not report the holders of locks.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn of(_file: &File) -> Option<Self> {
        None
    }
}

/// Formats the device number of `stat` as `MAJOR:MINOR`, the form in `/proc/locks`.
#[cfg(target_os = "linux")]
fn device(number: u64) -> String {
    let major = (number >> 8) & 0xfff | (number >> 32) & 0xffff_f000;
    let minor = number & 0xff | (number >> 12) & 0xffff_ff00;
    format!("{major:02x}:{minor:02x}")
}

/// Parses a line such as `1: FLOCK  ADVISORY  WRITE 2756 fe:00:9978033 0 EOF`. Returns the process number, if
/// the line is about the file with the device and inode number `place`. `None` for a process in another
/// namespace, which has the number 0 or -1.
#[cfg(target_os = "linux")]
fn process_of(line: &str, place: &str) -> Option<u32> {
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (kind, _, mode) = (fields.next()?, fields.next()?, fields.next()?);
    let (process, file) = (fields.next()?, fields.next()?);
    let is_of_file = kind == "FLOCK" && mode == "WRITE" && file == place;
    process.parse().ok().filter(|process| is_of_file && *process > 0)
}

/// Replaces control characters, which could move a terminal's cursor, by spaces.
fn shown(name: &str) -> String {
    name.trim_end().chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.is_empty() {
            true => write!(formatter, "process {}", self.process),
            false => write!(formatter, "process {} ({})", self.process, self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_command_to_a_terminal() {
        let holder = Holder { process: 7, name: shown("a\x1b[2Jb\n") };
        assert_eq!(holder.to_string(), "process 7 (a [2Jb)");
        assert_eq!(Holder { process: 7, name: String::new() }.to_string(), "process 7");
        assert_eq!(Holder::ourselves().process, std::process::id());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_list_of_locks_names_the_process_of_a_file() {
        let place = format!("{}:{}", device(65024), 9_978_033);
        let of = |line| process_of(line, &place);
        assert_eq!(of("1: FLOCK  ADVISORY  WRITE 11151 fe:00:9978033 0 EOF"), Some(11151));
        for other in [
            "1: FLOCK  ADVISORY  WRITE 11151 fe:00:9978034 0 EOF",
            "1: FLOCK  ADVISORY  READ 11151 fe:00:9978033 0 EOF",
            "1: POSIX  ADVISORY  WRITE 11151 fe:00:9978033 0 EOF",
            "1: -> FLOCK  ADVISORY  WRITE 11151 fe:00:9978033 0 EOF",
            "1: FLOCK  ADVISORY  WRITE -1 fe:00:9978033 0 EOF",
            "1: FLOCK  ADVISORY  WRITE 0 fe:00:9978033 0 EOF",
            "1: FLOCK",
            "",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(device(0x0001_2345_6789_abcd), "129ab:345678cd");
    }
}
