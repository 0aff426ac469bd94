//! Any bytes as a trace, and once more with checksums that agree.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/trace.rs"]
mod trace;
#[path = "../../crates/varvite-testing/src/trace_repair.rs"]
mod trace_repair;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    trace::read_trace(bytes);
    let mut repaired = bytes.to_vec();
    trace_repair::repair(&mut repaired);
    trace::read_trace(&repaired);
});
