package varvite.walk;

/**
 * Neighbours that were read before their visit: those that {@link Guide#expand} chose, and sources of
 * in-edges whose ranks {@link PairedLists} found.
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
