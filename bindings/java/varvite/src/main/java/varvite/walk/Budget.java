package varvite.walk;

import java.util.Arrays;
import varvite.error.OverBudgetException;

/**
 * The account of an arena's bytes: its limit, the bytes that it holds, and their maximum. The bytes of a new
 * array are added before it is allocated; those of the replaced array are subtracted afterwards.
 */
final class Budget {
    private static final int ITEMS_MIN = 16;
    /** The maximum number of items of an array on every virtual machine. */
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
     * A copy of an array with room for {@code needed} items, at least twice as long. The account includes
     * both arrays while the items are copied.
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

    /** The same as {@link #grow(int[], long)}, for longs. */
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

    /** The same as {@link #grow(int[], long)}, for doubles. */
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

    /**
     * Computes the length of a larger array, adds its bytes to the account and returns the length. Throws if
     * the account would exceed the limit.
     */
    private int hold(int length, long needed, int bytes) {
        if (needed > ITEMS_MAX) {
            throw new OverBudgetException(limit, held + needed * bytes);
        }
        long grown = Math.min(ITEMS_MAX, Math.max(Math.max(needed, 2L * length), ITEMS_MIN));
        hold(grown * bytes);
        return (int) grown;
    }
}
