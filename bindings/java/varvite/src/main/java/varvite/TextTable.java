package varvite;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.format.Strings;
import varvite.spi.Utf8;

/**
 * The distinct texts of a property, each with a code. Codes of texts are below {@link #count()}; that number
 * itself is the code of null.
 *
 * <p>Compare codes instead of texts where possible: whether a node's text is {@code "memcpy"} is then a
 * comparison of two ints. Copy bytes where bytes are enough, and make a {@link String} only where one is
 * needed.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Methods that take a code throw
 * {@link IndexOutOfBoundsException} for the code of null and larger codes, {@link
 * varvite.error.NativeRequiredException} for texts in blocks of a codec if the native engine is missing, and
 * otherwise the exceptions of {@link Property}.
 *
 * <p>If texts are in blocks of a codec, a call decodes the blocks that it needs; the engine keeps some blocks
 * for later calls, within its memory limit. Reading texts in the order of their codes takes one call of the
 * engine for every 64 KiB; in any other order it takes one call for each text.
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

    /** Whether texts can be read here, in place or through the native engine; codes can always be read. */
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
     * allocates the slice. If the text is in a block of a codec, the block stays decoded until the graph is
     * closed: prefer {@link #copyInto} or a cursor then.
     */
    public MemorySegment slice(int code) {
        return strings.slice(code);
    }

    /**
     * Copies the bytes of a text to {@code out}, from {@code at} on. Allocates nothing.
     *
     * @return the number of copied bytes; or the complement {@code ~n} of the text's length {@code n} if it
     * does not fit, and nothing is copied then
     * @throws IndexOutOfBoundsException if {@code at} is no index of {@code out} or its length
     */
    public int copyInto(int code, byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        int length = strings.length(code);
        return length > out.length - at ? ~length : strings.copyInto(code, out, at, length);
    }

    /**
     * The code of a text, or -1 if it is not in the table. Takes logarithmic time in a sorted table, else one
     * pass over all texts.
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

    /** The code of the text with these bytes, or -1, like {@link #find(String)}. Allocates nothing. */
    public int find(byte[] text) {
        return strings.find(text);
    }

    Strings strings() {
        return strings;
    }
}
