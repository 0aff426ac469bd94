package varvite.walk;

/** The scope in which a node or an edge may occur only once. */
public final class Within {
    /** The whole walk. */
    public static final Within WALK = new Within(Kind.WALK, 0);
    /** The branch, beginning at its start node. */
    public static final Within PATH = new Within(Kind.PATH, 0);
    /** All branches of the same depth. */
    public static final Within DEPTH = new Within(Kind.DEPTH, 0);

    enum Kind {
        WALK,
        PATH,
        RECENT,
        DEPTH
    }

    final Kind kind;
    final int count;

    private Within(Kind kind, int count) {
        this.kind = kind;
        this.count = count;
    }

    /**
     * The last {@code count} nodes or edges that the walk has visited. A refused node or edge is not added
     * again.
     *
     * @throws IllegalArgumentException if the count is negative
     */
    public static Within recent(int count) {
        return new Within(Kind.RECENT, Evaluator.checkNotNegative("recent", count));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Within within && kind == within.kind && count == within.count;
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + count;
    }

    /** The scope as JSON. */
    @Override
    public String toString() {
        return kind == Kind.RECENT ? "{\"recent\":" + count + "}" : "\"" + kind.name().toLowerCase(java.util.Locale.ROOT) + "\"";
    }
}
