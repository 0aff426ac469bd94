package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Strings;
import varvite.format.Window;

/**
 * Reads the bytes of one value after another in place, without a copy and without allocation:
 *
 * <pre>{@code
 * BytesCursor value = graph.bytes("CODE").cursor();
 * for (int call = calls.next(0); call >= 0; call = calls.next(call + 1)) {
 *     if (value.of(call) && value.get(value.length() - 1) == ')') { ... }
 * }
 * }</pre>
 *
 * <p>{@link BytesProperty#slice} allocates a segment for each value; this class returns the same bytes by
 * {@link #segment} and {@link #offset}, without an allocation. A cursor belongs to one thread. It does not
 * keep the graph open: after the graph is closed, reads throw {@link varvite.error.GraphClosedException}.
 */
public final class BytesCursor {
    private final CodedProperty property;
    private final Strings all;
    /**
     * The number of values in the first table, which is that of the base; the second has the values of
     * changes.
     */
    private final int stored;
    /** The decoded part of the first table that is read at present; null if the table is not compressed. */
    private final Window ofFirst;
    /** The decoded part of the second table; null if there is no such table or it is not compressed. */
    private final Window ofMore;
    /** The table that contains the current value, and the decoded part of that table. */
    private Strings strings;
    private Window window;
    /** The memory that contains the current value. */
    private MemorySegment place;
    private int code = -1;
    private int length;
    private long offset;

    BytesCursor(CodedProperty property) {
        this.property = property;
        all = property.table.strings();
        stored = all.stored();
        ofFirst = all.window();
        ofMore = all.more() == null ? null : all.more().window();
        strings = all;
        window = ofFirst;
        place = window == null ? strings.plain() : window.bytes();
    }

    /**
     * Moves to the first value of {@code owner}; false if the owner has no value or its value is null.
     *
     * @throws varvite.error.VarviteException as for the methods of {@link Property}
     */
    public boolean of(int owner) {
        return ofCode(property.code(owner));
    }

    /** Moves to the value that a code stands for; false for the code of null and for -1. */
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

    /** Moves to a value of the second table; false for a code that stands for no value. */
    private boolean ofOther(int code) {
        if (!property.isText(code)) {
            return at(0, 0, -1);
        }
        take(all.more(), ofMore);
        return goTo(code - stored, code);
    }

    /** Switches to another table. */
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
        // Moving the window to another decoded part invalidates the previous value, even if the move fails.
        at(0, 0, -1);
        long offset = strings.at(window, start, end);
        place = window.bytes();
        return at(offset, end - start, code);
    }

    /**
     * Sets the current value. Called after everything that may throw, so that a cursor never mixes two
     * values.
     */
    private boolean at(long offset, long length, int code) {
        this.offset = offset;
        this.length = (int) length;
        this.code = code;
        return code >= 0;
    }

    /** The code of the current value, or -1 if there is none. */
    public int code() {
        return code;
    }

    /** The length of the current value in bytes; 0 if there is none. */
    public int length() {
        return length;
    }

    /**
     * Byte number {@code index}.
     *
     * @throws IndexOutOfBoundsException if the value has no byte with that number
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
     * @return the number of copied bytes. If they do not fit, nothing is copied and the result is
     * {@code ~length()}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        if (length > out.length - at) {
            return ~length;
        }
        return code < 0 ? 0 : strings.copyAt(place, offset, code, out, at, length);
    }

    /** Whether the current value equals these bytes. */
    public boolean contentEquals(byte[] bytes) {
        return code >= 0 && length == bytes.length && strings.compareAt(place, offset, length, code, bytes) == 0;
    }

    /**
     * The memory that contains the value, in {@link #length} bytes from {@link #offset} on. It is read-only.
     * For a compressed column it is memory of the cursor, and its content is valid until the cursor moves to
     * another value.
     */
    public MemorySegment segment() {
        return window == null ? place : place.asReadOnly();
    }

    /** The start of the value in {@link #segment}. */
    public long offset() {
        return offset;
    }
}
