//! Makes plain records from the parts of a block of runs.

use super::super::Malformed;
use super::super::references::unzigzag;
use super::shape::RUN_RECORDS_MAX;
use super::*;
use crate::bytes::u32_at;
use crate::schema::{REFERENCE_LEN, is_anchor};

type Result<T> = std::result::Result<T, Malformed>;

/// The shapes and histories of a block. Once they are as large as the largest block needs, decoding allocates
/// nothing.
#[derive(Debug, Default)]
pub(crate) struct RunTables {
    /// The records of all shapes, with zeros in place of the values of runs.
    records: Vec<u8>,
    shapes: Vec<Shape>,
    /// The records of shapes whose values depend on those of runs.
    targets: Vec<Target>,
    histories: Vec<History>,
    /// The successors of no shape, and then those of each shape.
    successors: Vec<Successors>,
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    /// The place of its first record, and the number of records.
    record: usize,
    records: usize,
    /// The place of its first target, and the number of targets.
    target: usize,
    targets: usize,
    /// The place of its first history, and the number of values.
    history: usize,
    values: usize,
}

/// A record of a shape, and its value: that of the run with this number, plus an offset.
#[derive(Clone, Copy, Debug)]
struct Target {
    record: u8,
    value: u8,
    offset: u64,
}

/// The parts of a block.
struct Parts<'a> {
    sizes: &'a [u8],
    heads: &'a [u8],
    forms: &'a [u8],
    literals: &'a [u8],
    runs: &'a [u8],
    numbers: (&'a [u8], &'a [u8]),
    codes: &'a [u8],
    planes: [&'a [u8]; 8],
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(len).ok_or(Malformed("parts of the lengths that it names"))?;
    *rest = after;
    Ok(taken)
}

impl<'a> Parts<'a> {
    fn of(split: &'a [u8]) -> Result<Self> {
        let mut rest = split;
        let lengths = take(&mut rest, 4 * LENGTHS)?;
        let length = |at: usize| u32_at(lengths, 4 * at) as usize;
        let [shapes, records, literals, runs, numbers, codes] = [0, 1, 2, 3, 4, 5].map(length);
        let sizes = take(&mut rest, shapes)?;
        let heads = take(&mut rest, records.saturating_mul(4))?;
        let (forms, literals) = (take(&mut rest, records)?, take(&mut rest, literals)?);
        let runs = take(&mut rest, runs)?;
        let numbers = (take(&mut rest, numbers)?, take(&mut rest, numbers)?);
        let codes = take(&mut rest, codes)?;
        let planes = planes_of(codes, rest)?;
        Ok(Self { sizes, heads, forms, literals, runs, numbers, codes, planes })
    }
}

/// The planes of differences; plane n has a byte for each difference of more than n bytes.
fn planes_of<'a>(codes: &[u8], mut rest: &'a [u8]) -> Result<[&'a [u8]; 8]> {
    let mut counts = [0usize; 256];
    codes.iter().for_each(|code| counts[usize::from(*code)] += 1);
    if counts[usize::from(CODES)..].iter().any(|count| *count > 0) {
        return Err(Malformed("codes of values that mean something"));
    }
    let mut planes: [&[u8]; 8] = [&[]; 8];
    for (plane, bytes) in planes.iter_mut().enumerate() {
        let longer = usize::from(CODE_DIFFERENCE) + plane + 1..usize::from(CODE_ABSENT);
        *bytes = take(&mut rest, counts[longer].iter().sum())?;
    }
    if rest.is_empty() { Ok(planes) } else { Err(Malformed("as many bytes as its codes say")) }
}

impl RunTables {
    fn clear(&mut self) {
        self.records.clear();
        self.shapes.clear();
        self.targets.clear();
        self.histories.clear();
        self.successors.clear();
    }

    /// Reads the descriptions of all shapes.
    fn describe(&mut self, parts: &Parts<'_>, anchors: u64) -> Result<()> {
        self.clear();
        if parts.sizes.len() > usize::from(u16::MAX) {
            return Err(Malformed("at most 65,535 shapes"));
        }
        let (mut literals, mut next) = (parts.literals, 0u64);
        let mut at = 0;
        for size in parts.sizes {
            let size = usize::from(*size);
            if !(1..=RUN_RECORDS_MAX).contains(&size) || at + size > parts.forms.len() {
                return Err(Malformed("shapes of 1 to 160 records"));
            }
            let mut shape = self.begin_shape();
            for place in at..at + size {
                let heads = parts.forms.len();
                let head = std::array::from_fn(|byte| parts.heads[byte * heads + place]);
                let form = parts.forms[place];
                let literals = &mut literals;
                let value = self.value_of(&mut shape, form, next, literals)?;
                if is_anchor(anchors, head) && form < FORM_BESIDE && form != FORM_RUN {
                    next = value.wrapping_add(u16::from_le_bytes([head[2], head[3]]).into());
                }
                self.records.extend_from_slice(&head);
                self.records.extend_from_slice(&value.to_le_bytes());
                shape.records += 1;
            }
            at += size;
            self.histories.resize(shape.history + shape.values, History::default());
            self.shapes.push(shape);
        }
        let is_whole = at == parts.forms.len() && literals.is_empty();
        self.successors.resize(self.shapes.len() + 1, [0; 2]);
        if is_whole { Ok(()) } else { Err(Malformed("as many records of shapes as their sizes say")) }
    }

