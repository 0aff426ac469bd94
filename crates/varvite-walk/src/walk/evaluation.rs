//! [`Evaluation`]: the result of an evaluator for a branch, as two bits.

/// Whether a branch is a result, and whether the walk continues from it: two independent bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation(u8);

const INCLUDES: u8 = 1;
const CONTINUES: u8 = 2;

impl Evaluation {
    /// The branch is a result, and the walk continues from it.
    pub const INCLUDE_AND_CONTINUE: Self = Self(INCLUDES | CONTINUES);
    /// The branch is a result, and the walk does not continue from it.
    pub const INCLUDE_AND_PRUNE: Self = Self(INCLUDES);
    /// The branch is not a result, and the walk continues from it.
    pub const EXCLUDE_AND_CONTINUE: Self = Self(CONTINUES);
    /// The branch is not a result, and the walk does not continue from it.
    pub const EXCLUDE_AND_PRUNE: Self = Self(0);

    /// Makes an evaluation of these two bits.
    #[inline]
    pub const fn of(includes: bool, continues: bool) -> Self {
        Self(includes as u8 | (continues as u8) << 1)
    }

    /// Whether the branch is a result.
    #[inline]
    pub const fn includes(self) -> bool {
        self.0 & INCLUDES != 0
    }

    /// Whether the walk continues from the branch.
    #[inline]
    pub const fn continues(self) -> bool {
        self.0 & CONTINUES != 0
    }

    /// The bits that are set in both evaluations. Several evaluators are combined this way.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The bits that are set in either evaluation.
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
    /// The branch is a result, and the walk continues from it.
    #[inline]
    fn default() -> Self {
        Self::INCLUDE_AND_CONTINUE
    }
}
