//! The circumstances of a run: machine, versions, commit and date. They contain neither the host name nor any
//! path of the machine.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// The circumstances that the results of every benchmark have: date, machine, commit of the checkout at
/// `root`, and compiler.
pub fn circumstances(root: &Path) -> Value {
    json!({
        "date": today(),
        "machine": machine(),
        "commit": commit(root),
        "versions": {"rustc": rustc_version()},
    })
}

/// The machine: processor, cores, memory, kernel, and its load now.
fn machine() -> Value {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    json!({
        "processor": value_of(&cpu, "model name"),
        "cores": std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        "memory_bytes": memory_bytes(),
        "system": std::env::consts::OS,
        "load": load(),
        "kernel": kernel.trim().split('-').next(),
    })
}

/// The load average over the last minute: the mean number of runnable processes.
pub(crate) fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The machine's memory in bytes; 0 if the system does not report it.
pub fn memory_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = value_of(&text, "MemTotal").and_then(|text| text.strip_suffix("kB")?.trim().parse().ok());
    kibibytes.unwrap_or(0u64) * 1024
}

fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim())
}

/// The commit of the checkout at `root`, and whether any file differs from the commit; null outside a
/// checkout.
fn commit(root: &Path) -> Value {
    let hash = said(Command::new("git").current_dir(root).args(["rev-parse", "--short=12", "HEAD"]));
    let changes = said(Command::new("git").current_dir(root).args(["status", "--porcelain", "-uno"]));
    json!({"hash": hash, "has_changes": changes.map(|changes| !changes.is_empty())})
}

/// The version line that the compiler prints.
fn rustc_version() -> Option<String> {
    said(Command::new("rustc").arg("--version"))
}

fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Today in UTC, as `2025-01-31`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date_of(seconds / 86_400)
}

/// The date `day` days after 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
fn date_of(day: u64) -> String {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(
            [0, 58, 59, 364, 365].map(date_of).join(" "),
            "1970-01-01 1970-02-28 1970-03-01 1970-12-31 1971-01-01"
        );
        assert_eq!(date_of(19_782), "2024-02-29");
        assert_eq!(date_of(19_783), "2024-03-01");
    }
}
