package varvite.joern;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A cache of objects by number, such as the nodes of a kind. It consists of chunks, each of which is
 * allocated for its first entry. A chunk takes four bytes for each of its numbers, in addition to the
 * objects.
 *
 * <p>May be used by any number of threads. Two threads may compute and cache an object for the same number;
 * these objects must be equal. A thread that finds an object sees all writes that were made before the object
 * was cached: a fence follows those writes, and reads of the object's fields follow the read of the reference
 * to it, as for final fields. An access with a variable handle would cost a hundred times as much until the
 * JIT compiler has compiled the method.
 */
class Kept<T> {
    private static final int CHUNK_BITS = 10;
    private static final int IN_CHUNK = (1 << CHUNK_BITS) - 1;
    private static final int CHUNK_BYTES = 16 + 4 * (IN_CHUNK + 1);

    private final Room room;
    private final Object[][] chunks;

    /** A cache for numbers below {@code count}. */
    Kept(Room room, int count) {
        this.room = room;
        chunks = new Object[(int) ((count + (long) IN_CHUNK) >>> CHUNK_BITS)][];
        room.add(this, 16 + 4L * chunks.length);
    }

    /**
     * The cached object for a number; null if there is none, or if the number is beyond the end. Costs a few
     * loads.
     */
    @SuppressWarnings("unchecked")
    final T kept(int number) {
        int index = number >>> CHUNK_BITS;
        if (index >= chunks.length) {
            return null;
        }
        Object[] chunk = chunks[index];
        return chunk == null ? null : (T) chunk[number & IN_CHUNK];
    }

    /** Caches an object of {@code bytes} bytes for a number below the count. */
    final void keep(int number, T item, int bytes) {
        Object[] chunk = chunks[number >>> CHUNK_BITS];
        if (chunk == null) {
            chunk = new Object[IN_CHUNK + 1];
            VarHandle.releaseFence();
            chunks[number >>> CHUNK_BITS] = chunk;
            room.take(CHUNK_BYTES);
        }
        VarHandle.releaseFence();
        chunk[number & IN_CHUNK] = item;
        room.take(bytes);
    }

    /** Drops all cached objects. */
    final void forget() {
        Arrays.fill(chunks, null);
    }
}
