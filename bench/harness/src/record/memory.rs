//! The memory of this process, as the kernel reports it.

use serde_json::{Value, json};

/// The resident bytes of this process: now, split by kind (anonymous or file), and at their peak. Null if the
/// system has no `/proc`.
pub fn now() -> Value {
    fields_of(&std::fs::read_to_string("/proc/self/status").unwrap_or_default())
}

fn fields_of(status: &str) -> Value {
    json!({
        "rss_bytes": bytes(status, "VmRSS:"),
        "rss_anon_bytes": bytes(status, "RssAnon:"),
        "rss_file_bytes": bytes(status, "RssFile:"),
        "rss_peak_bytes": bytes(status, "VmHWM:"),
    })
}

fn bytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_read_in_bytes() {
        let fields = fields_of("VmHWM:\t    20 kB\nVmRSS:\t    10 kB\nRssAnon:\t 4 kB\n");
        assert_eq!(fields["rss_peak_bytes"], 20 << 10);
        assert_eq!(fields["rss_bytes"], 10 << 10);
        assert_eq!(fields["rss_anon_bytes"], 4 << 10);
        assert!(fields["rss_file_bytes"].is_null());
    }
}
