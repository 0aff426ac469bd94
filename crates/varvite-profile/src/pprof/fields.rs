//! Field numbers of pprof's message, used by the reader and the writer.

pub(crate) const SAMPLE_TYPE: u64 = 1;
pub(crate) const SAMPLE: u64 = 2;
pub(crate) const MAPPING: u64 = 3;
pub(crate) const LOCATION: u64 = 4;
pub(crate) const FUNCTION: u64 = 5;
pub(crate) const STRING: u64 = 6;
pub(crate) const TIME: u64 = 9;
pub(crate) const DURATION: u64 = 10;
pub(crate) const PERIOD_TYPE: u64 = 11;
pub(crate) const PERIOD: u64 = 12;
pub(crate) const COMMENT: u64 = 13;
pub(crate) const DEFAULT_SAMPLE_TYPE: u64 = 14;