    fn begin_shape(&self) -> Shape {
        let (record, target, history) =
            (self.records.len() / REFERENCE_LEN, self.targets.len(), self.histories.len());
        Shape { record, records: 0, target, targets: 0, history, values: 0 }
    }

    /// The value of the next record of a shape; 0 if it is one of a run or lies beside such a one.
    fn value_of(&mut self, shape: &mut Shape, form: u8, next: u64, literals: &mut &[u8]) -> Result<u64> {
        match form {
            FORM_NEXT => Ok(next),
            FORM_RUN => {
                let value = shape.values as u8;
                shape.values += 1;
                self.add_target(shape, value, 0);
                Ok(0)
            }
            near if near < FORM_BESIDE => Ok(next.wrapping_add(literal(literals, near - FORM_NEAR)?)),
            beside if beside < FORMS => {
                let back = usize::from(take(literals, 1)?[0]);
                let offset = literal(literals, beside - FORM_BESIDE)?;
                self.beside(shape, back, offset)
            }
            _ => Err(Malformed("forms of records that mean something")),
        }
    }

    fn add_target(&mut self, shape: &mut Shape, value: u8, offset: u64) {
        self.targets.push(Target { record: shape.records as u8, value, offset });
        shape.targets += 1;
    }

    /// The value of a record that lies beside an earlier one of its shape.
    fn beside(&mut self, shape: &mut Shape, back: usize, offset: u64) -> Result<u64> {
        let Some(origin) = shape.records.checked_sub(back).filter(|_| back > 0) else {
            return Err(Malformed("records beside earlier ones"));
        };
        let mut targets = self.targets[shape.target..].iter();
        if let Some(target) = targets.find(|target| usize::from(target.record) == origin).copied() {
            self.add_target(shape, target.value, target.offset.wrapping_add(offset));
            return Ok(0);
        }
        let at = (shape.record + origin) * REFERENCE_LEN + 4;
        Ok(crate::bytes::u64_at(&self.records, at).wrapping_add(offset))
    }
}

/// Reads a zigzag number of so many bytes.
fn literal(literals: &mut &[u8], bytes: u8) -> Result<u64> {
    let mut number = [0; 8];
    let taken = take(literals, usize::from(bytes))?;
    number[..taken.len()].copy_from_slice(taken);
    Ok(unzigzag(u64::from_le_bytes(number)))
}

/// The parts of a block that follow its shapes, as far as they are not read yet.
struct Rest<'a> {
    numbers: (&'a [u8], &'a [u8]),
    codes: &'a [u8],
    planes: [&'a [u8]; 8],
    /// The shapes that have run.
    seen: usize,
    before: usize,
    recent: u64,
    shift: u64,
}

/// The values of a run; `None` if the records did not happen.
type Values = [Option<u64>; RUN_RECORDS_MAX];

/// Fills `plain` with the records of a block of runs.
pub(crate) fn decode(split: &[u8], anchors: u64, tables: &mut RunTables, plain: &mut [u8]) -> Result<()> {
    let parts = Parts::of(split)?;
    tables.describe(&parts, anchors)?;
    let Parts { numbers, codes, planes, .. } = parts;
    let mut rest = Rest { numbers, codes, planes, seen: 0, before: 0, recent: 0, shift: 0 };
    let mut values = [None; RUN_RECORDS_MAX];
    let mut plain = plain;
    for run in parts.runs {
        let number = rest.number(*run, tables)?;
        let shape = tables.shapes[number];
        rest.values(*run & CODED != 0, &shape, &mut tables.histories, &mut values)?;
        let written = tables.write(&shape, &values, plain)?;
        plain = std::mem::take(&mut plain).split_at_mut(written).1;
    }
    let is_read = rest.numbers.0.is_empty() && rest.codes.is_empty();
    let is_whole = is_read && plain.is_empty() && rest.seen == tables.shapes.len();
    if is_whole { Ok(()) } else { Err(Malformed("runs that use all parts and make up the block")) }
}

