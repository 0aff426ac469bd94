package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.GNode;
import java.util.Arrays;

/**
 * The edges of some nodes of a kind that follow each other, with one label and in one direction: the start of
 * each node's edges, one more than there are nodes; the neighbours; their values, or null if no edge has one
 * of its own; and the numbers of the edges, or null if no caller needs them. Never changed.
 *
 * @param numbers of an edge that is new its number among all new ones, the same at both ends; of one of the
 *     file {@code ~place}, where {@code place} is its place in the list that the node has there
 */
record EdgeRun(int first, int[] starts, GNode[] others, Object[] values, int[] numbers) {
    /**
     * A run of a mapped graph has two to this many nodes: they are copied when an edge of one of them
     * changes.
     */
    static final int BITS = 8;

    /** The edges that nodes have until now. */
    interface Source {
        /** Gives the edges of a node in their order to a sink. */
        void edges(int seq, Sink sink);
    }

    /** A function that takes edges. */
    interface Sink {
        /**
         * Takes an edge with its value, or with null if it has none of its own, and with its number in a run.
         */
        void edge(GNode other, Object value, int number);
    }

    /** A source that counts the edges that it has given. */
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

    /** The number of an edge; 0 if no caller needs it. */
    int number(int index) {
        return numbers == null ? 0 : numbers[index];
    }

    /**
     * The run of {@code count} nodes from {@code first} on once a diff was applied: their remaining edges,
     * then the new ones.
     *
     * @param isNumbered whether it is kept which edges they are
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

    /** The number of the first new edge of nodes from a place on. */
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
        /** Null if no caller needs the numbers. */
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
