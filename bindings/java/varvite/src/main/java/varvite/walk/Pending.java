package varvite.walk;

/**
 * Neighbours that were read ahead of their visit: the steps of a caller's function, and in-lists whose edges
 * had to be found by {@link PairedLists}.
 */
final class Pending {
    private final Budget budget;
    private int[] nodes = {};
    private int[] ranks = {};
    private int[] ways = {};
    private int count;

    Pending(Budget budget) {
        this.budget = budget;
    }

    int count() {
        return count;
    }

    /** Removes all neighbours after the first {@code count}. */
    void truncate(int count) {
        this.count = count;
    }

    void push(int node, int way, int rank) {
        if (count == nodes.length) {
            nodes = budget.grow(nodes, count + 1L);
        }
        if (count == ranks.length) {
            ranks = budget.grow(ranks, count + 1L);
        }
        if (count == ways.length) {
            ways = budget.grow(ways, count + 1L);
        }
        nodes[count] = node;
        ranks[count] = rank;
        ways[count] = way;
        count++;
    }

    int node(int at) {
        return nodes[at];
    }

    int rank(int at) {
        return ranks[at];
    }

    int way(int at) {
        return ways[at];
    }
}
