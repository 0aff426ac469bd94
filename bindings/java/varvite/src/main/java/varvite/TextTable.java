package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Strings;
import varvite.spi.Utf8;

/**
 * The distinct texts of a property, each with a code. Codes of texts are below {@link #count()}, which is
 * itself the code of null.
 *
 * <p>Compare codes instead of texts where possible: whether a node's text is {@code "memcpy"} is then a
 * comparison of two ints. Copy bytes where bytes suffice, and make a {@link String} only where you need one.
 *
 * <p>May be used by any number of threads while the graph is open. Methods that take a code throw
 * {@link IndexOutOfBoundsException} for the code of null and larger codes,
 * {@link varvite.error.NativeRequiredException} for compressed texts if the native engine is missing, and
 * otherwise the exceptions of {@link Property}.
 *
 * <p>If texts are compressed, a call decodes the blocks that it needs; the engine caches some blocks for
 * later calls, within its memory limit. Reading texts in the order of their codes takes one call of the
 * engine for every 64 KiB; any other order takes one call for each text.
 */
public final class TextTable {
    private final Strings strings;

    TextTable(Strings strings) {
        this.strings = strings;
    }

    /** The number of texts, which is also the code of null. */
    public int count() {
        return strings.count();
    }

    /**
     * Whether codes are in the order of the texts' bytes, so that texts with a common prefix have a range of
     * codes.
     */
    public boolean isSorted() {
        return strings.isSorted();
    }

    /** Whether texts can be read, in place or through the native engine. Codes can always be read. */
    public boolean isReadable() {
        return strings.isReadable();
    }

    /** The length of a text in bytes. Constant time, allocates nothing. */
    public int length(int code) {
        return strings.length(code);
    }

    /** The text with a code. Allocates the string. */
    public String get(int code) {
        return strings.text(code);
    }

    /**
     * The bytes of a text in place, read-only; invalid once the graph is closed. Copies nothing, but
     * allocates the slice. If the text is compressed, its decoded block stays in memory until the graph is
     * closed, so prefer {@link #copyInto} or a cursor.
     */
    public MemorySegment slice(int code) {
        return strings.slice(code);
    }

    /**
     * Copies the bytes of a text to {@code out}, from index {@code at} on. Allocates nothing.
     *
     * @return the number of copied bytes. If the text does not fit, nothing is copied and the result is
     * {@code ~n}, the complement of the text's length {@code n}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(int code, byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        int length = strings.length(code);
        return length > out.length - at ? ~length : strings.copyInto(code, out, at, length);
    }

    /**
     * The code of a text, or -1 if the table does not have it. Takes logarithmic time in a sorted table, else
     * one pass over all texts.
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

    /** The same as {@link #find(String)}, for a text's UTF-8 bytes. Allocates nothing. */
    public int find(byte[] text) {
        return strings.find(text);
    }

    Strings strings() {
        return strings;
    }
}
