package varvite;

import java.util.ArrayList;
import java.util.List;
import varvite.error.NoSuchNodeException;
import varvite.format.SmallInts;

/**
 * The label sets of all nodes. Each node has a code, which stands for a set of labels.
 *
 * <p>May be used by any number of threads while the graph is open. Only {@link #of}, {@link #test} and
 * {@link #fill} allocate. Methods that take a node throw {@link NoSuchNodeException},
 * {@link varvite.error.GraphClosedException} or {@link varvite.error.DamagedFileException}; methods that take
 * a label throw {@link IllegalArgumentException} for a label of another graph.
 */
public final class Labels {
    private final SmallInts codes;
    private final int nodes;
    private final List<Label> labels;
    /** The labels of the graph as an array, in which reading an element is one load. */
    private final Label[] own;
    private final long[] masks;
    private final int words;
    /** The number of label sets, stored because computing it would need a division for every edge. */
    private final int codeCount;

    Labels(SmallInts codes, int nodes, List<Label> labels, long[] masks, int words) {
        this.codes = codes;
        this.nodes = nodes;
        this.labels = labels;
        own = labels.toArray(Label[]::new);
        this.masks = masks;
        this.words = words;
        codeCount = masks.length / words;
    }

    /** The code of a node's label set. Nodes with equal codes have equal labels. Costs one load. */
    public int code(int node) {
        int code;
        try {
            code = codes.get(node);
        } catch (RuntimeException e) {
            throw failure(e, node);
        }
        if (code >= codeCount) {
            throw codes.ints().column().impossible(node);
        }
        return code;
    }

    /**
     * Writes the codes of the nodes from {@code start} to below {@code end} to {@code out}, from index 0 on.
     * Takes a nanosecond and allocates some bytes of garbage for each node.
     *
     * @throws IndexOutOfBoundsException if {@code out} is too short
     * @throws varvite.error.VarviteException as for {@link #code}; the content of {@code out} is then
     * undefined
     */
    public void fill(int start, int end, int[] out) {
        java.util.Objects.checkFromToIndex(0, end - start, out.length);
        if (start < 0 || end > nodes) {
            throw new NoSuchNodeException("node", start < 0 ? start : nodes, nodes);
        }
        try {
            codes.fill(start, end - start, out);
        } catch (RuntimeException e) {
            // The bulk read failed. Read node by node, so that the exception names the first bad node.
            for (int node = start; node < end; node++) {
                code(node);
            }
            throw failure(e, start);
        }
        for (int i = 0; i < end - start; i++) {
            if (out[i] >= codeCount) {
                throw codes.ints().column().impossible(start + i);
            }
        }
    }

    /** The number of label sets. All codes are below this number. */
    public int codeCount() {
        return codeCount;
    }

    /**
     * The labels of a node as bits: bit {@link Label#id()} is 1 if the node has the label. Covers only the
     * first 64 labels of the graph; most graphs have no more. Costs two loads.
     */
    public long word(int node) {
        return masks[code(node) * words];
    }

    /** Whether a node has a label. Costs two loads. */
    public boolean has(int node, Label label) {
        return codeHas(code(node), label);
    }

    /**
     * Whether the label set with a code contains a label.
     *
     * @throws IndexOutOfBoundsException if the graph has no such code
     * @throws IllegalArgumentException if the label is of another graph
     */
    public boolean codeHas(int code, Label label) {
        int id = label.id();
        if (Integer.compareUnsigned(id, own.length) >= 0 || own[id] != label) {
            Schema.checkOwn(label, id, labels);
        }
        return (masks[code * words + (id >> 6)] >>> id & 1) != 0;
    }

    /**
     * The labels in the label set with a code, as bits like those of {@link #word}. Costs one load.
     *
     * @throws IndexOutOfBoundsException if the graph has no such code
     */
    public long codeWord(int code) {
        return masks[java.util.Objects.checkIndex(code, codeCount) * words];
    }

    /** The number of labels in the label set with a code. */
    int countOf(int code) {
        int count = 0;
        for (int word = 0; word < words; word++) {
            count += Long.bitCount(masks[code * words + word]);
        }
        return count;
    }

    /** The labels of a node, in the order of their numbers. Allocates the list. */
    public List<Label> of(int node) {
        int code = code(node);
        List<Label> found = new ArrayList<>();
        for (Label label : labels) {
            if (codeHas(code, label)) {
                found.add(label);
            }
        }
        return found;
    }

    /**
     * A test for one label, which is faster than {@link #has} in loops over many nodes. Allocates 256 bytes.
     */
    public LabelTest test(Label label) {
        Schema.checkOwn(label, label.id(), labels);
        boolean[] byByte = new boolean[SmallInts.ELSEWHERE + 1];
        for (int i = 0; i < SmallInts.ELSEWHERE; i++) {
            int code = codes.byteBase() + i;
            byByte[i] = code >= 0 && code < codeCount && codeHas(code, label);
        }
        return new LabelTest(this, codes, label, byByte);
    }

    /** Throws if a label that is not null belongs to another graph. */
    void checkOwn(Label label) {
        if (label != null) {
            Schema.checkOwn(label, label.id(), labels);
        }
    }

    RuntimeException failure(RuntimeException cause, int node) {
        if (Integer.compareUnsigned(node, nodes) >= 0) {
            return new NoSuchNodeException("node", node, nodes);
        }
        return codes.ints().column().failure(cause, node);
    }
}
