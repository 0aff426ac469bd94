//! Zip files, whose components are read one by one. A component is deflated or plain, and has a CRC-32.
//!
//! `rawzip` parses the structure: end record, central directory, local headers, and their 64-bit forms. This
//! module adds the limits, the checks that `rawzip` leaves to its users, and the decoding. Only the central
//! directory is used; local headers are skipped.

mod component;
mod positioned;
mod reader;
mod writer;

pub use component::{Component, ComponentReader};
pub use reader::ZipReader;
pub use writer::{ComponentWriter, ZipWriter};

use rawzip::{Error, ErrorKind};

use super::{FrameError, FrameProblem};

const FORMAT: &str = "zip";

/// The running CRC-32 of a component.
#[derive(Default)]
struct Sum(u32);

impl Sum {
    fn update(&mut self, bytes: &[u8]) {
        self.0 = zlib_rs::crc32::crc32(self.0, bytes);
    }
}

fn error_at(offset: u64, problem: impl Into<FrameProblem>) -> FrameError {
    FrameError { format: FORMAT, offset, problem: problem.into() }
}

/// Converts an error that `rawzip` reported at about `offset`.
fn structural(offset: u64, error: Error) -> FrameError {
    let problem = match error.into_kind() {
        ErrorKind::IO(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            FrameProblem::Truncated { what: "zip file", missing: 1 }
        }
        ErrorKind::IO(error) => FrameProblem::Io(error),
        ErrorKind::Eof => FrameProblem::Truncated { what: "zip file", missing: 1 },
        ErrorKind::MissingEndOfCentralDirectory => FrameProblem::Damaged {
            detail: "there is no end record: the file was cut off, or is no zip file",
        },
        ErrorKind::InvalidEndOfCentralDirectory => {
            FrameProblem::Damaged { detail: "the end record does not lead to a central directory" }
        }
        ErrorKind::InvalidSignature { .. } => {
            FrameProblem::Damaged { detail: "a header does not have its signature" }
        }
        _ => FrameProblem::Damaged { detail: "an impossible header" },
    };
    error_at(offset, problem)
}
