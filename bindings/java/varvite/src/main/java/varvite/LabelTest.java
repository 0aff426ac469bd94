package varvite;

import varvite.format.SmallInts;

/**
 * A test for one label, made by {@link Labels#test}. May be used by any number of threads, for as long as the graph is open.
 */
public final class LabelTest {
    private final Labels labels;
    private final SmallInts codes;
    private final Label label;
    /** Whether the label set of each code that fits a byte has the label. */
    private final boolean[] byByte;

    LabelTest(Labels labels, SmallInts codes, Label label, boolean[] byByte) {
        this.labels = labels;
        this.codes = codes;
        this.label = label;
        this.byByte = byByte;
    }

    /**
     * Whether a node has the label. Two loads; allocates nothing.
     *
     * @throws varvite.error.VarviteException as {@link Labels#code}
     */
    public boolean matches(int node) {
        try {
            int small = codes.byteOf(node);
            return small < byByte.length ? byByte[small] : labels.has(node, label);
        } catch (RuntimeException e) {
            throw labels.failure(e, node);
        }
    }
}
