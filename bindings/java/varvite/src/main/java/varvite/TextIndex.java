package varvite;

import varvite.format.Ints;
import varvite.format.Strings;
import varvite.spi.Utf8;
import varvite.format.Xxh3;

/**
 * An index of a property of texts, which finds the nodes with a text. It finds the code of a text by the
 * text's hash, and then the nodes with that code, which are grouped by label set.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. A look-up allocates nothing,
 * except for texts of more than 240 bytes, whose hash takes half a kilobyte. Codes are those of {@link
 * TextProperty#texts()}.
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
     * Whether each text has exactly one group, and whether each group has exactly one node: offsets then need
     * no look-up.
     */
    private final boolean isGroupEach;
    private final boolean isNodeEach;

    /** The columns of the index, in the order of the directory; their lengths must fit each other. */
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
     * The code of a text, or -1 if no node has it. Costs a hash and one or two comparisons, for any number of
     * texts.
     */
    public int find(String text) {
        byte[] bytes = Utf8.bytes(text);
        if (bytes == null) {
            buckets.column().file().checkOpen();
            return -1;
        }
        return find(bytes);
    }

    /** The code of the text with these bytes, or -1 if no node has it. */
    public int find(byte[] text) {
        // The number of the bucket is the high half of hash times buckets.
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

    /** The number of nodes that have the text of a code. Does not read the nodes. */
    public int count(int code) {
        return count(code, null);
    }

    /** The number of nodes with a label and the text of a code. Does not read the nodes. */
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

    /** The node with the least id among the nodes that have the text of a code, or -1 if there is none. */
    public int first(int code) {
        long list = groupsOf(code);
        int least = Integer.MAX_VALUE;
        for (long group = Lists.start(list); group < Lists.end(list); group++) {
            least = Math.min(least, nodes.id(Lists.start(nodesOf(group)), 0, nodeCount));
        }
        return least == Integer.MAX_VALUE ? -1 : least;
    }

    /**
     * Appends the nodes that have the text of a code: nodes with equal label sets together, in rising order.
     */
    public void append(int code, IntList out) {
        append(code, null, out);
    }

    /**
     * Appends the nodes with a label that have the text of a code: nodes with equal label sets together, in
     * rising order.
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

    /** The range of a list with one item, whose position is its index. */
    private static long one(long index) {
        return index + 1 << 32 | index;
    }

    /** The range of list number {@code index} in {@code values}. Throws if it is not within the values. */
    private static long range(Ints offsets, long index, Ints values) {
        long ends = offsets.pair(index);
        long length = Lists.end(ends) - Lists.start(ends);
        if (length < 0 || length > Integer.MAX_VALUE || Lists.end(ends) > values.count()) {
            throw offsets.column().impossible(index);
        }
        return ends;
    }
}
