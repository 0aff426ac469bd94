package varvite.walk;

/**
 * Whether a branch is one of the results, and whether the walk goes on behind it: two bits that have nothing
 * to do with each other.
 */
public enum Evaluation {
    /** No result, and no further. */
    EXCLUDE_AND_PRUNE,
    /** A result, and no further. */
    INCLUDE_AND_PRUNE,
    /** No result, but on. */
    EXCLUDE_AND_CONTINUE,
    /** A result, and on. */
    INCLUDE_AND_CONTINUE;

    static final int INCLUDES = 1;
    static final int CONTINUES = 2;
    static final int BOTH = INCLUDES | CONTINUES;

    private static final Evaluation[] NUMBERED = values();

    /** Both bits. */
    final int bits = ordinal();

    /** The evaluation of these two bits. */
    public static Evaluation of(boolean includes, boolean continues) {
        return NUMBERED[(includes ? INCLUDES : 0) | (continues ? CONTINUES : 0)];
    }

    /** Whether the branch is a result. */
    public boolean includes() {
        return (bits & INCLUDES) != 0;
    }

    /** Whether the walk goes on behind the branch. */
    public boolean continues() {
        return (bits & CONTINUES) != 0;
    }

    /** Both bits together with those of another evaluation: the result of several evaluators. */
    public Evaluation and(Evaluation other) {
        return NUMBERED[bits & other.bits];
    }

    /** The name in JSON. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
