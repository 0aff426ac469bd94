package varvite.walk;

/**
 * The positions of a walk in the lists of the open branches, one list for each branch, by the number of the
 * branch.
 */
final class Positions {
    private final Budget budget;
    /** The rest of the list ({@link varvite.Adjacency#rest}), as last noted. */
    private long[] rests = {};
    /**
     * The way that the list is of and the end of those that lead on from the node, as places among the
     * numbers of ways.
     */
    private int[] wayAts = {};

    private int[] wayEnds = {};

    Positions(Budget budget) {
        this.budget = budget;
    }

    /** Notes the list of a branch that is opened, or the next of one that is open. */
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

    /** Notes how far the walk came with the list of a branch. */
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
