package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Ints;

/**
 * A property of bytes, or of texts as their UTF-8 bytes: read in place, or copied to an array of the caller.
 *
 * <p>In files of the direct profile bytes are stored uncompressed: {@link #slice} is then a view of the file
 * that costs no copy and needs no release.
 */
public final class BytesProperty extends Property {
    /** The result of {@link #length} and {@link #copyInto} if the owner has no value or its value is null. */
    public static final int ABSENT = Integer.MIN_VALUE;

    private final TextTable table;
    private final Codes codes;

    BytesProperty(PropertyInfo info, Lists lists, Ints values, TextTable table) {
        super(info, new Numbers(lists, values, 0, table.count()));
        this.table = table;
        codes = new Codes(lists, values, table.strings());
    }

    /** The distinct values, by code. */
    public TextTable table() {
        return table;
    }

    /**
     * The code of the first value of {@code owner}; -1 if the owner has no value, {@link TextTable#count()}
     * for null.
     */
    public int code(int owner) {
        return codes.first(owner);
    }

    /**
     * The code of value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public int codeAt(int owner, int index) {
        return codes.at(position(owner, index), owner);
    }

    /** Bytes of the first value of {@code owner}, or {@link #ABSENT}. */
    public int length(int owner) {
        int code = code(owner);
        return codes.isText(code) ? table.length(code) : ABSENT;
    }

    /**
     * A cursor that reads values in place, which one thread may keep and reuse. Allocates the cursor.
     */
    public BytesCursor cursor() {
        return new BytesCursor(codes);
    }

    /**
     * The first value of {@code owner} in place, read-only; null if the owner has no value. After the graph
     * is closed, reading the slice throws {@link IllegalStateException}. Copies nothing, but allocates the
     * slice, in contrast to {@link #cursor}.
     */
    public MemorySegment slice(int owner) {
        int code = code(owner);
        return codes.isText(code) ? table.slice(code) : null;
    }

    /**
     * Copies the first value of {@code owner} to {@code out}, from {@code at} on. Allocates nothing.
     *
     * @return the number of copied bytes, or {@link #ABSENT}. If the value does not fit, nothing is copied
     * and the result is {@code ~n}, the complement of its length {@code n}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(int owner, byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        int code = code(owner);
        return codes.isText(code) ? table.copyInto(code, out, at) : ABSENT;
    }

    /**
     * The first value of {@code owner} in a new array; null if the owner has no value or its value is null.
     */
    public byte[] get(int owner) {
        int code = code(owner);
        return codes.isText(code) ? bytes(code) : null;
    }

    /**
     * Value number {@code index} of {@code owner}, from 0, in a new array; null for a null value.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public byte[] at(int owner, int index) {
        int code = codeAt(owner, index);
        return codes.isText(code) ? bytes(code) : null;
    }

    private byte[] bytes(int code) {
        byte[] bytes = new byte[table.length(code)];
        table.copyInto(code, bytes, 0);
        return bytes;
    }
}
