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
 * The neighbours of one node along one edge label, as ids and as handles, in the order of the graph.
 *
 * <p>A view: it holds no neighbours, and reads them on demand. For loops that allocate nothing, take the
 * cursor of the adjacency and move it from node to node.
 *
 * <p>May be used by any number of threads, for as long as the graph is open.
 *
 * @param <T> the type of the handles
 */
public final class Neighbors<T> implements Iterable<T> {
    private final Adjacency adjacency;
    private final int node;
    private final IntFunction<? extends T> handles;

    /**
     * The neighbours of {@code node}, each made a handle by {@code handles}; none if {@code adjacency} is
     * null.
     */
    public Neighbors(Adjacency adjacency, int node, IntFunction<? extends T> handles) {
        this.adjacency = adjacency;
        this.node = node;
        this.handles = handles;
    }

    /** The number of items. Constant time, except for children of the forest, which are counted. */
    public int size() {
        return adjacency == null ? 0 : adjacency.degree(node);
    }

    /** Whether there are none. Constant time. */
    public boolean isEmpty() {
        return firstId() < 0;
    }

    /** The first one, if there are any. */
    public Optional<T> first() {
        int first = firstId();
        return first < 0 ? Optional.empty() : Optional.of(handles.apply(first));
    }

    /** The id of the first one, or -1. Allocates nothing. */
    public int firstId() {
        return adjacency == null ? -1 : adjacency.first(node);
    }

    /** The ids. Allocates a copy of them. */
    public IntStream ids() {
        return adjacency == null ? IntStream.empty() : adjacency.neighbors(node);
    }

    /** Handles of all. */
    public Stream<T> stream() {
        return ids().mapToObj(handles);
    }

    /** Handles of all. */
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
