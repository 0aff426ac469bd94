package varvite.joern;

import flatgraph.GNode;
import java.util.NoSuchElementException;
import scala.collection.AbstractIterator;
import varvite.NeighborCursor;
import varvite.Subtree;

/** A Scala iterator over nodes. The objects for a file's nodes are made on demand. */
abstract class NodeIterator extends AbstractIterator<GNode> {
    static NoSuchElementException end() {
        return new NoSuchElementException("next on empty iterator");
    }

    /**
     * An iterator over one node or over an array of nodes. There is one class for both cases, so that call
     * sites see fewer classes and the JIT compiler inlines the calls.
     */
    static final class OfList extends NodeIterator {
        private final Object all;
        private final int end;
        private int next;

        /**
         * An iterator over {@code all}, which is a node or an array whose class is exactly {@code GNode[]},
         * as {@link Hops} makes it, so that one comparison of classes distinguishes the cases.
         */
        OfList(Object all) {
            this.all = all;
            end = all.getClass() == GNode[].class ? ((GNode[]) all).length : 1;
        }

        @Override
        public boolean hasNext() {
            return next < end;
        }

        @Override
        public GNode next() {
            int index = next;
            if (index >= end) {
                throw end();
            }
            next = index + 1;
            return all.getClass() == GNode[].class ? ((GNode[]) all)[index] : (GNode) all;
        }

        @Override
        public int knownSize() {
            return end - next;
        }
    }

    /** An iterator over the nodes in a range of an array. */
    static final class OfArray extends NodeIterator {
        private final GNode[] nodes;
        private final int end;
        private int next;

        OfArray(GNode[] nodes, int start, int end) {
            this.nodes = nodes;
            this.end = end;
            next = start;
        }

        @Override
        public boolean hasNext() {
            return next < end;
        }

        @Override
        public GNode next() {
            if (next >= end) {
                throw end();
            }
            return nodes[next++];
        }

        @Override
        public int knownSize() {
            return end - next;
        }
    }

    /** An iterator over the nodes of a file with given ids. */
    static final class OfIds extends NodeIterator {
        private final MappedStorage storage;
        private final int[] ids;
        private int next;

        OfIds(MappedStorage storage, int[] ids) {
            this.storage = storage;
            this.ids = ids;
        }

        @Override
        public boolean hasNext() {
            return next < ids.length;
        }

        @Override
        public GNode next() {
            if (next >= ids.length) {
                throw end();
            }
            return storage.node(ids[next++]);
        }

        @Override
        public int knownSize() {
            return ids.length - next;
        }
    }

    /** An iterator over the children of a node along the tree label. */
    static final class OfChildren extends NodeIterator {
        private final MappedStorage storage;
        private final Subtree subtree;
        private final int end;
        private int next;

        /** An iterator from the first child to the end of the parent's subtree. */
        OfChildren(MappedStorage storage, Subtree subtree, int first, int end) {
            this.storage = storage;
            this.subtree = subtree;
            this.end = end;
            next = first;
        }

        @Override
        public boolean hasNext() {
            return next < end;
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
        private int left;

        /** An iterator over {@code count} neighbours; the cursor is before the first of them. */
        OfCursor(MappedStorage storage, NeighborCursor cursor, int count) {
            this.storage = storage;
            this.cursor = cursor;
            left = count;
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public GNode next() {
            if (left <= 0 || !cursor.next()) {
                throw end();
            }
            left--;
            return storage.node(cursor.node());
        }

        @Override
        public int knownSize() {
            return left;
        }
    }
}
