//! Arguments of calls: each is checked before the body of its call begins.

use crate::failure::Failure;

/// An argument as it comes from C.
pub(crate) trait Argument {
    /// The checked type.
    type Checked;

    /// Checks it; `name` is for the message.
    fn check(self, name: &'static str) -> Result<Self::Checked, Failure>;
}

macro_rules! taken_as_they_are {
    ($($type:ty),+) => {
        $(impl Argument for $type {
            type Checked = Self;

            fn check(self, _name: &'static str) -> Result<Self, Failure> {
                Ok(self)
            }
        })+
    };
}

taken_as_they_are!(u8, u32, u64, i64);
