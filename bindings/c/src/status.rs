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
    /// A pointer into the mapped file or the graph's memory is returned: nothing to release.
    Borrowed = 3,
    /// A pointer to the value is returned with a pin that keeps the value in memory: release the pin.
    Pinned = 4,
}

impl Status {
    /// All statuses, with the names of their constants without the prefix `VARVITE_`.
    #[cfg(test)]
    pub(crate) const ALL: [(Self, &str); 5] = [
        (Self::Ok, "OK"),
        (Self::Absent, "ABSENT"),
        (Self::Filled, "FILLED"),
        (Self::Borrowed, "BORROWED"),
        (Self::Pinned, "PINNED"),
    ];
}
