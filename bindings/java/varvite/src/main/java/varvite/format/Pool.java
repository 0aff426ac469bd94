package varvite.format;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The bytes of all texts of a table: stored plainly in the file, or in blocks of a codec. The engine decodes
 * blocks on demand, and keeps some within its limit of memory; opening a table decodes nothing.
 */
final class Pool {
    private static final int SPARES = 8;

    /** Bytes that slices were taken of. */
    private record Range(long start, long end) {}

    private final Column column;
    private final int segment;
    private final long length;
    private final int blockLength;
    /** Null where it is coded. */
    private final MemorySegment plain;
    /** Unused windows. */
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

    /** The number of bytes. */
    long length() {
        return length;
    }

    /** The plain bytes; null if they are coded. */
    MemorySegment plain() {
        return plain;
    }

    /** A window of the caller's own onto coded bytes. */
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

    /** Decodes the bytes from {@code start} on, as many as {@code out} has room for. */
    void read(long start, MemorySegment out) {
        checkCodec();
        column.file().read(segment, start, out);
    }

    /** Passes if the file is open: a read of our own memory would not check that. */
    void checkOpen() {
        column.file().checkOpen();
    }

    private void checkCodec() {
        if (!column.isReadable(0)) {
            throw column.codecNeeded();
        }
    }

    /**
     * Bytes as a segment of their own, read-only, until the file is closed. The block of coded ones stays
     * decoded as long; those that lie in several blocks, alone.
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
