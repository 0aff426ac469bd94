package varvite;

import java.util.ArrayList;
import java.util.List;
import varvite.error.NoSuchNodeException;
import varvite.format.SmallInts;

/**
 * The label sets of all nodes: one code for each node, which stands for a set of labels.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. No method allocates but
 * {@link #of} and {@link #test}; those that take a node throw {@link NoSuchNodeException},
 * {@link varvite.error.GraphClosedException} or {@link varvite.error.DamagedFileException}; those that take a
 * label throw {@link IllegalArgumentException} for one of another graph.
 */
public final class Labels {
    private final SmallInts codes;
    private final int nodes;
    private final List<Label> labels;
    /** The same: an element of an array is a load. */
    private final Label[] own;
    private final long[] masks;
    private final int words;
    /** A division in every hop would cost more than the hop. */
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

    /** The code of a node's label set: nodes with equal codes have equal labels. A load. */
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
     * The codes of the nodes from {@code start} up and below {@code end}, into {@code out} from 0 on. A
     * nanosecond each, and some bytes for each that are garbage then.
     *
     * @throws IndexOutOfBoundsException if {@code out} is too short
     * @throws varvite.error.VarviteException as {@link #code}; {@code out} is undefined then
     */
    public void fill(int start, int end, int[] out) {
        java.util.Objects.checkFromToIndex(0, end - start, out.length);
        if (start < 0 || end > nodes) {
            throw new NoSuchNodeException("node", start < 0 ? start : nodes, nodes);
        }
        try {
            codes.fill(start, end - start, out);
        } catch (RuntimeException e) {
            // The copy of the whole range failed: read node by node, so that the exception names the first
            // bad node.
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

    /** The number of different label sets; codes are below it. */
    public int codeCount() {
        return codeCount;
    }

    /**
     * The first 64 labels of a node, bit {@link Label#id()} for each: all of them, in most graphs. Two loads.
     */
    public long word(int node) {
        return masks[code(node) * words];
    }

    /** Whether a node has a label. Two loads. */
    public boolean has(int node, Label label) {
        return codeHas(code(node), label);
    }

    /**
     * Whether the label set of a code contains a label.
     *
     * @throws IndexOutOfBoundsException if there is no such code
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
     * The first 64 labels of the label set of a code, as {@link #word} has them. A load.
     *
     * @throws IndexOutOfBoundsException if there is no such code
     */
    public long codeWord(int code) {
        return masks[java.util.Objects.checkIndex(code, codeCount) * words];
    }

    /** The number of labels in the label set of a code. */
    int countOf(int code) {
        int count = 0;
        for (int word = 0; word < words; word++) {
            count += Long.bitCount(masks[code * words + word]);
        }
        return count;
    }

    /** The labels of a node, by their numbers. Allocates the list. */
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
     * A test for one label, faster than {@link #has}: for loops with many tests. Allocates 256 bytes.
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

    /** Passes if a label is of this graph, or null. */
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
