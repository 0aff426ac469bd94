//! Outputs of perf script with samples of memory accesses: very long or cut lines, numbers that are too
//! large, many threads and files, several processes, samples without addresses.

use crate::{HostileFile, Kind};

/// A sample with everything that an import needs.
const SAMPLE: &[u8] = b"77/77 12.000001: 1 mem-loads: 7ffdf1391b0c 401000\n";
/// A file that is mapped at the sample's instruction.
const MAPPED: &[u8] =
    b"77/77 12.000000: PERF_RECORD_MMAP2 77/77: [0x400000(0x2000) @ 0 fe:00 1 0]: r-xp /tmp/program\n";

fn after_a_sample(rest: &[u8]) -> Vec<u8> {
    [MAPPED, SAMPLE, rest].concat()
}

fn lines(number: u64, line: impl Fn(u64) -> String) -> Vec<u8> {
    after_a_sample((0..number).map(line).collect::<String>().as_bytes())
}

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::PerfMem,
        &[
            ("one-line-of-8-megabytes", || after_a_sample(&vec![b'f'; 8 << 20])),
            ("a-time-of-30-digits", || {
                after_a_sample(b"77/77 999999999999999999999999999999.000001: x: 1 2\n")
            }),
            ("an-address-of-20-digits", || {
                after_a_sample(b"77/77 12.000002: x: ffffffffffffffffffff 401000\n")
            }),
            ("a-period-of-30-digits", || {
                after_a_sample(b"77/77 12.000002: 999999999999999999999999999999 x: 1000 401000\n")
            }),
            ("a-million-empty-lines", || after_a_sample(&vec![b'\n'; 1_000_000])),
            ("a-sample-and-half-of-one", || after_a_sample(b"77/77 12.0000")),
            ("lines-of-control-characters", || after_a_sample(b"\x1b[2J\n\0\0\0\n")),
            ("samples-of-two-processes", || after_a_sample(b"78/78 12.000002: x: 1000 401000\n")),
            ("seventy-thousand-threads", || {
                lines(70_000, |thread| format!("77/{thread} 12.000002: x: 1000 401000\n"))
            }),
            ("a-hundred-thousand-mapped-files", || {
                lines(100_000, |at| {
                    let address = 0x100_0000 + 0x1000 * at;
                    format!("PERF_RECORD_MMAP2 77/77: [{address:#x}(0x1000) @ 0 fe:00 1 0]: r-xp /{at}\n")
                })
            }),
            ("a-mapped-file-beyond-the-end-of-memory", || {
                let mapped =
                    b"PERF_RECORD_MMAP2 77/77: [0xfffffffffffff000(0xffffffffffffffff) @ 0xffffffffffffffff \
                               fe:00 1 0]: r-xp /tmp/program\n";
                after_a_sample(mapped)
            }),
            ("samples-without-addresses", || b"77/77 12.000001: 1 cycles: 0 401000\n".repeat(1000)),
            ("samples-without-instructions", || {
                after_a_sample(&b"77/77 12.000002: 1 mem-loads: 7ffdf1391b0c\n".repeat(1000))
            }),
        ],
    )
}
