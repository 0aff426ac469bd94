package varvite.bench.walks;

import java.util.List;

/**
 * A side of the benchmark: the tree in one engine, and the walks through it. A walk begins at the root,
 * visits a node once for each path to it, follows {@code HAS_B} from an {@code A} and {@code HAS_A} from a
 * {@code B}, and counts each {@code B} whose {@code value} is true.
 */
public interface Side extends AutoCloseable {
    /** The version of the engine. */
    String version();

    /** The names of the walks, such as {@code depth_first}. */
    List<String> walks();

    /** Runs a walk once, and returns the number of results. */
    long walk(String name);

    /** The counts of calls in the last walk; zeros if the engine does not call functions of this side. */
    Counts counts();

    @Override
    void close();

    /** The numbers of calls in a walk, by the kind of call. */
    record Counts(long expansions, long labelTests, long propertyReads) {}
}
