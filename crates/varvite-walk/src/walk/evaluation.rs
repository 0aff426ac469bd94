//! [`Evaluation`]: the fate of a branch, as two bits.

/// Whether a branch is one of the results, and whether the walk goes on behind it: two bits that have nothing
/// to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation(u8);

const INCLUDES: u8 = 1;
const CONTINUES: u8 = 2;

impl Evaluation {
    /// A result, and on.
    pub const INCLUDE_AND_CONTINUE: Self = Self(INCLUDES | CONTINUES);
    /// A result, and no further.
    pub const INCLUDE_AND_PRUNE: Self = Self(INCLUDES);
    /// No result, but on.
    pub const EXCLUDE_AND_CONTINUE: Self = Self(CONTINUES);
    /// No result, and no further.
    pub const EXCLUDE_AND_PRUNE: Self = Self(0);

    /// The evaluation of these two bits.
    #[inline]
    pub const fn of(includes: bool, continues: bool) -> Self {
        Self(includes as u8 | (continues as u8) << 1)
    }

    /// Whether the branch is a result.
    #[inline]
    pub const fn includes(self) -> bool {
        self.0 & INCLUDES != 0
    }

    /// Whether the walk goes on behind the branch.
    #[inline]
    pub const fn continues(self) -> bool {
        self.0 & CONTINUES != 0
    }

    /// Both bits together with those of another evaluation: the result of several evaluators.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The bits of either.
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The bits in which two evaluations differ.
    #[inline]
    pub(super) const fn differs(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Default for Evaluation {
    /// A result, and on.
    #[inline]
    fn default() -> Self {
        Self::INCLUDE_AND_CONTINUE
    }
}
