package varvite.joern;

import flatgraph.GNode;
import java.util.Arrays;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import varvite.Adjacency;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.NeighborCursor;
import varvite.Subtree;

/** The way from a node of a file to its neighbours along one edge label, in one direction. */
abstract sealed class Hops permits Hops.OfLists, Hops.OfChildren, Hops.OfParents {
    final MappedStorage storage;
    final Adjacency adjacency;

    private Hops(MappedStorage storage, Adjacency adjacency) {
        this.storage = storage;
        this.adjacency = adjacency;
    }

    /** The edges of a label: those of the tree without lists follow from the ids. */
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

    /** The neighbours of a node. */
    abstract Iterator<GNode> neighbors(int id);

    /** A cursor before the first edge of a node. */
    NeighborCursor cursor(int id) {
        return adjacency.cursor().of(id);
    }

    /** Edges in lists. */
    static final class OfLists extends Hops {
        /** Longer lists are not copied. */
        private static final int COPIED_MAX = 64;
        private static final ThreadLocal<int[]> COPY = ThreadLocal.withInitial(() -> new int[COPIED_MAX]);

        private OfLists(MappedStorage storage, Adjacency adjacency) {
            super(storage, adjacency);
        }

        @Override
        Iterator<GNode> neighbors(int id) {
            int[] copy = COPY.get();
            int count = adjacency.copyInto(id, copy, 0);
            return switch (count) {
                case 0 -> Iterator$.MODULE$.empty();
                case 1 -> new NodeIterator.OfOne(storage.node(copy[0]));
                default -> count > 0
                        ? new NodeIterator.OfIds(storage, Arrays.copyOf(copy, count))
                        : new NodeIterator.OfCursor(storage, cursor(id), ~count);
            };
        }
    }

    /** From a node of the tree to those below it. */
    static final class OfChildren extends Hops {
        private final Subtree subtree;

        private OfChildren(MappedStorage storage, Adjacency adjacency, Subtree subtree) {
            super(storage, adjacency);
            this.subtree = subtree;
        }

        @Override
        Iterator<GNode> neighbors(int id) {
            int end = subtree.end(id);
            return end == id + 1 ? Iterator$.MODULE$.empty() : new NodeIterator.OfChildren(storage, subtree, id + 1, end);
        }
    }

    /** From a node of the tree to the one above it. */
    static final class OfParents extends Hops {
        private OfParents(MappedStorage storage, Adjacency adjacency) {
            super(storage, adjacency);
        }

        @Override
        Iterator<GNode> neighbors(int id) {
            int parent = adjacency.first(id);
            return parent < 0 ? Iterator$.MODULE$.empty() : new NodeIterator.OfOne(storage.node(parent));
        }
    }
}
