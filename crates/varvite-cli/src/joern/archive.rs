//! [`Archive`]: a jar from which entries can be copied to another jar without decompressing them.
//!
//! Jars are ZIP files (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). All numbers are
//! little-endian.
//!
//! ```text
//! entry       local header, 30 bytes: 'PK' 3 4, ..., length of name at 26, of extra at 28; name, extra; data
//! directory   for each entry 46 bytes: 'PK' 1 2, .., flags at 8, method 10, time 12, date 14, crc 16, length of data 20,
//!             length when unpacked 24, length of name 28, of extra 30, of comment 32, .., place of entry 42; name, extra, comment
//! end         22 bytes: 'PK' 5 6, .., entries at 10, length of directory 12, its place 16, length of comment 20; comment
//! ```
//!
//! Data is copied in its compressed form. Archives of more than 65,534 entries or 4 GB (ZIP64) are not
//! supported.

/// The minimum length of the end record, and the maximum length of its comment.
const END_LEN: usize = 22;
const COMMENT_MAX: usize = 65_535;
/// The maximum length of the end record with its comment.
pub(super) const TAIL_LEN: usize = END_LEN + COMMENT_MAX;
const DIRECTORY_ENTRY_LEN: usize = 46;
const LOCAL_HEADER_LEN: usize = 30;
const END: [u8; 4] = *b"PK\x05\x06";
const DIRECTORY_ENTRY: [u8; 4] = *b"PK\x01\x02";
const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
/// The version of the ZIP format that introduced folders and the method deflate.
const VERSION: u16 = 20;
/// Midnight of the first day that ZIP can state.
const FIRST_DAY: [u8; 4] = [0, 0, 0x21, 0];
/// The flag that means that the lengths of an entry follow its data. Archives that this module writes do not
/// set it.
const LENGTHS_FOLLOW: u16 = 1 << 3;

/// The content of a ZIP archive.
#[derive(Debug)]
pub(super) struct Archive<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    /// The bytes of the directory, which has all fields of the entries and a checksum of each entry's data.
    pub(super) directory: &'a [u8],
}

/// A method of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Stored,
    Deflated,
}

/// A file or folder in an archive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a [u8],
    flags: u16,
    method: u16,
    time_and_date: [u8; 4],
    crc: [u8; 4],
    unpacked_len: [u8; 4],
    pub(super) data: &'a [u8],
}

impl<'a> Archive<'a> {
    /// Parses the directory of an archive; `None` if the bytes are not an archive.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let end = find_end(bytes)?;
        let count = u16_at(end, 10)?;
        let (len, place) = (u32_at(end, 12)?, u32_at(end, 16)?);
        let directory = part(bytes, place, len)?;
        let mut entries = Vec::new();
        let mut rest = directory;
        for _ in 0..count {
            let (entry, len) = Entry::read(bytes, rest)?;
            entries.push(entry);
            rest = rest.get(len..)?;
        }
        Some(Self { entries, directory })
    }
}

impl<'a> Entry<'a> {
    /// Parses the entry at the beginning of `directory`. Also returns the entry's length in the directory.
    fn read(bytes: &'a [u8], directory: &'a [u8]) -> Option<(Self, usize)> {
        if directory.get(..4)? != DIRECTORY_ENTRY {
            return None;
        }
        let len_at = |at| u16_at(directory, at).map(usize::from);
        let (name_len, extra_len, comment_len) = (len_at(28)?, len_at(30)?, len_at(32)?);
        let place = u32_at(directory, 42)?;
        let header = part(bytes, place, LOCAL_HEADER_LEN)?;
        if header[..4] != LOCAL_HEADER {
            return None;
        }
        let before_data =
            LOCAL_HEADER_LEN + usize::from(u16_at(header, 26)?) + usize::from(u16_at(header, 28)?);
        let entry = Self {
            name: part(directory, DIRECTORY_ENTRY_LEN, name_len)?,
            flags: u16_at(directory, 8)? & !LENGTHS_FOLLOW,
            method: u16_at(directory, 10)?,
            time_and_date: four_at(directory, 12)?,
            crc: four_at(directory, 16)?,
            unpacked_len: four_at(directory, 24)?,
            data: part(bytes, place.checked_add(before_data)?, u32_at(directory, 20)?)?,
        };
        Some((entry, DIRECTORY_ENTRY_LEN + name_len + extra_len + comment_len))
    }

    /// An empty file.
    pub(super) fn empty(name: &'a [u8]) -> Self {
        let (flags, method, time_and_date) = (0, 0, FIRST_DAY);
        Self { name, flags, method, time_and_date, crc: [0; 4], unpacked_len: [0; 4], data: &[] }
    }

    /// The method of compression; `None` for methods that jars do not use.
    pub(super) fn method(&self) -> Option<Method> {
        match self.method {
            0 => Some(Method::Stored),
            8 => Some(Method::Deflated),
            _ => None,
        }
    }

    /// The length of the decompressed data, as the directory states it.
    pub(super) fn unpacked_len(&self) -> usize {
        u32::from_le_bytes(self.unpacked_len) as usize
    }

