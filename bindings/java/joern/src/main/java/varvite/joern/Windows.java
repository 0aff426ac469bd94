package varvite.joern;

/**
 * A cache for numbers of nodes, one number for each node. Reads the numbers of some hundred nodes with
 * adjacent ids at a time, and caches the most recent reads. Such a read copies bytes of the file and loops
 * over an array, which is fast even before the JIT compiler has compiled it. May be used by any number of
 * threads.
 */
final class Windows {
    /** The number of nodes that are read at a time. */
    static final int NODES = 1 << 9;
    private static final int KEPT = 1 << 6;

    private final Source source;
    private final int nodes;
    /**
     * The cached windows, by the low bits of their number. A window is immutable, so that a race between
     * threads only costs another read.
     */
    private final Window[] windows = new Window[KEPT];

    /**
     * A source of numbers, which writes the numbers of the nodes from {@code start} to below {@code end} to
     * {@code out}, from index 0 on.
     */
    interface Source {
        void fill(int start, int end, int[] out);
    }

    private record Window(int number, int[] values) {}

    /** A cache for ids below {@code nodes}. */
    Windows(int nodes, Source source) {
        this.nodes = nodes;
        this.source = source;
    }

    /** The number of an existing node. */
    int get(int node) {
        int number = node / NODES;
        Window window = windows[number % KEPT];
        if (window == null || window.number != number) {
            window = read(number);
        }
        return window.values[node % NODES];
    }

    private Window read(int number) {
        int start = number * NODES;
        int[] values = new int[Math.min(nodes - start, NODES)];
        source.fill(start, start + values.length, values);
        Window window = new Window(number, values);
        windows[number % KEPT] = window;
        return window;
    }
}
