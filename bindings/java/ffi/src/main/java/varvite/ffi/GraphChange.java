package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import varvite.Identity;
import varvite.change.Diff;
import varvite.error.ChangeException;
import varvite.error.EngineException;

/**
 * Changes a graph file in place. Each call takes the file's lock, opens the file, and makes one commit or
 * none. Open graphs keep their snapshot; to see the commit, call {@link varvite.Graph#refresh} or open the
 * file again.
 *
 * <pre>{@code
 * Diff diff = new Diff();
 * NewNode call = diff.addNode("CALL");
 * diff.addEdge("AST", 7, call);
 * Applied applied = GraphChange.of(path).apply(diff);
 * System.out.println("the new node is " + applied.node(call));
 * }</pre>
 *
 * <p>A diff is copied to native memory and passed to the engine in one call. A failure of the file system or
 * a conflict with another writer is an {@link EngineException}, such as {@code VARVITE_E_BUSY} with the
 * process that writes, {@code VARVITE_E_IO} or {@code VARVITE_E_REPLACED}; {@code docs/errors.md} lists all
 * errors. The file is then unchanged, except after {@code VARVITE_E_NOT_DURABLE}: in this case the commit is
 * in the file, but may be lost if power fails.
 *
 * @param path the file
 * @param memoryBytes the approximate limit of the memory, in bytes, that the engine uses for the operations
 * of a diff, in addition to the passed diff. Beyond the limit, the engine writes operations, and edges that
 * it sorts, to a temporary file beside the graph. 0 for no limit
 * @param noLock whether to continue if the file system has no locks, although a second writer is then not
 * kept out
 * @param madeFor the only state of the file that may be changed, from {@link varvite.Graph#identity}; empty
 * for any state
 */
