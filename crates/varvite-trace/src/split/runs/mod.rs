//! Blocks of memory references as runs of code: a recorder that knows which records a stretch of code makes
//! describes them once, and then says for each run only the values that change.
//!
//! A *shape* is the records of a run. Some of their values are fixed, such as the addresses of instructions;
//! some are *values of the run*; the others lie at a fixed distance from an earlier record of the run. A run
//! is predicted from the run before it, and each value from its earlier values at the same place of the same
//! shape. If all predictions are right, a run is a zero byte, whatever the number of its records.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | lengths | 24 | six `u32`: shapes, records of shapes, bytes of literals, runs, numbers, codes |
//! | sizes | one a shape | the number of its records, from 1 to 160 |
//! | heads | four a record of a shape | type and size: all first bytes, then all second bytes, and so on |
//! | forms | one a record of a shape | the origin of its value |
//! | literals | as said | differences and distances that forms need |
//! | runs | one a run | bits 0 and 1: which shape; bit 2: its values have codes |
//! | numbers | two each | shapes that were not predicted: all first bytes, then all second bytes |
//! | codes | one a value, in runs with bit 2 | outcome of the prediction |
//! | planes | given by the codes | zigzag differences: all first bytes, then all second bytes, and so on |
//!
//! - `shape`: [`RunShape`]. `encoder`: [`RunEncoder`], which fills a [`RunBlock`]; `content` is its bytes.
//! - `decoder`: makes plain records.

mod content;
mod decoder;
mod encoder;
mod shape;

pub use content::RunBlock;
pub(crate) use content::RunLimits;
pub(crate) use decoder::{RunTables, decode};
pub use encoder::RunEncoder;
pub use shape::{RUN_RECORDS_MAX, RunRecord, RunShape, RunValue};

/// The number of `u32`s in front of the parts.
const LENGTHS: usize = 6;

/// The forms of a record of a shape. The value follows the last instruction of the shapes so far.
const FORM_NEXT: u8 = 0;
/// The value is one of the run.
const FORM_RUN: u8 = 1;
/// One less than the form of a difference of one byte from the address after the last instruction.
const FORM_NEAR: u8 = 1;
/// The form of a value that is the same as that of an earlier record. Forms up to eight more have a
/// difference of so many bytes.
const FORM_BESIDE: u8 = 10;
const FORMS: u8 = FORM_BESIDE + 9;

/// The shape that followed last time, that which followed before, a new one, or a number.
const NEXT_AGAIN: u8 = 0;
const NEXT_SECOND: u8 = 1;
const NEXT_NEW: u8 = 2;
const NEXT_NUMBER: u8 = 3;
/// The bit of a run whose values have codes.
const CODED: u8 = 4;

/// The codes of a value: the last one plus its stride; the last one plus the last difference of the block; a
/// difference of 0 to 8 bytes from the last one; or no value.
const CODE_STRIDE: u8 = 0;
const CODE_SHIFT: u8 = 1;
const CODE_DIFFERENCE: u8 = 2;
const CODE_ABSENT: u8 = 11;
const CODES: u8 = 12;

/// The most bytes of a block of runs in a trace whose blocks have up to `block_len` bytes of records. An
/// encoder ends a block before it needs more.
pub(crate) fn bound(block_len: usize) -> usize {
    4 * LENGTHS + block_len + block_len / crate::schema::REFERENCE_LEN
}

/// The earlier values at a place of a shape.
///
/// The stride changes when a step occurs twice in a row, so that one jump costs one difference. The idea is
/// the two-delta predictor: Eickemeyer and Vassiliadis, "A load-instruction unit for pipelined processors"
/// (1993).
#[derive(Clone, Copy, Debug, Default)]
struct History {
    last: u64,
    stride: u64,
    step: u64,
}

impl History {
    fn begin(value: u64) -> Self {
        Self { last: value, stride: 0, step: 0 }
    }

    #[inline(always)]
    fn guess(&self) -> u64 {
        self.last.wrapping_add(self.stride)
    }

    /// Takes the value that was guessed.
    #[inline(always)]
    fn confirm(&mut self, value: u64) {
        (self.last, self.step) = (value, self.stride);
    }

    /// Takes a value that differs from the last one by `step`.
    #[inline(always)]
    fn learn(&mut self, step: u64) {
        if step == self.step {
            self.stride = step;
        }
        (self.last, self.step) = (self.last.wrapping_add(step), step);
    }
}

/// The two shapes that last followed a shape, the last one first.
type Successors = [u16; 2];

#[inline(always)]
fn follow(successors: &mut Successors, number: u16) {
    if successors[0] != number {
        *successors = [number, successors[0]];
    }
}

#[cfg(test)]
mod tests;
