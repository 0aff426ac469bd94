//! [`Binary`]: the functions (by address), segments, build id and source lines of an ELF file.
//!
//! The addresses in this module are those in the file, as chosen by the linker. The bytes come from outside,
//! so the reader leaves out invalid parts or refuses the file, and never allocates memory only because the
//! file states a size.

use std::cell::Cell;

use object::read::elf::{ElfFile32, ElfFile64, FileHeader};
use object::{CompressionFormat, Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};
use varvite_codec::{Codec, Workspace};
use varvite_cpg::join::SourcePlace;
use varvite_trace::Module;

use super::debug_lines::DebugLines;
use super::error::BinaryError;

/// Maximum number of bytes of decompressed debug information for each byte of the file. Real debug
/// information is compressed to between a third and a sixth. Even a small file may have `DEBUG_LEN_MIN`
/// decompressed bytes.
const EXPANSION_MAX: usize = 16;
const DEBUG_LEN_MIN: usize = 1 << 20;

/// Maximum number of bytes of symbol names for each byte of the file. The limit is needed because names may
/// share bytes, so each symbol could have a name as long as the whole table.
const NAMES_MAX: usize = 4;
/// Maximum number of executable segments. Linkers make one or two.
const SEGMENTS_MAX: usize = 256;

/// A function in a binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The first address.
    pub start: u64,
    /// The address after the last one.
    pub end: u64,
    /// The symbols of the function as they are in the file, global symbols first.
    pub names: Vec<String>,
    /// Whether any of the symbols is global.
    pub is_global: bool,
}

/// A loaded, executable part of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeSegment {
    /// The first address.
    pub address: u64,
    /// The offset in the file of the byte at the first address.
    pub file_offset: u64,
    /// Length in bytes.
    pub len: u64,
}

/// Functions, source lines and code segments of an ELF file.
pub struct Binary {
    functions: Vec<Function>,
    segments: Vec<CodeSegment>,
    build_id: Vec<u8>,
    pub(crate) lines: Option<DebugLines>,
}

impl Binary {
    /// Parses an ELF file. `debug_bytes` is a second ELF file with the debug information of the first one, if
    /// that is separate.
    ///
    /// **Cost**: copies the debug information. Source lines are parsed on first use.
    ///
    /// # Errors
    /// [`BinaryError::NotElf`], or [`BinaryError::Damaged`], which is also returned if all symbol names
    /// together are several times as long as the file. Invalid debug information is no error, but is left
    /// out.
    pub fn parse(bytes: &[u8], debug_bytes: Option<&[u8]>) -> Result<Self, BinaryError> {
        let mut binary = Self::parse_one(bytes)?;
        let debug = debug_bytes.and_then(|bytes| Self::parse_one(bytes).ok());
        if let Some(debug) = debug.filter(|debug| debug.build_id == binary.build_id) {
            if debug.functions.len() > binary.functions.len() {
                binary.functions = debug.functions;
            }
            binary.lines = binary.lines.or(debug.lines);
        }
        Ok(binary)
    }

    fn parse_one(bytes: &[u8]) -> Result<Self, BinaryError> {
        match object::FileKind::parse(bytes) {
            Ok(object::FileKind::Elf32) => {
                Self::of_elf(&ElfFile32::<Endianness>::parse(bytes).map_err(damaged)?, bytes.len())
            }
            Ok(object::FileKind::Elf64) => {
                Self::of_elf(&ElfFile64::<Endianness>::parse(bytes).map_err(damaged)?, bytes.len())
            }
            _ => Err(BinaryError::NotElf),
        }
    }

