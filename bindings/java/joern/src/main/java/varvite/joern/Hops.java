package varvite.joern;

import flatgraph.GNode;
import scala.collection.Iterator;
import varvite.Adjacency;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.NeighborCursor;
import varvite.Subtree;

/** Reads the neighbours of a mapped file's nodes, along one edge label and in one direction. */
abstract sealed class Hops permits Hops.OfLists, Hops.OfChildren, Hops.OfParents {
    /** The maximum length of a list that is read as a whole; longer lists are read step by step. */
    static final int AT_ONCE_MAX = 1 << 14;

    private static final GNode[] NOBODY = {};

    final MappedStorage storage;
    final Adjacency adjacency;

    private Hops(MappedStorage storage, Adjacency adjacency) {
        this.storage = storage;
        this.adjacency = adjacency;
    }

    /**
     * Opens the neighbours along an edge label. If the edges of the tree label are not stored, they are
     * computed from the ids.
     */
    static Hops of(MappedStorage storage, EdgeLabel label, Direction direction) {
        Adjacency adjacency = storage.file().adjacency(label, direction);
        boolean isTree = storage.file().forestLabel().filter(label::equals).isPresent()
                && storage.file().nodeCount() > 0 && adjacency.firstRank(0) < 0;
        if (!isTree) {
            return new OfLists(storage, adjacency);
        }
        return direction == Direction.IN
                ? new OfParents(storage, adjacency)
                : new OfChildren(storage, adjacency, storage.file().subtree().orElseThrow());
    }

    /**
     * The neighbours of a node: a single node, or an array if there are none or several. Null if there are
     * more than {@link #AT_ONCE_MAX}.
     */
    abstract Object all(int id);

    /** An iterator over the neighbours of a node, which makes the node objects on demand. */
    abstract Iterator<GNode> neighbors(int id);

    /** A cursor before the first edge of a node. */
    NeighborCursor cursor(int id) {
        return adjacency.cursor().of(id);
    }

    /** Hops along edges that are stored in lists. */
    static final class OfLists extends Hops {
        private static final ThreadLocal<int[]> COPY = ThreadLocal.withInitial(() -> new int[AT_ONCE_MAX]);

        private OfLists(MappedStorage storage, Adjacency adjacency) {
            super(storage, adjacency);
        }

        @Override
        Object all(int id) {
            int[] copy = COPY.get();
            int count = adjacency.copyInto(id, copy, 0);
            if (count <= 1) {
                return count < 0 ? null : count == 0 ? NOBODY : storage.node(copy[0]);
            }
            GNode[] all = new GNode[count];
            for (int i = 0; i < count; i++) {
                all[i] = storage.node(copy[i]);
            }
            return all;
        }

        @Override
        Iterator<GNode> neighbors(int id) {
            return new NodeIterator.OfCursor(storage, cursor(id), adjacency.degree(id));
        }
    }

    /** Hops from a node of the tree to its children. */
    static final class OfChildren extends Hops {
        private final Subtree subtree;
        private final Windows ends;

        private OfChildren(MappedStorage storage, Adjacency adjacency, Subtree subtree) {
            super(storage, adjacency);
            this.subtree = subtree;
            ends = new Windows(storage.file().nodeCount(), subtree::fillEnds);
        }

        @Override
        Object all(int id) {
            int end = ends.get(id);
            if (end == id + 1) {
                return NOBODY;
            }
            int count = 0;
            for (int child = id + 1; child < end && count <= AT_ONCE_MAX; child = ends.get(child)) {
                count++;
            }
            if (count <= 1) {
                return storage.node(id + 1);
            }
            return count > AT_ONCE_MAX ? null : children(id + 1, count);
        }

        private GNode[] children(int first, int count) {
            GNode[] all = new GNode[count];
            int child = first;
            for (int i = 0; i < count; i++, child = ends.get(child)) {
                all[i] = storage.node(child);
            }
            return all;
        }

        @Override
        Iterator<GNode> neighbors(int id) {
            return new NodeIterator.OfChildren(storage, subtree, id + 1, subtree.end(id));
        }
    }

    /** Hops from a node of the tree to its parent. */
    static final class OfParents extends Hops {
        private OfParents(MappedStorage storage, Adjacency adjacency) {
            super(storage, adjacency);
        }

        @Override
        Object all(int id) {
            int parent = adjacency.first(id);
            return parent < 0 ? NOBODY : storage.node(parent);
        }

        @Override
        Iterator<GNode> neighbors(int id) {
            return new NodeIterator.OfCursor(storage, cursor(id), adjacency.degree(id));
        }
    }
}
