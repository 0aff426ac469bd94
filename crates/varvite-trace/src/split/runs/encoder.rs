//! [`RunEncoder`]: collects the runs of a thread in a block.

use std::collections::HashMap;

use super::super::references::zigzag;
use super::content::{RunBlock, RunLimits};
use super::shape::{RUN_RECORDS_MAX, RunRecord, RunShape, RunValue};
use super::*;
use crate::schema::{REFERENCE_LEN, is_anchor};

/// A shape of the block.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The place of its first value in `histories`.
    history: u32,
    values: u16,
    records: u16,
}

/// Collects the runs of a thread, until a block is full.
///
/// **Cost**: a run costs a look-up, and a comparison for each of its values. **Memory**: two bytes for each
/// key up to the largest one, 24 bytes for each value of the shapes of the block, and the block, which takes
/// some bytes for each run.
#[derive(Debug)]
pub struct RunEncoder {
    anchors: u64,
    limits: RunLimits,
    /// For each key, one more than the number of its shape in the block; 0 if the block has none.
    numbers: Vec<u16>,
    /// The same for the shapes of single records, by the heads of these.
    singles: HashMap<[u8; 4], u16>,
    /// The keys of the block's shapes in `numbers`.
    keys: Vec<u32>,
    shapes: Vec<Known>,
    histories: Vec<History>,
    /// The successors of no shape, which precedes the first run, and then those of each shape.
    successors: Vec<Successors>,
    /// The shape of the last run, as an index into `successors`.
    before: usize,
    /// The last value of a run of the block.
    recent: u64,
    /// The last difference of the block.
    shift: u64,
    /// The address after the last instruction of the shapes so far.
    next: u64,
    /// The number of bytes of the block so far.
    used: usize,
    time: u64,
    marked: u64,
    /// The codes of a run.
    codes: Box<[u8; RUN_RECORDS_MAX]>,
    block: RunBlock,
}

impl RunEncoder {
    pub(crate) fn new(anchors: u64, limits: RunLimits) -> Self {
        Self {
            anchors,
            limits,
            numbers: Vec::new(),
            singles: HashMap::new(),
            keys: Vec::new(),
            shapes: Vec::new(),
            histories: Vec::new(),
            successors: vec![[0; 2]],
            before: 0,
            recent: 0,
            shift: 0,
            next: 0,
            used: 4 * LENGTHS,
            time: 0,
            marked: 0,
            codes: Box::new([0; RUN_RECORDS_MAX]),
            block: RunBlock::default(),
        }
    }

    /// An estimate of the memory of the block and of what the encoder knows for it, in bytes.
    pub fn memory(&self) -> usize {
        let known = self.histories.len() * size_of::<History>() + self.shapes.len() * 16;
        self.used + known + 2 * self.numbers.len() + self.block.times.len() * 16
    }

    /// The time of the records that follow, in the unit of the trace.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Sets the time of the records that follow, unless their time is already later.
    pub fn advance_time(&mut self, time: u64) {
        self.time = self.time.max(time);
    }

    /// Whether the block has room for a run of this shape.
    #[inline]
    pub fn has_room(&self, shape: &RunShape) -> bool {
        self.block.records * REFERENCE_LEN + shape.plain_len() <= self.limits.plain
            && self.used + shape.worst() <= self.limits.split
            && self.block.times.len() < self.limits.times
            && self.shapes.len() < usize::from(u16::MAX)
    }

    /// Adds a run, if the block has room for it. A value is `None` if its record, and those that lie beside
    /// it, did not happen; missing values count as `None`. Returns the number of records; `None` without
    /// room.
    #[inline]
    pub fn push(&mut self, shape: &RunShape, values: impl Iterator<Item = Option<u64>>) -> Option<usize> {
        if !self.has_room(shape) {
            return None;
        }
        let known = self.numbers.get(shape.key as usize).copied().unwrap_or(0);
        let number = if known == 0 { self.add_keyed(shape) } else { known };
        Some(self.push_known(number, known == 0, &shape.uses, values))
    }

