package varvite;

/**
 * A test for one label, made by {@link Labels#test}. May be used by any number of threads, for as long as the graph is open.
 */
public final class LabelTest {
    private final Labels labels;
    /** Whether the label set of each code has the label. */
    private final long[] codes;

    LabelTest(Labels labels, long[] codes) {
        this.labels = labels;
        this.codes = codes;
    }

    /**
     * Whether a node has the label. A load and a bit; allocates nothing.
     *
     * @throws varvite.error.VarviteException as {@link Labels#code}
     */
    public boolean matches(int node) {
        int code = labels.code(node);
        return (codes[code >> 6] >>> code & 1) != 0;
    }
}
