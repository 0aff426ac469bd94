package varvite;

/**
 * The rank of the edge to each neighbour of a node, along one edge label in one direction: the number under
 * which edge properties are stored, the same from both ends of an edge. Edges of the forest label, which have
 * no rank, have the number of their target; appended ones numbers behind all others.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Allocates nothing.
 */
public final class Ranks {
    private final Adjacency adjacency;
    /** The way from in-lists to ranks; null where the lists say them. */
    private final Places places;

    Ranks(Adjacency adjacency, Places places) {
        this.adjacency = adjacency;
        this.places = places;
    }

    /** The neighbours without ranks. */
    public Adjacency adjacency() {
        return adjacency;
    }

    /**
     * The rank of the edge to the first of the neighbours of {@code node} that are left:
     * {@link Adjacency#rest} begins there. Ranks are to be read without a sign.
     *
     * @throws varvite.error.VarviteException as the methods of {@link Adjacency}
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
