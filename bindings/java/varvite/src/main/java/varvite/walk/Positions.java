package varvite.walk;

/**
 * The position of a walk in the neighbour list of each open branch, by the number of the branch.
 */
final class Positions {
    private final Budget budget;
    /** The remaining part of each list ({@link varvite.Adjacency#rest}), as last stored. */
    private long[] rests = {};
    /**
     * The way of each list, and the end of the ways that lead on from the node, as indexes of {@link
     * Plan#wayNumbers}.
     */
    private int[] wayAts = {};

    private int[] wayEnds = {};

    Positions(Budget budget) {
        this.budget = budget;
    }

    /** Stores the first list of a branch that is opened, or the next list of an open branch. */
    void put(int number, long rest, int wayAt, int wayEnd) {
        if (number >= wayEnds.length) {
            grow(number + 1L);
        }
        rests[number] = rest;
        wayAts[number] = wayAt;
        wayEnds[number] = wayEnd;
    }

    private void grow(long needed) {
        rests = budget.grow(rests, needed);
        wayAts = budget.grow(wayAts, needed);
        wayEnds = budget.grow(wayEnds, needed);
    }

    /** Stores the position of the walk in the list of a branch. */
    void park(int number, long rest) {
        rests[number] = rest;
    }

    long rest(int number) {
        return rests[number];
    }

    int wayAt(int number) {
        return wayAts[number];
    }

    int wayEnd(int number) {
        return wayEnds[number];
    }
}
