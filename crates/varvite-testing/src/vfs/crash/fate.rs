//! [`Fate`]: the fate of one write that was not synced.
//!
//! At best, disks guarantee atomic writes of 512-byte sectors. File systems write 4 KiB pages. A torn write
//! may keep the bytes before or after the cut. The length of a file and its data reach the disk
//! independently.

use crate::vfs::record::FileNumber;

/// The bytes that the new part of a file may have if the file's length reached the disk but its data did not:
/// zeros, or bytes that were on the disk before.
const FILLS: [u8; 2] = [0, 0xA5];

/// A write that a power failure can still undo.
#[derive(Debug, Clone)]
pub(super) struct PendingWrite {
    pub(super) file: FileNumber,
    pub(super) offset: usize,
    pub(super) bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    /// The write reached the disk.
    Kept,
    /// The write left no trace.
    Lost,
    /// Only this number of bytes at the start of the write reached the disk.
    Head(usize),
    /// Only the bytes from this offset on, counted from the start of the write, reached the disk.
    Tail(usize),
    /// The file grew, but all bytes of the new part have this value.
    LengthOnly(u8),
    /// The data reached the disk, but the file did not grow.
    WithinLength,
}

impl Fate {
    /// Every fate of `write` except [`Fate::Kept`] and [`Fate::Lost`].
    pub(super) fn damages(write: &PendingWrite) -> Vec<Fate> {
        let torn = cuts(write).into_iter().flat_map(|cut| [Fate::Head(cut), Fate::Tail(cut)]);
        torn.chain(FILLS.map(Fate::LengthOnly)).chain([Fate::WithinLength]).collect()
    }

    /// Applies the part of `write` that survives this fate to `content`.
    pub(super) fn apply(self, write: &PendingWrite, content: &mut Vec<u8>) {
        let bytes = &write.bytes;
        match self {
            Fate::Kept => put(content, write.offset, bytes),
            Fate::Lost => {}
            Fate::Head(cut) => put(content, write.offset, &bytes[..cut]),
            Fate::Tail(cut) => put(content, write.offset + cut, &bytes[cut..]),
            Fate::LengthOnly(fill) => {
                content.resize(content.len().max(write.offset + bytes.len()), fill);
            }
            Fate::WithinLength => {
                let room = content.len().saturating_sub(write.offset);
                put(content, write.offset, &bytes[..bytes.len().min(room)]);
            }
        }
    }
}

/// The offsets at which `write` may tear: its first and last sector boundaries and page boundaries, and one
/// offset inside a sector.
fn cuts(write: &PendingWrite) -> Vec<usize> {
    let end = write.offset + write.bytes.len();
    let boundaries = [512, 4096].into_iter().flat_map(|unit| {
        let first = (write.offset / unit + 1) * unit;
        let last = end.saturating_sub(1) / unit * unit;
        [first, last]
    });
    let inside = boundaries.filter(|&boundary| boundary > write.offset && boundary < end);
    let mut cuts: Vec<usize> = inside.map(|boundary| boundary - write.offset).collect();
    if write.bytes.len() > 1 {
        cuts.push(write.bytes.len() / 2);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn put(content: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let end = offset + bytes.len();
    content.resize(content.len().max(end), 0);
    content[offset..end].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(offset: usize, length: usize) -> PendingWrite {
        PendingWrite { file: FileNumber(0), offset, bytes: vec![b'n'; length] }
    }

    fn after(fate: Fate, write: &PendingWrite) -> String {
        let mut content = b"old".to_vec();
        fate.apply(write, &mut content);
        content.iter().map(|&byte| if byte == 0 { '0' } else { char::from(byte) }).collect()
    }

    #[test]
    fn each_fate_leaves_its_own_file() {
        let write = write(2, 4);
        assert_eq!(after(Fate::Kept, &write), "olnnnn");
        assert_eq!(after(Fate::Lost, &write), "old");
        assert_eq!(after(Fate::Head(1), &write), "oln");
        assert_eq!(after(Fate::Tail(3), &write), "old00n");
        assert_eq!(after(Fate::LengthOnly(b'?'), &write), "old???");
        assert_eq!(after(Fate::WithinLength, &write), "oln");
    }

    #[test]
    fn writes_tear_at_sectors_pages_and_the_middle() {
        assert_eq!(cuts(&write(500, 8000)), [12, 3596, 4000, 7692]);
        assert_eq!(cuts(&write(512, 512)), [256]);
        assert_eq!(cuts(&write(0, 1)), [] as [usize; 0]);
    }
}
