package varvite;

import java.lang.foreign.MemorySegment;
import varvite.format.SmallInts;

/**
 * A test for one label, made by {@link Labels#test}. May be used by any number of threads while the graph is
 * open.
 */
public final class LabelTest {
    private final Labels labels;
    private final Label label;
    /** For each code that fits in a byte: whether its label set has the label. */
    private final boolean[] byByte;
    /** The code of each node as a byte; null if codes are stored in another way. */
    private final MemorySegment bytes;

    LabelTest(Labels labels, SmallInts codes, Label label, boolean[] byByte) {
        this.labels = labels;
        this.label = label;
        this.byByte = byByte;
        bytes = codes.bytes();
    }

    /**
     * Whether a node has the label. Costs two loads; allocates nothing.
     *
     * @throws varvite.error.VarviteException as for {@link Labels#code}
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
