package varvite.joern;

import flatgraph.GNode;
import java.util.NoSuchElementException;
import scala.collection.AbstractIterator;
import varvite.NeighborCursor;
import varvite.Subtree;

/** Nodes one after the other, as Scala wants them. Those of a file become objects as they are met. */
abstract class NodeIterator extends AbstractIterator<GNode> {
    static NoSuchElementException end() {
        return new NoSuchElementException("next on empty iterator");
    }

    /**
     * One node, or those of an array: one class for both, as a call that meets two classes is not inlined
     * among others.
     */
    static final class OfList extends NodeIterator {
        private final Object all;
        private final int end;
        private int next;

        /**
         * A node, or an array of some: of this class exactly, as {@link Hops} makes it, so that one
         * comparison distinguishes them.
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

    /** The nodes of a range of an array. */
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

    /** The nodes of a file that have these ids. */
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

    /** The children of a node in the tree that ids are in the pre-order of. */
    static final class OfChildren extends NodeIterator {
        private final MappedStorage storage;
        private final Subtree subtree;
        private final int end;
        private int next;

        /** The first child, and the end of the subtree that all are in. */
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

        /** Counts them, which is cheaper than to go through them. */
        @Override
        public int knownSize() {
            int count = 0;
            for (int child = next; child < end; child = subtree.end(child)) {
                count++;
            }
            return count;
        }
    }

    /** Many neighbours, which are not copied. */
    static final class OfCursor extends NodeIterator {
        private final MappedStorage storage;
        private final NeighborCursor cursor;
        private int left;

        /** The cursor is before the first of {@code count} neighbours. */
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