public record GraphChange(Path path, long memoryBytes, boolean noLock, Optional<Identity> madeFor) {
    /**
     * The size of the C struct {@code varvite_apply_options}, with the fields size, no_lock, memory_bytes,
     * layer, tool, version, source, file_id, generation and directory_hash.
     */
    private static final int OPTIONS_BYTES = 104;
    private static final long NO_LOCK_AT = 4;
    private static final long MEMORY_AT = 8;
    private static final long LAYER_AT = 16;
    private static final long TOOL_AT = 24;
    private static final long VERSION_AT = 32;
    private static final long SOURCE_AT = 40;
    private static final long FILE_ID_AT = 72;
    private static final int FILE_ID_BYTES = 16;
    private static final long GENERATION_AT = 88;
    private static final long DIRECTORY_HASH_AT = 96;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if {@code memoryBytes} is negative
     */
    public GraphChange {
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("memoryBytes " + memoryBytes + " is a count; 0 sets no limit");
        }
    }

    /** Changes to a file, without a memory limit and under the file's lock. */
    public static GraphChange of(Path path) {
        return new GraphChange(path, 0, false, Optional.empty());
    }

    /** A copy of this object with a memory limit of about {@code memoryBytes} bytes. */
    public GraphChange withMemoryBytes(long memoryBytes) {
        return new GraphChange(path, memoryBytes, noLock, madeFor);
    }

    /** A copy of this object that makes changes even if the file system has no locks. */
    public GraphChange goingWithoutLocks() {
        return new GraphChange(path, memoryBytes, true, madeFor);
    }

    /**
     * A copy of this object whose changes fail unless the file is still in the state with the identity
     * {@code seen}. Use this method for diffs with ids and ranks of an open graph, which are valid only for
     * that graph's state. If another writer has committed since then, or another file now has the name,
     * {@link #apply} and {@link #addLayer} throw {@code VARVITE_E_REPLACED}.
     */
    public GraphChange madeFor(Identity seen) {
        return new GraphChange(path, memoryBytes, noLock, Optional.of(seen));
    }

    /**
     * Checks that a native library for this machine is found. Call this before you spend time on making a
     * diff.
     *
     * @throws varvite.error.NativeLibraryException if no library is found
     */
    public static void checkLibrary() {
        NativeLibrary.get();
    }

    /**
     * Applies a diff, completely or not at all. The commit is durable when this returns. The cost is
     * proportional to the size of the diff and of all changes since the columns of the graph were written.
     *
     * @throws ChangeException if an operation is invalid, with the operation's number; the file is unchanged
     * @throws EngineException as described for the class
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public Applied apply(Diff diff) {
        return send(diff, null);
    }

    /**
     * Adds the additions of a diff as a layer. The diff must declare the names that it uses: the labels of
     * the nodes, the edge labels of the edges, which may be between any nodes, and the properties of the
     * values. An existing layer with the same name is replaced in the same commit.
     *
     * @throws ChangeException if an operation is invalid or not allowed in a layer, with the operation's
     * number; the file is unchanged
     * @throws EngineException {@code VARVITE_E_ARGUMENT} if the existing layer is the graph's own layer or
     * other layers refer to its nodes; else as described for the class
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public Applied addLayer(LayerSpec layer, Diff diff) {
        return send(diff, layer);
    }

    /**
     * Removes all of these layers or none.
     *
     * @throws EngineException {@code VARVITE_E_UNKNOWN} if a layer does not exist; {@code VARVITE_E_ARGUMENT}
     * if a layer is the graph's own layer or other layers refer to its nodes; else as described for the class
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public void dropLayers(String... names) {
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment layers = arena.allocate(ADDRESS, names.length);
            for (int i = 0; i < names.length; i++) {
                layers.setAtIndex(ADDRESS, i, Words.name(arena, "the name of the layer", names[i]));
            }
            MemorySegment file = Words.name(arena, "the path", path.toString());
            Call.check((int) Call.DROP_LAYERS.invokeExact(file, layers, (long) names.length, options(arena, null), error), error);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /**
     * Begins a log of small commits, which keeps other writers out until it is closed.
     *
     * @throws EngineException as described for the class
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public GraphLog log() {
        return log(0);
    }

    /**
     * Begins a log of small commits. When the log has more than {@code bytesMax} bytes, a full commit
     * replaces it.
     *
     * @param bytesMax the maximum size of the log, which is at most 64 MiB; 0 for the default, 16 MiB
     */
    public GraphLog log(long bytesMax) {
        return GraphLog.begin(path, bytesMax, noLock);
    }

    private Applied send(Diff diff, LayerSpec layer) {
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment file = Words.name(arena, "the path", path.toString());
            MemorySegment options = options(arena, layer);
            SentDiff sent = new SentDiff(arena, diff);
            int status = (int) Call.APPLY_BYTES.invokeExact(
                    file, sent.bytes, sent.bytes.byteSize(), options, sent.applied, SentDiff.APPLIED_BYTES, sent.ranks, sent.edges, error);
            Call.check(status, error);
            return sent.answer();
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    private MemorySegment options(Arena arena, LayerSpec layer) {
        MemorySegment options = arena.allocate(OPTIONS_BYTES, Long.BYTES);
        options.set(JAVA_INT, 0, OPTIONS_BYTES);
        options.set(JAVA_INT, NO_LOCK_AT, noLock ? 1 : 0);
        options.set(JAVA_LONG, MEMORY_AT, memoryBytes);
        if (layer != null) {
            options.set(ADDRESS, LAYER_AT, Words.name(arena, "the name of the layer", layer.name()));
            options.set(ADDRESS, TOOL_AT, Words.name(arena, "the tool", layer.tool()));
            options.set(ADDRESS, VERSION_AT, Words.name(arena, "the version", layer.version()));
            MemorySegment.copy(layer.sourceBytes(), 0, options, JAVA_BYTE, SOURCE_AT, LayerSpec.SOURCE_BYTES);
        }
        madeFor.ifPresent(seen -> {
            MemorySegment.copy(HexFormat.of().parseHex(seen.file()), 0, options, JAVA_BYTE, FILE_ID_AT, FILE_ID_BYTES);
            options.set(JAVA_LONG, GENERATION_AT, seen.generation());
            options.set(JAVA_LONG, DIRECTORY_HASH_AT, seen.checksum());
        });
        return options;
    }
}
