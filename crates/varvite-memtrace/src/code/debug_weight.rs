//! Checks that reading debug information is not much more work than its length in bytes suggests.
//!
//! DWARF has many references: units share abbreviations, line programs and lists of ranges; entries share
//! names; and a line program names its folders repeatedly. The reader (the gimli library) builds the target
//! of a reference again for each reference, and makes a nested call for each level of entries. So this module
//! estimates the work, in a pass over all debug information, before the reader starts. The estimate is called
//! the weight; its unit is roughly the work for one byte or one attribute.

use std::collections::HashSet;

use gimli::{
    AbbreviationsCacheStrategy, AttributeValue, Dwarf, EndianArcSlice, Reader, RunTimeEndian, Section, Unit,
    UnitHeader,
};

/// The bytes of a section, in either byte order.
pub(super) type Slice = EndianArcSlice<RunTimeEndian>;

/// The maximum weight is `WEIGHT_PER_BYTE` for each byte of debug information, but at least `WEIGHT_MIN`.
const WEIGHT_PER_BYTE: u64 = 32;
const WEIGHT_MIN: u64 = 1 << 20;
/// Maximum depth of nested entries. Compilers use dozens of levels.
const DEPTH_MAX: isize = 512;
/// The weight of each address range in a list.
const RANGE: u64 = 4;
/// The weight of each byte of a line program, since each byte may become a row of the line table.
const LINE_BYTE: u64 = 4;

/// The pass stops because the debug information is invalid, or because it exceeds a limit.
struct Stop;

type Walk = Result<(), Stop>;

impl From<gimli::Error> for Stop {
    fn from(_: gimli::Error) -> Self {
        Self
    }
}

/// Whether the work of reading debug information is reasonable for its length, which is `bytes`. False if the
/// debug information can't be parsed.
pub(super) fn is_in_proportion(dwarf: &mut Dwarf<Slice>, bytes: u64) -> bool {
    let mut weight = Weight { left: bytes.saturating_mul(WEIGHT_PER_BYTE).max(WEIGHT_MIN) };
    if weight.all_abbreviations(dwarf).is_err() {
        return false;
    }
    // With this cache, units that have the same abbreviations share the parsed form.
    dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::All);
    weight.all_units(dwarf).is_ok()
}

/// The weight that remains until the limit is reached.
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

    /// Adds the weight of a table of abbreviations. Each abbreviation has a code, a tag, a byte, and pairs of
    /// a name and a form; a pair of zeros ends it. The table has no length, and ends with the code 0.
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

    /// Adds the weight of the rows of a line program, and of the paths of its files.
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
