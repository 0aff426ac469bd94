package varvite;

import varvite.format.Ints;
import varvite.format.Strings;

/**
 * The codes of a property of texts or bytes, by owner. {@link TextProperty} and {@link BytesProperty} share
 * this class.
 */
record Codes(Lists lists, Ints values, Strings strings) {
    /** The code at a position, which belongs to {@code owner}. */
    int at(long position, int owner) {
        long code = values.get(position, owner);
        if (Long.compareUnsigned(code, strings.count()) > 0) {
            throw values.column().impossible(position);
        }
        return (int) code;
    }

    /** The first code of {@code owner}, or -1 if it has no value. */
    int first(int owner) {
        long ends = lists.of(owner);
        return Lists.length(ends) == 0 ? -1 : at(Lists.start(ends), owner);
    }

    /** Whether a code stands for bytes, and not for an absent value or null. */
    boolean isText(int code) {
        return code >= 0 && code < strings.count();
    }

    /** The first owner from {@code owner} up that has {@code code} among its values, or -1. */
    int nextOwner(int code, int owner) {
        return lists.change() == null ? nextOwner(lists, values, code, owner) : lists.change().nextOwner(code, owner);
    }

    /** The same as {@link #nextOwner(int, int)}, in lists without changes. */
    static int nextOwner(Lists lists, Ints values, int code, int owner) {
        int rank = lists.owners().rank(owner);
        if (rank >= lists.owners().count()) {
            return -1;
        }
        long start = lists.offsets() == null ? rank : Lists.start(lists.offsets().pair(rank));
        long position = values.find(code, start);
        return position < 0 ? -1 : lists.owners().select(
                lists.offsets() == null ? (int) position : lists.rankAt(position, rank));
    }
}
