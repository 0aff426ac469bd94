package varvite;

import varvite.format.Ints;

/**
 * Maps each entry in the in-lists of an edge label to its edge, so that a program can read edge properties
 * along in-edges. May be used by any number of threads while the graph is open.
 */
public final class Places {
    private final Ints places;
    private final Adjacency out;
    /** The limit of edge numbers, including those of appended edges. */
    private final long edges;

    Places(Ints places, Adjacency out, long edges) {
        this.places = places;
        this.out = out;
        this.edges = edges;
    }

    /**
     * The rank of the edge at {@code position} of the in-lists, which identifies its property values.
     * {@code position} is {@link NeighborCursor#rank()} of a cursor in the in direction whose current
     * neighbour is {@code source}. Constant time; allocates nothing.
     *
     * @throws IndexOutOfBoundsException if the position does not exist
     * @throws varvite.error.VarviteException if the graph is closed or the file is damaged
     */
    public long rank(int source, long position) {
        java.util.Objects.checkIndex(position, edges);
        return position < places.count() ? out.firstRank(source) + place(position) : position;
    }

    /**
     * The place of the edge at {@code position} of the in-lists: its index among the out-edges of its source,
     * from 0. {@code position} is {@link NeighborCursor#rank()} of a cursor in the in direction. The edge's
     * rank is the sum of its place and of {@link Adjacency#firstRank} of its source in the out direction.
     * Constant time; allocates nothing.
     *
     * <p>Edges that were appended since the columns were written have no place, but {@link #rank} works for
     * all edges.
     *
     * @throws IndexOutOfBoundsException if the position does not exist
     * @throws varvite.error.VarviteException if the graph is closed or the file is damaged
     */
    public int place(long position) {
        java.util.Objects.checkIndex(position, places.count());
        long place = places.get(position, 0);
        if (place != (int) place || place < 0) {
            throw places.column().impossible(position);
        }
        return (int) place;
    }
}
