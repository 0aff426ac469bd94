package varvite.walk;

import java.util.List;
import varvite.Direction;

/**
 * A description of edges to follow: their labels and direction, and the labels of the nodes that they are
 * followed from and to. Immutable.
 *
 * <pre>{@code
 * Hop calls = Hop.out("CALL").from("CALL").to("METHOD", "TYPE_DECL");
 * Hop any = Hop.both();
 * }</pre>
 */
public final class Hop {
    /** The labels of the edges; empty for all labels. */
    final List<String> edgeLabels;
    /** The direction; null for both directions, first out and then in. */
    final Direction direction;
    /** The hop follows edges only from nodes that have one of these labels; empty for all nodes. */
    final List<String> from;
    /** The hop follows edges only to nodes that have one of these labels; empty for all nodes. */
    final List<String> to;

    private Hop(List<String> edgeLabels, Direction direction, List<String> from, List<String> to) {
        this.edgeLabels = edgeLabels;
        this.direction = direction;
        this.from = from;
        this.to = to;
    }

    /**
     * Edges with one of these labels, from source to target; without arguments, all edges. The walk follows
     * the edges label by label, in the order of the arguments; without arguments, in the order of the schema.
     */
    public static Hop out(String... edgeLabels) {
        return new Hop(List.of(edgeLabels), Direction.OUT, List.of(), List.of());
    }

    /** Edges with one of these labels, from target to source; without arguments, all edges. */
    public static Hop in(String... edgeLabels) {
        return new Hop(List.of(edgeLabels), Direction.IN, List.of(), List.of());
    }

    /**
     * Edges with one of these labels in both directions, for each label first out and then in; without
     * arguments, all edges. The walk follows an edge from a node to itself only once, in the out direction.
     */
    public static Hop both(String... edgeLabels) {
        return new Hop(List.of(edgeLabels), null, List.of(), List.of());
    }

    /** Follows edges only from nodes with one of these labels. */
    public Hop from(String... labels) {
        return new Hop(edgeLabels, direction, List.of(labels), to);
    }

    /** Follows edges only to nodes with one of these labels. */
    public Hop to(String... labels) {
        return new Hop(edgeLabels, direction, from, List.of(labels));
    }

    /** The hop that follows the same edges in the opposite direction. */
    public Hop reversed() {
        Direction reversed = direction == null ? null : direction == Direction.OUT ? Direction.IN : Direction.OUT;
        return new Hop(edgeLabels, reversed, to, from);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hop hop && toString().equals(hop.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** The hop as JSON. */
    @Override
    public String toString() {
        return WalkJson.of(this);
    }
}
