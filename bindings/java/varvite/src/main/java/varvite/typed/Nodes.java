package varvite.typed;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import varvite.Graph;
import varvite.Label;
import varvite.NodeSet;
import varvite.error.UnknownNameException;

/**
 * The nodes with a label, as ids and as handles. There are none if the graph lacks the label.
 *
 * <p>Reading {@link #ids()} allocates nothing; handles are made on demand, one for each node.
 *
 * <p>May be used by any number of threads while the graph is open.
 *
 * @param <T> the type of the handles
 */
public final class Nodes<T> implements Iterable<T> {
    private final Graph graph;
    private final String label;
    private final IntFunction<? extends T> handles;
    private final boolean isKnown;
    /** The ids, opened on first use. */
    private volatile NodeSet ids;

    /** The nodes with {@code label}. {@code handles} makes the handle for an id. Opens no column. */
    public Nodes(Graph graph, String label, IntFunction<? extends T> handles) {
        this.graph = graph;
        this.label = label;
        this.handles = handles;
        isKnown = graph.labels().stream().map(Label::name).anyMatch(label::equals);
    }

    /**
     * The ids, in rising order.
     *
     * @throws UnknownNameException if the graph does not have the label
     */
    public NodeSet ids() {
        NodeSet known = ids;
        if (known == null) {
            known = graph.nodes(label);
            ids = known;
        }
        return known;
    }

    /** The number of nodes. Constant time. */
    public int size() {
        return isKnown ? ids().size() : 0;
    }

    /** Whether no node has the label. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** Whether a node has the label. */
    public boolean contains(int node) {
        return isKnown && ids().contains(node);
    }

    /** The handle of the node with the least id, if there is one. */
    public Optional<T> first() {
        int node = next(0);
        return node < 0 ? Optional.empty() : Optional.of(handles.apply(node));
    }

    /** The least id of these nodes that is at least {@code node}; -1 if there is none. Allocates nothing. */
    public int next(int node) {
        return isKnown ? ids().next(node) : -1;
    }

    /** The handles of all nodes, in the order of their ids. */
    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private int node = Nodes.this.next(0);

            @Override
            public boolean hasNext() {
                return node >= 0;
            }

            @Override
            public T next() {
                if (node < 0) {
                    throw new NoSuchElementException("no more nodes with the label " + label);
                }
                T handle = handles.apply(node);
                node = Nodes.this.next(node + 1);
                return handle;
            }
        };
    }

    /** The handles of all nodes, in the order of their ids. */
    public Stream<T> stream() {
        return isKnown ? ids().stream().mapToObj(handles) : Stream.empty();
    }

    @Override
    public String toString() {
        return label + "[" + size() + "]";
    }
}
