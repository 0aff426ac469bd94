//! Files of DynamoRIO: reading any bytes returns references or an error.

use std::io::Cursor;

use varvite_memtrace::drmemtrace::{self, DrmemtraceOptions, Modules};
use varvite_memtrace::reference::{References, schema};
use varvite_trace::{Clock, Options, Recorder};

/// Reads the bytes as a trace, with and without modules, and as a table of modules.
pub fn read_drmemtrace(bytes: &[u8]) {
    let modules = Modules::parse(bytes).unwrap_or_default();
    for modules in [None, Some(&modules)] {
        let options = Options { block_len: 4096, ..Options::new(schema(Clock::UnixMicroseconds), [0; 16]) };
        let recorder = Recorder::create(std::io::sink(), &options).expect("the options make a trace");
        let options = DrmemtraceOptions { modules, ..DrmemtraceOptions::default() };
        let _ = drmemtrace::import(Cursor::new(bytes), &options, &mut References::new(&recorder));
    }
}
