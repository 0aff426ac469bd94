package varvite.format;

import java.util.Arrays;

/**
 * A set of the base without members that are none any more, and with those that came later: what {@link IdSet} is where a graph has
 * changes.
 *
 * @param base the set before anything changed
 * @param hidden members of it that are none any more, or are added; rising
 * @param added members that the base does not have, or not any more
 */
record ChangedSet(IdSet base, int[] hidden, Added added) {
    /** Members that came later, from a list or a set. */
    sealed interface Added permits AddedList, AddedSet {
        int count();

        /** How many are below {@code id}. */
        int rank(int id);

        boolean contains(int id);

        /** The first from {@code id} up, or -1. */
        int next(int id);
    }

    /** Rising, and each once. */
    record AddedList(int[] members) implements Added {
        @Override
        public int count() {
            return members.length;
        }

        @Override
        public int rank(int id) {
            return rankIn(members, id);
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

    record AddedSet(IdSet set) implements Added {
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

    /** How many of some rising ids are below {@code id}. */
    private static int rankIn(int[] rising, int id) {
        int place = Arrays.binarySearch(rising, id);
        return place < 0 ? ~place : place;
    }

    /** How many members there are: not more than ids below {@code limit}, whatever a damaged file says. */
    int count(int limit) {
        return Math.clamp((long) base.count() - hidden.length + added.count(), 0, limit);
    }

    private boolean isHidden(int id) {
        return Arrays.binarySearch(hidden, id) >= 0;
    }

    int memberRank(int id) {
        boolean isMember = added.contains(id) || base.memberRank(id) >= 0 && !isHidden(id);
        return isMember ? rank(id) : -1;
    }

    int rank(int id) {
        return base.rank(id) - rankIn(hidden, id) + added.rank(id);
    }

    int next(int id) {
        int ofBase = base.next(id);
        while (ofBase >= 0 && isHidden(ofBase)) {
            ofBase = base.next(ofBase + 1);
        }
        int ofAdded = added.next(id);
        return ofBase < 0 || ofAdded >= 0 && ofAdded < ofBase ? ofAdded : ofBase;
    }

    /** Sets the bits of the members from {@code start} up and below {@code end}; all others are zero already. */
    void bits(int start, int end, long[] out) {
        int endOfBase = Math.min(end, base.limit());
        if (start < endOfBase) {
            base.bits(start, endOfBase, out);
        }
        for (int i = rankIn(hidden, start); i < hidden.length && hidden[i] < end; i++) {
            out[hidden[i] - start >>> 6] &= ~(1L << hidden[i] - start);
        }
        for (int id = added.next(start); id >= 0 && id < end; id = added.next(id + 1)) {
            out[id - start >>> 6] |= 1L << id - start;
        }
    }
}
