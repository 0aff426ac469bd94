package varvite;

import varvite.error.NoSuchNodeException;
import varvite.format.SmallInts;

/**
 * The subtree index: under pre-order ids, the nodes below a node along the forest edge label (AST in a code property graph) are
 * the ids that follow it.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Every method costs a load, allocates nothing, and
 * throws {@link NoSuchNodeException}, {@link varvite.error.GraphClosedException} or {@link varvite.error.DamagedFileException}.
 */
public final class Subtree {
    private final SmallInts sizes;
    private final int nodes;

    Subtree(SmallInts sizes, int nodes) {
        this.sizes = sizes;
        this.nodes = nodes;
    }

    /** How many nodes are below {@code node}, without itself. */
    public int size(int node) {
        int size;
        try {
            size = sizes.get(node);
        } catch (RuntimeException e) {
            throw failure(e, node);
        }
        if (size >= nodes - node) {
            throw sizes.ints().column().impossible(node);
        }
        return size;
    }

    /** The end of the subtree: nodes below {@code node} are from {@code node + 1} up and below it. */
    public int end(int node) {
        return node + 1 + size(node);
    }

    /** Whether {@code node} is {@code ancestor} or below it. */
    public boolean contains(int ancestor, int node) {
        return node >= ancestor && node < end(ancestor);
    }

    SmallInts sizes() {
        return sizes;
    }

    private RuntimeException failure(RuntimeException cause, int node) {
        if (Integer.compareUnsigned(node, nodes) >= 0) {
            return new NoSuchNodeException("node", node, nodes);
        }
        return sizes.ints().column().failure(cause, node);
    }
}
