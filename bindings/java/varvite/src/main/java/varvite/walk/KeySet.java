package varvite.walk;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A reusable hash set of edges, or of nodes with a depth. Each slot has the number of the walk that filled
 * it, so that the set is emptied in constant time. Hashes depend on a secret number, so that nobody can craft
 * a file whose keys collide.
 *
 * <pre>
 * long 0 = node or edge
 * long 1 = depth in the low 32 bits, or 0 if depths do not matter; number of the walk in the high 32
 * </pre>
 */
final class KeySet {
    private static final int SLOT = 2;
    private static final int LONGS_MIN = 128;

    private final Budget budget;
    private final long seed = new SplittableRandom().nextLong() | 1;
    private long[] slots = {};
    private int count;
    private int walk = 1;

    KeySet(Budget budget) {
        this.budget = budget;
    }

    /** Empties the set. */
    void clear() {
        count = 0;
        walk++;
        if (walk == 0) {
            Arrays.fill(slots, 0);
            walk = 1;
        }
    }

    /** Adds a key; false if the set already contains it. At most half of the slots are ever in use. */
    boolean insert(long id, int depth) {
        if (SLOT * 2L * count >= slots.length) {
            grow();
        }
        int at = find(slots, id, mark(depth));
        if (isTaken(slots, at)) {
            return false;
        }
        slots[at] = id;
        slots[at + 1] = mark(depth);
        count++;
        return true;
    }

    /** Removes a key. */
    void remove(long id, int depth) {
        long[] slots = this.slots;
        if (slots.length == 0) {
            return;
        }
        int hole = find(slots, id, mark(depth));
        if (!isTaken(slots, hole)) {
            return;
        }
        count--;
        int mask = slots.length - 1;
        int at = hole;
        while (true) {
            at = at + SLOT & mask;
            if (!isTaken(slots, at)) {
                break;
            }
            // Move a key into the hole unless its home slot is after the hole.
            int home = home(slots, slots[at], (int) slots[at + 1]);
            if ((at - home & mask) >= (at - hole & mask)) {
                slots[hole] = slots[at];
                slots[hole + 1] = slots[at + 1];
                hole = at;
            }
        }
        slots[hole + 1] = 0;
    }

    private long mark(int depth) {
        return (long) walk << 32 | depth;
    }

    private boolean isTaken(long[] slots, int at) {
        return (int) (slots[at + 1] >>> 32) == walk;
    }

    /** The slot of a key, or the free slot where it would be added. */
    private int find(long[] slots, long id, long mark) {
        int mask = slots.length - 1;
        int at = home(slots, id, (int) mark);
        while (isTaken(slots, at) && (slots[at] != id || slots[at + 1] != mark)) {
            at = at + SLOT & mask;
        }
        return at;
    }

    private int home(long[] slots, long id, int depth) {
        long bits = (id ^ seed) + depth * 0x9e37_79b9_7f4a_7c15L;
        bits = (bits ^ bits >>> 32) * seed;
        bits = (bits ^ bits >>> 29) * 0xbf58_476d_1ce4_e5b9L;
        return SLOT * (int) (bits ^ bits >>> 32) & slots.length - 1;
    }

    private void grow() {
        long[] before = slots;
        // The number of longs is a power of two: the minimum, or twice as many as before.
        long[] after = budget.grow(before, before.length == 0 ? LONGS_MIN : 2L * before.length);
        Arrays.fill(after, 0);
        for (int at = 0; at < before.length; at += SLOT) {
            if (isTaken(before, at)) {
                int to = find(after, before[at], before[at + 1]);
                after[to] = before[at];
                after[to + 1] = before[at + 1];
            }
        }
        slots = after;
    }
}
