package varvite;

import varvite.format.Ints;

/**
 * Which edge each entry of the in-lists of an edge label is: the way from an in-list to edge properties. May be used by any number
 * of threads, for as long as the graph is open.
 */
public final class Places {
    private final Ints places;

    Places(Ints places) {
        this.places = places;
    }

    /**
     * The place that the edge at {@code position} of the in-lists has among the out-edges of its source, from 0. Positions are
     * {@link NeighborCursor#rank()} in the in direction; {@link Adjacency#firstRank} of the source in the out direction plus the
     * place is the rank that edge properties are stored under. Constant time; allocates nothing.
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
