//! Whether debug information is in proportion to its bytes.
//!
//! DWARF is full of references: units share abbreviations, line programs and lists of ranges, entries share
//! names, and a line program names its folders again and again. A reader of DWARF makes all of that anew for
//! each reference to it, and goes down one call for each level of entries. So one pass walks through all of
//! it and counts, before the reader starts.

use std::collections::HashSet;

use gimli::{
    AbbreviationsCacheStrategy, AttributeValue, Dwarf, EndianArcSlice, Reader, RunTimeEndian, Section, Unit,
    UnitHeader,
};

/// Bytes of a section, of either endianness.
pub(super) type Slice = EndianArcSlice<RunTimeEndian>;

/// Limits on the data made from each byte of debug information, and from any file.
const WEIGHT_PER_BYTE: u64 = 32;
const WEIGHT_MIN: u64 = 1 << 20;
/// Levels that entries may have, one in another. Compilers make dozens.
const DEPTH_MAX: isize = 512;
/// The weight of an address range.
const RANGE: u64 = 4;
/// The weight of a byte of a line program, which may become a row of the table.
const LINE_BYTE: u64 = 4;

/// The reason why the walk ends: an error, or too much of something.
struct Stop;

type Walk = Result<(), Stop>;

impl From<gimli::Error> for Stop {
    fn from(_: gimli::Error) -> Self {
        Self
    }
}

/// Whether the work that debug information may cause is in proportion to its `bytes`. False for data that
/// can't be parsed.
pub(super) fn is_in_proportion(dwarf: &mut Dwarf<Slice>, bytes: u64) -> bool {
    let mut weight = Weight { left: bytes.saturating_mul(WEIGHT_PER_BYTE).max(WEIGHT_MIN) };
    if weight.all_abbreviations(dwarf).is_err() {
        return false;
    }
    // Units that share abbreviations share their parsed form.
    dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::All);
    weight.all_units(dwarf).is_ok()
}

/// The weight left.
struct Weight {
    left: u64,
}

impl Weight {
    fn take(&mut self, weight: u64) -> Walk {
        self.left = self.left.checked_sub(weight).ok_or(Stop)?;
        Ok(())
    }

    fn all_abbreviations(&mut self, dwarf: &Dwarf<Slice>) -> Walk {
        let (mut units, mut seen) = (dwarf.units(), HashSet::new());
        while let Some(header) = units.next()? {
            if seen.insert(header.debug_abbrev_offset().0) {
                self.abbreviations(dwarf, header.debug_abbrev_offset().0)?;
            }
        }
        Ok(())
    }

    /// One table of them: a code, a tag, a byte, and pairs of name and form until both are zero. It has no
    /// length, and ends with the code 0.
    fn abbreviations(&mut self, dwarf: &Dwarf<Slice>, offset: usize) -> Walk {
        let mut bytes = dwarf.debug_abbrev.reader().clone();
        bytes.skip(offset)?;
        while bytes.read_uleb128()? != 0 {
            bytes.read_uleb128()?;
            bytes.read_u8()?;
            loop {
                self.take(1)?;
                let (name, form) = (bytes.read_uleb128()?, bytes.read_uleb128()?);
                if form == u64::from(gimli::DW_FORM_implicit_const.0) {
                    bytes.read_sleb128()?;
                }
                if (name, form) == (0, 0) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn all_units(&mut self, dwarf: &Dwarf<Slice>) -> Walk {
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            self.unit(dwarf, header)?;
        }
        Ok(())
    }

    fn unit(&mut self, dwarf: &Dwarf<Slice>, header: UnitHeader<Slice>) -> Walk {
        let unit = dwarf.unit(header)?;
        self.line_program(dwarf, &unit)?;
        self.entries(dwarf, &unit)
    }

    fn entries(&mut self, dwarf: &Dwarf<Slice>, unit: &Unit<Slice>) -> Walk {
        let mut entries = unit.entries_raw(None)?;
        while !entries.is_empty() {
            if entries.next_depth() > DEPTH_MAX {
                return Err(Stop);
            }
            let Some(abbreviation) = entries.read_abbreviation()? else { continue };
            self.take(1 + abbreviation.attributes().len() as u64)?;
            for attribute in abbreviation.attributes() {
                let attribute = entries.read_attribute(*attribute)?;
                if attribute.name() == gimli::DW_AT_ranges {
                    self.ranges(dwarf, unit, attribute.value())?;
                }
            }
        }
        Ok(())
    }

    fn ranges(&mut self, dwarf: &Dwarf<Slice>, unit: &Unit<Slice>, value: AttributeValue<Slice>) -> Walk {
        let Some(mut ranges) = dwarf.attr_ranges(unit, value)? else { return Ok(()) };
        while ranges.next()?.is_some() {
            self.take(RANGE)?;
        }
        Ok(())
    }

    /// Its rows, and the path of each of its files.
    fn line_program(&mut self, dwarf: &Dwarf<Slice>, unit: &Unit<Slice>) -> Walk {
        let Some(program) = &unit.line_program else { return Ok(()) };
        let header = program.header();
        self.take(LINE_BYTE * header.raw_program_buf().len() as u64)?;
        let text_len = |value| dwarf.attr_string(unit, value).map_or(0, |text| text.len() as u64);
        let root = unit.comp_dir.as_ref().map_or(0, |folder| folder.len() as u64);
        for file in header.file_names() {
            let folder = file.directory(header).map_or(0, text_len);
            self.take(1 + root + folder + text_len(file.path_name()))?;
        }
        Ok(())
    }
}
