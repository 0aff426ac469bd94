package varvite;

import varvite.error.DamagedFileException;
import varvite.format.IdSet;
import varvite.format.Ints;
import varvite.format.Sieve;

/**
 * The lists of a property with changes since its columns were written: those of the base, and others in place
 * of some, with entries behind those of the base.
 *
 * @param base the lists before anything changed
 * @param baseValues their entries
 * @param later the lists of owners that got other ones; null for none
 * @param laterValues their entries; null for none
 * @param owners the owners whose list replaces that of the base, without removed ones; null for none
 * @param removed owners that are there no more; null for none
 * @param sieve of both
 * @param members all owners with a list
 * @param hidden how many entries of the base do not count
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

    /** A set of the base without hidden members, and with those of a change. */
    static IdSet membersOf(IdSet base, IdSet later, IdSet.Some hidden, int limit) {
        return base.changed(hidden, later == null ? IdSet.Some.of() : IdSet.Some.of(later), limit);
    }

    /**
     * Entries of all lists, end to end: those of the base, whether they count or not, and then the later
     * ones.
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

    /** Whether an owner's value is not that of the base. */
    boolean isOf(int owner) {
        return sieve.mayHave(owner)
                && (owners != null && owners.memberRank(owner) >= 0
                        || removed != null && removed.memberRank(owner) >= 0);
    }

    /** The first changed owner from {@code owner} up; -1 for none. */
    int next(int owner) {
        int changed = owners == null ? -1 : owners.next(owner);
        int gone = removed == null ? -1 : removed.next(owner);
        return changed < 0 || gone >= 0 && gone < changed ? gone : changed;
    }

    /** Whether all owners from {@code start} up and below {@code end} are unchanged. */
    boolean isOfBase(int start, int end) {
        int next = end <= base.owners().limit() ? next(start) : start;
        return next < 0 || next >= end;
    }

    /** Positions of the entries of an owner that there is. */
    long of(int owner) {
        // A set without bytes needs no read, which would fail after closing.
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
     * The first owner from {@code owner} up that has {@code code} among its values, or -1.
     *
     * @throws DamagedFileException if a list is none
     */
    int nextOwner(int code, int owner) {
        int ofBase = Codes.nextOwner(base, baseValues, code, owner);
        while (ofBase >= 0 && isOf(ofBase)) {
            ofBase = Codes.nextOwner(base, baseValues, code, ofBase + 1);
        }
        int ofLater = later == null ? -1 : Codes.nextOwner(later, laterValues, code, owner);
        return ofBase < 0 || ofLater >= 0 && ofLater < ofBase ? ofLater : ofBase;
    }
}
