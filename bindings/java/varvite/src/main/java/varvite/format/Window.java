package varvite.format;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A decoded part of a coded {@link Pool}, in memory of its own, which moves to the place of the next read.
 * Belongs to one thread at a time, and is collected with its owner: it holds no memory of the engine.
 */
public final class Window {
    /** Bytes that are decoded at once in a sequential pass: the texts that follow are read next. */
    private static final int PASS_BYTES = 1 << 16;

    private final Pool pool;
    private MemorySegment bytes = MemorySegment.NULL;
    private long start;
    private long length;

    Window(Pool pool) {
        this.pool = pool;
    }

    /** The memory of the window, valid until it moves. */
    public MemorySegment bytes() {
        return bytes;
    }

    /**
     * The place in {@link #bytes} of the pool's bytes from {@code from} up and below {@code to}; moves the
     * window there.
     *
     * @throws varvite.error.VarviteException if they are damaged, the file is closed, or nothing here decodes
     * them
     */
    long at(long from, long to) {
        pool.checkOpen();
        if (from < start || to > start + length) {
            move(from, to - from);
        }
        return from - start;
    }

    private void move(long from, long wanted) {
        boolean isPass = from >= start && from <= start + length;
        long size = isPass ? Math.max(wanted, Math.min(PASS_BYTES, pool.length() - from)) : wanted;
        if (bytes.byteSize() < size) {
            bytes = Arena.ofAuto().allocate(Math.max(size, PASS_BYTES), Long.BYTES);
        }
        // Nothing of it counts while it is written.
        length = 0;
        start = from;
        pool.read(from, bytes.asSlice(0, size));
        length = size;
    }
}
