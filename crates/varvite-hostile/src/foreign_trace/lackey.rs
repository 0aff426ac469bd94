//! Outputs of lackey: very long or cut lines, numbers of 20 digits, lines without references, accesses
//! without bytes.

use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Lackey,
        &[
            ("one-line-of-8-megabytes", || [&b"I  04000000,3\n L "[..], &vec![b'f'; 8 << 20]].concat()),
            ("a-size-of-20-digits", || b"I  04000000,3\n L 1000,99999999999999999999\n".to_vec()),
            ("an-address-of-20-digits", || b"I  04000000,3\n L fffffffffffffffffff,8\n".to_vec()),
            ("a-million-empty-lines", || [&b"I  04000000,3\n"[..], &vec![b'\n'; 1_000_000]].concat()),
            ("a-million-lines-of-noise", || [&b"I  04000000,3\n"[..], &b"== x\n".repeat(1_000_000)].concat()),
            ("a-load-and-half-a-store", || b"I  04000000,3\n L 1000,8\n S 10".to_vec()),
            ("lines-of-control-characters", || b"I  04000000,3\n\x1b[2J\n\0\0\0\n L 1000,8\n".to_vec()),
            ("accesses-of-no-bytes", || b"I  04000000,0\n L 1000,0\n".repeat(50_000)),
        ],
    )
}
