package varvite.joern;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.SoftReference;

/**
 * What was read of things that have numbers, such as the nodes of a kind, so that it is not read again. Lies in chunks that are made when
 * something of a chunk is first kept: four bytes for each number in it, and what is kept. The collector takes all of it back where the heap
 * is short.
 *
 * <p>For any number of threads. Two may read and keep the same: what they keep must be equal.
 */
final class Kept {
    private static final int CHUNK_BITS = 10;
    private static final int IN_CHUNK = (1 << CHUNK_BITS) - 1;
    private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(Object[][].class);
    private static final VarHandle ITEMS = MethodHandles.arrayElementVarHandle(Object[].class);

    private final int count;
    private volatile SoftReference<Object[][]> chunks = new SoftReference<>(null);

    /** For numbers below {@code count}. */
    Kept(int count) {
        this.count = count;
    }

    /** What is kept of a number, or null; also for numbers that there are not. A few loads. */
    Object get(int number) {
        Object[][] all = chunks.get();
        if (all == null || Integer.compareUnsigned(number, count) >= 0) {
            return null;
        }
        Object[] chunk = (Object[]) CHUNKS.getAcquire(all, number >>> CHUNK_BITS);
        return chunk == null ? null : ITEMS.getAcquire(chunk, number & IN_CHUNK);
    }

    /** Keeps something of a number that there is. */
    void put(int number, Object item) {
        Object[][] all = chunks.get();
        if (all == null) {
            all = new Object[(int) ((count + (long) IN_CHUNK) >>> CHUNK_BITS)][];
            chunks = new SoftReference<>(all);
        }
        Object[] chunk = (Object[]) CHUNKS.getAcquire(all, number >>> CHUNK_BITS);
        if (chunk == null) {
            chunk = new Object[IN_CHUNK + 1];
            CHUNKS.setRelease(all, number >>> CHUNK_BITS, chunk);
        }
        ITEMS.setRelease(chunk, number & IN_CHUNK, item);
    }
}
