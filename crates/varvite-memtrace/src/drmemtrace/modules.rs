//! [`Modules`]: the load addresses of a program's binaries, from `modules.log`. The file consists of lines of
//! text, in which a few bytes of a binary may be embedded.
//!
//! ```text
//! Module Table: version 5, count 3
//! Columns: id, containing_id, start, end, entry, offset, preferred_base, path
//!   0,   0, 0x0000556ae6a3c000, 0x0000556ae6a40000, 0x0000556ae6a3e0a0, 0000000000000000, 0x0000000000000000, v#1,0,/bin/true
//! ```
//!
//! A segment belongs to the module that contains it, and the offsets of blocks are relative to the start of
//! that module. After `v#1,`, there is a length, then that many arbitrary bytes (of the vDSO), then the path.

use super::DrmemtraceError;

type Result<T> = std::result::Result<T, DrmemtraceError>;

/// Largest number of segments.
const COUNT_MAX: u64 = 0xffff;

/// A mapped segment of a binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Number of the first segment of the same binary.
    pub containing: u64,
    /// The first address in memory.
    pub start: u64,
    /// The address after the last one.
    pub end: u64,
    /// The offset in the binary of the byte at the first address.
    pub file_offset: u64,
    /// Path of the binary, in an unspecified character set.
    pub path: Vec<u8>,
}

/// The mapped segments of a program; a segment's index is its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    modules: Vec<Module>,
}

impl Modules {
    /// Parses a `modules.log`.
    ///
    /// # Errors
    /// [`DrmemtraceError::Modules`], with the offset of the error.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut text = Text { bytes, at: 0 };
        text.skip(b"Module Table: version ", "a module table")?;
        text.number(10)?;
        text.skip(b", count ", "the number of modules")?;
        let count = text.number(10)?;
        text.line();
        if text.rest().starts_with(b"Columns:") {
            text.line();
        }
        if count > COUNT_MAX {
            return Err(text.expected("at most 65535 modules"));
        }
        let modules = (0..count).map(|number| text.module(number)).collect::<Result<Vec<_>>>()?;
        let containing = modules.iter().map(|module| module.containing);
        if containing.clone().any(|number| number >= count) {
            return Err(text.expected("segments of modules that exist"));
        }
        Ok(Self { modules })
    }

    /// The load address of the module to which a segment belongs; `None` if there is no such segment.
    pub fn base(&self, number: u64) -> Option<u64> {
        let module = self.modules.get(usize::try_from(number).ok()?)?;
        Some(self.modules[module.containing as usize].start)
    }

    /// The segments, in the order of their numbers.
    pub fn as_slice(&self) -> &[Module] {
        &self.modules
    }

    /// Those segments that come from files, as modules of a trace. The table does not say which segments are
    /// executable, so all are marked as code.
    pub fn to_modules(&self) -> Vec<varvite_trace::Module> {
        let files =
            self.modules.iter().filter(|module| module.path.starts_with(b"/") && module.end > module.start);
        let modules = files.map(|module| varvite_trace::Module {
            path: module.path.clone(),
            build_id: Vec::new(),
            address: module.start,
            len: module.end - module.start,
            file_offset: module.file_offset,
            is_code: true,
        });
        modules.collect()
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.modules.len()
    }

    /// Whether there are no segments.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}

struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    fn module(&mut self, number: u64) -> Result<Module> {
        if self.comma_number(10)? != number {
            return Err(self.expected("segments in order of their numbers"));
        }
        let containing = self.comma_number(10)?;
        let (start, end) = (self.comma_number(16)?, self.comma_number(16)?);
        // The entry point, the offset and, depending on the table's version, the preferred base.
        self.comma_number(16)?;
        let file_offset = self.comma_number(16)?;
        if self.after_blanks().starts_with(b"0x") {
            self.comma_number(16)?;
        }
        self.skip_blanks();
        if self.rest().starts_with(b"v#") {
            self.custom()?;
            self.skip_blanks();
        }
        if !self.rest().contains(&b'\n') {
            return Err(self.expected("the end of a line"));
        }
        Ok(Module { containing, start, end, file_offset, path: self.line().to_vec() })
    }

    /// Skips embedded bytes of a binary, such as `v#1,3,abc` (with three arbitrary bytes), and a comma after
    /// them.
    fn custom(&mut self) -> Result<()> {
        self.skip(b"v#", "bytes of a module")?;
        self.comma_number(10)?;
        let len = usize::try_from(self.comma_number(10)?).unwrap_or(usize::MAX);
        if self.rest().len() < len {
            return Err(self.expected("as many bytes of a module as it says"));
        }
        self.at += len;
        if self.rest().starts_with(b",") {
            self.at += 1;
        }
        Ok(())
    }

    /// Skips blanks, and parses a number and the comma after it.
    fn comma_number(&mut self, radix: u32) -> Result<u64> {
        self.skip_blanks();
        let number = self.number(radix)?;
        self.skip(b",", "a comma")?;
        Ok(number)
    }

    fn number(&mut self, radix: u32) -> Result<u64> {
        if radix == 16 && self.rest().starts_with(b"0x") {
            self.at += 2;
        }
        let digits = self.rest().iter().take_while(|byte| char::from(**byte).is_digit(radix)).count();
        let text = str::from_utf8(&self.rest()[..digits]).unwrap_or_default();
        let number = u64::from_str_radix(text, radix).map_err(|_| self.expected("a number"))?;
        self.at += digits;
        Ok(number)
    }

    fn skip(&mut self, mark: &[u8], expected: &'static str) -> Result<()> {
        if !self.rest().starts_with(mark) {
            return Err(self.expected(expected));
        }
        self.at += mark.len();
        Ok(())
    }

    fn skip_blanks(&mut self) {
        self.at = self.bytes.len() - self.after_blanks().len();
    }

    fn after_blanks(&self) -> &'a [u8] {
        self.rest().trim_ascii_start()
    }

    /// Returns the rest of the line, without the line end, and skips both.
    fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at += (len + 1).min(rest.len());
        rest[..len].strip_suffix(b"\r").unwrap_or(&rest[..len])
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn expected(&self, expected: &'static str) -> DrmemtraceError {
        DrmemtraceError::Modules { offset: self.at, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = b"Module Table: version 5, count 3\n\
        Columns: id, containing_id, start, end, entry, offset, preferred_base, path\n\
        \x20 0,   0, 0x0000556ae6a3c000, 0x0000556ae6a40000, 0x0000556ae6a3e0a0, 0000000000000000, 0x0000000000000000, v#1,0,/bin/true\n\
        \x20 1,   0, 0x0000556ae6a40000, 0x0000556ae6a44000, 0x0000556ae6a3e0a0, 0000000000004000, 0x0000000000000000, v#1,0,/bin/true\n\
        \x20 2,   2, 0x00007ffc0b1f2000, 0x00007ffc0b1f4000, 0x00007ffc0b1f2000, 0000000000000000, 0x0000000000000000, v#1,5,\xff\n,\0x[vdso]\n";

    #[test]
    fn segments_lead_to_the_start_of_their_module_past_bytes_of_anything() {
        let modules = Modules::parse(TABLE).unwrap();
        assert_eq!(modules.base(1), Some(0x0000_556a_e6a3_c000));
        assert_eq!(modules.base(2), Some(0x0000_7ffc_0b1f_2000));
        assert_eq!(modules.base(3), None);
        let paths: Vec<_> = modules.as_slice().iter().map(|module| &module.path[..]).collect();
        assert_eq!(paths, [&b"/bin/true"[..], b"/bin/true", b"[vdso]"]);
        let places: Vec<_> = modules
            .to_modules()
            .iter()
            .map(|module| (module.address, module.len, module.file_offset))
            .collect();
        assert_eq!(places, [(0x556a_e6a3_c000, 0x4000, 0), (0x556a_e6a4_0000, 0x4000, 0x4000)]);
    }

    #[test]
    fn tables_of_version_4_have_no_preferred_base() {
        let table = b"Module Table: version 4, count 1\nColumns: ..\n 0, 0, 0x1000, 0x2000, 0x1100, 0000, v#1,0,/a b\n";
        assert_eq!(Modules::parse(table).unwrap().as_slice()[0].path, b"/a b");
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_modules_or_an_error() {
        for len in 0..TABLE.len() {
            assert!(matches!(Modules::parse(&TABLE[..len]), Err(DrmemtraceError::Modules { .. })), "{len}");
        }
        for at in 0..TABLE.len() {
            for value in [0, b',', b'9', b'f', 0xff] {
                let mut table = TABLE.to_vec();
                table[at] = value;
                let _ = Modules::parse(&table);
            }
        }
    }
}
