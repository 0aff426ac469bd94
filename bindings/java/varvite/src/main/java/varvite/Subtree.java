package varvite;

import varvite.error.NoSuchNodeException;
import varvite.format.SmallInts;

/**
 * The subtree index: ids are in pre-order, so the descendants of a node along the forest edge label (AST in a
 * code property graph) are the ids that follow the node's id.
 *
 * <p>May be used by any number of threads while the graph is open. Every method except {@link #fillEnds}
 * costs a load and allocates nothing. All methods throw {@link NoSuchNodeException},
 * {@link varvite.error.GraphClosedException} or {@link varvite.error.DamagedFileException}.
 */
public final class Subtree {
    private final SmallInts sizes;
    private final int nodes;

    Subtree(SmallInts sizes, int nodes) {
        this.sizes = sizes;
        this.nodes = nodes;
    }

    /** The number of descendants of {@code node}. */
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

    /**
     * The end of the subtree of {@code node}: its descendants are the ids from {@code node + 1} to below this
     * end.
     */
    public int end(int node) {
        return node + 1 + size(node);
    }

    /**
     * Writes the {@linkplain #end ends} of the subtrees of the nodes from {@code start} to below {@code end}
     * to {@code out}, from index 0 on. Takes a nanosecond and allocates some bytes of garbage for each node.
     *
     * @throws IndexOutOfBoundsException if {@code out} is too short
     * @throws varvite.error.VarviteException as for {@link #end}; the content of {@code out} is then
     * undefined
     */
    public void fillEnds(int start, int end, int[] out) {
        java.util.Objects.checkFromToIndex(0, end - start, out.length);
        if (start < 0 || end > nodes) {
            throw new NoSuchNodeException("node", start < 0 ? start : nodes, nodes);
        }
        try {
            sizes.fill(start, end - start, out);
        } catch (RuntimeException e) {
            // The bulk read failed. Read node by node, so that the exception names the first bad node.
            for (int node = start; node < end; node++) {
                size(node);
            }
            throw failure(e, start);
        }
        for (int i = 0; i < end - start; i++) {
            if (out[i] >= nodes - (start + i)) {
                throw sizes.ints().column().impossible(start + i);
            }
            out[i] += start + i + 1;
        }
    }

    /** Whether {@code node} is {@code ancestor} or one of its descendants. */
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
