package varvite.bench.typed;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The order in which a benchmark goes through nodes. */
public enum NodeOrder {
    /**
     * As the engine stores them: in Varvite labels mixed as in the tree, in flatgraph one label after the
     * other.
     */
    STORED,
    /** At random, the same each time: labels mixed everywhere, and memory far apart. */
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
