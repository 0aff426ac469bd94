package varvite.walk;

import java.util.Objects;

/**
 * The rule for repeated visits of a node or repeated use of an edge: nine levels.
 *
 * <p>The walk checks it when it visits a branch, in the order of the walk; a refused branch is not evaluated,
 * and nothing behind it is read. Start nodes count as visited before the first step. An edge is the same edge
 * from both of its ends. A step that a caller's function made without an edge passes every rule on edges.
 */
public final class Uniqueness {
    /**
     * As often as there are ways to it. On a graph with cycles such a walk has no end, unless evaluators end
     * it.
     */
    public static final Uniqueness NONE = new Uniqueness(false, null);

    final boolean isOfEdges;
    /** Null for none. */
    final Within within;

    private Uniqueness(boolean isOfEdges, Within within) {
        this.isOfEdges = isOfEdges;
        this.within = within;
    }

    /** A node once in a scope. */
    public static Uniqueness nodes(Within within) {
        return new Uniqueness(false, Objects.requireNonNull(within));
    }

    /** An edge once in a scope; nodes as often as edges lead there. */
    public static Uniqueness edges(Within within) {
        return new Uniqueness(true, Objects.requireNonNull(within));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Uniqueness uniqueness
                && isOfEdges == uniqueness.isOfEdges
                && Objects.equals(within, uniqueness.within);
    }

    @Override
    public int hashCode() {
        return Objects.hash(isOfEdges, within);
    }

    /** As JSON. */
    @Override
    public String toString() {
        return within == null ? "\"none\"" : "{\"" + (isOfEdges ? "edges" : "nodes") + "\":" + within + "}";
    }
}
