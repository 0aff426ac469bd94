package varvite.format;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A decoded part of a coded {@link Pool}, in memory that the window owns. The window moves to the bytes of
 * each read. It belongs to one thread at a time and is collected with its owner, because it refers to no
 * memory of the engine.
 */
public final class Window {
    /**
     * The number of bytes that are decoded at once in a sequential pass, in which the texts that follow are
     * read next.
     */
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
     * Moves the window to the pool's bytes from {@code from} to below {@code to}, and returns their offset in
     * {@link #bytes}.
     *
     * @throws varvite.error.VarviteException if the bytes are damaged, the file is closed, or the native
     * library is missing
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
        // The window is empty while it is written, in case the read fails.
        length = 0;
        start = from;
        pool.read(from, bytes.asSlice(0, size));
        length = size;
    }
}
