package varvite;

import java.lang.foreign.MemorySegment;
import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * Reads the neighbours of one node after another, without allocation:
 *
 * <pre>{@code
 * NeighborCursor cursor = graph.out("CFG").cursor();
 * for (cursor.of(node); cursor.next(); ) {
 *     visit(cursor.node());
 * }
 * }</pre>
 *
 * <p>Only one thread may use a cursor. A cursor does not keep the graph open: once the graph is closed,
 * {@link #of} and {@link #next} throw {@link varvite.error.GraphClosedException}.
 */
public final class NeighborCursor {
    private final Adjacency adjacency;
    /** A field of the adjacency, cached here to save a load. */
    private final int shape;
    private final Lists lists;
    private final IdSet owners;
    private final Ints offsets;
    private final Ints neighbors;
    private final int nodes;
    /** The neighbours of all lists, if they are stored as plain ids; else null. */
    private final MemorySegment plain;
    private int source;
    private int current = -1;
    /**
     * The next neighbour. Depending on the shape, this is its position in the lists, the child, the parent,
     * or the entry of the changed list.
     */
    private long next;
    private long end;
    /** The base of an adjacency with changes; null if there are no changes. */
    private final Adjacency base;
    /**
     * Whether the current node is unchanged. If so, {@link #next} and {@link #end} are as in the shape of the
     * base.
     */
    private boolean isOfBase;
    /** The rank of the current edge, in the changed shape. */
    private long rank = -1;

    NeighborCursor(Adjacency adjacency) {
        this.adjacency = adjacency;
        shape = adjacency.shape;
        lists = adjacency.lists;
        owners = lists == null ? null : lists.owners();
        offsets = lists == null ? null : lists.offsets();
        neighbors = adjacency.neighbors;
        nodes = adjacency.nodes;
        plain = adjacency.plain;
        base = adjacency.changed == null ? null : adjacency.changed.base();
    }

    /**
     * Moves this cursor before the first neighbour of {@code node}, and returns the cursor. If this method
     * throws, the cursor is unchanged.
     *
     * @throws varvite.error.VarviteException as for the methods of {@link Adjacency}
     */
    public NeighborCursor of(int node) {
        if (shape != Adjacency.LISTS) {
            return ofImplied(node);
        }
        int rank = owners.memberRank(node);
        long ends = rank < 0 || offsets == null ? lists.of(node) : lists.ends(offsets, rank);
        return at(node, Lists.start(ends), Lists.end(ends));
    }

    /** Moves to a node whose neighbours are computed from the forest or have changed. */
    private NeighborCursor ofImplied(int node) {
        if (shape == Adjacency.CHILDREN) {
            return at(node, node + 1, adjacency.subtreeEnd(node));
        }
        return shape == Adjacency.CHANGED ? ofChanged(node) : ofParent(adjacency, node);
    }

    private NeighborCursor ofParent(Adjacency adjacency, int node) {
        int parent = adjacency.parent(node);
        return at(node, parent, parent < 0 ? parent : parent + 1);
    }

    /**
     * Moves to a node of a changed adjacency. If the node itself has changes, the cursor finds the node's
     * entries one at a time, always one entry ahead.
     */
    private NeighborCursor ofChanged(int node) {
        if (adjacency.changed.isTouched(node)) {
            at(node, adjacency.changed.first(node), ChangedEdges.END);
            isOfBase = false;
            return this;
        }
        switch (base.shape) {
            case Adjacency.LISTS -> {
                long ends = base.lists.of(node);
                at(node, Lists.start(ends), Lists.end(ends));
            }
            case Adjacency.CHILDREN -> at(node, node + 1, base.subtreeEnd(node));
            default -> ofParent(base, node);
        }
        isOfBase = true;
        return this;
    }

    /**
     * Sets the current node. Must be called after everything that may throw, so that a cursor never mixes the
     * neighbours of two nodes.
     */
    private NeighborCursor at(int node, long start, long end) {
        source = node;
        current = -1;
        next = start;
        this.end = end;
        return this;
    }

    /**
     * Moves to the next neighbour; false after the last neighbour.
     *
     * @throws varvite.error.VarviteException as for the methods of {@link Adjacency}
     */
    public boolean next() {
        if (next >= end) {
            return false;
        }
        if (plain != null) {
            current = neighbors.idOf(plain, next, nodes);
            next++;
        } else {
            goOn();
        }
        return true;
    }

    /** Moves to the next neighbour if neighbours are not stored as plain ids. */
    private void goOn() {
        switch (shape) {
            case Adjacency.CHILDREN -> {
                current = (int) next;
                next = adjacency.subtreeEnd(current);
            }
            case Adjacency.PARENTS -> {
                current = (int) next;
                next = end;
            }
            case Adjacency.CHANGED -> goOnChanged();
            default -> {
                current = neighbors.id(next, source, nodes);
                next++;
            }
        }
    }

    private void goOnChanged() {
        if (isOfBase) {
            goOnInBase();
            return;
        }
        ChangedEdges changed = adjacency.changed;
        int node = changed.neighbor(source, next);
        long number = changed.rank(next);
        next = changed.after(source, next);
        current = node;
        rank = number;
    }

    private void goOnInBase() {
        switch (base.shape) {
            case Adjacency.CHILDREN -> {
                int child = (int) next;
                next = base.subtreeEnd(child);
                current = child;
            }
            case Adjacency.PARENTS -> {
                current = (int) next;
                next = end;
            }
            default -> {
                current = base.neighbors.id(next, source, base.nodes);
                rank = next;
                next++;
            }
        }
    }

    /** The current neighbour; -1 before the first call of {@link #next}. */
    public int node() {
        return current;
    }

    /** The node whose neighbours the cursor reads. */
    public int source() {
        return source;
    }

    /**
     * The position of the current edge among all edges of the label. In the out direction, this is the edge's
     * rank, which identifies its property values. -1 if neighbours are computed from the forest. For an edge
     * that was appended since the columns were written, this is the edge's rank in both directions, which is
     * above the positions of all edges in the columns.
     */
    public long rank() {
        return shape == Adjacency.LISTS ? next - 1 : rank;
    }
}
