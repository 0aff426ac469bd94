//! The log of a file: commits that are small, as records behind the end of the newest large one.
//!
//! - `record`: where a record begins and ends, which commit it follows, and whether it is whole.
//! - `operations`: the payload of a record: the operations of a diff, as bytes and as checked values.

mod operations;
mod record;

pub use operations::{
    LogEdge, LogNode, LogNumbers, LogOperation, LogOperations, LogOperationsBuilder, LogOwner, LogValue,
    LogValues,
};
pub use record::LogRecord;
