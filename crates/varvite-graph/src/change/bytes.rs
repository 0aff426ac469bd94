//! Encodes diffs as bytes, so that a program in another language can pass a whole diff in one call
//! (`docs/diff.md`).
//!
//! An encoded diff is a magic number, followed by bytes in the form of a log record. Unlike a log record, it
//! may contain declarations. The source of the bytes is not trusted: memory use is bounded by their length,
//! and an error has the number of the invalid operation.

use std::fmt;

use varvite_format::{ErrorCode, Fault, FormatError, LogOperation, LogOperations, Quantity};

use super::diff::{Diff, PropertyOwner};
use super::operation::{Kind, NAMES_MAX, Operation};
use super::record::{Renumbering, builder_of, put, take};
use crate::change_error::ChangeError;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;

/// The maximum size of an encoded diff in bytes. The limit follows from its counts, which have 32 bits.
const BYTES_MAX: u64 = u32::MAX as u64;

/// The error for bytes that are not an encoded diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffBytesError {
    /// The number of the invalid operation, from 0; `None` if the error is not in an operation.
    pub operation: Option<u64>,
    /// The reason why the bytes are invalid.
    pub fault: Fault,
}

impl DiffBytesError {
    /// The code of this error, which is the same in every language.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::Argument
    }
}

impl fmt::Display for DiffBytesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not an encoded diff: ")?;
        if let Some(operation) = self.operation {
            write!(formatter, "operation {operation}: ")?;
        }
        write!(formatter, "{}", self.fault)
    }
}

impl std::error::Error for DiffBytesError {}

impl Diff {
    /// Decodes a diff. Costs time and memory in proportion to `bytes`.
    ///
    /// # Errors
    /// [`DiffBytesError`] if the bytes are not an encoded diff.
    ///
    /// # Example
    /// ```
    /// use varvite::change::Diff;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut diff = Diff::new();
    /// diff.add_edge("CFG", 7, 8);
    /// let bytes = diff.to_bytes()?;
    /// assert_eq!(Diff::from_bytes(&bytes)?.len(), 1);
    /// assert!(Diff::from_bytes(&bytes[1..]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DiffBytesError> {
        Self::new().read_bytes(bytes)
    }

    /// Decodes a diff into this diff, which must be empty but may have a [memory limit](Self::with_memory).
    ///
    /// # Errors
    /// The errors of [`Self::from_bytes`].
    pub fn read_bytes(mut self, bytes: &[u8]) -> Result<Self, DiffBytesError> {
        let operations = operations_of(bytes).map_err(|fault| DiffBytesError { operation: None, fault })?;
        let (names, count) = (operations.names().to_vec(), u64::from(operations.left()));
        for (number, operation) in (0..).zip(operations) {
            let taken =
                operation.map_err(fault_of).and_then(|operation| take_up(&mut self, &names, operation));
            // Bytes after the last operation are an error that belongs to no operation.
            let operation = (number < count).then_some(number);
            taken.map_err(|fault| DiffBytesError { operation, fault })?;
        }
        Ok(self)
    }

    /// Encodes the diff as bytes, which [`Self::from_bytes`] decodes.
    ///
    /// # Errors
    /// An earlier failure to store an operation on disk; [`ChangeError::TooLarge`] for more than 4 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ChangeError> {
        let mut builder = builder_of(self);
        self.for_each(&Kind::ALL, |_, operation, chunk| -> Result<(), ChangeError> {
            match operation {
                Operation::DeclareLabel { name } => builder.declare_label(name),
                Operation::DeclareEdgeLabel { name } => builder.declare_edge_label(name),
                Operation::DeclareProperty { name, edge_label, value_type, cardinality } => {
                    builder.declare_property(name, edge_label, value_type as u8, cardinality as u8);
                }
                other => put(&mut builder, other, chunk),
            }
            Ok(())
        })?;
        let bytes = builder.build_diff();
        match bytes.len() as u64 {
            ..=BYTES_MAX => Ok(bytes),
            found => Err(ChangeError::TooLarge { what: Quantity::Diff, found, limit: BYTES_MAX }),
        }
    }
}

/// The operations of an encoded diff; their names are already decoded.
///
/// # Errors
/// An error that concerns the bytes as a whole.
pub(crate) fn operations_of(bytes: &[u8]) -> Result<LogOperations<'_>, Fault> {
    check_count("bytes", bytes.len() as u64, BYTES_MAX)?;
    let operations = LogOperations::read_diff(bytes).map_err(fault_of)?;
    check_count("names", operations.names().len() as u64, NAMES_MAX as u64)?;
    Ok(operations)
}

/// The type and cardinality of a declared property, from their numbers.
///
/// # Errors
/// An unknown type or cardinality.
pub(crate) fn declared_kind(value_type: u8, cardinality: u8) -> Result<(ValueType, Cardinality), Fault> {
    let unknown = |what, found: u8| Fault::Unknown { what, found: found.into() };
    let kind = ValueType::from_number(value_type).ok_or_else(|| unknown("type", value_type))?;
    let many = Cardinality::from_number(cardinality).ok_or_else(|| unknown("cardinality", cardinality))?;
    Ok((kind, many))
}

fn take_up(diff: &mut Diff, names: &[&str], operation: LogOperation<'_>) -> Result<(), Fault> {
    let name = |number: u32| names[number as usize];
    match operation {
        LogOperation::DeclareLabel { name: label } => diff.declare_label(name(label)),
        LogOperation::DeclareEdgeLabel { name: label } => diff.declare_edge_label(name(label)),
        LogOperation::DeclareProperty { name: property, edge_label, value_type, cardinality } => {
            let (kind, many) = declared_kind(value_type, cardinality)?;
            let owner = edge_label.map_or(PropertyOwner::Nodes, |label| PropertyOwner::Edges(name(label)));
            diff.declare_property(name(property), owner, kind, many);
        }
        LogOperation::AddNode { .. } => {
            let sets = diff.label_sets.all().len() as u64;
            check_count("sets of labels", sets + 1, NAMES_MAX as u64)?;
            take(diff, names, operation, &Renumbering::NONE);
        }
        other => take(diff, names, other, &Renumbering::NONE),
    }
    Ok(())
}

fn check_count(what: &'static str, found: u64, most: u64) -> Result<(), Fault> {
    if found > most { Err(Fault::TooMany { what, most, found }) } else { Ok(()) }
}

/// The fault that a format error contains.
pub(crate) fn fault_of(error: FormatError) -> Fault {
    match error {
        FormatError::Damaged { fault, .. } => fault,
        other => unreachable!("operations are read or damaged: {other}"),
    }
}
