//! Samples of memory accesses that `perf mem record` or `perf record -d` took, as text of `perf script`.
//!
//! ```text
//! perf script --show-mmap-events -F pid,tid,time,period,event,addr,ip,data_src
//!
//! 77/77 12.000001: PERF_RECORD_MMAP2 77/77: [0x5563c5b33000(0x16000) @ 0x4000 fe:00 24 0]: r-xp /bin/ls
//! 77/77 12.000125: 1 cpu/mem-loads,ldlat=30/P: 7f707ee4d110 5080022 |OP LOAD|LVL L3 hit|.. 5563c5b34b6a
//! ```
//!
//! The process and thread, the time, the event, the address of the data and that of the instruction are
//! needed. Of the other fields, the operation in `data_src` tells loads from stores; without it, the name of
//! the event does. Perf does not say how many bytes were accessed, so the size of each reference is 0.
//!
//! Each sample becomes two references: a block without instructions, which says where the program was, and
//! the access. The first reference of each thread is the marker `sampled`.

mod error;
mod import;
mod line;

pub use error::PerfError;
pub use import::{PerfReport, import};
pub use line::is_perf_script;
