//! Plain bytes for tests.

/// `len` bytes of lines as a program could log them. They can be compressed, but not trivially, and are the
/// same in every run.
pub(crate) fn log_lines(len: usize) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let line = |n: u32| format!("load {:#x} size {} thread {}\n", 0x7f00_0000 + n * 8, 1 << (n % 4), n % 3);
    (0..).flat_map(|_| line(next()).into_bytes()).take(len).collect()
}
