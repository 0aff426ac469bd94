package varvite;

import varvite.format.Ints;

/**
 * The edge of each entry in the in-lists of an edge label: the way from an in-list to edge properties. May be
 * used by any number of threads, for as long as the graph is open.
 */
public final class Places {
    private final Ints places;
    private final Adjacency out;
    /** Numbers of edges are below it, those of appended ones included. */
    private final long edges;

    Places(Ints places, Adjacency out, long edges) {
        this.places = places;
        this.out = out;
        this.edges = edges;
    }

    /**
     * The rank that properties of the edge at {@code position} of the in-lists are stored under. Positions
     * are {@link NeighborCursor#rank()} in the in direction, where the cursor is on {@code source}. Constant
     * time; allocates nothing.
     *
     * @throws IndexOutOfBoundsException if there is no such position
     * @throws varvite.error.VarviteException if the graph is closed, or the file damaged
     */
    public long rank(int source, long position) {
        java.util.Objects.checkIndex(position, edges);
        return position < places.count() ? out.firstRank(source) + place(position) : position;
    }

    /**
     * The place that the edge at {@code position} of the in-lists has among the out-edges of its source, from
     * 0. Positions are {@link NeighborCursor#rank()} in the in direction; {@link Adjacency#firstRank} of the
     * source in the out direction plus the place is the rank that edge properties are stored under. Constant
     * time; allocates nothing.
     *
     * <p>Edges that were appended since the columns were written have no place here: {@link #rank} covers all
     * edges.
     *
     * @throws IndexOutOfBoundsException if there is no such position
     * @throws varvite.error.VarviteException if the graph is closed, or the file damaged
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
