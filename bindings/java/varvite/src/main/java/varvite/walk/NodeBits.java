package varvite.walk;

import java.util.Arrays;

/**
 * A set of nodes, as a bit for each node of the graph. Clearing it resets only the written words, as long as
 * these are few: a walk of ten nodes does not pay for sixteen million.
 */
final class NodeBits {
    /** The share of written words from which on all words are cleared. */
    private static final int WORDS_OF_WRITTEN = 16;

    private final Budget budget;
    private long[] words = {};
    /** Written words, unless there were too many to list. */
    private int[] written = {};
    private int writtenCount;

    NodeBits(Budget budget) {
        this.budget = budget;
    }

    /** Makes it the empty set of nodes below {@code limit}. */
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

    /** Adds a node; false if it is in there already. */
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

    /** Takes a node out. */
    void remove(int node) {
        words[node >>> 6] &= ~(1L << node);
    }
}
