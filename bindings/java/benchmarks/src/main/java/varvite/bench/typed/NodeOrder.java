package varvite.bench.typed;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The order in which a benchmark visits nodes. */
public enum NodeOrder {
    /**
     * The order in which the engine stores nodes. In Varvite, this is the order of the tree, with labels
     * mixed; in flatgraph, one label after another.
     */
    STORED,
    /**
     * A random order that is the same in each run: labels are mixed everywhere, and consecutive nodes are far
     * apart in memory.
     */
    SHUFFLED;

    private static final long SEED = 1234;

    /** Puts items into this order. */
    public <T> T[] of(T[] items) {
        T[] ordered = items.clone();
        if (this == SHUFFLED) {
            List<T> view = Arrays.asList(ordered);
            Collections.shuffle(view, new Random(SEED));
        }
        return ordered;
    }

    /** Puts ids into this order. */
    public int[] of(int[] ids) {
        Integer[] boxed = Arrays.stream(ids).boxed().toArray(Integer[]::new);
        return Arrays.stream(of(boxed)).mapToInt(Integer::intValue).toArray();
    }
}
