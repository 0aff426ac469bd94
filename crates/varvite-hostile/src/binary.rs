//! Binaries: symbols and debug information that are small in the file and large in memory, or refer to bytes
//! outside the file.
//!
//! A 64-bit ELF file has the header, a program header, the sections without gaps, and the section headers.

use varvite_codec::{Codec, Workspace};

use crate::{HostileFile, Kind};

const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const TEXT: u64 = 0x1000;
const TEXT_LEN: u64 = 4096;

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Binary,
        &[
            ("a-sound-binary", || Elf::with_symbols(&["main", "other"]).finish()),
            ("20000-symbols-of-one-long-name", long_name),
            ("20000-symbols-whose-names-overlap", overlapping_names),
            ("200000-symbols-at-one-address", symbols_at_one_address),
            ("a-c++-name-of-a-gigabyte", || Elf::with_symbols(&[&doubling_name(28)]).finish()),
            ("1000-c++-names-of-a-megabyte", || Elf::with_symbols(&vec![doubling_name(18); 1000]).finish()),
            ("a-c++-name-100000-deep", || {
                Elf::with_symbols(&[format!("_Z1f{}i", "P".repeat(100_000))]).finish()
            }),
            ("a-c++-name-of-nested-names", || {
                Elf::with_symbols(&[format!("_Z{}1a{}", "N".repeat(50_000), "E".repeat(50_000))]).finish()
            }),
            ("a-rust-name-of-back-references", || Elf::with_symbols(&[rust_name()]).finish()),
            ("symbols-whose-names-are-outside", || {
                let mut elf = Elf::with_symbols(&["main"]);
                elf.section(".symtab").bytes[24..28].fill(0xff);
                elf.finish()
            }),
            ("symbols-of-2^64-bytes", || {
                let mut elf = Elf::with_symbols(&["main", "other"]);
                elf.section(".symtab").bytes[40..48].fill(0xff);
                elf.finish()
            }),
            ("sections-outside", || with_sections(|file, row| put(file, row + 24, u64::MAX - 100))),
            ("sections-of-2^64-bytes", || with_sections(|file, row| put(file, row + 32, u64::MAX))),
            ("sections-that-all-are-the-whole-file", || {
                with_sections(|file, row| {
                    put(file, row + 24, 0);
                    let len = file.len() as u64;
                    put(file, row + 32, len);
                })
            }),
            ("65535-sections", || with_header(60, &[0xff, 0xff])),
            ("65535-segments", || with_header(56, &[0xff, 0xff])),
            ("section-headers-at-2^64", || with_header(40, &[0xff; 8])),
            ("an-elf-of-32-bits-that-is-none", || with_header(4, &[1])),
            ("an-elf-of-another-order-of-bytes", || with_header(5, &[2])),
            ("an-elf-cut-after-its-header", || Elf::with_symbols(&["main"]).finish()[..HEADER].to_vec()),
            ("zlib-bomb-of-debug-lines", || compressed(Codec::Zlib, 1)),
            ("zstd-bomb-of-debug-lines", || compressed(Codec::Zstd, 2)),
            ("debug-lines-that-claim-2^40-bytes", claims_plain_bytes),
            ("a-line-program-of-4-million-rows", || lines(&vec![0xff; 4 << 20])),
            ("a-line-program-of-endless-numbers", || lines(&[&[3][..], &[0xff; 100_000]].concat())),
            ("a-line-program-of-2^64-addresses", || {
                lines(&[2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1].repeat(1000))
            }),
            ("a-line-program-of-a-length-outside", line_program_outside),
            ("1000-units-of-one-long-line-program", || units(1000, &vec![0xff; 1 << 20])),
            ("200000-units-of-one-address", || units(200_000, &[1])),
            ("an-abbreviation-of-a-million-attributes", abbreviation_bomb),
            ("inlined-functions-200000-deep", || inlined(200_000)),
            ("a-unit-of-an-abbreviation-that-is-not-there", || {
                debug(&[0x63; 4], &[1, 0x11, 0, 0, 0, 0], &[])
            }),
            ("functions-that-are-inlined-in-themselves", || inlined(1)),
        ],
    )
}

