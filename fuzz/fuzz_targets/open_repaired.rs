//! A good file with edits, and with checksums that know of them.
#![no_main]

#[path = "../src/edits.rs"]
mod edits;
#[path = "../src/file.rs"]
mod file;
#[path = "../src/readers.rs"]
mod readers;
#[path = "../src/repair.rs"]
mod repair;
#[path = "../src/small_file.rs"]
mod small_file;

use std::sync::LazyLock;

static FILE: LazyLock<Vec<u8>> = LazyLock::new(small_file::small_file);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut file = FILE.clone();
    edits::edit(&mut file, bytes);
    file::open_file(&file);
});
