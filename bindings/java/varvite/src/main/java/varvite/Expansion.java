package varvite;

import varvite.format.Ints;

/**
 * The lists of many nodes at once: lists of consecutive owners lie together and are decoded together. Has no
 * state; it decodes into the caller's list.
 *
 * <p>Damage ends the decoding and removes the appended ids; a read of the same lists one by one then throws.
 */
record Expansion(Lists lists, Ints neighbors, int nodes) {
    /** Most lists that are decoded together. */
    private static final int LISTS_MAX = 256;
    /** Most neighbours that are decoded at once. */
    private static final int ENTRIES_MAX = 1024;
    /** Fewer lists, or entries of one, are read one by one. */
    private static final int FEW = 8;
    /**
     * Parts of the scratch: offsets come first, then which nodes of the frontier have the lists, then decoded
     * entries.
     */
    private static final int OWNERS = LISTS_MAX + 1;
    private static final int ENTRIES = OWNERS + LISTS_MAX;

    /** Appends the neighbours of nodes; {@code ends} may be null. */
    void append(int[] frontier, int length, IntList out, int[] ends) {
        long[] scratch = scratchOf(out);
        int rank = -1;
        int count = 0;
        int done = 0;
        for (int i = 0; i < length; i++) {
            int next;
            try {
                next = rank(frontier[i]);
            } catch (RuntimeException e) {
                // The fault of an earlier node comes first.
                appendLists(frontier, rank, count, out, ends, done);
                throw e;
            }
            if (next < 0) {
                continue;
            }
            if (count > 0 && (next != rank + count || count == LISTS_MAX)) {
                done = appendLists(frontier, rank, count, out, ends, done);
                count = 0;
            }
            rank = next - count;
            scratch[OWNERS + count] = i;
            count++;
        }
        done = appendLists(frontier, rank, count, out, ends, done);
        setEnds(ends, done, length, out.size());
    }

    /** The rank of a node among those with a list; negative if it has none. */
    private int rank(int node) {
        int rank = lists.owners().memberRank(node);
        if (rank < 0) {
            lists.check(node);
        }
        return rank;
    }

    /**
     * Appends lists with ranks from {@code rank} on, whose owners are in the scratch, and writes their ends,
     * and those of nodes without lists between them: of nodes from {@code done} on, up to the returned one.
     */
    private int appendLists(int[] frontier, int rank, int count, IntList out, int[] ends, int done) {
        int before = out.size();
        long[] scratch = scratchOf(out);
        boolean areTogether = count >= FEW && appendTogether(frontier, rank, count, out);
        int next = done;
        for (int i = 0; i < count && (ends != null || !areTogether); i++) {
            int owner = (int) scratch[OWNERS + i];
            next = setEnds(ends, next, owner, areTogether ? before + (int) (scratch[i] - scratch[0]) : out.size());
            if (!areTogether) {
                append(frontier[owner], lists.ofRank(rank + i), out);
            }
        }
        return next;
    }

    private static int setEnds(int[] ends, int start, int end, int size) {
        if (ends != null) {
            java.util.Arrays.fill(ends, start, end, size);
        }
        return end;
    }

    /** Appends the list of a node, which is at positions of the column. */
    void append(int node, long positions, IntList out) {
        long start = Lists.start(positions);
        long end = Lists.end(positions);
        if (end - start < FEW || !appendLong(node, start, end, out)) {
            Adjacency.appendValues(neighbors, start, end, node, nodes, out);
        }
    }

    private boolean appendLong(int node, long start, long end, IntList out) {
        int before = out.size();
        long[] scratch = scratchOf(out);
        try {
            for (long next = start; next < end; next += ENTRIES_MAX) {
                int length = (int) Math.min(end - next, ENTRIES_MAX);
                neighbors.fill(next, length, scratch, ENTRIES);
                if (!appendIds(scratch, length, neighbors.isRelative() ? node : 0, out)) {
                    return takeBack(out, before);
                }
            }
            return true;
        } catch (RuntimeException e) {
            return takeBack(out, before);
        }
    }

    /** False, with nothing appended, if anything is wrong. */
    private boolean appendTogether(int[] frontier, int rank, int count, IntList out) {
        int before = out.size();
        long[] scratch = scratchOf(out);
        try {
            boolean isSound = readOffsets(rank, count, scratch) && appendEntries(frontier, count, scratch, out);
            return isSound || takeBack(out, before);
        } catch (RuntimeException e) {
            return takeBack(out, before);
        }
    }

    /**
     * Reads the starts of the lists from number {@code rank} on, and the end of the last; false if the
     * numbers are impossible.
     */
    private boolean readOffsets(int rank, int count, long[] offsets) {
        Ints stored = lists.offsets();
        if (stored != null) {
            stored.fill(rank, count + 1, offsets, 0);
        }
        // Without offsets, or counted from their index, they rise with the rank.
        long step = stored == null || stored.isRelative() ? 1 : 0;
        long before = 0;
        boolean isRising = true;
        for (int i = 0; i <= count; i++) {
            long offset = (stored == null ? 0 : offsets[i]) + step * (rank + i);
            isRising &= offset >= before;
            offsets[i] = offset;
            before = offset;
        }
        return isRising && before <= lists.entries() && before >>> Integer.SIZE == 0;
    }

    /** The entries of lists, decoded a piece at a time. */
    private boolean appendEntries(int[] frontier, int count, long[] scratch, IntList out) {
        long end = scratch[count];
        int list = 0;
        for (long start = scratch[0]; start < end; start += ENTRIES_MAX) {
            int length = (int) Math.min(end - start, ENTRIES_MAX);
            neighbors.fill(start, length, scratch, ENTRIES);
            if (neighbors.isRelative()) {
                list = addKeys(frontier, list, start, length, scratch);
            }
            if (!appendIds(scratch, length, 0, out)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds to each of some entries the node that it is a neighbour of; {@code list} and the answer are lists
     * of such.
     */
    private static int addKeys(int[] frontier, int list, long start, int length, long[] scratch) {
        int current = list;
        for (int i = 0; i < length; i++) {
            while (start + i >= scratch[current + 1]) {
                current++;
            }
            scratch[ENTRIES + i] += frontier[(int) scratch[OWNERS + current]];
        }
        return current;
    }

    /** Appends decoded entries, each with {@code key} added; false if one is no node. */
    private boolean appendIds(long[] scratch, int length, int key, IntList out) {
        int[] items = out.reserve(length);
        int size = out.size();
        // Negative if any number was negative or too large.
        long signs = 0;
        for (int i = 0; i < length; i++) {
            long id = scratch[ENTRIES + i] + key;
            items[size + i] = (int) id;
            signs |= id | nodes - 1L - id;
        }
        out.advance(length);
        return signs >= 0;
    }

    private static long[] scratchOf(IntList out) {
        return out.scratch(ENTRIES + ENTRIES_MAX);
    }

    private static boolean takeBack(IntList out, int size) {
        out.advance(size - out.size());
        return false;
    }
}
