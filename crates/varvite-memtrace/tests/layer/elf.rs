//! Makes ELF files with given sections.

/// A section: its name, its type, the section linked to it, the size of its entries, and its bytes.
type Section = (&'static str, u32, u32, u64, Vec<u8>);

const PROGBITS: u32 = 1;
const SYMTAB: u32 = 2;
const STRTAB: u32 = 3;
const HEADER_LEN: usize = 64;

/// A file with function symbols whose names are at these offsets in `names`.
pub(super) fn with_symbols(names: &[u8], offsets: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut symbols = vec![0; 24];
    for (number, name) in (0u64..).zip(offsets) {
        symbols.extend_from_slice(&name.to_le_bytes());
        // A global function in section 1.
        symbols.extend_from_slice(&[0x12, 0, 1, 0]);
        symbols.extend_from_slice(&(0x1000 + 16 * number).to_le_bytes());
        symbols.extend_from_slice(&16u64.to_le_bytes());
    }
    elf(vec![
        (".text", PROGBITS, 0, 0, vec![0x90; 64]),
        (".symtab", SYMTAB, 3, 24, symbols),
        (".strtab", STRTAB, 0, 0, names.to_vec()),
    ])
}

/// A file that has only debug information.
pub(super) fn with_debug(sections: Vec<(&'static str, Vec<u8>)>) -> Vec<u8> {
    elf(sections.into_iter().map(|(name, bytes)| (name, PROGBITS, 0, 0, bytes)).collect())
}

fn elf(mut sections: Vec<Section>) -> Vec<u8> {
    let mut names = vec![0];
    let mut name_offsets = Vec::new();
    for name in sections.iter().map(|section| section.0).chain([".shstrtab"]) {
        name_offsets.push(names.len() as u32);
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    sections.push((".shstrtab", STRTAB, 0, 0, names));
    let (mut bytes, mut headers) = (vec![0; HEADER_LEN], vec![0; 64]);
    for (name, (_, kind, link, entry_len, content)) in name_offsets.iter().zip(&sections) {
        let mut header = [0; 64];
        header[..4].copy_from_slice(&name.to_le_bytes());
        header[4..8].copy_from_slice(&kind.to_le_bytes());
        header[24..32].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(content.len() as u64).to_le_bytes());
        header[40..44].copy_from_slice(&link.to_le_bytes());
        header[56..64].copy_from_slice(&entry_len.to_le_bytes());
        headers.extend_from_slice(&header);
        bytes.extend_from_slice(content);
    }
    let (place, count) = (bytes.len() as u64, sections.len() as u16 + 1);
    bytes.extend_from_slice(&headers);
    bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    // The header of an x86-64 executable.
    bytes[16..24].copy_from_slice(&[2, 0, 62, 0, 1, 0, 0, 0]);
    bytes[40..48].copy_from_slice(&place.to_le_bytes());
    bytes[52..54].copy_from_slice(&64u16.to_le_bytes());
    bytes[58..60].copy_from_slice(&64u16.to_le_bytes());
    bytes[60..62].copy_from_slice(&count.to_le_bytes());
    bytes[62..64].copy_from_slice(&(count - 1).to_le_bytes());
    bytes
}
