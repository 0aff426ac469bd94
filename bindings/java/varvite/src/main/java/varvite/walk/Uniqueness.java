package varvite.walk;

import java.util.Objects;

/**
 * The rule for repeated visits to a node or repeated use of an edge. There are nine rules.
 *
 * <p>The walk checks the rule when it visits a branch, in the order of the walk; a refused branch is neither
 * evaluated nor continued. Start nodes count as visited before the first step. An edge counts as the same
 * edge in both directions. A step without an edge ({@link Steps#goTo}) passes every rule for edges.
 */
public final class Uniqueness {
    /**
     * No rule: the walk visits a node once for each branch that leads to it. In a graph with cycles, the walk
     * is endless unless evaluators stop it.
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

    /**
     * Each edge is followed at most once in a scope. A node is visited once for each followed edge that leads
     * to it.
     */
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
