package varvite;

import varvite.format.Ints;

/**
 * Reads the lists of many nodes at once. The lists of consecutive owners are adjacent in the column, so that
 * they are decoded together. The class has no state of its own: its working memory belongs to the caller's
 * list.
 *
 * <p>If a list is damaged, decoding stops and the appended ids are removed. Then the same lists are read one
 * by one, which throws the exception for the damaged list.
 */
record Expansion(Lists lists, Ints neighbors, int nodes) {
    /** The maximum number of lists that are decoded together. */
    private static final int LISTS_MAX = 256;
    /** The maximum number of neighbours that are decoded at once. */
    private static final int ENTRIES_MAX = 1024;
    /** Fewer lists than this number, or a list with fewer entries, are read one by one. */
    private static final int FEW = 8;
    /**
     * The start indexes of parts of the scratch array. Offsets begin at 0; the frontier indexes of the lists'
     * owners and the decoded entries follow.
     */
    private static final int OWNERS = LISTS_MAX + 1;
    private static final int ENTRIES = OWNERS + LISTS_MAX;

    /**
     * Appends the neighbours of the first {@code length} nodes of {@code frontier}; {@code ends} may be null.
     */
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
                // First append the lists before this node. If one of them is damaged, its exception is thrown
                // instead.
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

    /** The rank of a node among those with a list; negative if the node has no list. */
    private int rank(int node) {
        int rank = lists.owners().memberRank(node);
        if (rank < 0) {
            lists.check(node);
        }
        return rank;
    }

    /**
     * Appends {@code count} lists, from rank {@code rank} on; the scratch array has their owners. Writes the
     * ends for all nodes of the frontier from index {@code done} to the last owner, including nodes without
     * lists. Returns the index up to which ends are written.
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

    /** Appends the list of a node; {@code positions} is the list's range in the column. */
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

    /** Appends lists by decoding them together. Returns false and appends nothing if a number is invalid. */
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
     * Reads the starts of {@code count} lists, from rank {@code rank} on, and the end of the last list.
     * Returns false if the offsets are invalid.
     */
    private boolean readOffsets(int rank, int count, long[] offsets) {
        Ints stored = lists.offsets();
        if (stored != null) {
            stored.fill(rank, count + 1, offsets, 0);
        }
        // Add the rank to an offset if offsets are relative to their index, or if none are stored.
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

    /** Appends the entries of lists, of which it decodes at most {@link #ENTRIES_MAX} at a time. */
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
     * Makes {@code length} relative entries absolute by adding their keys. The key of an entry is the node
     * that owns the entry's list. {@code list} is the index of the first entry's list; returns the index of
     * the last entry's list.
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

    /**
     * Adds {@code key} to each decoded entry and appends the sums. Returns false if a sum is not a node id.
     */
    private boolean appendIds(long[] scratch, int length, int key, IntList out) {
        int[] items = out.reserve(length);
        int size = out.size();
        // Becomes negative if any id is negative or too large.
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
