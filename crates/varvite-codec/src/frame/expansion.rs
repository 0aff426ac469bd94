//! [`Expansion`]: a limit on the plain length of compressed data.

use thiserror::Error;

/// A limit on the number of plain bytes in compressed data: a multiple of the number of compressed bytes, but
/// at least a fixed number.
///
/// Readers compute the limit from the length of the whole file, if it is known ([`Expansion::of_len`]), else
/// from the number of bytes read so far. So parts of a file may be very repetitive, provided that the whole
/// file is not.
///
/// ```
/// use varvite_codec::frame::Expansion;
///
/// assert_eq!(Expansion::default().plain_len_max(1 << 20), 200 << 20);
/// assert_eq!(Expansion::default().plain_len_max(1 << 10), 64 << 20);
/// assert_eq!(Expansion::new(1000).plain_len_max(1 << 20), 1000 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    ratio: u64,
    free_len: u64,
    stored_len: Option<u64>,
}

impl Expansion {
    /// The default limit of plain bytes for each compressed byte. Real texts and graphs have 3 to 30 plain
    /// bytes for each compressed byte; traces and profiles of loops have 170.
    pub const RATIO: u64 = 200;
    /// The number of plain bytes that is always permitted by default: 64 MiB.
    pub const FREE_LEN: u64 = 64 << 20;
    /// No limit, for data that is trusted.
    pub const UNLIMITED: Self = Self { ratio: u64::MAX, free_len: u64::MAX, stored_len: None };

    /// A limit of `ratio` plain bytes for each compressed byte; 64 MiB are always permitted.
    pub const fn new(ratio: u64) -> Self {
        Self { ratio, free_len: Self::FREE_LEN, stored_len: None }
    }

    /// Changes the number of plain bytes that are always permitted.
    #[must_use]
    pub const fn with_free_len(self, free_len: u64) -> Self {
        Self { free_len, ..self }
    }

    /// The limit for data whose total compressed length is `stored_len`.
    #[must_use]
    pub const fn of_len(self, stored_len: u64) -> Self {
        Self { stored_len: Some(stored_len), ..self }
    }

    /// The permitted number of plain bytes for each compressed byte.
    pub const fn ratio(self) -> u64 {
        self.ratio
    }

    /// The largest permitted number of plain bytes for `stored_len` compressed bytes.
    pub fn plain_len_max(self, stored_len: u64) -> u64 {
        stored_len.saturating_mul(self.ratio).max(self.free_len)
    }

    /// Checks that `plain_len` plain bytes are permitted after `read_len` compressed bytes were read. Takes
    /// constant time.
    ///
    /// # Errors
    /// [`Expanded`], if there are more plain bytes than permitted.
    pub fn check(self, plain_len: u64, read_len: u64) -> Result<(), Expanded> {
        // A file may have grown since its length was read.
        let stored_len = self.stored_len.unwrap_or(0).max(read_len);
        if plain_len <= self.plain_len_max(stored_len) {
            return Ok(());
        }
        Err(Expanded { plain_len, stored_len, ratio_max: self.ratio })
    }
}

impl Default for Expansion {
    /// A limit of [`Expansion::RATIO`] plain bytes for each compressed byte.
    fn default() -> Self {
        Self::new(Self::RATIO)
    }
}

/// The error for data with far more plain bytes than compressed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{stored_len} compressed bytes expand to at least {plain_len}, {ratio} for each; the limit is \
     {ratio_max}. If you trust the file, raise it with --expansion N",
    ratio = self.ratio()
)]
pub struct Expanded {
    /// The least number of plain bytes.
    pub plain_len: u64,
    /// The length of the compressed data in bytes: of all data, or of the part read so far if the total
    /// length is unknown.
    pub stored_len: u64,
    /// The permitted number of plain bytes for each compressed byte.
    pub ratio_max: u64,
}

impl Expanded {
    /// The number of plain bytes for each compressed byte, rounded up.
    pub fn ratio(&self) -> u64 {
        self.plain_len.div_ceil(self.stored_len.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_length_counts_where_it_is_known() {
        let expansion = Expansion::new(10).with_free_len(100);
        assert_eq!(expansion.check(100, 1), Ok(()));
        assert_eq!(expansion.check(101, 1), Err(Expanded { plain_len: 101, stored_len: 1, ratio_max: 10 }));
        assert_eq!(expansion.of_len(11).check(110, 1), Ok(()));
        assert_eq!(expansion.of_len(11).check(111, 12), Ok(()), "the file has grown");
        assert!(expansion.of_len(11).check(111, 1).is_err());
    }

    #[test]
    fn no_length_is_beyond_no_limit() {
        for plain_len in [0, 1, u64::MAX] {
            assert_eq!(Expansion::UNLIMITED.check(plain_len, 0), Ok(()));
            assert_eq!(Expansion::UNLIMITED.of_len(3).check(plain_len, 0), Ok(()));
        }
    }

    #[test]
    fn the_error_says_ratio_limit_and_option() {
        let error = Expansion::default().of_len(65_536).check(70_000_000, 4096).unwrap_err();
        assert_eq!(
            error.to_string(),
            "65536 compressed bytes expand to at least 70000000, 1069 for each; the limit is 200. If you trust the file, raise it with --expansion N"
        );
    }
}
