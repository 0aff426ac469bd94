package varvite.joern;

import flatgraph.GNode;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The changes that a diff makes to the edge lists of one node kind, edge label and direction. Positions in
 * lists are those before the diff. A new edge takes twelve bytes, and four more if it has a number.
 */
final class EdgeChanges {
    private GNode[] nodes = new GNode[16];
    private GNode[] others = new GNode[16];
    /** The values of new edges; null until a new edge has a value other than the default. */
    private Object[] newValues;
    /** The numbers of new edges; null until a new edge has a number. */
    private int[] numbers;
    private int size;
    /**
     * For each new edge, the node's index and the edge's index in this object, sorted. Null until the first
     * call of {@link #order()}.
     */
    private long[] order;
    private final BitSet runs = new BitSet();
    private final Set<Long> removed = new HashSet<>();
    private final Map<Long, Object> values = new HashMap<>();

    private static long key(int seq, int number) {
        return (long) seq << 32 | number;
    }

    /**
     * Adds an edge at the end of a node's list. {@code number} is the edge's number for {@link EdgeRun};
     * negative if edges are not numbered.
     */
    void add(GNode node, GNode other, Object value, int number) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * size);
            others = Arrays.copyOf(others, 2 * size);
            newValues = newValues == null ? null : Arrays.copyOf(newValues, 2 * size);
            numbers = numbers == null ? null : Arrays.copyOf(numbers, 2 * size);
        }
        if (number >= 0) {
            numbers = numbers == null ? new int[nodes.length] : numbers;
            numbers[size] = number;
        }
        if (value != null) {
            newValues = newValues == null ? new Object[nodes.length] : newValues;
            newValues[size] = value;
        }
        nodes[size] = node;
        others[size++] = other;
        touch(node.seq());
    }

    /** Removes an edge from a node's list. */
    void remove(int seq, int position) {
        removed.add(key(seq, position));
        touch(seq);
    }

    /** Sets the value of an edge. */
    void set(int seq, int position, Object value) {
        values.put(key(seq, position), value);
        touch(seq);
    }

    /**
     * Marks the list of a node as changed, because the node loses its edges to removed nodes.
     */
    void touch(int seq) {
        runs.set(seq >>> EdgeRun.BITS);
    }

    /** The numbers of the runs that contain nodes with changes. */
    BitSet runs() {
        return runs;
    }

    boolean isRemoved(int seq, int position) {
        return !removed.isEmpty() && removed.contains(key(seq, position));
    }

    /** The value of an edge after the diff; {@code before} is its value before the diff. */
    Object value(int seq, int position, Object before) {
        return values.isEmpty() ? before : values.getOrDefault(key(seq, position), before);
    }

    /** The number of new edges. */
    int size() {
        return size;
    }

    /**
     * The index of the node whose list gets new edge number {@code index}. New edges are sorted by node, and
     * those of one node are in the order of the diff.
     */
    int seq(int index) {
        return (int) (order()[index] >>> 32);
    }

    GNode other(int index) {
        return others[(int) order()[index]];
    }

    Object newValue(int index) {
        return newValues == null ? null : newValues[(int) order()[index]];
    }

    /** The number of a new edge; 0 if edges are not numbered. */
    int number(int index) {
        return numbers == null ? 0 : numbers[(int) order()[index]];
    }

    private long[] order() {
        if (order == null) {
            order = new long[size];
            for (int i = 0; i < size; i++) {
                order[i] = key(nodes[i].seq(), i);
            }
            Arrays.sort(order);
        }
        return order;
    }
}