    fn of_elf<'d, E>(file: &object::read::elf::ElfFile<'d, E>, len: usize) -> Result<Self, BinaryError>
    where
        E: FileHeader<Endian = Endianness>,
    {
        let segments = file.segments().filter(|segment| segment.permissions().executable());
        let segments = segments.map(|segment| CodeSegment {
            address: segment.address(),
            file_offset: segment.file_range().0,
            len: segment.file_range().1,
        });
        let segments: Vec<CodeSegment> = segments.take(SEGMENTS_MAX + 1).collect();
        let room = Cell::new(len.saturating_mul(EXPANSION_MAX).max(DEBUG_LEN_MIN));
        if segments.len() > SEGMENTS_MAX {
            let what = format!("it has more than {SEGMENTS_MAX} parts with instructions");
            return Err(BinaryError::Damaged { what });
        }
        Ok(Self {
            segments,
            build_id: file.build_id().ok().flatten().unwrap_or_default().to_vec(),
            functions: functions(file, len)?,
            lines: DebugLines::load(file.endianness(), |name| section(file, name, &room)),
        })
    }

    /// The functions, sorted by address. They do not overlap.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The build id, by which the linker identified this build; empty if it wrote no build id.
    pub fn build_id(&self) -> &[u8] {
        &self.build_id
    }

    /// The executable segments.
    pub fn code_segments(&self) -> &[CodeSegment] {
        &self.segments
    }

    /// Whether the binary has neither symbols nor source lines.
    pub fn is_stripped(&self) -> bool {
        self.functions.is_empty() && self.lines.is_none()
    }

    /// The difference between addresses in memory and addresses in the file, given that the byte at
    /// `file_offset` was mapped at `address`. The system maps whole pages, so a mapped range may begin before
    /// its segment.
    pub fn bias(&self, address: u64, file_offset: u64) -> Option<u64> {
        const PAGE_MAX: u64 = 64 << 10;
        let is_in = |segment: &&CodeSegment| {
            let end = segment.file_offset.saturating_add(segment.len);
            (segment.file_offset.saturating_sub(PAGE_MAX - 1)..end).contains(&file_offset)
        };
        // The last matching segment is used, since a segment that ends in the same page in which the next one
        // begins also matches.
        let segment =
            self.segments.iter().filter(is_in).max_by_key(|segment| segment.file_offset <= file_offset)?;
        let own = segment.address.wrapping_add(file_offset.wrapping_sub(segment.file_offset));
        Some(address.wrapping_sub(own))
    }

    /// The modules of this binary if its path is `path` and its address 0 is at `base` in memory.
    pub fn modules_at(&self, base: u64, path: &[u8]) -> Vec<Module> {
        let modules = self.segments.iter().map(|segment| Module {
            path: path.to_vec(),
            build_id: self.build_id.clone(),
            address: base.wrapping_add(segment.address),
            len: segment.len,
            file_offset: segment.file_offset,
            is_code: true,
        });
        modules.collect()
    }

    /// The first symbol of the function that contains an address in the file.
    pub fn function_name(&self, address: u64) -> Option<&str> {
        let number = self.function_at(address).ok()?;
        self.functions[number].names.first().map(String::as_str)
    }

    /// The source line of an address in the file, and the function of that line. If code was inlined at the
    /// address, this is the innermost inlined function.
    pub fn source_of(&self, address: u64) -> Option<(String, SourcePlace)> {
        let source = self.lines.as_ref()?.source(address);
        source.function.zip(source.place)
    }

    /// The index of the function that contains an address. If no function does, the index of the next
    /// function, as an `Err`.
    pub(crate) fn function_at(&self, address: u64) -> Result<usize, usize> {
        let after = self.functions.partition_point(|function| function.start <= address);
        match after.checked_sub(1) {
            Some(number) if address < self.functions[number].end => Ok(number),
            _ => Err(after),
        }
    }
}

/// The functions in the symbol table or, if it has none, those in the dynamic symbol table.
fn functions<'d>(file: &impl Object<'d>, len: usize) -> Result<Vec<Function>, BinaryError> {
    let mut symbols = symbols(file.symbols(), len)?;
    if symbols.is_empty() {
        symbols = self::symbols(file.dynamic_symbols(), len)?;
    }
    // This makes aliases consecutive. The longest comes first; if lengths are equal, global symbols come
    // first.
    symbols.sort_by(|one, other| {
        let key = |symbol: &Function| (symbol.start, std::cmp::Reverse(symbol.end), !symbol.is_global);
        key(one).cmp(&key(other)).then_with(|| one.names.cmp(&other.names))
    });
    let mut functions: Vec<Function> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        match functions.last_mut() {
            Some(last) if last.start == symbol.start => last.take_alias(symbol),
            _ => functions.push(symbol),
        }
    }
    close_gaps(&mut functions);
    Ok(functions)
}

impl Function {
    fn take_alias(&mut self, alias: Self) {
        self.is_global |= alias.is_global;
        self.names.extend(alias.names);
    }
}

