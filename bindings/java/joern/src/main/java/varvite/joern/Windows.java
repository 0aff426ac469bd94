package varvite.joern;

/**
 * A cache of one number for each node: it reads the numbers of some hundred neighbours at a time, and keeps
 * those of the newest calls. Reading is a copy of bytes of the file and a loop over an array, which are fast
 * before the compiler has compiled them. For any number of threads.
 */
final class Windows {
    /** Nodes that are read at a time. */
    static final int NODES = 1 << 9;
    private static final int KEPT = 1 << 6;

    private final Source source;
    private final int nodes;
    /**
     * By the low bits of their number. An entry never changes, so that a race costs a reading and no more.
     */
    private final Window[] windows = new Window[KEPT];

    /**
     * A source of numbers: it gives those of the nodes from {@code start} up and below {@code end}, written
     * from index 0 on.
     */
    interface Source {
        void fill(int start, int end, int[] out);
    }

    private record Window(int number, int[] values) {}

    /** Over ids below {@code nodes}. */
    Windows(int nodes, Source source) {
        this.nodes = nodes;
        this.source = source;
    }

    /** The number of a node that there is. */
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
