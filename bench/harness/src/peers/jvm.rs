//! Starts peers that run on a JVM. The programs are in `bench/peers`, whose READMEs give the reasons for the
//! flags.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The bytes of heap that flatgraph's JVM gets for each byte of the file: 12 GB for the 460 MB of Linux
/// `drivers/net`.
const HEAP_PER_FILE_BYTE: u64 = 27;
const GIB: u64 = 1 << 30;
/// The first version of Java that prints a warning unless it gets [`QUIET_FLAG`].
const QUIET_VERSION_MIN: u32 = 24;
const QUIET_FLAG: &str = "--sun-misc-unsafe-memory-access=allow";

/// The JVM that peers run on.
#[derive(Clone, Debug)]
pub struct Jvm {
    /// The program `java`.
    pub java: PathBuf,
    /// The major version of Java.
    pub version: u32,
}

impl Jvm {
    /// The JVM's flags for a file of `file_bytes` on a machine with `memory_bytes`.
    pub fn flags(&self, file_bytes: u64, memory_bytes: u64) -> Vec<String> {
        let heap = format!("-Xmx{}g", heap_gib(file_bytes, memory_bytes));
        let tuning = ["-XX:InitiatingHeapOccupancyPercent=80", "-XX:-G1UseAdaptiveIHOP"];
        let mut flags = vec!["--enable-native-access=ALL-UNNAMED".to_owned(), heap];
        flags.extend(tuning.map(str::to_owned));
        flags.extend(self.quiet_flag().map(str::to_owned));
        flags
    }

    /// The flag that suppresses the JVM's warning, at each start, about deprecated functions that libraries
    /// use.
    pub fn quiet_flag(&self) -> Option<&'static str> {
        (self.version >= QUIET_VERSION_MIN).then_some(QUIET_FLAG)
    }

    /// The command that starts the peer `name`, which was built into the folder `target`.
    pub fn command(&self, name: &str, target: &Path, flags: &[String]) -> Command {
        let mut java = Command::new(&self.java);
        java.args(flags).arg("-cp").arg(class_path(target)).arg(format!("varvite.bench.{name}.Main"));
        java
    }
}

fn class_path(target: &Path) -> String {
    format!("{0}/classes:{0}/lib/*", target.display())
}

/// The size of the heap in whole gibibytes: at least one, and at most three quarters of the machine's memory.
fn heap_gib(file_bytes: u64, memory_bytes: u64) -> u64 {
    let wanted = file_bytes.saturating_mul(HEAP_PER_FILE_BYTE).div_ceil(GIB);
    wanted.min(memory_bytes / 4 * 3 / GIB).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heap_follows_the_file_within_the_machine() {
        assert_eq!(heap_gib(2_000_000, 24 * GIB), 1);
        assert_eq!(heap_gib(460_138_468, 24 * GIB), 12);
        assert_eq!(heap_gib(460_138_468, 8 * GIB), 6);
        assert_eq!(heap_gib(460_138_468, 0), 1);
    }
}
