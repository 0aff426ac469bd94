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
 * The kind of file that a {@link NewGraph} becomes, and limits on making it. A 0 stands for the engine's
 * default.
 *
 * <pre>{@code
 * NewGraph.create(path, NewGraphOptions.DEFAULT.withIndex("NAME").withMemoryBytesMax(512 << 20).replacing());
 * }</pre>
 *
 * @param profile the purpose that the encodings serve
 * @param replace whether an existing file is replaced, when the new one is finished
 * @param threads threads that finish the graph: as many as there are processors
 * @param memoryBytesMax most bytes of native memory that the graph may take: a quarter of what the process
 * may have
 * @param tree an edge label in whose pre-order nodes are numbered, so that what is below a node is a range of
 *     ids, which are then not the numbers of {@link NewGraph#addNode}
 * @param indexes properties of nodes that hold texts and get an index
 */
public record NewGraphOptions(
        Profile profile, boolean replace, int threads, long memoryBytesMax, Optional<String> tree, List<String> indexes) {
    /** A compact file, where none is, without a tree and without indexes. */
    public static final NewGraphOptions DEFAULT =
            new NewGraphOptions(Profile.COMPACT, false, 0, 0, Optional.empty(), List.of());

    /**
     * {@code varvite_new_graph_options}: size, profile, codec, replace, threads, index_count,
     * memory_bytes_max, tree, indexes.
     */
    private static final int BYTES = 48;
    private static final int ZSTD = 2;
    private static final long MEMORY_AT = 24;
    private static final long TREE_AT = 32;
    private static final long INDEXES_AT = 40;

    /**
     * Options that may mean something.
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

    /** The same for a file of this profile. */
    public NewGraphOptions withProfile(Profile profile) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, indexes);
    }

    /** The same, but replacing a file that is there. */
    public NewGraphOptions replacing() {
        return new NewGraphOptions(profile, true, threads, memoryBytesMax, tree, indexes);
    }

    /** The same with so many threads. */
    public NewGraphOptions withThreads(int threads) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, indexes);
    }

    /** The same with so much native memory at most. */
    public NewGraphOptions withMemoryBytesMax(long memoryBytesMax) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, indexes);
    }

    /** The same with nodes in the pre-order of the edges of this label. */
    public NewGraphOptions withTree(String edgeLabel) {
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, Optional.of(edgeLabel), indexes);
    }

    /** The same with an index of this property, beside those that it has. */
    public NewGraphOptions withIndex(String property) {
        List<String> more = new ArrayList<>(indexes);
        more.add(property);
        return new NewGraphOptions(profile, replace, threads, memoryBytesMax, tree, more);
    }

    /** As C has them. */
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
