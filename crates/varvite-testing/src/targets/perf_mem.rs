//! Texts of perf script with samples of memory accesses: reading any bytes returns references or an error.

use varvite_memtrace::perf::{import, is_perf_script};
use varvite_memtrace::reference::{References, schema};
use varvite_trace::{Clock, Options, Recorder};

/// Reads the text to its end.
pub fn read_perf_mem(bytes: &[u8]) {
    let options = Options::new(schema(Clock::Ticks), [0; 16]);
    let recorder = Recorder::create(std::io::sink(), &options).expect("the options make a trace");
    let _ = is_perf_script(bytes);
    let _ = import(std::io::Cursor::new(bytes), References::new(&recorder));
}
