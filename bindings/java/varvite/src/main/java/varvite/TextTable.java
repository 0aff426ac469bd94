package varvite;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import varvite.format.Strings;

/**
 * The distinct texts of a property, each found by its code. Codes are below {@link #count()}, which itself stands for null: a value
 * that is there and is nothing.
 *
 * <p>Ask questions of codes: whether a node's code is the one of {@code "memcpy"} is a comparison of two ints. Copy bytes where
 * those are needed, and make a {@link String} last.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Methods that take a code throw
 * {@link IndexOutOfBoundsException} for null and for codes beyond, {@link varvite.error.NativeRequiredException} where texts are
 * stored in blocks of a codec, and otherwise as {@link Property}.
 */
public final class TextTable {
    private final Strings strings;

    TextTable(Strings strings) {
        this.strings = strings;
    }

    /** How many texts there are; also the code of null. */
    public int count() {
        return strings.count();
    }

    /** Whether codes rise in the order of their texts' bytes, so that a prefix is a range of codes. */
    public boolean isSorted() {
        return strings.isSorted();
    }

    /** Whether texts are stored as they are read; codes always are. */
    public boolean isReadable() {
        return strings.isReadable();
    }

    /** Bytes of a text. Constant time, allocates nothing. */
    public int length(int code) {
        return strings.length(code);
    }

    /** A text. Allocates it. */
    public String get(int code) {
        return strings.text(code);
    }

    /** The bytes of a text where they lie, read-only; dead once the graph is closed. No copy; allocates the slice. */
    public MemorySegment slice(int code) {
        return strings.slice(code);
    }

    /**
     * Copies the bytes of a text to {@code out}, from {@code at} on. Allocates nothing.
     *
     * @return how many bytes were copied; or, if they do not fit, nothing is copied and it is the complement of their number
     */
    public int copyInto(int code, byte[] out, int at) {
        int length = strings.length(code);
        return length > out.length - at ? ~length : strings.copyInto(code, out, at, length);
    }

    /** The code of a text, or -1 if it is not in the table: logarithmic in a sorted table, else one pass over all. */
    public int find(String text) {
        return find(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The code of the text of these bytes, or -1: as {@link #find(String)}, and allocates nothing. */
    public int find(byte[] text) {
        return strings.find(text);
    }

    Strings strings() {
        return strings;
    }
}
