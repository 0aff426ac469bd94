//! Texts of valgrind's lackey: reading any bytes returns references or an error.

use varvite_memtrace::lackey;
use varvite_memtrace::reference::{References, schema};
use varvite_trace::{Clock, Options, Recorder};

/// Reads the text to its end.
pub fn read_lackey(bytes: &[u8]) {
    let options = Options::new(schema(Clock::Ticks), [0; 16]);
    let recorder = Recorder::create(std::io::sink(), &options).expect("the options make a trace");
    let _ = lackey::import(bytes, References::new(&recorder));
}
