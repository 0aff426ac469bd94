package varvite.walk;

import java.util.Objects;
import varvite.Direction;
import varvite.EdgeLabel;

/**
 * The nodes and edges from where a walk started to a node, made on request: {@link Visit#path}. Reuse it:
 * once it has grown, nothing is allocated. Not for several threads at once.
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

    /** The number of its nodes: one more than edges; 0 before the first path. */
    public int size() {
        return size;
    }

    /** Node number {@code index}, from 0: the first is where the walk started. */
    public int node(int index) {
        return nodes[Objects.checkIndex(index, size)];
    }

    /**
     * The label of the edge that leads to node number {@code index}; null for the first, and behind a step
     * along no edge.
     */
    public EdgeLabel edgeLabel(int index) {
        return plan.edgeLabelOf(ways[Objects.checkIndex(index, size)]);
    }

    /** The direction in which the walk took that edge; null without an edge. */
    public Direction direction(int index) {
        return plan.directionOf(ways[Objects.checkIndex(index, size)]);
    }

    /** A copy of the nodes. */
    public int[] toArray() {
        return java.util.Arrays.copyOf(nodes, size);
    }
}
