//! Shows that no codec calls `malloc`, as required of a recorder inside another program: in this program,
//! `malloc` ends the process. Runs every codec at its lowest, default and highest level, with checksums, and
//! every framing, in memory from the program's own allocator.
//!
//! The program defines `malloc` and related functions itself, so that the linker uses them for Rust and for
//! the C libraries.

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn main() {
    println!("malloc: needs the GNU C library, whose malloc a program may replace");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn main() {
    glibc::main();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use varvite_codec::frame::{FrameOptions, FrameReader, FrameWriter, Framing};
    use varvite_codec::{Allocator, BlockCodec, Checksum, Codec};

    /// Whether a call of `malloc` is permitted, is counted, or ends the process.
    static MODE: AtomicUsize = AtomicUsize::new(OPEN);
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    const OPEN: usize = 0;
    const COUNTED: usize = 1;
    const CLOSED: usize = 2;

    unsafe extern "C" {
        fn __libc_malloc(size: usize) -> *mut c_void;
        fn __libc_calloc(items: usize, size: usize) -> *mut c_void;
        fn __libc_realloc(memory: *mut c_void, size: usize) -> *mut c_void;
        fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
    }

    fn pass() {
        match MODE.load(Relaxed) {
            OPEN => {}
            COUNTED => {
                CALLS.fetch_add(1, Relaxed);
            }
            _ => std::process::abort(),
        }
    }

    // SAFETY (of this and the next three): the program has one `malloc`, this one, and it does what the
    // library's does.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
        pass();
        // SAFETY: the library's own function under its other name.
        unsafe { __libc_malloc(size) }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn calloc(items: usize, size: usize) -> *mut c_void {
        pass();
        // SAFETY: the library's own function under its other name.
        unsafe { __libc_calloc(items, size) }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn realloc(memory: *mut c_void, size: usize) -> *mut c_void {
        pass();
        // SAFETY: the library's own function under its other name.
        unsafe { __libc_realloc(memory, size) }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
        pass();
        // SAFETY: the library's own function under its other name.
        unsafe { __libc_memalign(align, size) }
    }

    /// A static region of memory, allocated from front to back; each case begins at the front again.
    static mut REGION: [u128; 1 << 20] = [0; 1 << 20];
    static TAKEN: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn take(_: *mut c_void, size: usize) -> *mut c_void {
        let start = TAKEN.fetch_add(size.next_multiple_of(16), Relaxed);
        if start + size > size_of::<[u128; 1 << 20]>() {
            return std::ptr::null_mut();
        }
        // SAFETY: it lies within the region, as was just checked.
        unsafe { (&raw mut REGION).cast::<u8>().add(start).cast() }
    }

    unsafe extern "C" fn give_back(_: *mut c_void, _: *mut c_void, _: usize) {}

    /// Returns an allocator of the region, after making the whole region free again.
    fn fresh_allocator() -> Allocator {
        TAKEN.store(0, Relaxed);
        // SAFETY: the region outlives all, and nothing of an earlier case is left.
        unsafe { Allocator::new(take, give_back, std::ptr::null_mut()) }
    }

    static PLAIN: [u8; 60_000] = plain();
    static mut STORED: [u8; 80_000] = [0; 80_000];
    static mut BACK: [u8; 60_000] = [0; 60_000];

    const fn plain() -> [u8; 60_000] {
        let mut bytes = [0; 60_000];
        let mut at = 0;
        while at < bytes.len() {
            bytes[at] = (at % 97) as u8 ^ (at / 1000) as u8;
            at += 1;
        }
        bytes
    }

    pub(super) fn main() {
        the_trap_sees_rust_and_c();
        MODE.store(CLOSED, Relaxed);
        for codec in Codec::ALL {
            let levels = codec.levels();
            // The highest levels of zstd need more than the region.
            for level in [*levels.start(), codec.default_level(), (*levels.end()).min(12)] {
                there_and_back(codec, level);
            }
        }
        for framing in Framing::ALL {
            framed_and_back(framing);
        }
        MODE.store(OPEN, Relaxed);
        println!("malloc: every codec and every framing did without it");
    }

    /// Checks that calls of `malloc` from Rust and from C are noticed: otherwise the test could pass without
    /// checking anything.
    fn the_trap_sees_rust_and_c() {
        MODE.store(COUNTED, Relaxed);
        drop(std::hint::black_box(Box::new(1)));
        assert_eq!(CALLS.swap(0, Relaxed), 1, "Rust allocates through the trap");
        // SAFETY: makes a context and frees it.
        unsafe { zstd_sys::ZSTD_freeCCtx(zstd_sys::ZSTD_createCCtx()) };
        assert!(CALLS.swap(0, Relaxed) > 0, "C libraries allocate through the trap");
        MODE.store(OPEN, Relaxed);
    }

    fn there_and_back(codec: Codec, level: i32) {
        let allocator = fresh_allocator();
        // SAFETY: this program has one thread that uses them.
        let (stored, back) = unsafe { ((&raw mut STORED).as_mut(), (&raw mut BACK).as_mut()) };
        let (stored, back) = (stored.expect("a static"), back.expect("a static"));
        let mut coder =
            BlockCodec::allocate(codec, level, PLAIN.len(), &allocator).expect("it fits the region");
        for len in [PLAIN.len(), 100, 0] {
            let stored_len = coder.compress(&PLAIN[..len], stored).expect("the output is long enough");
            let sums = Checksum::ALL.map(|checksum| checksum.of(&stored[..stored_len], 1));
            coder.decompress(&stored[..stored_len], &mut back[..len]).expect("it was just stored");
            assert!(back[..len] == PLAIN[..len]);
            assert_eq!(sums, Checksum::ALL.map(|checksum| checksum.of(&stored[..stored_len], 1)));
        }
    }

    fn framed_and_back(framing: Framing) {
        let options = FrameOptions { allocator: fresh_allocator(), ..FrameOptions::default() };
        // SAFETY: this program has one thread that uses them.
        let (stored, back) = unsafe { ((&raw mut STORED).as_mut(), (&raw mut BACK).as_mut()) };
        let (stored, back) = (stored.expect("a static"), back.expect("a static"));
        let level = framing.codec().default_level();
        let mut writer =
            FrameWriter::new(framing, level, &mut stored[..], &options).expect("it fits the region");
        writer.write_plain(&PLAIN).expect("the output is long enough");
        let left = writer.finish().expect("the output is long enough").len();
        let data = &stored[..stored.len() - left];
        let mut reader = FrameReader::new(framing, data, &options).expect("it fits the region");
        let mut len = 0;
        while len < back.len() {
            len += reader.read_plain(&mut back[len..]).expect("it was just written");
        }
        assert!(*back == PLAIN);
    }
}
