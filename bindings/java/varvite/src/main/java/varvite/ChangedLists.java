package varvite;

import varvite.error.DamagedFileException;
import varvite.format.IdSet;
import varvite.format.Ints;
import varvite.format.Sieve;

/**
 * The lists of a property whose values have changed since its columns were written: the lists of the base,
 * some of them replaced by lists of the change. Entries of the change have positions after those of the base.
 *
 * @param base the lists of the base
 * @param baseValues the entries of {@code base}
 * @param later the lists that replace lists of the base; null if there are none
 * @param laterValues the entries of {@code later}; null if there are none
 * @param owners the owners whose list is replaced, without removed owners; null if there are none
 * @param removed the removed owners; null if there are none
 * @param sieve the sieve of {@code owners} and {@code removed}
 * @param members all owners with a list
 * @param hidden the number of entries of the base whose owners are replaced or removed
 */
record ChangedLists(
        Lists base,
        Ints baseValues,
        Lists later,
        Ints laterValues,
        IdSet owners,
        IdSet removed,
        Sieve sieve,
        IdSet members,
        long hidden) {
    /** Positions have 32 bits. */
    private static final long ENTRIES_MAX = 0xffff_ffffL;

    ChangedLists {
        if (base.entries() + (later == null ? 0 : later.entries()) > ENTRIES_MAX) {
            throw members.column().misfit("at most " + ENTRIES_MAX + " values", "more");
        }
    }

    /** The members of {@code base} without the hidden ones, together with the members of the change. */
    static IdSet membersOf(IdSet base, IdSet later, IdSet.Some hidden, int limit) {
        return base.changed(hidden, later == null ? IdSet.Some.of() : IdSet.Some.of(later), limit);
    }

    /**
     * The entries of all lists, end to end: all entries of the base, including hidden ones, followed by the
     * entries of the change.
     */
    Ints values() {
        return laterValues == null ? baseValues : baseValues.and(laterValues);
    }

    /** The number of valid entries. */
    long valueCount() {
        return base.entries() - hidden + (later == null ? 0 : later.entries());
    }

    /** Whether an owner may have more than one entry. */
    boolean hasLists() {
        return base.offsets() != null || later != null && later.offsets() != null;
    }

    /** Whether the list of an owner differs from the base: it is replaced, or the owner is removed. */
    boolean isOf(int owner) {
        return sieve.mayHave(owner) && (ChangedColumns.contains(owners, owner) || ChangedColumns.contains(removed, owner));
    }

    /** The first changed owner from {@code owner} up; -1 if there is none. */
    int next(int owner) {
        return ChangedColumns.leastOf(ChangedColumns.next(owners, owner), ChangedColumns.next(removed, owner));
    }

    /** Whether all owners from {@code start} to below {@code end} are unchanged. */
    boolean isOfBase(int start, int end) {
        int next = end <= base.owners().limit() ? next(start) : start;
        return next < 0 || next >= end;
    }

    /** The positions of the entries of an existing owner. */
    long of(int owner) {
        // A set without bytes needs no read, and only a read would detect that the file is closed.
        base.owners().column().file().checkOpen();
        if (!isOf(owner)) {
            return ofBase(base, owner);
        }
        long ends = later == null ? 0 : ofBase(later, owner);
        return ends == 0 ? 0 : ends + (base.entries() << 32 | base.entries());
    }

    private static long ofBase(Lists lists, int owner) {
        int rank = lists.owners().memberRank(owner);
        return rank < 0 ? 0 : lists.ofRank(rank);
    }

    /**
     * The first owner from {@code owner} up that has {@code code} among its values, or -1 if there is none.
     *
     * @throws DamagedFileException if the positions of a list are invalid
     */
    int nextOwner(int code, int owner) {
        int ofBase = base.nextOwner(baseValues, code, owner);
        while (ofBase >= 0 && isOf(ofBase)) {
            ofBase = base.nextOwner(baseValues, code, ofBase + 1);
        }
        int ofLater = later == null ? -1 : later.nextOwner(laterValues, code, owner);
        return ChangedColumns.leastOf(ofBase, ofLater);
    }
}
