package varvite.walk;

import java.nio.file.Path;
import varvite.Adjacency;
import varvite.Ranks;
import varvite.error.DamagedFileException;

/**
 * Finds the edges of in-list entries, for a label without a column of places: the k-th entry with a given
 * source in a node's in-list is the k-th edge to that node in the source's out-list. This reads the out-lists
 * of all neighbours.
 *
 * @param in the in-lists
 * @param out the ranks of the out-lists
 * @param path the file, for messages
 * @param label the edge label, for messages
 */
record PairedLists(Adjacency in, Ranks out, Path path, String label) {
    /** Memory for the entries of one list. */
    static final class Entries {
        private final Budget budget;
        /** The source of each entry in the high 32 bits, and the entry's index in the list in the low 32. */
        private long[] keys = {};
        private int[] ranks = {};
        private int count;

        Entries(Budget budget) {
            this.budget = budget;
        }

        private void push(int source) {
            if (count == keys.length) {
                keys = budget.grow(keys, count + 1L);
            }
            keys[count] = (long) source << 32 | count;
            count++;
        }

        /** Sorts the entries by source and then by index, without allocation. */
        private void sort() {
            boolean isSorted = true;
            for (int i = 1; i < count && isSorted; i++) {
                isSorted = keys[i - 1] < keys[i];
            }
            if (isSorted) {
                return;
            }
            for (int at = count / 2 - 1; at >= 0; at--) {
                sink(at, count);
            }
            for (int end = count - 1; end > 0; end--) {
                long greatest = keys[0];
                keys[0] = keys[end];
                keys[end] = greatest;
                sink(0, end);
            }
        }

        private void sink(int start, int end) {
            long key = keys[start];
            int at = start;
            for (int below = 2 * at + 1; below < end; below = 2 * at + 1) {
                int greatest = below + 1 < end && keys[below + 1] > keys[below] ? below + 1 : below;
                if (keys[greatest] <= key) {
                    break;
                }
                keys[at] = keys[greatest];
                at = greatest;
            }
            keys[at] = key;
        }
    }

    /** Adds the sources of a node's in-edges, with the ranks of the edges, to {@code pending}. */
    void read(int node, int way, Entries entries, Pending pending, Meter meter) {
        entries.count = 0;
        for (long rest = in.rest(node); rest != 0; rest = in.after(node, rest)) {
            entries.push(in.neighbor(node, rest));
        }
        if (entries.count > entries.ranks.length) {
            entries.ranks = entries.budget.grow(entries.ranks, entries.count);
        }
        entries.sort();
        for (int begin = 0; begin < entries.count; ) {
            begin = pairSource(node, begin, entries, meter);
        }
        for (long rest = in.rest(node), place = 0; rest != 0; rest = in.after(node, rest), place++) {
            pending.push(in.neighbor(node, rest), way, entries.ranks[(int) place]);
        }
    }

    /**
     * Finds the ranks of the entries of one source, the first of which is at {@code begin}. Returns the end
     * of these entries.
     */
    private int pairSource(int node, int begin, Entries entries, Meter meter) {
        int source = (int) (entries.keys[begin] >>> 32);
        long rest = out.adjacency().rest(source);
        int at = begin;
        for (; at < entries.count && (int) (entries.keys[at] >>> 32) == source; at++) {
            while (rest != 0 && out.adjacency().neighbor(source, rest) != node) {
                meter.tick();
                rest = out.adjacency().after(source, rest);
            }
            if (rest == 0) {
                throw new DamagedFileException(path, "in-lists of " + label, -1, "edges of node " + source + " to node " + node, "fewer");
            }
            entries.ranks[(int) entries.keys[at]] = out.of(source, rest);
            rest = out.adjacency().after(source, rest);
        }
        return at;
    }
}
