package varvite.walk;

/**
 * The result of an evaluator: whether a branch is a result, and whether the walk continues from it. The two
 * bits are independent.
 */
public enum Evaluation {
    /** The branch is not a result, and the walk does not continue from it. */
    EXCLUDE_AND_PRUNE,
    /** The branch is a result, and the walk does not continue from it. */
    INCLUDE_AND_PRUNE,
    /** The branch is not a result, and the walk continues from it. */
    EXCLUDE_AND_CONTINUE,
    /** The branch is a result, and the walk continues from it. */
    INCLUDE_AND_CONTINUE;

    static final int INCLUDES = 1;
    static final int CONTINUES = 2;
    static final int BOTH = INCLUDES | CONTINUES;

    private static final Evaluation[] NUMBERED = values();

    /** The two bits of the evaluation. */
    final int bits = ordinal();

    /** The evaluation with these two bits. */
    public static Evaluation of(boolean includes, boolean continues) {
        return NUMBERED[(includes ? INCLUDES : 0) | (continues ? CONTINUES : 0)];
    }

    /** Whether the branch is a result. */
    public boolean includes() {
        return (bits & INCLUDES) != 0;
    }

    /** Whether the walk continues from the branch. */
    public boolean continues() {
        return (bits & CONTINUES) != 0;
    }

    /** The combined evaluation of two evaluators: each bit is set if it is set in both. */
    public Evaluation and(Evaluation other) {
        return NUMBERED[bits & other.bits];
    }

    /** The name of the evaluation in JSON. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
