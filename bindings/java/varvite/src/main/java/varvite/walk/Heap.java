package varvite.walk;

/**
 * The branches that a best-first walk may visit next, ordered by cost. Branches of equal cost are in the
 * order in which they were found.
 */
final class Heap {
    private final Budget budget;
    private double[] costs = {};
    private int[] branches = {};
    private int count;

    Heap(Budget budget) {
        this.budget = budget;
    }

    void clear() {
        count = 0;
    }

    void push(double cost, int branch) {
        if (count == costs.length) {
            costs = budget.grow(costs, count + 1L);
        }
        if (count == branches.length) {
            branches = budget.grow(branches, count + 1L);
        }
        int at = count++;
        while (at > 0) {
            int above = at - 1 >>> 1;
            if (!isBefore(cost, branch, costs[above], branches[above])) {
                break;
            }
            costs[at] = costs[above];
            branches[at] = branches[above];
            at = above;
        }
        costs[at] = cost;
        branches[at] = branch;
    }

    /** Removes and returns the cheapest branch; {@link Branches#NO_BRANCH} if there is none. */
    int pop() {
        if (count == 0) {
            return Branches.NO_BRANCH;
        }
        int first = branches[0];
        count--;
        sink(costs[count], branches[count]);
        return first;
    }

    /** Searches the heap from the root down for the index of an entry, and stores the entry there. */
    private void sink(double cost, int branch) {
        int at = 0;
        for (int below = 1; below < count; below = 2 * at + 1) {
            int least = below + 1 < count && isBefore(costs[below + 1], branches[below + 1], costs[below], branches[below])
                    ? below + 1
                    : below;
            if (!isBefore(costs[least], branches[least], cost, branch)) {
                break;
            }
            costs[at] = costs[least];
            branches[at] = branches[least];
            at = least;
        }
        costs[at] = cost;
        branches[at] = branch;
    }

    /**
     * Whether an entry comes before another one: the cheaper branch first; of two branches of equal cost, the
     * one with the lower number, which was found first.
     */
    private static boolean isBefore(double cost, int branch, double otherCost, int otherBranch) {
        int order = Double.compare(cost, otherCost);
        return order < 0 || order == 0 && branch < otherBranch;
    }
}
