package varvite;

import java.util.Spliterator;
import java.util.function.IntConsumer;

/** A spliterator over a part of a list of neighbours. */
final class NeighborSpliterator implements Spliterator.OfInt {
    /** The characteristics of spliterators over neighbours, in every shape. */
    static final int TRAITS = ORDERED | IMMUTABLE | NONNULL;

    /** Shorter lists are not split. */
    private static final int LENGTH_MIN = 1 << 10;

    private final Adjacency adjacency;
    private final int source;
    private final long end;
    private long next;

    NeighborSpliterator(Adjacency adjacency, int source, long start, long end) {
        this.adjacency = adjacency;
        this.source = source;
        this.end = end;
        next = start;
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
        if (next >= end) {
            return false;
        }
        next++;
        adjacency.forEach(source, next - 1, next, action);
        return true;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        long start = next;
        next = end;
        adjacency.forEach(source, start, end, action);
    }

    @Override
    public Spliterator.OfInt trySplit() {
        if (end - next < LENGTH_MIN) {
            return null;
        }
        long start = next;
        next = start + end >>> 1;
        return new NeighborSpliterator(adjacency, source, start, next);
    }

    @Override
    public long estimateSize() {
        return end - next;
    }

    @Override
    public int characteristics() {
        return SIZED | SUBSIZED | TRAITS;
    }
}
