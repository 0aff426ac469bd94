package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Strings;

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
 * <p>What {@link BytesProperty#slice} gives as a new segment, this gives as {@link #segment} and {@link #offset}. Belongs to one thread.
 * Holds nothing of the graph open: after the graph was closed, reads throw {@link varvite.error.GraphClosedException}.
 */
public final class BytesCursor {
    private final Codes codes;
    private final Strings strings;
    private int code = -1;
    private int length;
    private long offset;

    BytesCursor(Codes codes) {
        this.codes = codes;
        strings = codes.strings();
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
        this.code = -1;
        length = 0;
        if (!codes.isText(code)) {
            return false;
        }
        offset = strings.start(code);
        length = (int) (strings.end(code, offset) - offset);
        this.code = code;
        return true;
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
        return strings.byteAt(offset + Objects.checkIndex(index, length), code);
    }

    /**
     * The eight bytes from {@code index} on as a little-endian number.
     *
     * @throws IndexOutOfBoundsException if the value ends before them
     */
    public long getLong(int index) {
        return strings.longAt(offset + Objects.checkFromIndexSize(index, Long.BYTES, length), code);
    }

    /**
     * Copies the value to {@code out}, from {@code at} on.
     *
     * @return how many bytes were copied; or, if they do not fit, nothing is copied and it is the complement of their number
     */
    public int copyInto(byte[] out, int at) {
        if (length > out.length - at) {
            return ~length;
        }
        return code < 0 ? 0 : strings.copyInto(code, out, at, length);
    }

    /** Whether the value is these bytes. */
    public boolean contentEquals(byte[] bytes) {
        return code >= 0 && length == bytes.length && strings.compare(code, bytes) == 0;
    }

    /** What the value lies in, with many others: {@link #length} bytes from {@link #offset} on are its own. Read-only. */
    public MemorySegment segment() {
        return strings.pool();
    }

    /** Where the value starts in {@link #segment}. */
    public long offset() {
        return offset;
    }
}
