//! Results of successful calls.

/// The result of a successful call. Failures are below zero: see `varvite::ErrorCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Status {
    /// The call succeeded.
    Ok = 0,
    /// There is no value.
    Absent = 1,
    /// The value was copied into the caller's buffer.
    Filled = 2,
    /// The value is returned in place in the file: nothing to release.
    Borrowed = 3,
    /// The value is handed out, and a pin keeps it: release that.
    Pinned = 4,
}

impl Status {
    /// All of them, with the names of their constants after `VARVITE_`.
    #[cfg(test)]
    pub(crate) const ALL: [(Self, &str); 5] = [
        (Self::Ok, "OK"),
        (Self::Absent, "ABSENT"),
        (Self::Filled, "FILLED"),
        (Self::Borrowed, "BORROWED"),
        (Self::Pinned, "PINNED"),
    ];
}
