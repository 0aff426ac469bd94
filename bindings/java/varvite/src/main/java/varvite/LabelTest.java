package varvite;

import java.lang.foreign.MemorySegment;
import varvite.format.SmallInts;

/**
 * A test for one label, made by {@link Labels#test}. May be used by any number of threads, for as long as the
 * graph is open.
 */
public final class LabelTest {
    private final Labels labels;
    private final Label label;
    /** Whether the label set of each code that fits a byte has the label. */
    private final boolean[] byByte;
    /** A byte for each node; null where codes are stored in another way. */
    private final MemorySegment bytes;

    LabelTest(Labels labels, SmallInts codes, Label label, boolean[] byByte) {
        this.labels = labels;
        this.label = label;
        this.byByte = byByte;
        bytes = codes.bytes();
    }

    /**
     * Whether a node has the label. Two loads; allocates nothing.
     *
     * @throws varvite.error.VarviteException as {@link Labels#code}
     */
    public boolean matches(int node) {
        try {
            int small = bytes == null ? SmallInts.ELSEWHERE : SmallInts.byteAt(bytes, node);
            return byByte[small] || small == SmallInts.ELSEWHERE && labels.has(node, label);
        } catch (RuntimeException e) {
            throw labels.failure(e, node);
        }
    }
}