/// A section: its name, type and bytes.
struct Section {
    name: &'static str,
    kind: u32,
    flags: u64,
    bytes: Vec<u8>,
}

/// The ELF file of a program at address 0, with code from `TEXT` on.
struct Elf {
    sections: Vec<Section>,
}

impl Elf {
    fn new() -> Self {
        Self { sections: Vec::new() }
    }

    /// A file with a function of sixteen bytes for each name.
    fn with_symbols(names: &[impl AsRef<str>]) -> Self {
        let (mut strings, mut symbols) = (vec![0], vec![0; 24]);
        for (name, number) in names.iter().zip(0..) {
            symbols.extend(symbol(strings.len() as u32, TEXT + 16 * number % TEXT_LEN, 16));
            strings.extend(name.as_ref().bytes());
            strings.push(0);
        }
        Self::of_symbols(symbols, strings)
    }

    fn of_symbols(symbols: Vec<u8>, strings: Vec<u8>) -> Self {
        let mut elf = Self::new();
        elf.push(".strtab", 3, strings);
        elf.push(".symtab", 2, symbols);
        elf
    }

    fn push(&mut self, name: &'static str, kind: u32, bytes: Vec<u8>) {
        self.sections.push(Section { name, kind, flags: 0, bytes });
    }

    fn section(&mut self, name: &str) -> &mut Section {
        self.sections.iter_mut().find(|section| section.name == name).expect("a section that was made")
    }

    fn finish(self) -> Vec<u8> {
        let mut file = vec![0; HEADER + PROGRAM_HEADER];
        let mut rows = vec![0; 64];
        let mut names = vec![0];
        let mut row = |name: &str, kind: u32, flags: u64, offset: usize, len: usize| {
            rows.extend((names.len() as u32).to_le_bytes());
            rows.extend(kind.to_le_bytes());
            names.extend(name.bytes().chain([0]));
            for number in [flags, 0, offset as u64, len as u64] {
                rows.extend(number.to_le_bytes());
            }
            // The symbol table refers to its strings, which are the first section.
            rows.extend([1_u32, 1].map(u32::to_le_bytes).concat());
            rows.extend([1_u64, 24].map(u64::to_le_bytes).concat());
        };
        for section in &self.sections {
            row(section.name, section.kind, section.flags, file.len(), section.bytes.len());
            file.extend(&section.bytes);
        }
        let letters: usize = 1 + self.sections.iter().map(|section| section.name.len() + 1).sum::<usize>();
        row(".shstrtab", 3, 0, file.len(), letters + ".shstrtab".len() + 1);
        file.extend(names);
        let (sections, count) = (file.len() as u64, self.sections.len() as u16 + 2);
        file.extend(rows);
        write_headers(&mut file, sections, count);
        file
    }
}

