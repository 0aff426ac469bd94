//! Binaries: parses any bytes, and makes every kind of query that traces need.

use varvite_memtrace::code::Binary;

/// Parses a binary, and looks up functions and lines at addresses all over it.
pub fn read_binary(bytes: &[u8]) {
    let Ok(binary) = Binary::parse(bytes, Some(bytes)) else { return };
    let starts = binary.functions().iter().map(|function| function.start);
    let addresses = starts.step_by(binary.functions().len() / 16 + 1).flat_map(|start| [start, start + 1]);
    for address in addresses.chain([0, 0x1000, u64::MAX]) {
        binary.function_name(address);
        binary.source_of(address);
        binary.bias(address, address);
    }
    assert!(binary.functions().is_sorted_by(|one, next| one.end <= next.start));
}
