package varvite;

import varvite.error.NoSuchNodeException;
import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * The positions of each owner's list in a column: the lists of an adjacency, or the values of a property.
 * They are stored as a set of the owners that have a list, and the start of each list.
 *
 * @param owners the owners with a list; empty if lists have changed, so that every owner is looked up in
 * {@code change}
 * @param offsets the start of each list, and the end of the last list; null if each list has one entry
 * @param entries the number of entries in all lists together
 * @param kind the kind of the owners, for messages: {@code node} or {@code edge}
 * @param limit the limit of owners: every owner is below it
 * @param change the changed lists; null if there are no changes
 */
record Lists(IdSet owners, Ints offsets, long entries, String kind, int limit, ChangedLists change) {
    private static final long LOW = 0xffff_ffffL;

    /** Lists without changes. */
    Lists(IdSet owners, Ints offsets, long entries, String kind, int limit) {
        this(owners, offsets, entries, kind, limit, null);
    }

    /** Lists with changes. */
    static Lists changed(ChangedLists change, int limit) {
        IdSet none = change.members().withoutMembers(limit);
        return new Lists(none, null, 0, change.base().kind(), limit, change);
    }

    /**
     * Checks that the lengths agree: there is one more offset than there are lists; or without offsets, as
     * many entries as owners.
     */
    Lists {
        int count = owners.count();
        if (offsets != null && offsets.count() != count + 1L) {
            throw owners.column().file().faults().damaged(
                    offsets.column().use(), count + 1L + " offsets", offsets.count());
        }
        if (offsets == null && entries != count) {
            throw owners.column().file().faults().damaged(owners.column().use(), count + " values", entries);
        }
    }

    /**
     * The positions of the entries of {@code owner}: their start in the low 32 bits, their end in the high
     * 32; both 0 if the owner has no list.
     *
     * @throws NoSuchNodeException if the owner does not exist
     */
    long of(int owner) {
        int rank = owners.memberRank(owner);
        if (rank < 0) {
            check(owner);
            return change == null ? 0 : change.of(owner);
        }
        return ofRank(rank);
    }

    /** The owners with a list, changed or not. */
    IdSet members() {
        return change == null ? owners : change.members();
    }

    /** Whether an owner may have more than one entry. */
    boolean hasLists() {
        return change == null ? offsets != null : change.hasLists();
    }

    /** The positions of the entries of the owner with rank {@code rank}. */
    long ofRank(int rank) {
        return offsets == null ? (rank + 1L) << 32 | rank : ends(offsets, rank);
    }

    /**
     * The positions of the entries of the owner with rank {@code rank}. {@code offsets} is this record's
     * component of the same name, which a loop keeps in a local variable and passes.
     */
    long ends(Ints offsets, int rank) {
        long ends = offsets.pair(rank);
        if (!fits(start(ends), end(ends))) {
            throw offsets.column().impossible(rank);
        }
        return ends;
    }

    /** The rank of the owner whose list contains a position, or -1 if no list does. Takes a binary search. */
    int rankAt(long position) {
        if (position >= entries) {
            return -1;
        }
        return offsets == null ? (int) position : rankAt(position, 0);
    }

    /**
     * The same as {@link #rankAt(long)}, but searches only from {@code rank} up. The list of that rank must
     * begin at or before the position.
     */
    int rankAt(long position, int rank) {
        int low = rank;
        int high = owners.count();
        while (high - low > 1) {
            int middle = low + high >>> 1;
            if (offsets.get(middle, middle) <= position) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The first owner from {@code owner} up that has {@code number} among its {@code values}, or -1. For
     * lists without changes.
     */
    int nextOwner(Ints values, int number, int owner) {
        int rank = owners.rank(owner);
        if (rank >= owners.count()) {
            return -1;
        }
        long position = values.find(number, offsets == null ? rank : start(offsets.pair(rank)));
        return position < 0 ? -1 : owners.select(offsets == null ? (int) position : rankAt(position, rank));
    }

    private boolean fits(long start, long end) {
        // As an unsigned number, a negative length is large, so it is refused too.
        return Long.compareUnsigned(end - start, Integer.MAX_VALUE) <= 0 && end <= entries;
    }

    /** Throws if the owner does not exist. */
    void check(int owner) {
        if (Integer.compareUnsigned(owner, limit) >= 0) {
            throw new NoSuchNodeException(kind, owner, limit);
        }
    }

    static long start(long ends) {
        return ends & LOW;
    }

    static long end(long ends) {
        return ends >>> 32;
    }

    static int length(long ends) {
        return (int) (end(ends) - start(ends));
    }

    /** The length of a list, or its complement {@code ~length} if the length is above {@code room}. */
    static int fitting(long ends, int room) {
        int length = length(ends);
        return length > room ? ~length : length;
    }
}
