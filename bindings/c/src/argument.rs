//! Arguments of exported functions: each argument is checked before the function's body runs.

use crate::failure::Failure;

/// An argument as C passes it.
pub(crate) trait Argument {
    /// The checked type.
    type Checked;

    /// Checks the argument; `name` is its name in error messages.
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