fn write_headers(file: &mut [u8], sections: u64, count: u16) {
    file[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    let halves = [(16, 3), (18, 62), (52, 64), (54, 56), (56, 1), (58, 64), (60, count), (62, count - 1)];
    for (at, number) in halves {
        file[at..at + 2].copy_from_slice(&u16::to_le_bytes(number));
    }
    file[20] = 1;
    put(file, 32, HEADER as u64);
    put(file, 40, sections);
    // One segment, which is loaded and executable.
    file[HEADER] = 1;
    file[HEADER + 4] = 5;
    for (at, number) in [(16, TEXT), (24, TEXT), (32, TEXT_LEN), (40, TEXT_LEN), (48, 4096)] {
        put(file, HEADER + at, number);
    }
}

fn put(file: &mut [u8], at: usize, number: u64) {
    file[at..at + 8].copy_from_slice(&number.to_le_bytes());
}

/// The symbol of a global function.
fn symbol(name: u32, address: u64, len: u64) -> Vec<u8> {
    [&name.to_le_bytes()[..], &[0x12, 0, 1, 0], &address.to_le_bytes(), &len.to_le_bytes()].concat()
}

fn long_name() -> Vec<u8> {
    let strings = [&[0][..], &[b'x'; 400_000], &[0]].concat();
    let symbols = (0..20_000).flat_map(|number| symbol(1, TEXT + number, 1));
    Elf::of_symbols([0; 24].into_iter().chain(symbols).collect(), strings).finish()
}

fn overlapping_names() -> Vec<u8> {
    let strings = [&[0][..], &[b'x'; 400_000], &[0]].concat();
    let symbols = (0..20_000).flat_map(|number| symbol(1 + number as u32, TEXT + number, 1));
    Elf::of_symbols([0; 24].into_iter().chain(symbols).collect(), strings).finish()
}

fn symbols_at_one_address() -> Vec<u8> {
    let strings = b"\0main\0".to_vec();
    let symbols = (0..200_000).flat_map(|_| symbol(1, TEXT, TEXT_LEN));
    Elf::of_symbols([0; 24].into_iter().chain(symbols).collect(), strings).finish()
}

/// The mangled name of `f(a, b<a, a>, c<b<a, a>, b<a, a>>, ..)`, in which each type refers twice to the type
/// before it.
fn doubling_name(levels: usize) -> String {
    let mut name = "_Z1f1a".to_owned();
    for level in 1..=levels {
        let before = match level {
            1 => "S_".to_owned(),
            _ => format!("S{}_", base36(2 * (level - 1) - 1)),
        };
        name += &format!("{}{before}{before}E", format_args!("2b{}I", char::from(b'a' + (level % 26) as u8)));
    }
    name
}

/// The number of a substitution after the first, in base 36.
fn base36(number: usize) -> String {
    let digit = |number: usize| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 36]);
    if number < 36 { digit(number).to_string() } else { format!("{}{}", digit(number / 36), digit(number)) }
}

/// The mangled name of nested tuples. Each tuple contains the previous one twice.
fn rust_name() -> String {
    let mut name = "_RINvC1a1fTuuE".to_owned();
    let mut before = "_RINvC1a1f".len() - 2;
    for _ in 0..40 {
        let reference = format!("B{}_", char::from(b'0' + (before % 10) as u8));
        before = name.len() - 2;
        name += &format!("T{reference}{reference}E");
    }
    name + "E"
}

/// A file in which `change` changes every section header.
fn with_sections(change: fn(&mut Vec<u8>, usize)) -> Vec<u8> {
    let mut file = debug_elf(&[], &[], &line_program(&[1])).finish();
    let rows = u64::from_le_bytes(file[40..48].try_into().expect("eight bytes")) as usize;
    let count = usize::from(file[60]);
    (1..count).for_each(|row| change(&mut file, rows + 64 * row));
    file
}

