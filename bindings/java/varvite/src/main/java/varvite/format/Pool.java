package varvite.format;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The bytes of all texts of a table, stored in the file either plainly or in compressed blocks. The engine
 * decodes blocks on demand and caches some of them within its memory limit; opening a table decodes nothing.
 */
final class Pool {
    private static final int SPARES = 8;

    /** The range of bytes that a kept slice covers. */
    private record Range(long start, long end) {}

    private final Column column;
    private final int segment;
    private final long length;
    private final int blockLength;
    /** The bytes in place; null if they are compressed. */
    private final MemorySegment plain;
    /** Unused windows, kept for later reads. */
    private final AtomicReferenceArray<Window> spares = new AtomicReferenceArray<>(SPARES);
    private final Map<Range, MemorySegment> kept = new HashMap<>();

    Pool(Column column) {
        SegmentRow row = column.segmentRow(0);
        this.column = column;
        segment = column.row().segment0();
        length = row.plainLength();
        blockLength = row.blockLength();
        plain = row.isPlain() ? column.segment(0, 0) : null;
    }

    /** The number of plain bytes. */
    long length() {
        return length;
    }

    /** The bytes in place; null if they are compressed. */
    MemorySegment plain() {
        return plain;
    }

    /** A new window onto compressed bytes. The caller owns the window. */
    Window window() {
        return new Window(this);
    }

    /** Calls {@code look} with a window that no other thread uses meanwhile. */
    <T> T withWindow(Function<Window, T> look) {
        int place = (int) Thread.currentThread().threadId() & SPARES - 1;
        Window spare = spares.getAndSet(place, null);
        Window window = spare == null ? new Window(this) : spare;
        T seen = look.apply(window);
        spares.set(place, window);
        return seen;
    }

    /** Fills {@code out} with decoded bytes from {@code start} on. */
    void read(long start, MemorySegment out) {
        checkCodec();
        column.file().read(segment, start, out);
    }

    /** Throws if the file is closed. Reads of a window's own memory do not check this. */
    void checkOpen() {
        column.file().checkOpen();
    }

    private void checkCodec() {
        if (!column.isReadable(0)) {
            throw column.codecNeeded();
        }
    }

    /**
     * The bytes from {@code start} to {@code end} as a read-only segment that is valid until the file is
     * closed. If the bytes are compressed, a decoded copy of their block stays in memory until then; if they
     * span several blocks, a copy of only these bytes.
     */
    MemorySegment slice(long start, long end) {
        if (plain != null) {
            return plain.asSlice(start, end - start);
        }
        if (start == end) {
            return column.file().map().asSlice(0, 0);
        }
        long block = start - start % blockLength;
        boolean isInBlock = end <= block + blockLength;
        Range range = isInBlock ? new Range(block, Math.min(block + blockLength, length)) : new Range(start, end);
        return kept(range).asSlice(start - range.start, end - start);
    }

    private synchronized MemorySegment kept(Range range) {
        checkOpen();
        MemorySegment bytes = kept.get(range);
        if (bytes == null) {
            checkCodec();
            bytes = column.file().readKept(segment, range.start, range.end - range.start);
            kept.put(range, bytes);
        }
        return bytes;
    }
}