    /// Adds a run with all its values, as [`Self::push`] does, if the block has runs of the shape with this
    /// key. This is faster, because it needs no shape. False if there is no such run or no room, and for too
    /// few values.
    #[inline]
    pub fn push_again(&mut self, key: u32, values: &[[u8; 8]]) -> bool {
        let number = self.numbers.get(key as usize).copied().unwrap_or(0);
        let Some(known) = usize::from(number).checked_sub(1).map(|at| self.shapes[at]) else { return false };
        let records = self.block.records + usize::from(known.records);
        let has_room = records * REFERENCE_LEN <= self.limits.plain
            && self.used + 3 + 9 * usize::from(known.values) <= self.limits.split
            && self.block.times.len() < self.limits.times;
        if !has_room || values.len() < usize::from(known.values) {
            return false;
        }
        self.push_known(number, false, &[], values.iter().map(|value| Some(u64::from_le_bytes(*value))));
        true
    }

    /// Adds a record as a run of its own. False if the block has no room for it.
    pub fn push_record(&mut self, record: &[u8; REFERENCE_LEN]) -> bool {
        let [k0, k1, s0, s1, value @ ..] = *record;
        let head = [k0, k1, s0, s1];
        let Some(shape) = RunShape::new(0, &[RunRecord { head, value: RunValue::OfRun }]) else {
            return false;
        };
        if !self.has_room(&shape) {
            return false;
        }
        let known = self.singles.get(&head).copied();
        let number = known.unwrap_or_else(|| self.add_shape(&shape));
        self.singles.insert(head, number);
        let value = Some(u64::from_le_bytes(value));
        self.push_known(number, known.is_none(), &shape.uses, std::iter::once(value));
        true
    }

    /// Ends the block: leaves it in `filled`, and goes on with the memory that `filled` had.
    pub fn end_block(&mut self, filled: &mut RunBlock) {
        filled.clear();
        std::mem::swap(&mut self.block, filled);
        for key in self.keys.drain(..) {
            self.numbers[key as usize] = 0;
        }
        self.singles.clear();
        self.shapes.clear();
        self.histories.clear();
        self.successors.clear();
        self.successors.push([0; 2]);
        (self.before, self.recent, self.shift, self.next) = (0, 0, 0, 0);
        self.used = 4 * LENGTHS;
    }

    /// Frees the memory of a block that has ended.
    pub fn free(&mut self) {
        let Self { time, marked, .. } = *self;
        *self = Self { time, marked, ..Self::new(self.anchors, self.limits) };
    }

    /// Whether the block has no records.
    pub fn is_empty(&self) -> bool {
        self.block.is_empty()
    }

    /// Adds a run of a shape of the block. `uses` are those of the shape, for values that are `None`.
    #[inline(always)]
    fn push_known(
        &mut self,
        number: u16,
        is_new: bool,
        uses: &[u8],
        mut values: impl Iterator<Item = Option<u64>>,
    ) -> usize {
        if self.time != self.marked {
            self.mark_time();
        }
        let known = self.shapes[usize::from(number) - 1];
        let histories = &mut self.histories[known.history as usize..][..usize::from(known.values)];
        let (mut coded, mut absent, mut recent) = (0, 0, None);
        for (at, (history, code)) in histories.iter_mut().zip(&mut *self.codes).enumerate() {
            recent = values.next().flatten();
            *code = match recent {
                Some(value) if value == history.guess() => {
                    history.confirm(value);
                    CODE_STRIDE
                }
                Some(value) => {
                    let step = value.wrapping_sub(history.last);
                    history.learn(step);
                    differ(&mut self.block, step, &mut self.shift)
                }
                None => {
                    absent += usize::from(uses.get(at).copied().unwrap_or(0));
                    CODE_ABSENT
                }
            };
            coded |= *code;
        }
        self.recent = recent.unwrap_or(self.recent);
        self.end_run(number - 1, is_new, coded != 0, usize::from(known.values));
        let records = usize::from(known.records) - absent;
        self.block.records += records;
        records
    }

