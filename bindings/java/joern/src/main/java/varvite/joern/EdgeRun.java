package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.GNode;
import java.util.Arrays;

/**
 * A run: the edges of consecutive nodes of a kind, with one label and in one direction. Immutable.
 *
 * @param first the index of the first node
 * @param starts the start of each node's edges in the arrays, and the end of the last node's edges
 * @param others the node at the other end of each edge
 * @param values the values of the edges; null if no edge has a value other than the default
 * @param numbers null if edges are not numbered. For a new edge, its number among all new edges, which is the
 * same at both ends; for an edge of the file, {@code ~place}, where {@code place} is the edge's index in the
 * node's list in the file
 */
record EdgeRun(int first, int[] starts, GNode[] others, Object[] values, int[] numbers) {
    /**
     * The binary logarithm of the number of nodes in a run of a mapped graph. If an edge of one of these
     * nodes changes, the edges of all of them are copied.
     */
    static final int BITS = 8;

    /** Gives access to the edges of nodes before a diff. */
    interface Source {
        /** Passes the edges of a node, in their order, to a sink. */
        void edges(int seq, Sink sink);
    }

    /** A function that takes edges. */
    interface Sink {
        /**
         * Takes an edge with its value and its number. The value is null if the edge has the default value.
         */
        void edge(GNode other, Object value, int number);
    }

    /** A source that counts the edges that it has passed to sinks. */
    static final class Counted implements Source {
        private final Source source;
        private int count;

        Counted(Source source) {
            this.source = source;
        }

        @Override
        public void edges(int seq, Sink sink) {
            source.edges(seq, (other, value, number) -> {
                count++;
                sink.edge(other, value, number);
            });
        }

        int count() {
            return count;
        }
    }

    int start(int seq) {
        return starts[seq - first];
    }

    int end(int seq) {
        return starts[seq - first + 1];
    }

    Object value(int index) {
        return values == null ? null : values[index];
    }

    /** The number of an edge; 0 if edges are not numbered. */
    int number(int index) {
        return numbers == null ? 0 : numbers[index];
    }

    /**
     * Makes the run of {@code count} nodes, from {@code first} on, as it will be after a diff: for each node,
     * its remaining edges are followed by its new edges.
     *
     * @param isNumbered whether the run has the numbers of edges
     */
    static EdgeRun after(Source source, EdgeChanges changes, int first, int count, boolean isNumbered) {
        Builder builder = new Builder(first, count, isNumbered);
        int next = firstFrom(changes, first);
        for (int seq = first; seq < first + count; seq++) {
            builder.begin(seq);
            builder.takeOver(source, changes, seq);
            for (; next < changes.size() && changes.seq(next) == seq; next++) {
                builder.append(changes.other(next), changes.newValue(next), changes.number(next));
            }
        }
        return builder.build();
    }

    /** The index of the first new edge whose node has the index {@code seq} or a greater one. */
    private static int firstFrom(EdgeChanges changes, int seq) {
        int low = 0;
        int high = changes.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (changes.seq(middle) < seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static final class Builder {
        private final int first;
        private final int[] starts;
        private GNode[] others = new GNode[64];
        private Object[] values;
        /** The numbers of edges; null if edges are not numbered. */
        private int[] numbers;
        private int size;
        private int position;

        Builder(int first, int count, boolean isNumbered) {
            this.first = first;
            starts = new int[count + 1];
            numbers = isNumbered ? new int[others.length] : null;
        }

        void begin(int seq) {
            starts[seq - first] = size;
            position = 0;
        }

        void takeOver(Source source, EdgeChanges changes, int seq) {
            source.edges(seq, (other, value, number) -> {
                if (!changes.isRemoved(seq, position) && !AccessHelpers.isDeleted(other)) {
                    append(other, changes.value(seq, position, value), number);
                }
                position++;
            });
        }

        void append(GNode other, Object value, int number) {
            if (size == others.length) {
                others = Arrays.copyOf(others, 2 * size);
                values = values == null ? null : Arrays.copyOf(values, 2 * size);
                numbers = numbers == null ? null : Arrays.copyOf(numbers, 2 * size);
            }
            if (numbers != null) {
                numbers[size] = number;
            }
            if (value != null) {
                values = values == null ? new Object[others.length] : values;
                values[size] = value;
            }
            others[size++] = other;
        }

        EdgeRun build() {
            starts[starts.length - 1] = size;
            Object[] exact = values == null ? null : Arrays.copyOf(values, size);
            int[] exactNumbers = numbers == null ? null : Arrays.copyOf(numbers, size);
            return new EdgeRun(first, starts, Arrays.copyOf(others, size), exact, exactNumbers);
        }
    }
}
