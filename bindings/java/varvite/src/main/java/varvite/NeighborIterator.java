package varvite;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.IntConsumer;

/** An iterator over the neighbours of a node. Its cursor is one step ahead. */
final class NeighborIterator implements PrimitiveIterator.OfInt {
    private final NeighborCursor cursor;
    private boolean isNext;

    NeighborIterator(NeighborCursor cursor) {
        this.cursor = cursor;
        isNext = cursor.next();
    }

    @Override
    public boolean hasNext() {
        return isNext;
    }

    @Override
    public int nextInt() {
        if (!isNext) {
            throw new NoSuchElementException("node " + cursor.source() + " has no more neighbours");
        }
        int node = cursor.node();
        isNext = cursor.next();
        return node;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        while (isNext) {
            action.accept(nextInt());
        }
    }
}
