package varvite.walk;

import java.util.Arrays;

/**
 * A set of nodes, with a bit for each node of the graph. If few words were written, clearing the set resets
 * only these, so that a walk over ten nodes is fast even in a graph of sixteen million.
 */
final class NodeBits {
    /** Clearing the set resets all words if more than a sixteenth of them was written. */
    private static final int WORDS_OF_WRITTEN = 16;

    private final Budget budget;
    private long[] words = {};
    /** The indexes of the written words; incomplete if there were too many to list. */
    private int[] written = {};
    private int writtenCount;

    NodeBits(Budget budget) {
        this.budget = budget;
    }

    /** Empties the set and gives it room for the nodes below {@code limit}. */
    void clear(int limit) {
        if (writtenCount < written.length) {
            for (int i = 0; i < writtenCount; i++) {
                words[written[i]] = 0;
            }
        } else {
            Arrays.fill(words, 0);
        }
        writtenCount = 0;
        int needed = (int) (limit + 63L >>> 6);
        if (needed > words.length) {
            words = budget.grow(words, needed);
        }
        int room = words.length / WORDS_OF_WRITTEN + 1;
        if (room > written.length) {
            written = budget.grow(written, room);
        }
    }

    /** Adds a node; false if the set already contains it. */
    boolean insert(int node) {
        int at = node >>> 6;
        long word = words[at];
        long bit = 1L << node;
        if ((word & bit) != 0) {
            return false;
        }
        if (word == 0 && writtenCount < written.length) {
            written[writtenCount++] = at;
        }
        words[at] = word | bit;
        return true;
    }

    /** Removes a node. */
    void remove(int node) {
        words[node >>> 6] &= ~(1L << node);
    }
}
