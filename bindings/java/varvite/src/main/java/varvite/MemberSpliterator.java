package varvite;

import java.util.Comparator;
import java.util.Spliterator;
import java.util.function.IntConsumer;

/**
 * A spliterator over the members of a set within a range of ids. It splits this range, so that the sizes of
 * both halves are known.
 */
final class MemberSpliterator implements Spliterator.OfInt {
    /** Ranges with fewer ids are not split. */
    private static final int RANGE_MIN = 1 << 10;

    private final NodeSet set;
    private final int end;
    private int next;
    /**
     * The number of members that must remain if the reported size is right; -1 before the first member is
     * read.
     */
    private long left = -1;

    MemberSpliterator(NodeSet set, int start, int end) {
        this.set = set;
        this.end = end;
        next = start;
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
        int node = take();
        if (node < 0) {
            return false;
        }
        action.accept(node);
        return true;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        for (int node = take(); node >= 0; node = take()) {
            action.accept(node);
        }
    }

    /**
     * The next member, or -1 after the last.
     *
     * @throws varvite.error.DamagedFileException if the set has more or fewer members than the reported size
     */
    private int take() {
        if (left < 0) {
            left = estimateSize();
        }
        int node = next < end ? set.next(next) : -1;
        boolean isMember = node >= 0 && node < end;
        next = isMember ? node + 1 : end;
        if (isMember != left > 0) {
            throw set.miscounted();
        }
        left -= isMember ? 1 : 0;
        return isMember ? node : -1;
    }

    @Override
    public Spliterator.OfInt trySplit() {
        if (end - next < RANGE_MIN) {
            return null;
        }
        int start = next;
        next = start + end >>> 1;
        left = -1;
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

    /** Returns null, which stands for the natural order of ints. */
    @Override
    public Comparator<? super Integer> getComparator() {
        return null;
    }
}
