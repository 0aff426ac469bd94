//! [`RunShape`]: the records of a run, apart from the values that each run brings.

use crate::schema::REFERENCE_LEN;

/// The most records of a shape. A run takes at least a byte, so runs of this length stay within the limit of
/// a trace's expansion.
pub const RUN_RECORDS_MAX: usize = 160;

/// A record of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// The type and size, as they lie in the record.
    pub head: [u8; 4],
    /// The origin of the value.
    pub value: RunValue,
}

/// The origin of the value of a record in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunValue {
    /// The same in each run.
    Fixed(u64),
    /// A value that each run brings. The values of a run are in the order of these records.
    OfRun,
    /// The value of an earlier record of the same run, plus an offset.
    Beside {
        /// The number of records back, from 1.
        back: u8,
        /// The offset, which wraps at 64 bits.
        offset: u64,
    },
}

/// The records of a run. One shape serves any number of [encoders](super::RunEncoder).
///
/// **Memory**: 16 bytes for each record, one for each value of a run, and some 70 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunShape {
    pub(super) key: u32,
    records: Box<[Packed]>,
    /// For each value of a run, the number of records that have it or lie beside it.
    pub(super) uses: Box<[u8]>,
}

/// A [`RunRecord`] in 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed {
    /// The fixed value, or the offset.
    number: u64,
    head: [u8; 4],
    /// [`FIXED`], [`OF_RUN`], or the number of records back.
    origin: u8,
}

const FIXED: u8 = 0;
const OF_RUN: u8 = 255;

impl RunShape {
    /// Makes a shape. An encoder knows shapes by their key, so keys should be small and must differ. `None`
    /// without records, with more than [`RUN_RECORDS_MAX`], or if a record lies beside none.
    pub fn new(key: u32, records: &[RunRecord]) -> Option<Self> {
        if records.is_empty() || records.len() > RUN_RECORDS_MAX {
            return None;
        }
        let mut uses = Vec::new();
        let mut values: Vec<Option<usize>> = Vec::with_capacity(records.len());
        for (at, record) in records.iter().enumerate() {
            let value = match record.value {
                RunValue::Fixed(_) => None,
                RunValue::OfRun => {
                    uses.push(0);
                    Some(uses.len() - 1)
                }
                RunValue::Beside { back, .. } => {
                    let back = usize::from(back);
                    (1..=at).contains(&back).then(|| values[at - back])?
                }
            };
            value.iter().for_each(|value| uses[*value] += 1);
            values.push(value);
        }
        let records = records.iter().map(|record| Packed::of(*record)).collect();
        Some(Self { key, records, uses: uses.into() })
    }

    /// The key.
    pub fn key(&self) -> u32 {
        self.key
    }

    /// The number of records of a run, if no value is absent.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records, which is never so.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The number of values of a run.
    pub fn values(&self) -> usize {
        self.uses.len()
    }

    /// The records of a run with these values. A record whose value is `None` or missing is left out, with
    /// those beside it.
    pub fn expand(&self, values: impl IntoIterator<Item = Option<u64>>) -> Vec<[u8; REFERENCE_LEN]> {
        let (mut values, mut expanded) = (values.into_iter(), Vec::with_capacity(self.len()));
        for (at, record) in self.described().enumerate() {
            let value = match record.value {
                RunValue::Fixed(value) => Some(value),
                RunValue::OfRun => values.next().flatten(),
                RunValue::Beside { back, offset } => {
                    let origin: Option<([u8; 4], u64)> = expanded[at - usize::from(back)];
                    origin.map(|(_, value)| value.wrapping_add(offset))
                }
            };
            expanded.push(value.map(|value| (record.head, value)));
        }
        let bytes = |(head, value): ([u8; 4], u64)| {
            let mut record = [0; REFERENCE_LEN];
            record[..4].copy_from_slice(&head);
            record[4..].copy_from_slice(&value.to_le_bytes());
            record
        };
        expanded.into_iter().flatten().map(bytes).collect()
    }

    pub(super) fn described(&self) -> impl Iterator<Item = RunRecord> {
        self.records.iter().map(|record| record.unpacked())
    }

    /// The bytes of the records of a run.
    #[inline(always)]
    pub(super) fn plain_len(&self) -> usize {
        self.records.len() * REFERENCE_LEN
    }

    /// The most bytes that the description and a run take in a block.
    #[inline(always)]
    pub(super) fn worst(&self) -> usize {
        1 + 14 * self.records.len() + 3 + 9 * self.uses.len()
    }
}

impl Packed {
    fn of(record: RunRecord) -> Self {
        let (origin, number) = match record.value {
            RunValue::Fixed(value) => (FIXED, value),
            RunValue::OfRun => (OF_RUN, 0),
            RunValue::Beside { back, offset } => (back, offset),
        };
        Self { number, head: record.head, origin }
    }

    fn unpacked(self) -> RunRecord {
        let value = match self.origin {
            FIXED => RunValue::Fixed(self.number),
            OF_RUN => RunValue::OfRun,
            back => RunValue::Beside { back, offset: self.number },
        };
        RunRecord { head: self.head, value }
    }
}
