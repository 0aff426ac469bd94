package varvite;

import varvite.format.Ints;
import varvite.format.Strings;
import varvite.spi.Utf8;
import varvite.format.Xxh3;

/**
 * An index of a text property, which finds the nodes that have a given text. It finds the code of the text by
 * the text's hash, and then the nodes with this code, which are grouped by label set.
 *
 * <p>May be used by any number of threads while the graph is open. A look-up allocates nothing, except that
 * the hash of a text of more than 240 bytes takes half a kilobyte. The code of a text is its number in
 * {@link TextProperty#texts()}.
 */
public final class TextIndex {
    private final Strings strings;
    private final Labels labels;
    private final int nodeCount;
    private final Ints buckets;
    private final Ints codes;
    private final Ints groups;
    private final Ints sets;
    private final Ints starts;
    private final Ints nodes;
    /**
     * Whether each text has exactly one group, and whether each group has exactly one node. If so, offsets
     * need no look-up.
     */
    private final boolean isGroupEach;
    private final boolean isNodeEach;

    /**
     * Makes an index from its columns, in the order of the directory. Throws if their lengths do not agree.
     */
    TextIndex(Strings strings, Labels labels, int nodeCount, Ints[] columns) {
        this.strings = strings;
        this.labels = labels;
        this.nodeCount = nodeCount;
        buckets = columns[0];
        codes = columns[1];
        groups = columns[2];
        sets = columns[3];
        starts = columns[4];
        nodes = columns[5];
        check(buckets, Math.max(buckets.count(), 2));
        check(codes, strings.count());
        check(groups, strings.count() + 1L);
        check(starts, sets.count() + 1);
        isGroupEach = groups.isIdentity() && sets.count() >= groups.count() - 1;
        isNodeEach = starts.isIdentity() && nodes.count() >= starts.count() - 1;
    }

    private static void check(Ints column, long count) {
        if (column.count() != count) {
            throw column.column().misfit(count + " values", column.count());
        }
    }

    /**
     * The code of a text, or -1 if no node has the text. Costs a hash and one or two comparisons, regardless
     * of the number of texts.
     */
    public int find(String text) {
        byte[] bytes = Utf8.bytes(text);
        if (bytes == null) {
            buckets.column().file().checkOpen();
            return -1;
        }
        return find(bytes);
    }

    /** The code of the text with these bytes, or -1 if no node has the text. */
    public int find(byte[] text) {
        // The number of the bucket is the high half of the 128-bit product of hash and number of buckets.
        long bucket = Math.unsignedMultiplyHigh(Xxh3.hash(text, 0), buckets.count() - 1);
        long ends = range(buckets, bucket, codes);
        long low = Lists.start(ends);
        long high = Lists.end(ends);
        while (low < high) {
            long middle = low + high >>> 1;
            int code = codes.id(middle, 0, strings.count());
            int order = strings.compare(code, text);
            if (order == 0) {
                return code;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }

    /** The number of nodes whose text has the code {@code code}. Does not read the nodes. */
    public int count(int code) {
        return count(code, null);
    }

    /**
     * The number of nodes with the label {@code label} whose text has the code {@code code}. Does not read
     * the nodes.
     */
    public int count(int code, Label label) {
        groups.column().file().checkOpen();
        labels.checkOwn(label);
        long list = groupsOf(code);
        int count = 0;
        for (long group = Lists.start(list); group < Lists.end(list); group++) {
            count += isWanted(group, label) ? Lists.length(nodesOf(group)) : 0;
        }
        return count;
    }

    /** The least id of the nodes whose text has this code, or -1 if there is no such node. */
    public int first(int code) {
        long list = groupsOf(code);
        int least = Integer.MAX_VALUE;
        for (long group = Lists.start(list); group < Lists.end(list); group++) {
            least = Math.min(least, nodes.id(Lists.start(nodesOf(group)), 0, nodeCount));
        }
        return least == Integer.MAX_VALUE ? -1 : least;
    }

    /**
     * Appends the nodes whose text has the code {@code code}. Nodes with equal label sets are together, in
     * rising order.
     */
    public void append(int code, IntList out) {
        append(code, null, out);
    }

    /**
     * Appends the nodes with the label {@code label} whose text has the code {@code code}. Nodes with equal
     * label sets are together, in rising order.
     */
    public void append(int code, Label label, IntList out) {
        labels.checkOwn(label);
        long list = groupsOf(code);
        for (long group = Lists.start(list); group < Lists.end(list); group++) {
            if (isWanted(group, label)) {
                long members = nodesOf(group);
                Adjacency.appendValues(nodes, Lists.start(members), Lists.end(members), 0, nodeCount, out);
            }
        }
    }

    private boolean isWanted(long group, Label label) {
        return label == null || labels.codeHas(sets.id(group, 0, labels.codeCount()), label);
    }

    private long groupsOf(int code) {
        java.util.Objects.checkIndex(code, strings.count());
        return isGroupEach ? one(code) : range(groups, code, sets);
    }

    private long nodesOf(long group) {
        return isNodeEach ? one(group) : range(starts, group, nodes);
    }

    /** The range of list number {@code index}, if each list has exactly one item. */
    private static long one(long index) {
        return index + 1 << 32 | index;
    }

    /**
     * The range of list number {@code index} in {@code values}. Throws if the range is not within the values.
     */
    private static long range(Ints offsets, long index, Ints values) {
        long ends = offsets.pair(index);
        long length = Lists.end(ends) - Lists.start(ends);
        if (length < 0 || length > Integer.MAX_VALUE || Lists.end(ends) > values.count()) {
            throw offsets.column().impossible(index);
        }
        return ends;
    }
}
