package varvite.walk;

import java.util.Objects;

/**
 * The rule for repeated visits of a node or repeated use of an edge. There are nine rules.
 *
 * <p>The walk checks the rule when it visits a branch, in the order of the walk; a refused branch is neither
 * evaluated nor continued. Start nodes count as visited before the first step. An edge is the same edge in
 * both directions. A step without an edge, which a caller's function made, passes every rule for edges.
 */
public final class Uniqueness {
    /**
     * No rule: a node is visited as often as branches lead to it. On a graph with cycles such a walk is
     * endless, unless evaluators stop it.
     */
    public static final Uniqueness NONE = new Uniqueness(false, null);

    final boolean isOfEdges;
    /** The scope of the rule; null for {@link #NONE}. */
    final Within within;

    private Uniqueness(boolean isOfEdges, Within within) {
        this.isOfEdges = isOfEdges;
        this.within = within;
    }

    /** Each node is visited at most once in a scope. */
    public static Uniqueness nodes(Within within) {
        return new Uniqueness(false, Objects.requireNonNull(within));
    }

    /** Each edge is followed at most once in a scope; a node is visited as often as such edges lead to it. */
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

    /** The rule as JSON. */
    @Override
    public String toString() {
        return within == null ? "\"none\"" : "{\"" + (isOfEdges ? "edges" : "nodes") + "\":" + within + "}";
    }
}
