package varvite;

import java.lang.foreign.MemorySegment;
import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * Reads the neighbours of one node after the other, without allocation:
 *
 * <pre>{@code
 * NeighborCursor cursor = graph.out("CFG").cursor();
 * for (cursor.of(node); cursor.next(); ) {
 *     visit(cursor.node());
 * }
 * }</pre>
 *
 * <p>Belongs to one thread. Holds nothing of the graph open: after the graph was closed, {@link #of} and
 * {@link #next} throw {@link varvite.error.GraphClosedException}.
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
    /** The neighbours of all lists, where they are plain ids; else null. */
    private final MemorySegment plain;
    private int source;
    private int current = -1;
    /** Lists: the next position. Children: the next child. Parents: the parent. Changed: the next entry. */
    private long next;
    private long end;
    /** The base of an adjacency with changes; null without changes. */
    private final Adjacency base;
    /** Whether the base has the neighbours: then {@link #next} and {@link #end} are as in its shape. */
    private boolean isOfBase;
    /** Changed: the rank of the current edge. */
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
     * Starts over before the first neighbour of {@code node}; returns this cursor. Where it throws, the
     * cursor is as it was.
     *
     * @throws varvite.error.VarviteException as the methods of {@link Adjacency}
     */
    public NeighborCursor of(int node) {
        if (shape != Adjacency.LISTS) {
            return ofImplied(node);
        }
        int rank = owners.memberRank(node);
        long ends = rank < 0 || offsets == null ? lists.of(node) : lists.ends(offsets, rank);
        return at(node, Lists.start(ends), Lists.end(ends));
    }

    /** Neighbours that follow from the tree, or have changed. */
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

    /** For a touched node, one entry at a time; the next one is found ahead. */
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

    /** Nothing that throws comes after: a cursor never has a part of two nodes. */
    private NeighborCursor at(int node, long start, long end) {
        source = node;
        current = -1;
        next = start;
        this.end = end;
        return this;
    }

    /**
     * Moves on; false after the last neighbour.
     *
     * @throws varvite.error.VarviteException as the methods of {@link Adjacency}
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

    /** Neighbours that are not plain ids. */
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

    /** The neighbour that the cursor is on; -1 before the first. */
    public int node() {
        return current;
    }

    /** The node with these neighbours. */
    public int source() {
        return source;
    }

    /**
     * Position of the current edge among all edges of the label: in the out direction, the rank that edge
     * properties are stored under. -1 for the forest label without lists. Edges that were appended since the
     * columns were written have the same number in both directions, behind those of the columns: their rank.
     */
    public long rank() {
        return shape == Adjacency.LISTS ? next - 1 : rank;
    }
}
