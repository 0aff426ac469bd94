package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Strings;
import varvite.format.Window;

/**
 * Reads the bytes of one value after the other where they lie, without a copy and without allocating:
 *
 * <pre>{@code
 * BytesCursor value = graph.bytes("CODE").cursor();
 * for (int call = calls.next(0); call >= 0; call = calls.next(call + 1)) {
 *     if (value.of(call) && value.get(value.length() - 1) == ')') { ... }
 * }
 * }</pre>
 *
 * <p>{@link BytesProperty#slice} gives a new segment; this class gives the same bytes as {@link #segment} and
 * {@link #offset}. Belongs to one thread. Holds nothing of the graph open: after the graph was closed, reads
 * throw {@link varvite.error.GraphClosedException}.
 */
public final class BytesCursor {
    private final Codes codes;
    private final Strings all;
    /** Values of the first table alone. */
    private final int stored;
    /** Onto values of it in blocks of a codec; null where they are plain. */
    private final Window ofFirst;
    /** The same for values of the table that follows. */
    private final Window ofMore;
    /** The table that has the value, and the window onto it. */
    private Strings strings;
    private Window window;
    /** The memory that holds the value. */
    private MemorySegment place;
    private int code = -1;
    private int length;
    private long offset;

    BytesCursor(Codes codes) {
        this.codes = codes;
        all = codes.strings();
        stored = all.stored();
        ofFirst = all.window();
        ofMore = all.more() == null ? null : all.more().window();
        strings = all;
        window = ofFirst;
        place = window == null ? strings.plain() : window.bytes();
    }

    /**
     * Goes to the first value of {@code owner}; false if it has none, or null.
     *
     * @throws varvite.error.VarviteException as the methods of {@link Property}
     */
    public boolean of(int owner) {
        return ofCode(codes.first(owner));
    }

    /** Goes to the value that a code stands for; false for the code of null, and for -1. */
    public boolean ofCode(int code) {
        if (Integer.compareUnsigned(code, stored) >= 0) {
            return ofOther(code);
        }
        if (code == this.code) {
            all.column().file().checkOpen();
            return true;
        }
        if (strings != all) {
            take(all, ofFirst);
        }
        return goTo(code, code);
    }

    /** Values of the table that follows, and codes that stand for none. */
    private boolean ofOther(int code) {
        if (!codes.isText(code)) {
            return at(0, 0, -1);
        }
        take(all.more(), ofMore);
        return goTo(code - stored, code);
    }

    /** Reads another table, from its beginning. */
    private void take(Strings table, Window window) {
        strings = table;
        this.window = window;
        place = window == null ? table.plain() : window.bytes();
        at(0, 0, -1);
    }

    private boolean goTo(int inTable, int code) {
        long start = strings.start(inTable);
        long end = strings.end(inTable, start);
        if (window == null) {
            return at(start, end - start, code);
        }
        // The window moves, so that the value before is gone even if this fails.
        at(0, 0, -1);
        long offset = strings.at(window, start, end);
        place = window.bytes();
        return at(offset, end - start, code);
    }

    /** Nothing that throws comes after: a cursor never has a part of two values. */
    private boolean at(long offset, long length, int code) {
        this.offset = offset;
        this.length = (int) length;
        this.code = code;
        return code >= 0;
    }

    /** The code of the value, or -1 where there is none. */
    public int code() {
        return code;
    }

    /** Bytes of the value; 0 where there is none. */
    public int length() {
        return length;
    }

    /**
     * Byte number {@code index}.
     *
     * @throws IndexOutOfBoundsException if there is none of that number
     */
    public byte get(int index) {
        return strings.byteAt(place, offset + Objects.checkIndex(index, length), code);
    }

    /**
     * The eight bytes from {@code index} on as a little-endian number.
     *
     * @throws IndexOutOfBoundsException if the value ends before them
     */
    public long getLong(int index) {
        return strings.longAt(place, offset + Objects.checkFromIndexSize(index, Long.BYTES, length), code);
    }

    /**
     * Copies the value to {@code out}, from {@code at} on.
     *
     * @return how many bytes were copied; or, if they do not fit, nothing is copied and it is the complement
     * of their number
     * @throws IndexOutOfBoundsException if {@code at} is no place in {@code out}
     */
    public int copyInto(byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        if (length > out.length - at) {
            return ~length;
        }
        return code < 0 ? 0 : strings.copyAt(place, offset, code, out, at, length);
    }

    /** Whether the value is these bytes. */
    public boolean contentEquals(byte[] bytes) {
        return code >= 0 && length == bytes.length && strings.compareAt(place, offset, length, code, bytes) == 0;
    }

    /**
     * The memory that holds the value among others: {@link #length} bytes from {@link #offset} on. Read-only.
     * For a column in blocks of a codec it is memory of the cursor, valid until the cursor goes to the next
     * value.
     */
    public MemorySegment segment() {
        return window == null ? place : place.asReadOnly();
    }

    /** The start of the value in {@link #segment}. */
    public long offset() {
        return offset;
    }
}
