package varvite;

/**
 * The rank of the edge to each neighbour of a node, along one edge label in one direction. Edge properties
 * are stored by rank, and an edge has the same rank in both directions. An edge of the forest edge label has
 * no stored rank; its rank is the id of its target or, if the edge was appended, a number above all these
 * ids.
 *
 * <p>May be used by any number of threads while the graph is open. Allocates nothing.
 */
public final class Ranks {
    private final Adjacency adjacency;
    /** The edges of in-list entries; null if the position of an entry is the edge's rank. */
    private final Places places;

    Ranks(Adjacency adjacency, Places places) {
        this.adjacency = adjacency;
        this.places = places;
    }

    /** The neighbours whose edges have these ranks. */
    public Adjacency adjacency() {
        return adjacency;
    }

    /**
     * The rank of the edge to the first of the remaining neighbours of {@code node}. {@code rest} comes from
     * {@link Adjacency#rest} or {@link Adjacency#after}. Read the rank as an unsigned int.
     *
     * @throws varvite.error.VarviteException as for the methods of {@link Adjacency}
     */
    public int of(int node, long rest) {
        if (adjacency.shape != Adjacency.CHANGED) {
            return ofBase(adjacency, node, rest);
        }
        ChangedEdges changed = adjacency.changed;
        if (!changed.isTouched(node)) {
            return ofBase(changed.base(), node, rest);
        }
        long entry = rest - 1;
        long appended = changed.appendedNumber(entry);
        if (appended >= 0) {
            return (int) appended;
        }
        return switch (changed.base().shape) {
            case Adjacency.CHILDREN -> (int) entry;
            case Adjacency.PARENTS -> node;
            default -> atPosition(changed.neighbor(node, entry), entry);
        };
    }

    private int ofBase(Adjacency base, int node, long rest) {
        return switch (base.shape) {
            case Adjacency.CHILDREN -> (int) rest;
            case Adjacency.PARENTS -> node;
            default -> places == null ? (int) rest : atPosition(base.neighbor(node, rest), Lists.start(rest));
        };
    }

    private int atPosition(int neighbor, long position) {
        return (int) (places == null ? position : places.rank(neighbor, position));
    }
}
