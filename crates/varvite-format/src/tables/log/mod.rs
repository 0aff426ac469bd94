//! The log of a file: small commits as records after the end of the newest large commit.
//!
//! - `record`: the head of a record: its length, the commit that it follows, and the checksums that show
//!   whether it is whole.
//! - `operations`: the payload of a record: the operations of a diff, as bytes and as checked values.

mod operations;
mod record;

pub use operations::{
    LogEdge, LogNode, LogNumbers, LogOperation, LogOperations, LogOperationsBuilder, LogOwner, LogValue,
    LogValues,
};
pub use record::LogRecord;