    /// The fields that the local header and the directory have in common, from the required version to the
    /// length of the name.
    fn common(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for number in [VERSION, self.flags, self.method] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.time_and_date);
        bytes.extend(self.crc);
        bytes.extend(u32::try_from(self.data.len()).ok()?.to_le_bytes());
        bytes.extend(self.unpacked_len);
        bytes.extend(u16::try_from(self.name.len()).ok()?.to_le_bytes());
        Some(bytes)
    }
}

/// The place and length of the directory in an archive, from the last bytes of the archive: at least
/// [`TAIL_LEN`], or all. `None` if these are not the last bytes of an archive.
pub(super) fn directory_place(tail: &[u8]) -> Option<(usize, usize)> {
    let end = find_end(tail)?;
    Some((u32_at(end, 16)?, u32_at(end, 12)?))
}

/// The bytes of an archive with these entries; `None` if the entries are too many or too large.
pub(super) fn write(entries: &[Entry<'_>]) -> Option<Vec<u8>> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let common = entry.common()?;
        directory.extend(DIRECTORY_ENTRY);
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        // The extra field and the comment are empty, the disk number is 0, and there are no attributes.
        directory.extend([0; 12]);
        directory.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
        directory.extend(entry.name);
        bytes.extend(LOCAL_HEADER);
        bytes.extend(&common);
        bytes.extend([0; 2]);
        bytes.extend(entry.name);
        bytes.extend(entry.data);
    }
    let (count, place) = (u16::try_from(entries.len()).ok()?, u32::try_from(bytes.len()).ok()?);
    let len = u32::try_from(directory.len()).ok()?;
    bytes.extend(directory);
    bytes.extend(END);
    bytes.extend([0; 4]);
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(len.to_le_bytes());
    bytes.extend(place.to_le_bytes());
    bytes.extend([0; 2]);
    // The maximum values mean ZIP64, and are not valid numbers.
    (count < u16::MAX && place < u32::MAX).then_some(bytes)
}

/// The bytes from the end record on. This record is at the end of the file; only its comment may follow.
fn find_end(bytes: &[u8]) -> Option<&[u8]> {
    let last = bytes.len().checked_sub(END_LEN)?;
    let first = last.saturating_sub(COMMENT_MAX);
    let is_end = |at: &usize| {
        let end = &bytes[*at..];
        end.starts_with(&END) && u16_at(end, 20).map(usize::from) == Some(end.len() - END_LEN)
    };
    (first..=last).rev().find(is_end).map(|at| &bytes[at..])
}

fn part(bytes: &[u8], at: usize, len: usize) -> Option<&[u8]> {
    bytes.get(at..at.checked_add(len)?)
}

fn four_at(bytes: &[u8], at: usize) -> Option<[u8; 4]> {
    part(bytes, at, 4)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(part(bytes, at, 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(four_at(bytes, at)?)).ok()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An archive of uncompressed files.
    pub(crate) fn archive_of(files: &[(&str, impl AsRef<[u8]>)]) -> Vec<u8> {
        let entries: Vec<Entry<'_>> = files
            .iter()
            .map(|(name, content)| (name, content.as_ref()))
            .map(|(name, content)| Entry {
                name: name.as_bytes(),
                flags: 0,
                method: 0,
                time_and_date: FIRST_DAY,
                crc: crc32(content).to_le_bytes(),
                unpacked_len: u32::try_from(content.len()).unwrap().to_le_bytes(),
                data: content,
            })
            .collect();
        write(&entries).unwrap()
    }

    /// An entry with compressed data that states this length of its content.
    pub(crate) fn deflated(data: &[u8], unpacked_len: u32) -> Entry<'_> {
        Entry { method: 8, data, unpacked_len: unpacked_len.to_le_bytes(), ..Entry::empty(b"a.class") }
    }

    /// The checksum that ZIP uses (CRC-32), computed bit by bit.
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8)
                .fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        })
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = archive_of(&[("a/", ""), ("a/b.txt", "text"), ("c", "more text")]);
        let archive = Archive::read(&bytes).unwrap();
        let found: Vec<_> = archive.entries.iter().map(|entry| (entry.name, entry.data)).collect();
        assert_eq!(found, [(&b"a/"[..], &b""[..]), (b"a/b.txt", b"text"), (b"c", b"more text")]);
        assert_eq!(write(&archive.entries).unwrap(), bytes);
    }

    #[test]
    fn a_comment_may_follow_and_look_like_an_end() {
        let mut bytes = archive_of(&[("a", "text")]);
        let comment = b"PK\x05\x06 is no end";
        let at = bytes.len() - 2;
        bytes[at] = u8::try_from(comment.len()).unwrap();
        bytes.extend(comment);
        assert_eq!(Archive::read(&bytes).unwrap().entries.len(), 1);
    }

    #[test]
    fn what_is_cut_short_or_lies_is_no_archive() {
        let bytes = archive_of(&[("a", "text"), ("b", "more text")]);
        (0..bytes.len()).for_each(|len| assert!(Archive::read(&bytes[..len]).is_none(), "{len}"));
        let end = bytes.len() - END_LEN;
        for at in [10, 12, 16] {
            let mut lying = bytes.clone();
            lying[end + at + 1] = 0xFF;
            assert!(Archive::read(&lying).is_none(), "{at}");
        }
    }
}
