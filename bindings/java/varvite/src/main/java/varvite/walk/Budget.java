package varvite.walk;

import java.util.Arrays;
import varvite.error.OverBudgetException;

/**
 * The bytes that an arena may hold, holds, and held at most: taken before an array grows, and given back when
 * it was replaced.
 */
final class Budget {
    private static final int ITEMS_MIN = 16;
    /** Most items that an array has on any virtual machine. */
    private static final long ITEMS_MAX = Integer.MAX_VALUE - 8L;

    final long limit;
    private long held;
    private long most;

    Budget(long limit) {
        this.limit = limit;
    }

    long held() {
        return held;
    }

    long most() {
        return most;
    }

    private void hold(long bytes) {
        if (bytes > limit - held) {
            throw new OverBudgetException(limit, held + bytes);
        }
        held += bytes;
        most = Math.max(most, held);
    }

    private void release(long bytes) {
        held -= bytes;
    }

    /**
     * An array that begins like this one and has room for {@code needed} items: twice as long. Both are there
     * together while it is copied.
     */
    int[] grow(int[] items, long needed) {
        int length = hold(items.length, needed, Integer.BYTES);
        try {
            int[] grown = Arrays.copyOf(items, length);
            release((long) Integer.BYTES * items.length);
            return grown;
        } catch (OutOfMemoryError e) {
            release((long) Integer.BYTES * length);
            throw e;
        }
    }

    /** The same for longs. */
    long[] grow(long[] items, long needed) {
        int length = hold(items.length, needed, Long.BYTES);
        try {
            long[] grown = Arrays.copyOf(items, length);
            release((long) Long.BYTES * items.length);
            return grown;
        } catch (OutOfMemoryError e) {
            release((long) Long.BYTES * length);
            throw e;
        }
    }

    /** The same for doubles. */
    double[] grow(double[] items, long needed) {
        int length = hold(items.length, needed, Double.BYTES);
        try {
            double[] grown = Arrays.copyOf(items, length);
            release((long) Double.BYTES * items.length);
            return grown;
        } catch (OutOfMemoryError e) {
            release((long) Double.BYTES * length);
            throw e;
        }
    }

    /** Takes the bytes of an array that grows from the budget, and returns its new length. */
    private int hold(int length, long needed, int bytes) {
        if (needed > ITEMS_MAX) {
            throw new OverBudgetException(limit, held + needed * bytes);
        }
        long grown = Math.min(ITEMS_MAX, Math.max(Math.max(needed, 2L * length), ITEMS_MIN));
        hold(grown * bytes);
        return (int) grown;
    }
}
