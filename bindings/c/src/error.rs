//! `varvite_error`: the caller's struct that receives the reason for a failure.
//!
//! An error needs no allocation. It is not in thread-local state, because a virtual thread or a coroutine may
//! resume on another thread before it reads the error. The struct begins with its size, so that later
//! versions may add fields: an older caller gets only the fields that it knows.

use std::mem::{MaybeUninit, offset_of};

use crate::c_type::{CType, Char};
use crate::failure::Failure;
use crate::pointer::{SizedOut, c_struct};
use crate::room::copy;

/// The size of the message buffer in bytes, including the zero at the end.
const MESSAGE: usize = 496;
/// The value of `Error::operation` if the failure belongs to no operation of a diff.
pub(crate) const NO_OPERATION: u64 = u64::MAX;
/// The smallest accepted size of an error struct: one that can hold an empty message.
const LEAST: usize = offset_of!(Error, message) + 1;

c_struct! {
    /// The error of a failed call.
    Error = "varvite_error" {
        /// Size of this struct, set by the caller.
        size: u32,
        /// The error number that the call returned.
        code: i32,
        /// The operating system's error number (`errno`), or 0.
        os_number: i32,
        /// The length of the whole message in bytes, which may exceed `message`.
        message_length: u32,
        /// The message with a zero after it; a message that is too long is cut between two characters.
        message: [Char; MESSAGE],
        /// The index, from 0, of the diff operation that was refused; or `NO_OPERATION`.
        operation: u64,
    }
}

/// A pointer to the caller's error struct; may be null.
#[repr(transparent)]
pub(crate) struct ErrorOut<'c>(SizedOut<'c, Error>);

impl CType for ErrorOut<'_> {
    fn declare(name: &str) -> String {
        SizedOut::<Error>::declare(name)
    }
}

impl<'c> ErrorOut<'c> {
    /// A null pointer, as if the caller passed no error struct.
    pub(crate) fn none() -> Self {
        Self(SizedOut::null())
    }

    /// Checks the size of the caller's error struct, if there is one.
    pub(crate) fn check(self) -> Result<ErrorRoom<'c>, Failure> {
        Ok(ErrorRoom(self.0.bytes("error", LEAST)?))
    }
}

/// The bytes of the caller's error struct after the field `size`; `None` if the caller passed null.
pub(crate) struct ErrorRoom<'c>(Option<&'c mut [MaybeUninit<u8>]>);

impl ErrorRoom<'_> {
    /// Writes the failure to the caller's error struct.
    pub(crate) fn report(&mut self, failure: &Failure) {
        let Some(room) = &mut self.0 else { return };
        let message = failure.to_string();
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        let (head, rest) = room.split_at_mut(LEAST - 1 - size_of::<u32>());
        let (rest, last) = rest.split_at_mut(rest.len().min(MESSAGE));
        let operation = failure.operation().unwrap_or(NO_OPERATION).to_ne_bytes();
        if last.len() >= operation.len() {
            copy(last, &operation);
        }
        let fields =
            [failure.code().number().to_ne_bytes(), failure.os_number().to_ne_bytes(), length.to_ne_bytes()];
        copy(head, fields.as_flattened());
        let fits = whole_letters(&message, rest.len() - 1);
        copy(rest, fits.as_bytes());
        rest[fits.len()].write(0);
    }
}

/// The longest prefix of whole characters that has at most `limit` bytes.
fn whole_letters(text: &str, limit: usize) -> &str {
    let ends = text.char_indices().map(|(start, letter)| start + letter.len_utf8());
    let end = ends.take_while(|end| *end <= limit).last().unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_between_letters() {
        assert_eq!(whole_letters("grün", 2), "gr");
        assert_eq!(whole_letters("grün", 3), "gr");
        assert_eq!(whole_letters("grün", 4), "grü");
        assert_eq!(whole_letters("grün", 99), "grün");
        assert_eq!(whole_letters("ü", 1), "");
    }
}
