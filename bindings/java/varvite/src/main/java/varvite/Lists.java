package varvite;

import varvite.error.NoSuchNodeException;
import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * The place of each owner's list: the lists of an adjacency, or the values of a property. A set of the owners
 * that have a list, and the start of each list.
 *
 * @param owners the owners with a list; where lists have changed none, so that all others are looked up in
 * the change
 * @param offsets where each list starts, and the end of the last; null if each has one entry
 * @param entries how many entries all lists have together
 * @param kind what owners are, for messages: {@code node} or {@code edge}
 * @param limit owners are below it
 * @param change the changes; null for none
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

    /** Checks that lengths fit: one offset more than there are lists, or as many entries as owners. */
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
     * Positions of the entries of {@code owner}: the start in the low 32 bits, the end in the high 32; both 0
     * if it has none.
     *
     * @throws NoSuchNodeException if there is no such owner
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

    /** The same for the owner with rank {@code rank}. */
    long ofRank(int rank) {
        return offsets == null ? (rank + 1L) << 32 | rank : ends(offsets, rank);
    }

    /**
     * Positions of the entries of the owner with rank {@code rank}; the offsets are those of these lists,
     * which a loop has at hand.
     */
    long ends(Ints offsets, int rank) {
        long ends = offsets.pair(rank);
        if (!fits(start(ends), end(ends))) {
            throw offsets.column().impossible(rank);
        }
        return ends;
    }

    /** The rank of the owner of the list with a position, or -1 if there is none. Costs a search. */
    int rankAt(long position) {
        if (position >= entries) {
            return -1;
        }
        return offsets == null ? (int) position : rankAt(position, 0);
    }

    /** The same from a rank up, where the list of that begins at the position or before. */
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

    private boolean fits(long start, long end) {
        // As an unsigned number, a negative length is too long as well.
        return Long.compareUnsigned(end - start, Integer.MAX_VALUE) <= 0 && end <= entries;
    }

    /** Passes if there is an owner of this id. */
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
}
