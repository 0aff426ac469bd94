package varvite;

import varvite.format.Ints;

/** A property of texts. */
public final class TextProperty extends CodedProperty {
    TextProperty(PropertyInfo info, Lists lists, Ints values, TextTable texts) {
        super(info, lists, values, texts);
    }

    /** The distinct texts, by code. */
    public TextTable texts() {
        return table;
    }

    /**
     * The first text of {@code owner}; null if the owner has no value or its value is null. Allocates the
     * string.
     */
    public String get(int owner) {
        return text(code(owner));
    }

    /**
     * Value number {@code index} of {@code owner}, from 0; null for a null value. Allocates the string.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public String at(int owner, int index) {
        return text(codeAt(owner, index));
    }

    private String text(int code) {
        return isText(code) ? table.get(code) : null;
    }

    /**
     * A reader of texts that caches the strings of owners that are read repeatedly, while {@link #get}
     * allocates a string for each read. One thread may reuse it. Allocates the reader.
     */
    public RecentTexts recentTexts() {
        return new RecentTexts(this);
    }

    /**
     * The first owner from {@code owner} up that has the text with this code, or -1 if there is none. Costs
     * one pass over the codes, about a nanosecond each; constant time if codes are the ranks of owners.
     *
     * @throws varvite.error.CancelledException if the thread is interrupted during the pass
     */
    public int nextOwner(int code, int owner) {
        ChangedLists change = lists.change();
        return change == null ? lists.nextOwner(values, code, owner) : change.nextOwner(code, owner);
    }

    /**
     * The codes of the first texts of the owners from {@code start} to below {@code end} as ints. Otherwise
     * the same as {@link #fill(int, int, long[], long[])}. Bit {@code i % 64} of {@code present[i / 64]} is 1
     * if owner {@code start + i} has a value; {@code codes[i]} is its code, or 0.
     *
     * <p>Takes one to three nanoseconds for each owner; a property of lists is not read in bulk, but value by
     * value. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or an array is too short
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners; the content of the arrays is then undefined
     */
    public void fill(int start, int end, int[] codes, long[] present) {
        scan.fill(start, end, codes, present);
    }
}
