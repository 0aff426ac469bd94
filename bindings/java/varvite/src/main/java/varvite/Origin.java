package varvite;

import java.util.Arrays;
import java.util.Objects;
import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * The numbers of a label's nodes in the imported file. Finds the number of a node, and the node with a
 * number. Nodes that were appended after the import have the next numbers, in the order of their ids; the
 * numbers of removed nodes stay unused.
 *
 * <p>May be used by any number of threads while the graph is open. A method allocates only if its comment
 * says so.
 */
public final class Origin {
    private static final int NONE = -1;
    private static final int IDS_AT_ONCE = 1 << 12;

    /** The nodes of the label as they are now. */
    private final NodeSet nodes;
    /** The nodes of the label when the columns were written. */
    private final IdSet base;
    private final int baseNodes;
    /** Whether {@link #nodes} and {@link #base} have the same members. */
    private final boolean isUnchanged;
    /** The number of each node of the base, by the node's rank; null if each node's number is its rank. */
    private final Ints numbers;
    /** The limit of the numbers that nodes of the base have. */
    private final int baseCount;
    /**
     * The appended nodes of the label that were removed again, in rising order. Their numbers stay unused.
     */
    private final int[] gone;
    private final int count;
    /** The node with each number; computed on first use. */
    private volatile int[] byNumber;

    Origin(NodeSet nodes, boolean isUnchanged, IdSet base, int baseNodes, Ints numbers, int baseCount, int[] gone) {
        this.nodes = nodes;
        this.isUnchanged = isUnchanged;
        this.base = base;
        this.baseNodes = baseNodes;
        this.numbers = numbers;
        this.baseCount = baseCount;
        this.gone = gone;
        count = Math.addExact(baseCount, isUnchanged ? 0 : nodes.size() - nodes.rank(baseNodes) + gone.length);
    }

    /** The limit of the nodes' numbers: all of them are below this limit. */
    public int count() {
        return count;
    }

    /**
     * Whether the numbers of the label's nodes, in the order of their ids, are 0, 1, 2 and so on.
     */
    public boolean isInOrder() {
        return isUnchanged && numbers == null;
    }

    /**
     * The number of a node, or -1 if the node does not have the label. Constant time, except for an appended
     * node if any appended nodes were removed.
     */
    public int number(int node) {
        int rank = node < baseNodes ? base.memberRank(node) : NONE;
        if (rank < 0) {
            return isUnchanged ? NONE : numberOfAppended(node);
        }
        if (!isUnchanged && nodes.memberRank(node) < 0) {
            return NONE;
        }
        return numbers == null ? rank : numbers.id(rank, rank, baseCount);
    }

    private int numberOfAppended(int node) {
        int rank = node < baseNodes ? NONE : nodes.memberRank(node);
        return rank < 0 ? NONE : baseCount + rank - nodes.rank(baseNodes) + ~Arrays.binarySearch(gone, node);
    }

    /**
     * The node with a number, or -1 if no node has this number. The first call makes a table with four bytes
     * for each number, in one pass over the nodes of the label; each later call costs one load.
     *
     * @throws varvite.error.DamagedFileException if two nodes have the same number
     */
    public int node(int number) {
        int[] table = byNumber;
        if (table == null) {
            table = table();
        }
        return number < 0 || number >= table.length ? NONE : table[number];
    }

    /**
     * Writes the nodes with the numbers from {@code start} to below {@code end} to {@code out}, from index 0
     * on, with the same results as {@link #node}. If the table exists, this is one copy of memory.
     *
     * @throws IndexOutOfBoundsException if a number of the range does not exist, or {@code out} is too short
     * @throws varvite.error.DamagedFileException if two nodes have the same number
     */
    public void fill(int start, int end, int[] out) {
        Objects.checkFromToIndex(start, end, count);
        int[] table = byNumber;
        System.arraycopy(table == null ? table() : table, start, out, 0, end - start);
    }

    private synchronized int[] table() {
        if (byNumber != null) {
            return byNumber;
        }
        int[] table = new int[count];
        Arrays.fill(table, NONE);
        if (isUnchanged) {
            takeUpBase(table);
        } else {
            for (int node = nodes.next(0); node >= 0; node = nodes.next(node + 1)) {
                takeUp(table, number(node), node);
            }
        }
        byNumber = table;
        return table;
    }

    /**
     * Fills the table with the nodes of the base, in the order of their ranks, so that no rank has to be
     * looked up.
     */
    private void takeUpBase(int[] table) {
        long[] words = new long[IDS_AT_ONCE / 64];
        int rank = 0;
        for (int start = 0; start >= 0 && start < base.limit(); start += IDS_AT_ONCE) {
            int end = Math.min(base.limit() - start, IDS_AT_ONCE) + start;
            base.bits(start, end, words);
            for (int word = 0; word < words.length && start + 64 * word < end; word++) {
                for (long left = words[word]; left != 0; left &= left - 1, rank++) {
                    int number = numbers == null ? rank : numbers.id(rank, rank, baseCount);
                    takeUp(table, number, start + 64 * word + Long.numberOfTrailingZeros(left));
                }
            }
        }
    }

    private void takeUp(int[] table, int number, int node) {
        if (number < 0 || table[number] != NONE) {
            throw numbers.column().impossible(base.memberRank(node));
        }
        table[number] = node;
    }
}