impl Rest<'_> {
    /// The shape of the next run.
    #[inline(always)]
    fn number(&mut self, run: u8, tables: &mut RunTables) -> Result<usize> {
        let successors = &mut tables.successors[self.before];
        let number = match run {
            _ if run >= 2 * CODED => return Err(Malformed("runs that mean something")),
            _ => match run % CODED {
                NEXT_AGAIN => successors[0],
                NEXT_SECOND => successors[1],
                NEXT_NEW => self.seen as u16,
                _ => u16::from_le_bytes([pop(&mut self.numbers.0)?, pop(&mut self.numbers.1)?]),
            },
        };
        let at = usize::from(number);
        if run % CODED == NEXT_NEW {
            let shape = *tables.shapes.get(at).ok_or(Malformed("a shape for each new one that runs"))?;
            tables.histories[shape.history..][..shape.values].fill(History::begin(self.recent));
            self.seen += 1;
        }
        if at >= self.seen {
            return Err(Malformed("shapes that have run before"));
        }
        follow(successors, number);
        self.before = at + 1;
        Ok(at)
    }

    /// The values of a run.
    #[inline(always)]
    fn values(
        &mut self,
        is_coded: bool,
        shape: &Shape,
        histories: &mut [History],
        values: &mut Values,
    ) -> Result<()> {
        let histories = &mut histories[shape.history..][..shape.values];
        let values = &mut values[..shape.values];
        if is_coded {
            let codes = take(&mut self.codes, shape.values)?;
            for ((history, value), code) in histories.iter_mut().zip(&mut *values).zip(codes) {
                *value = self.value(history, *code)?;
            }
        } else {
            for (history, value) in histories.iter_mut().zip(&mut *values) {
                let guess = history.guess();
                history.confirm(guess);
                *value = Some(guess);
            }
        }
        self.recent = values.last().copied().flatten().unwrap_or(self.recent);
        Ok(())
    }

    fn value(&mut self, history: &mut History, code: u8) -> Result<Option<u64>> {
        match code {
            CODE_ABSENT => return Ok(None),
            CODE_STRIDE => {
                let guess = history.guess();
                history.confirm(guess);
            }
            _ => {
                if code != CODE_SHIFT {
                    self.shift = self.difference(code - CODE_DIFFERENCE)?;
                }
                history.learn(self.shift);
            }
        }
        Ok(Some(history.last))
    }

    fn difference(&mut self, bytes: u8) -> Result<u64> {
        let mut difference = 0;
        for (index, plane) in self.planes[..usize::from(bytes)].iter_mut().enumerate() {
            difference |= u64::from(pop(plane)?) << (8 * index);
        }
        Ok(unzigzag(difference))
    }
}

/// Takes the first byte.
#[inline(always)]
fn pop(bytes: &mut &[u8]) -> Result<u8> {
    let (byte, rest) = bytes.split_first().ok_or(Malformed("parts that are long enough"))?;
    *bytes = rest;
    Ok(*byte)
}

impl RunTables {
    /// Writes the records of a run to the front of `plain`. Returns the number of bytes written.
    #[inline(always)]
    fn write(&self, shape: &Shape, values: &Values, plain: &mut [u8]) -> Result<usize> {
        let records = &self.records[REFERENCE_LEN * shape.record..][..REFERENCE_LEN * shape.records];
        let targets = &self.targets[shape.target..][..shape.targets];
        if values[..shape.values].iter().any(Option::is_none) {
            return write_partly(records, targets, values, plain);
        }
        let too_long = Malformed("runs that fit the block");
        let run = plain.get_mut(..records.len()).ok_or(too_long)?;
        run.copy_from_slice(records);
        let run = run.as_chunks_mut::<REFERENCE_LEN>().0;
        for target in targets {
            let value = values[usize::from(target.value)].unwrap_or_default().wrapping_add(target.offset);
            run[usize::from(target.record)][4..].copy_from_slice(&value.to_le_bytes());
        }
        Ok(records.len())
    }
}

/// Writes the records of a run of which some did not happen.
fn write_partly(records: &[u8], targets: &[Target], values: &Values, plain: &mut [u8]) -> Result<usize> {
    let (mut written, mut targets) = (0, targets.iter().peekable());
    for (at, record) in records.as_chunks::<REFERENCE_LEN>().0.iter().enumerate() {
        let mut record = *record;
        if let Some(target) = targets.next_if(|target| usize::from(target.record) == at) {
            let Some(value) = values[usize::from(target.value)] else { continue };
            record[4..].copy_from_slice(&value.wrapping_add(target.offset).to_le_bytes());
        }
        let place = plain.get_mut(written..written + REFERENCE_LEN);
        place.ok_or(Malformed("runs that fit the block"))?.copy_from_slice(&record);
        written += REFERENCE_LEN;
    }
    Ok(written)
}
