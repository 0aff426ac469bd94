package varvite.walk;

/** The position of a walk in the neighbour list of each open branch. Arrays are indexed by branch number. */
final class Positions {
    private final Budget budget;
    /**
     * The remaining part of each list, in the form of {@link varvite.Adjacency#rest}, as of the last call of
     * {@link #put} or {@link #park}.
     */
    private long[] rests = {};
    /**
     * The way of each list, and the end of the ways that the walk follows from the node, as indexes in
     * {@link Plan#wayNumbers}.
     */
    private int[] wayAts = {};

    private int[] wayEnds = {};

    Positions(Budget budget) {
        this.budget = budget;
    }

    /**
     * Stores the position at the start of a list: the first list of a newly opened branch, or the next list
     * of an open branch.
     */
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
