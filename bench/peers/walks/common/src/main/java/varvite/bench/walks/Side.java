package varvite.bench.walks;

import java.util.List;

/**
 * The tree in one engine, and walks through it. A walk begins at the root, comes to a node as often as there
 * are ways, follows {@code HAS_B} from an {@code A} and {@code HAS_A} from a {@code B}, and counts each
 * {@code B} whose {@code value} is true.
 */
public interface Side extends AutoCloseable {
    /** The version of the engine. */
    String version();

    /** The names of its walks, such as {@code depth_first}. */
    List<String> walks();

    /** Walks once; the number of results. */
    long walk(String name);

    /** What the last walk asked for, where the engine calls back for it: zeros where it does not. */
    Counts counts();

    @Override
    void close();

    /** How often a walk asked for something. */
    record Counts(long expansions, long labelTests, long propertyReads) {}
}