    /// Notes the shape of a run, and the codes of its values if one of them was not as guessed.
    #[inline(always)]
    fn end_run(&mut self, number: u16, is_new: bool, is_coded: bool, values: usize) {
        let successors = &mut self.successors[self.before];
        let next = match *successors {
            _ if is_new => NEXT_NEW,
            [again, _] if again == number => NEXT_AGAIN,
            [_, second] if second == number => NEXT_SECOND,
            _ => {
                self.block.numbers.push(number);
                self.used += 2;
                NEXT_NUMBER
            }
        };
        follow(successors, number);
        self.before = usize::from(number) + 1;
        self.block.runs.push(if is_coded { next | CODED } else { next });
        self.used += 1;
        if is_coded {
            self.block.codes.extend_from_slice(&self.codes[..values]);
            self.used = self.block.split_len();
        }
    }

    #[cold]
    fn mark_time(&mut self) {
        let record = self.block.records;
        match self.block.times.last_mut() {
            Some((at, time)) if *at == record => *time = self.time,
            _ => self.block.times.push((record, self.time)),
        }
        self.marked = self.time;
    }

    #[cold]
    fn add_keyed(&mut self, shape: &RunShape) -> u16 {
        let key = shape.key as usize;
        if self.numbers.len() <= key {
            self.numbers.resize(key + 1, 0);
        }
        let number = self.add_shape(shape);
        self.numbers[key] = number;
        self.keys.push(shape.key);
        number
    }

    /// Describes a shape in the block. Returns one more than its number.
    fn add_shape(&mut self, shape: &RunShape) -> u16 {
        let (history, values) = (self.histories.len() as u32, shape.values() as u16);
        self.shapes.push(Known { history, values, records: shape.len() as u16 });
        self.histories.extend(shape.uses.iter().map(|_| History::begin(self.recent)));
        self.successors.push([0; 2]);
        self.block.sizes.push(shape.len() as u8);
        shape.described().for_each(|record| self.describe(record));
        self.used = self.block.split_len();
        self.shapes.len() as u16
    }

    fn describe(&mut self, record: RunRecord) {
        let block = &mut self.block;
        block.heads.push(record.head);
        let (of_same, difference) = match record.value {
            RunValue::OfRun => {
                block.forms.push(FORM_RUN);
                return;
            }
            RunValue::Fixed(value) => {
                let difference = zigzag(value.wrapping_sub(self.next));
                if is_anchor(self.anchors, record.head) {
                    let [_, _, s0, s1] = record.head;
                    self.next = value.wrapping_add(u16::from_le_bytes([s0, s1]).into());
                }
                (if difference == 0 { FORM_NEXT } else { FORM_NEAR }, difference)
            }
            RunValue::Beside { back, offset } => {
                block.literals.push(back);
                (FORM_BESIDE, zigzag(offset))
            }
        };
        let bytes = bytes_of(difference);
        block.forms.push(of_same + bytes);
        block.literals.extend_from_slice(&difference.to_le_bytes()[..usize::from(bytes)]);
    }
}

/// The code of a value that differs from the last one by `step`.
#[inline(always)]
fn differ(block: &mut RunBlock, step: u64, shift: &mut u64) -> u8 {
    if step == std::mem::replace(shift, step) {
        return CODE_SHIFT;
    }
    let difference = zigzag(step);
    let bytes = bytes_of(difference);
    if bytes > 0 {
        block.differences.push(difference.to_le_bytes());
        block.differences_len += usize::from(bytes);
    }
    CODE_DIFFERENCE + bytes
}

/// The number of bytes of a number without its leading zeros.
#[inline(always)]
fn bytes_of(number: u64) -> u8 {
    (71 - number.leading_zeros() as u8) / 8
}
