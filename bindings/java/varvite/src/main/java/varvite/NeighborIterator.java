package varvite;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.IntConsumer;

/** The neighbours of one node as an iterator: a cursor that looks one step ahead. */
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
