package varvite.walk;

import java.util.Objects;
import varvite.Direction;
import varvite.EdgeLabel;

/**
 * The nodes and edges from a start node of a walk to the current node, filled by {@link Visit#path}. Reuse
 * the object: once it is large enough, it no longer allocates. Not thread-safe.
 */
public final class WalkPath {
    private Plan plan;
    private int[] nodes = new int[16];
    private int[] ways = new int[16];
    private int size;

    /** An empty path. */
    public WalkPath() {}

    void take(Plan plan, Branches branches, Visit last) {
        this.plan = plan;
        size = last.depth() + 1;
        if (size > nodes.length) {
            nodes = new int[Math.max(size, 2 * nodes.length)];
            ways = new int[nodes.length];
        }
        nodes[size - 1] = last.node();
        ways[size - 1] = last.way();
        int number = last.before();
        for (int at = size - 2; at >= 0; at--) {
            nodes[at] = branches.node(number);
            ways[at] = branches.way(number);
            number = branches.parent(number);
        }
    }

    /**
     * The number of nodes of the path, which is one more than the number of edges; 0 before the first path.
     */
    public int size() {
        return size;
    }

    /** The node at {@code index}; index 0 is the start node. */
    public int node(int index) {
        return nodes[Objects.checkIndex(index, size)];
    }

    /**
     * The label of the edge that leads to the node at {@code index}; null for the start node and after a step
     * without an edge.
     */
    public EdgeLabel edgeLabel(int index) {
        return plan.edgeLabelOf(ways[Objects.checkIndex(index, size)]);
    }

    /** The direction in which the edge to the node at {@code index} was followed; null without an edge. */
    public Direction direction(int index) {
        return plan.directionOf(ways[Objects.checkIndex(index, size)]);
    }

    /** A new array with the nodes of the path. */
    public int[] toArray() {
        return java.util.Arrays.copyOf(nodes, size);
    }
}
