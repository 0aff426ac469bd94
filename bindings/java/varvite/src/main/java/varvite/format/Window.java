package varvite.format;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A decoded part of a compressed {@link Pool}, in memory that the window owns. Each read moves the window to
 * the bytes that it needs. Only one thread at a time may use a window. A window does not have to be closed:
 * it refers to no memory of the engine and is garbage-collected with its owner.
 */
public final class Window {
    /**
     * The number of bytes that a sequential pass decodes at once, because it reads the texts that follow
     * next.
     */
    private static final int PASS_BYTES = 1 << 16;

    private final Pool pool;
    private MemorySegment bytes = MemorySegment.NULL;
    private long start;
    private long length;

    Window(Pool pool) {
        this.pool = pool;
    }

    /** The memory of the window, whose content is valid until the window moves. */
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
        // Mark the window as empty during the read, in case the read fails.
        length = 0;
        start = from;
        pool.read(from, bytes.asSlice(0, size));
        length = size;
    }
}
