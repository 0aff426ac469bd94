package varvite.bench.walks;

import java.util.List;

/**
 * The tree in one engine, and walks through it. A walk begins at the root, visits a node once for each path
 * to it, follows {@code HAS_B} from an {@code A} and {@code HAS_A} from a {@code B}, and counts each {@code
 * B} whose {@code value} is true.
 */
public interface Side extends AutoCloseable {
    /** The version of the engine. */
    String version();

    /** The names of the walks, such as {@code depth_first}. */
    List<String> walks();

    /** Runs a walk once, and returns the number of results. */
    long walk(String name);

    /** The counts of the calls in the last walk if the engine calls functions of the side; otherwise zeros. */
    Counts counts();

    @Override
    void close();

    /** The number of each kind of call in a walk. */
    record Counts(long expansions, long labelTests, long propertyReads) {}
}
