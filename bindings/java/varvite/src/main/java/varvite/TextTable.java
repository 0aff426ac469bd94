package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Strings;
import varvite.spi.Utf8;

/**
 * The distinct texts of a property, each found by its code. Codes are below {@link #count()}, which itself
 * stands for null: a value that is there and is nothing.
 *
 * <p>Ask questions of codes: whether a node's code is the one of {@code "memcpy"} is a comparison of two
 * ints. Copy bytes where those are needed, and make a {@link String} last.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Methods that take a code throw
 * {@link IndexOutOfBoundsException} for null and for codes beyond, {@link
 * varvite.error.NativeRequiredException} for texts in blocks of a codec without the native engine that
 * decodes them, and otherwise as {@link Property}.
 *
 * <p>Of texts in blocks a call decodes those that it needs; the engine keeps some of them for the next,
 * within its limit of memory. Texts read in the order of their codes take a call of the engine for 64 KiB,
 * others one each.
 */
public final class TextTable {
    private final Strings strings;

    TextTable(Strings strings) {
        this.strings = strings;
    }

    /** The number of texts; also the code of null. */
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

    /**
     * The bytes of a text in place, read-only; invalid once the graph is closed. No copy; allocates the
     * slice. For texts in blocks the block stays decoded until then, so that {@link #copyInto} or a cursor is
     * better there.
     */
    public MemorySegment slice(int code) {
        return strings.slice(code);
    }

    /**
     * Copies the bytes of a text to {@code out}, from {@code at} on. Allocates nothing.
     *
     * @return how many bytes were copied; or, if they do not fit, nothing is copied and it is the complement
     * of their number
     * @throws IndexOutOfBoundsException if {@code at} is no place in {@code out}
     */
    public int copyInto(int code, byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        int length = strings.length(code);
        return length > out.length - at ? ~length : strings.copyInto(code, out, at, length);
    }

    /**
     * The code of a text, or -1 if it is not in the table: logarithmic in a sorted table, else one pass over
     * all.
     *
     * @throws varvite.error.CancelledException if the thread is interrupted during the pass
     */
    public int find(String text) {
        byte[] bytes = Utf8.bytes(text);
        if (bytes == null) {
            strings.column().file().checkOpen();
            return -1;
        }
        return find(bytes);
    }

    /** The code of the text of these bytes, or -1: as {@link #find(String)}, and allocates nothing. */
    public int find(byte[] text) {
        return strings.find(text);
    }

    Strings strings() {
        return strings;
    }
}
