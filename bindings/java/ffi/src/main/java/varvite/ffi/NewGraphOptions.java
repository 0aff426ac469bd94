package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import varvite.Profile;

/**
 * Options for the file that a {@link NewGraph} makes, and limits for the work of making it. A 0 stands for
 * the engine's default.
 *
 * <pre>{@code
 * NewGraph.create(path, NewGraphOptions.DEFAULT.withIndex("NAME").withMemoryBytesMax(512 << 20).replacing());
 * }</pre>
 *
 * @param profile the storage profile of the file
 * @param replace whether an existing file may be replaced when the new file is finished
 * @param threads the number of threads that finish the graph; by default one for each processor
 * @param memoryBytesMax the limit of native memory in bytes; by default a quarter of the memory that the
 * process may use
 * @param tree the tree label, whose pre-order gives node ids, so that the descendants of a node are a range
 * of ids. Ids then differ from the numbers of {@link NewGraph#addNode}
 * @param indexes the names of text properties of nodes that get an index
 */
public record NewGraphOptions(
        Profile profile, boolean replace, int threads, long memoryBytesMax, Optional<String> tree, List<String> indexes) {
    /**
     * Options for a file of the compact profile that does not replace an existing file, without a tree label
     * and without indexes.
     */
    public static final NewGraphOptions DEFAULT =
            new NewGraphOptions(Profile.COMPACT, false, 0, 0, Optional.empty(), List.of());

    /**
     * The size of the C struct {@code varvite_new_graph_options}, with the fields size, profile, codec,
     * replace, threads, index_count, memory_bytes_max, tree and indexes.
     */
    private static final int BYTES = 48;
    private static final int ZSTD = 2;
    private static final long MEMORY_AT = 24;
    private static final long TREE_AT = 32;
    private static final long INDEXES_AT = 40;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public NewGraphOptions {
        if (threads < 0 || memoryBytesMax < 0) {
            throw new IllegalArgumentException(
                    "threads " + threads + " and memoryBytesMax " + memoryBytesMax + " are counts; 0 leaves one to the engine");
        }
        indexes = List.copyOf(indexes);
    }

    /** A copy of these options with another profile. */
    public NewGraphOptions withProfile(Profile profile) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, indexes);
    }

    /** A copy of these options that allows an existing file to be replaced. */
    public NewGraphOptions replacing() {
        return new NewGraphOptions(profile, true, threads, memoryBytesMax, tree, indexes);
    }

    /** A copy of these options with another number of threads. */
    public NewGraphOptions withThreads(int threads) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, indexes);
    }

    /** A copy of these options with another limit of native memory. */
    public NewGraphOptions withMemoryBytesMax(long memoryBytesMax) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, indexes);
    }

    /** A copy of these options with a tree label. */
    public NewGraphOptions withTree(String edgeLabel) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, Optional.of(edgeLabel), indexes);
    }

    /** A copy of these options with one more indexed property. */
    public NewGraphOptions withIndex(String property) {
        List<String> more = new ArrayList<>(indexes);
        more.add(property);
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, more);
    }

    /** The options as the C struct. */
    MemorySegment in(Arena arena) {
        MemorySegment options = arena.allocate(BYTES, Long.BYTES);
        int[] fields = {BYTES, profile.ordinal(), ZSTD, replace ? 1 : 0, threads, indexes.size()};
        MemorySegment.copy(fields, 0, options, JAVA_INT, 0, fields.length);
        options.set(JAVA_LONG, MEMORY_AT, memoryBytesMax);
        tree.ifPresent(label -> options.set(ADDRESS, TREE_AT, Words.name(arena, "the edge label of the tree", label)));
        MemorySegment names = arena.allocate(ADDRESS, indexes.size());
        for (int i = 0; i < indexes.size(); i++) {
            names.setAtIndex(ADDRESS, i, Words.name(arena, "the property of the index", indexes.get(i)));
        }
        options.set(ADDRESS, INDEXES_AT, names);
        return options;
    }
}
