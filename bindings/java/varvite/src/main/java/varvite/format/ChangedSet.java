package varvite.format;

import java.util.Arrays;

/**
 * A set of the base (the columns before all changes) without removed members and with added members. This is
 * the form of an {@link IdSet} that has changes.
 *
 * @param base the set of the base
 * @param hidden the members of {@code base} that are removed, or that are also in {@code added}
 * @param added members that {@code base} lacks or that are hidden
 */
record ChangedSet(IdSet base, Members hidden, Members added) {
    /** The ids of a list or of a set. */
    sealed interface Members permits ListedMembers, MembersOfSet {
        int count();

        /** The number of members below {@code id}. */
        int rank(int id);

        boolean contains(int id);

        /** The first member from {@code id} up, or -1 if there is none. */
        int next(int id);
    }

    /** Members as a list in rising order, without duplicates. */
    record ListedMembers(int[] members) implements Members {
        @Override
        public int count() {
            return members.length;
        }

        @Override
        public int rank(int id) {
            int place = Arrays.binarySearch(members, id);
            return place < 0 ? ~place : place;
        }

        @Override
        public boolean contains(int id) {
            return Arrays.binarySearch(members, id) >= 0;
        }

        @Override
        public int next(int id) {
            int rank = rank(id);
            return rank < members.length ? members[rank] : -1;
        }
    }

    record MembersOfSet(IdSet set) implements Members {
        @Override
        public int count() {
            return set.count();
        }

        @Override
        public int rank(int id) {
            return set.rank(id);
        }

        @Override
        public boolean contains(int id) {
            return set.memberRank(id) >= 0;
        }

        @Override
        public int next(int id) {
            return set.next(id);
        }
    }

    /** The number of members; at most {@code limit}, even in a damaged file. */
    int count(int limit) {
        return Math.clamp((long) base.count() - hidden.count() + added.count(), 0, limit);
    }

    int memberRank(int id) {
        boolean isMember = added.contains(id) || base.memberRank(id) >= 0 && !hidden.contains(id);
        return isMember ? rank(id) : -1;
    }

    int rank(int id) {
        return base.rank(id) - hidden.rank(id) + added.rank(id);
    }

    int next(int id) {
        int ofBase = base.next(id);
        while (ofBase >= 0 && hidden.contains(ofBase)) {
            ofBase = base.next(ofBase + 1);
        }
        int ofAdded = added.next(id);
        return ofBase < 0 || ofAdded >= 0 && ofAdded < ofBase ? ofAdded : ofBase;
    }

    /**
     * Sets the bits of the members from {@code start} to below {@code end} in {@code out}, whose bits must be
     * zero.
     */
    void bits(int start, int end, long[] out) {
        int endOfBase = Math.min(end, base.limit());
        if (start < endOfBase) {
            base.bits(start, endOfBase, out);
        }
        for (int id = hidden.next(start); id >= 0 && id < end; id = hidden.next(id + 1)) {
            out[id - start >>> 6] &= ~(1L << id - start);
        }
        for (int id = added.next(start); id >= 0 && id < end; id = added.next(id + 1)) {
            out[id - start >>> 6] |= 1L << id - start;
        }
    }
}