fn with_header(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = Elf::with_symbols(&["main", "other"]).finish();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

/// A file with debug information and valid symbols.
fn debug_elf(info: &[u8], abbreviations: &[u8], lines: &[u8]) -> Elf {
    let mut elf = Elf::with_symbols(&["main", "other"]);
    elf.push(".debug_info", 1, info.to_vec());
    elf.push(".debug_abbrev", 1, abbreviations.to_vec());
    elf.push(".debug_line", 1, lines.to_vec());
    elf
}

/// A file with one unit of DWARF 4 that has these entries.
fn debug(entries: &[u8], abbreviations: &[u8], lines: &[u8]) -> Vec<u8> {
    debug_elf(&unit(entries), abbreviations, lines).finish()
}

fn unit(entries: &[u8]) -> Vec<u8> {
    let len = (entries.len() + 7) as u32;
    [&len.to_le_bytes()[..], &[4, 0, 0, 0, 0, 0, 8], entries].concat()
}

/// Abbreviations: 1 for a unit with lines and addresses, 2 for a function, 3 for an inlined function.
const ABBREVIATIONS: &[u8] = &[
    1, 0x11, 1, 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0, 0, 2, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0,
    0, 3, 0x1d, 1, 0x31, 0x13, 0x11, 0x01, 0x12, 0x07, 0, 0, 0,
];

fn unit_entry() -> Vec<u8> {
    [&[1, 0, 0, 0, 0][..], &TEXT.to_le_bytes(), &TEXT_LEN.to_le_bytes()].concat()
}

/// A line program of DWARF 4 that begins at the start of the code.
fn line_program(opcodes: &[u8]) -> Vec<u8> {
    let lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
    let header = [&[1, 1, 1, 0xfb, 14, 13][..], &lengths, &[0], b"main.c\0\0\0\0", &[0]].concat();
    let program = [&[0, 9, 2][..], &TEXT.to_le_bytes(), opcodes, &[0, 1, 1]].concat();
    let header_len = (header.len() as u32).to_le_bytes();
    let len = (2 + 4 + header.len() + program.len()) as u32;
    [&len.to_le_bytes()[..], &[4, 0], &header_len, &header, &program].concat()
}

fn lines(opcodes: &[u8]) -> Vec<u8> {
    debug(&[&unit_entry()[..], &[0]].concat(), ABBREVIATIONS, &line_program(opcodes))
}

fn line_program_outside() -> Vec<u8> {
    let mut program = line_program(&[1]);
    program[..4].copy_from_slice(&0xfff0_0000_u32.to_le_bytes());
    debug(&[&unit_entry()[..], &[0]].concat(), ABBREVIATIONS, &program)
}

/// A file with `count` units that have equal lines, but begin at different addresses of the code.
fn units(count: u64, opcodes: &[u8]) -> Vec<u8> {
    let one = |number: u64| {
        let address = TEXT + number % TEXT_LEN;
        unit(&[&[1, 0, 0, 0, 0][..], &address.to_le_bytes(), &1_u64.to_le_bytes(), &[0]].concat())
    };
    let info: Vec<u8> = (0..count).flat_map(one).collect();
    debug_elf(&info, ABBREVIATIONS, &line_program(opcodes)).finish()
}

/// A file whose entries are one byte each and have a million attributes without bytes.
fn abbreviation_bomb() -> Vec<u8> {
    // The attribute DW_AT_external in the form DW_FORM_flag_present.
    let attributes = [0x3f, 0x19].repeat(1_000_000);
    let abbreviations =
        [&ABBREVIATIONS[..ABBREVIATIONS.len() - 1], &[4, 0x2e, 0], &attributes, &[0, 0, 0]].concat();
    debug(&[&unit_entry()[..], &[4; 100_000], &[0]].concat(), &abbreviations, &line_program(&[1]))
}

/// A file with nested inlined functions, each an inlined copy of the first function.
fn inlined(depth: usize) -> Vec<u8> {
    let function = [&[2][..], b"main\0", &TEXT.to_le_bytes(), &TEXT_LEN.to_le_bytes()].concat();
    let first = (11 + unit_entry().len() + function.len()) as u32;
    let inline = [&[3][..], &first.to_le_bytes(), &TEXT.to_le_bytes(), &TEXT_LEN.to_le_bytes()].concat();
    let entries = [unit_entry(), function, inline.repeat(depth), vec![0; depth + 2]].concat();
    debug(&entries, ABBREVIATIONS, &line_program(&[1]))
}

/// A file whose section of lines is 256 MB of zeros, compressed.
fn compressed(codec: Codec, kind: u32) -> Vec<u8> {
    let mut stored = Vec::new();
    Workspace::new().compress(codec, &vec![0; 256 << 20], &mut stored).expect("zeros compress");
    of_compressed(kind, 256 << 20, &stored)
}

fn claims_plain_bytes() -> Vec<u8> {
    of_compressed(1, 1 << 40, &[0x78, 0x9c, 0x03, 0, 0, 0, 0, 1])
}

fn of_compressed(kind: u32, plain_len: u64, stored: &[u8]) -> Vec<u8> {
    let header = [&kind.to_le_bytes()[..], &[0; 4], &plain_len.to_le_bytes(), &1_u64.to_le_bytes()].concat();
    let mut elf = debug_elf(&unit(&[&unit_entry()[..], &[0]].concat()), ABBREVIATIONS, &[]);
    let section = elf.section(".debug_line");
    section.bytes = [&header, stored].concat();
    // The flag SHF_COMPRESSED.
    section.flags = 0x800;
    elf.finish()
}
