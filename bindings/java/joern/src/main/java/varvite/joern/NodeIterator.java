package varvite.joern;

import flatgraph.GNode;
import java.util.NoSuchElementException;
import scala.collection.AbstractIterator;
import varvite.NeighborCursor;
import varvite.Subtree;

/** A Scala iterator over nodes. The objects for a file's nodes are made on demand. */
abstract class NodeIterator extends AbstractIterator<GNode> {
    /**
     * The iterator is at its end once {@code next} is not below {@code end}. Both fields are indexes, ids or
     * counts, depending on the subclass.
     */
    final int end;
    int next;

    private NodeIterator(int next, int end) {
        this.next = next;
        this.end = end;
    }

    static NoSuchElementException end() {
        return new NoSuchElementException("next on empty iterator");
    }

    @Override
    public final boolean hasNext() {
        return next < end;
    }

    /** Steps over the current item, and returns its number. */
    final int step() {
        int number = next;
        if (number >= end) {
            throw end();
        }
        next = number + 1;
        return number;
    }

    @Override
    public int knownSize() {
        return end - next;
    }

    /**
     * An iterator over one node or over an array of nodes. There is one class for both cases, so that call
     * sites see fewer classes and the JIT compiler inlines the calls.
     */
    static final class OfList extends NodeIterator {
        private final Object all;

        /**
         * An iterator over {@code all}, which is a node or an array whose class is exactly {@code GNode[]},
         * as {@link Hops} makes it, so that one comparison of classes distinguishes the cases.
         */
        OfList(Object all) {
            super(0, all.getClass() == GNode[].class ? ((GNode[]) all).length : 1);
            this.all = all;
        }

        @Override
        public GNode next() {
            int index = step();
            return all.getClass() == GNode[].class ? ((GNode[]) all)[index] : (GNode) all;
        }
    }

    /** An iterator over the nodes in a range of an array. */
    static final class OfArray extends NodeIterator {
        private final GNode[] nodes;

        OfArray(GNode[] nodes, int start, int end) {
            super(start, end);
            this.nodes = nodes;
        }

        @Override
        public GNode next() {
            return nodes[step()];
        }
    }

    /** An iterator over the nodes of a file with given ids. */
    static final class OfIds extends NodeIterator {
        private final MappedStorage storage;
        private final int[] ids;

        OfIds(MappedStorage storage, int[] ids) {
            super(0, ids.length);
            this.storage = storage;
            this.ids = ids;
        }

        @Override
        public GNode next() {
            return storage.node(ids[step()]);
        }
    }

    /** An iterator over the children of a node along the tree label. */
    static final class OfChildren extends NodeIterator {
        private final MappedStorage storage;
        private final Subtree subtree;

        /** An iterator from the first child to the end of the parent's subtree. */
        OfChildren(MappedStorage storage, Subtree subtree, int first, int end) {
            super(first, end);
            this.storage = storage;
            this.subtree = subtree;
        }

        @Override
        public GNode next() {
            if (next >= end) {
                throw end();
            }
            int child = next;
            next = subtree.end(child);
            return storage.node(child);
        }

        /** Counts the remaining children, which is cheaper than making their objects. */
        @Override
        public int knownSize() {
            int count = 0;
            for (int child = next; child < end; child = subtree.end(child)) {
                count++;
            }
            return count;
        }
    }

    /** An iterator over many neighbours, which are not copied. */
    static final class OfCursor extends NodeIterator {
        private final MappedStorage storage;
        private final NeighborCursor cursor;

        /** An iterator over {@code count} neighbours; the cursor is before the first of them. */
        OfCursor(MappedStorage storage, NeighborCursor cursor, int count) {
            super(0, count);
            this.storage = storage;
            this.cursor = cursor;
        }

        @Override
        public GNode next() {
            if (next >= end || !cursor.next()) {
                throw end();
            }
            next++;
            return storage.node(cursor.node());
        }
    }
}
