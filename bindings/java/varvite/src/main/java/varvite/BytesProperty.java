package varvite;

import java.util.Objects;
import varvite.format.Ints;

/**
 * A property of byte arrays, or of texts that are read as UTF-8 bytes. Values are read in place, or copied to
 * the caller's array.
 *
 * <p>In files of the direct profile bytes are stored uncompressed: {@link #slice} is then a view of the file
 * that costs no copy and needs no release. After the graph is closed, reading the slice throws {@link
 * IllegalStateException}.
 */
public final class BytesProperty extends CodedProperty {
    /** The result of {@link #length} and {@link #copyInto} if the owner has no value or its value is null. */
    public static final int ABSENT = Integer.MIN_VALUE;

    BytesProperty(PropertyInfo info, Lists lists, Ints values, TextTable table) {
        super(info, lists, values, table);
    }

    /** The distinct values, by code. */
    public TextTable table() {
        return table;
    }

    /** The length in bytes of the first value of {@code owner}, or {@link #ABSENT}. */
    public int length(int owner) {
        int code = code(owner);
        return isText(code) ? table.length(code) : ABSENT;
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
        return isText(code) ? table.copyInto(code, out, at) : ABSENT;
    }

    /**
     * The first value of {@code owner} in a new array; null if the owner has no value or its value is null.
     */
    public byte[] get(int owner) {
        return bytes(code(owner));
    }

    /**
     * Value number {@code index} of {@code owner}, from 0, in a new array; null for a null value.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public byte[] at(int owner, int index) {
        return bytes(codeAt(owner, index));
    }

    private byte[] bytes(int code) {
        if (!isText(code)) {
            return null;
        }
        byte[] bytes = new byte[table.length(code)];
        table.copyInto(code, bytes, 0);
        return bytes;
    }
}
