package varvite.joern;

import flatgraph.GNode;
import java.util.Arrays;
import java.util.BitSet;

/** New edges, by number. An edge takes 18 bytes, and four more if it has a value. */
final class NewEdges {
    private GNode[] sources = new GNode[64];
    private GNode[] targets = new GNode[64];
    private short[] edgeKinds = new short[64];
    /** The values of edges; null until an edge has a value other than the default. */
    private Object[] values;
    /** The number of each edge, with its index in the order of addition. */
    private long[] order = new long[64];
    private int size;
    private final BitSet numbers = new BitSet();

    /** A function that takes edges. */
    interface Sink {
        void edge(GNode source, GNode target, int edgeKind, Object value);
    }

    /** Adds an edge with a number; its value may be null. */
    void add(int number, GNode source, GNode target, int edgeKind, Object value) {
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, 2 * size);
            targets = Arrays.copyOf(targets, 2 * size);
            edgeKinds = Arrays.copyOf(edgeKinds, 2 * size);
            values = values == null ? null : Arrays.copyOf(values, 2 * size);
            order = Arrays.copyOf(order, 2 * size);
        }
        if (value != null) {
            values = values == null ? new Object[sources.length] : values;
            values[size] = value;
        }
        sources[size] = source;
        targets[size] = target;
        edgeKinds[size] = (short) edgeKind;
        order[size] = (long) number << 32 | size;
        numbers.set(number);
        size++;
    }

    /** The numbers that edges have. */
    BitSet numbers() {
        return numbers;
    }

    /** Passes all edges to a sink, in the order of their numbers. */
    void inOrder(Sink sink) {
        Arrays.sort(order, 0, size);
        for (int i = 0; i < size; i++) {
            int edge = (int) order[i];
            sink.edge(sources[edge], targets[edge], edgeKinds[edge], values == null ? null : values[edge]);
        }
    }
}
