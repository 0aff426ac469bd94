//! [`trim_heap`]: free memory of the allocator, given back to the system.

/// Gives free memory of this process's allocator back to the system. glibc keeps much: each thread has an
/// arena that gives back only its end by itself, and arenas of ended threads stay for the next ones.
///
/// Takes time in proportion to the free memory; threads that allocate meanwhile wait. Does nothing with
/// another allocator and with other C libraries. Thread-safe.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
pub fn trim_heap() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: this is the function of glibc, by `target_env`. It may be called from any thread at any time,
    // takes a number of bytes to keep and touches only memory that is free; this code ignores its result,
    // which is whether it found any.
    unsafe { malloc_trim(0) };
}

/// Does nothing: only glibc is known to keep much and to have a function for it.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
pub fn trim_heap() {}

#[cfg(all(test, target_os = "linux", target_env = "gnu", not(miri)))]
mod tests {
    use super::*;
    use crate::ProcessMemory;

    #[test]
    fn what_threads_have_freed_goes_back() {
        const KEPT: u64 = 32 << 20;
        let anonymous = || ProcessMemory::read().unwrap().anonymous;
        // Small pieces; every second one is freed last: the arena of the thread can't shrink from its end.
        let fill = || {
            let mut pieces: Vec<Option<Vec<u8>>> = (0..KEPT / 1024).map(|_| Some(vec![1; 1000])).collect();
            pieces.iter_mut().step_by(2).for_each(|piece| drop(piece.take()));
            pieces.pop();
        };
        std::thread::scope(|scope| scope.spawn(fill).join().unwrap());
        let before = anonymous();
        trim_heap();
        let after = anonymous();
        // Other tests allocate meanwhile; nothing may be kept at all where the arena was given back by
        // itself.
        assert!(after <= before + (8 << 20), "{before} {after}");
    }
}
