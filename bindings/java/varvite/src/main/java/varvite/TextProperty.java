package varvite;

import java.lang.foreign.MemorySegment;
import varvite.format.Ints;

/**
 * A property of texts: each value is a code into a {@link TextTable}, which stays unread until the first read
 * of a text.
 */
public final class TextProperty extends Property {
    private final TextTable texts;
    private final Codes codes;

    TextProperty(PropertyInfo info, Lists lists, Ints values, TextTable texts) {
        super(info, new Numbers(lists, values, 0, texts.count()));
        this.texts = texts;
        codes = new Codes(lists, values, texts.strings());
    }

    /** The distinct texts, by code. */
    public TextTable texts() {
        return texts;
    }

    /**
     * The code of the first text of {@code owner}; -1 if it has none, {@link TextTable#count()} for null.
     * Allocates nothing.
     */
    public int code(int owner) {
        return codes.first(owner);
    }

    /**
     * The code of value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if it has fewer
     */
    public int codeAt(int owner, int index) {
        return codes.at(position(owner, index), owner);
    }

    /** The first text of {@code owner}; null if it has none, and for null. Allocates the string. */
    public String get(int owner) {
        int code = code(owner);
        return codes.isText(code) ? texts.get(code) : null;
    }

    /**
     * Value number {@code index} of {@code owner}, from 0; null for null. Allocates the string.
     *
     * @throws IndexOutOfBoundsException if it has fewer
     */
    public String at(int owner, int index) {
        int code = codeAt(owner, index);
        return codes.isText(code) ? texts.get(code) : null;
    }

    /**
     * A cursor that reads the bytes of texts where they lie, to be kept and reused by one thread. Allocates
     * the cursor.
     */
    public BytesCursor cursor() {
        return new BytesCursor(codes);
    }

    /**
     * A reader of texts of owners that come again and again, to be kept and reused by one thread: it makes a
     * string once where {@link #get} makes one each time. Allocates the reader.
     */
    public RecentTexts recentTexts() {
        return new RecentTexts(this);
    }

    /**
     * The bytes of the first text of {@code owner} where they lie; null if it has none. As {@link
     * TextTable#slice}.
     */
    public MemorySegment slice(int owner) {
        int code = code(owner);
        return codes.isText(code) ? texts.slice(code) : null;
    }

    /**
     * The first owner from {@code owner} up that has a text of this code, or -1. One pass over the codes,
     * about a nanosecond each; at once where every owner has a text of its own, in order.
     *
     * @throws varvite.error.CancelledException if the thread is interrupted during the pass
     */
    public int nextOwner(int code, int owner) {
        return codes.nextOwner(code, owner);
    }

    /**
     * The first codes of the owners from {@code start} up and below {@code end}, as
     * {@link #fill(int, int, long[], long[])} has them, as ints: {@code codes[i]} is that of owner
     * {@code start + i}, if bit {@code i % 64} of {@code present[i / 64]} says that it has one, and else 0.
     *
     * <p>Costs one to three nanoseconds for each owner; values in lists are read one by one. Allocates
     * nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or an array too short
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these; what
     *     is in the arrays is undefined then
     */
    public void fill(int start, int end, int[] codes, long[] present) {
        scan.fill(start, end, codes, present);
    }
}
