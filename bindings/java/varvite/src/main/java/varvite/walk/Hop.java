package varvite.walk;

import java.util.List;
import varvite.Direction;

/**
 * Edges of some labels, one way round or both, from nodes with one of some labels to nodes with one of
 * others. Immutable.
 *
 * <pre>{@code
 * Hop calls = Hop.out("CALL").from("CALL").to("METHOD", "TYPE_DECL");
 * Hop any = Hop.both();
 * }</pre>
 */
public final class Hop {
    /** None: all. */
    final List<String> edgeLabels;
    /** Null: both, out first. */
    final Direction direction;
    /** Labels of nodes that edges are followed from; a node needs any one. Empty for all nodes. */
    final List<String> from;
    /** The same of the nodes that they lead to. */
    final List<String> to;

    private Hop(List<String> edgeLabels, Direction direction, List<String> from, List<String> to) {
        this.edgeLabels = edgeLabels;
        this.direction = direction;
        this.from = from;
        this.to = to;
    }

    /**
     * Edges with one of these labels, from source to target; with no label, all edges. They are followed
     * label by label, in the order of the names or of the schema.
     */
    public static Hop out(String... edgeLabels) {
        return new Hop(List.of(edgeLabels), Direction.OUT, List.of(), List.of());
    }

    /** The same from target to source. */
    public static Hop in(String... edgeLabels) {
        return new Hop(List.of(edgeLabels), Direction.IN, List.of(), List.of());
    }

    /**
     * The same either way round: of each label first out, then in. An edge from a node to itself is followed
     * once, out.
     */
    public static Hop both(String... edgeLabels) {
        return new Hop(List.of(edgeLabels), null, List.of(), List.of());
    }

    /** Only from nodes with one of these labels. */
    public Hop from(String... labels) {
        return new Hop(edgeLabels, direction, List.of(labels), to);
    }

    /** Only to nodes with one of these labels. */
    public Hop to(String... labels) {
        return new Hop(edgeLabels, direction, from, List.of(labels));
    }

    /** The same edges followed from their other end. */
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

    /** As JSON. */
    @Override
    public String toString() {
        return WalkJson.of(this);
    }
}
