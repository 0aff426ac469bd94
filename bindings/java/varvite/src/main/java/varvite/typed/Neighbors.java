package varvite.typed;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import varvite.Adjacency;
import varvite.NeighborCursor;

/**
 * The neighbours of a node along one edge label, as ids and as handles, in the order of the node's list.
 *
 * <p>This object is a view: it stores no neighbours but reads them on demand. In a loop that must not
 * allocate, use a cursor of the adjacency ({@link Adjacency#cursor}) and move it from node to node.
 *
 * <p>May be used by any number of threads while the graph is open.
 *
 * @param <T> the type of the handles
 */
public final class Neighbors<T> implements Iterable<T> {
    private final Adjacency adjacency;
    private final int node;
    private final IntFunction<? extends T> handles;

    /**
     * The neighbours of {@code node}; none if {@code adjacency} is null. {@code handles} makes the handle for
     * an id.
     */
    public Neighbors(Adjacency adjacency, int node, IntFunction<? extends T> handles) {
        this.adjacency = adjacency;
        this.node = node;
        this.handles = handles;
    }

    /**
     * The number of neighbours. Constant time, except for a node's children along the tree label, which this
     * method has to count.
     */
    public int size() {
        return adjacency == null ? 0 : adjacency.degree(node);
    }

    /** Whether the node has no neighbours. Constant time. */
    public boolean isEmpty() {
        return firstId() < 0;
    }

    /** The handle of the first neighbour, if there is one. */
    public Optional<T> first() {
        int first = firstId();
        return first < 0 ? Optional.empty() : Optional.of(handles.apply(first));
    }

    /** The id of the first neighbour, or -1 if there is none. Allocates nothing. */
    public int firstId() {
        return adjacency == null ? -1 : adjacency.first(node);
    }

    /** The ids of all neighbours as a stream. Allocates the stream. */
    public IntStream ids() {
        return adjacency == null ? IntStream.empty() : adjacency.neighbors(node);
    }

    /** The handles of all neighbours. */
    public Stream<T> stream() {
        return ids().mapToObj(handles);
    }

    /** The handles of all neighbours. */
    @Override
    public Iterator<T> iterator() {
        NeighborCursor cursor = adjacency == null ? null : adjacency.cursor().of(node);
        return new Iterator<>() {
            private boolean hasNext = cursor != null && cursor.next();

            @Override
            public boolean hasNext() {
                return hasNext;
            }

            @Override
            public T next() {
                if (!hasNext) {
                    throw new NoSuchElementException("no more neighbours of node " + node);
                }
                T handle = handles.apply(cursor.node());
                hasNext = cursor.next();
                return handle;
            }
        };
    }

    @Override
    public String toString() {
        return "Neighbors[" + node + "]";
    }
}