/// The symbols of functions, from a file of `len` bytes.
fn symbols<'d>(
    symbols: impl Iterator<Item = impl ObjectSymbol<'d>>,
    len: usize,
) -> Result<Vec<Function>, BinaryError> {
    let mut room = len.saturating_mul(NAMES_MAX);
    let code = symbols.filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    let named = code.filter_map(|symbol| {
        let name = symbol.name().ok().filter(|name| !name.is_empty())?;
        let Some(left) = room.checked_sub(name.len()) else {
            let what =
                format!("the names of its symbols are more than {NAMES_MAX} times as long as the file");
            return Some(Err(BinaryError::Damaged { what }));
        };
        room = left;
        let start = symbol.address();
        let (end, is_global) = (start.saturating_add(symbol.size()), symbol.is_global());
        Some(Ok(Function { start, end, names: vec![name.to_owned()], is_global }))
    });
    named.collect()
}

/// Ends each function that has no size, or that overlaps the next one, at the start of the next one. A
/// function without a size ends after 4096 bytes at the latest.
fn close_gaps(functions: &mut [Function]) {
    let mut next = u64::MAX;
    for function in functions.iter_mut().rev() {
        let is_sized = function.end > function.start;
        function.end =
            if is_sized { function.end.min(next) } else { next.min(function.start.saturating_add(4096)) };
        next = function.start;
    }
}

/// The bytes of a section, decompressed. `None` if the section is missing, invalid, or too long for `room`.
fn section<'d>(file: &impl Object<'d>, name: &str, room: &Cell<usize>) -> Option<Vec<u8>> {
    let data = file.section_by_name(name)?.compressed_data().ok()?;
    let len = match data.format {
        CompressionFormat::None => data.data.len(),
        _ => usize::try_from(data.uncompressed_size).ok()?,
    };
    room.set(room.get().checked_sub(len)?);
    let codec = match data.format {
        CompressionFormat::None => return Some(data.data.to_vec()),
        CompressionFormat::Zlib => Codec::Zlib,
        CompressionFormat::Zstandard => Codec::Zstd,
        _ => return None,
    };
    let mut plain = vec![0; len];
    Workspace::new().decompress(codec, data.data, &mut plain).ok()?;
    Some(plain)
}

fn damaged(error: object::Error) -> BinaryError {
    BinaryError::Damaged { what: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(start: u64, end: u64) -> Function {
        Function { start, end, names: vec![format!("f{start}")], is_global: false }
    }

    fn binary(functions: Vec<Function>, segments: Vec<CodeSegment>) -> Binary {
        Binary { functions, segments, build_id: Vec::new(), lines: None }
    }

    #[test]
    fn an_address_is_in_the_function_around_it() {
        let binary = binary(vec![function(10, 20), function(30, 40)], Vec::new());
        let found = [5, 10, 19, 20, 29, 39, 40].map(|address| binary.function_at(address));
        assert_eq!(found, [Err(0), Ok(0), Ok(0), Err(1), Err(1), Ok(1), Err(2)]);
    }

    #[test]
    fn functions_without_a_size_reach_the_next_one() {
        let mut functions = vec![function(0, 0), function(16, 40), function(32, 33), function(64, 64)];
        close_gaps(&mut functions);
        assert_eq!(
            functions.iter().map(|function| function.end).collect::<Vec<_>>(),
            [16, 32, 33, 64 + 4096]
        );
    }

    #[test]
    fn the_base_of_a_binary_follows_from_a_mapped_part() {
        let segment = |address, file_offset, len| CodeSegment { address, file_offset, len };
        let pie = binary(Vec::new(), vec![segment(0x1060, 0x1060, 0x500)]);
        assert_eq!(pie.bias(0x5000_1000, 0x1000), Some(0x5000_0000));
        assert_eq!(pie.bias(0x5000_9000, 0x9000), None);
        let fixed = binary(Vec::new(), vec![segment(0x40_1000, 0x1000, 0x500)]);
        assert_eq!(fixed.bias(0x40_1000, 0x1000), Some(0));
    }

    #[test]
    fn other_bytes_are_no_binary() {
        for bytes in [&b""[..], b"MZ", b"\x7fELF", b"#!/bin/sh\n", &[0; 64]] {
            assert!(Binary::parse(bytes, None).is_err(), "{bytes:?}");
        }
    }
}
