package varvite.joern;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What was read of things that have numbers, such as the nodes of a kind, so that it is not read again. Lies in chunks that are made when
 * something of a chunk is first kept: four bytes for each number in it, and what is kept.
 *
 * <p>For any number of threads. Two may read and keep the same: what they keep must be equal.
 */
abstract class Kept {
    private static final int CHUNK_BITS = 10;
    private static final int IN_CHUNK = (1 << CHUNK_BITS) - 1;
    private static final int CHUNK_BYTES = 16 + 4 * (IN_CHUNK + 1);
    private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(Object[][].class);
    private static final VarHandle ITEMS = MethodHandles.arrayElementVarHandle(Object[].class);

    private final Room room;
    private final int count;
    private final Object[][] chunks;

    /** For numbers below {@code count}. */
    Kept(Room room, int count) {
        this.room = room;
        this.count = count;
        chunks = new Object[(int) ((count + (long) IN_CHUNK) >>> CHUNK_BITS)][];
        room.add(this, 16 + 4L * chunks.length);
    }

    /** What is kept of a number, or null; also for numbers that there are not. A few loads. */
    final Object kept(int number) {
        if (Integer.compareUnsigned(number, count) >= 0) {
            return null;
        }
        Object[] chunk = (Object[]) CHUNKS.getAcquire(chunks, number >>> CHUNK_BITS);
        return chunk == null ? null : ITEMS.getAcquire(chunk, number & IN_CHUNK);
    }

    /** Keeps something of so many bytes of a number that there is. */
    final void keep(int number, Object item, int bytes) {
        Object[] chunk = (Object[]) CHUNKS.getAcquire(chunks, number >>> CHUNK_BITS);
        if (chunk == null) {
            chunk = new Object[IN_CHUNK + 1];
            CHUNKS.setRelease(chunks, number >>> CHUNK_BITS, chunk);
            room.take(CHUNK_BYTES);
        }
        ITEMS.setRelease(chunk, number & IN_CHUNK, item);
        room.take(bytes);
    }

    /** Keeps nothing any more. */
    final void forget() {
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            CHUNKS.setRelease(chunks, chunk, null);
        }
    }
}
