package varvite;

import java.util.Comparator;
import java.util.Spliterator;
import java.util.function.IntConsumer;

/** The members of a set within a range of ids as the source of a stream. Split by ids, so that both halves know their size. */
final class MemberSpliterator implements Spliterator.OfInt {
    /** Ranges of fewer ids are not worth a thread. */
    private static final int RANGE_MIN = 1 << 10;

    private final NodeSet set;
    private final int end;
    private int next;

    MemberSpliterator(NodeSet set, int start, int end) {
        this.set = set;
        this.end = end;
        next = start;
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
        int node = next < end ? set.next(next) : -1;
        if (node < 0 || node >= end) {
            next = end;
            return false;
        }
        next = node + 1;
        action.accept(node);
        return true;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        int node = next < end ? set.next(next) : -1;
        next = end;
        while (node >= 0 && node < end) {
            action.accept(node);
            node = set.next(node + 1);
        }
    }

    @Override
    public Spliterator.OfInt trySplit() {
        if (end - next < RANGE_MIN) {
            return null;
        }
        int start = next;
        next = start + end >>> 1;
        return new MemberSpliterator(set, start, next);
    }

    @Override
    public long estimateSize() {
        return next < end ? set.countIn(next, end) : 0;
    }

    @Override
    public int characteristics() {
        return SIZED | SUBSIZED | DISTINCT | SORTED | ORDERED | IMMUTABLE | NONNULL;
    }

    /** The order of ints itself. */
    @Override
    public Comparator<? super Integer> getComparator() {
        return null;
    }
}
