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
 * Changes a graph file in place. Each call takes the lock of the file, opens it, and makes one commit or
 * none. Graphs that are open stay as they are: to see the commit, call {@link varvite.Graph#refresh} or open
 * the file again.
 *
 * <pre>{@code
 * Diff diff = new Diff();
 * NewNode call = diff.addNode("CALL");
 * diff.addEdge("AST", 7, call);
 * Applied applied = GraphChange.of(path).apply(diff);
 * System.out.println("the new node is " + applied.node(call));
 * }</pre>
 *
 * <p>A diff goes to the engine in one call, which copies it to native memory first. A failure of the file
 * system or a conflict with another writer is an {@link EngineException}: {@code VARVITE_E_BUSY} with the
 * process that writes, {@code VARVITE_E_IO}, {@code VARVITE_E_REPLACED}; {@code docs/errors.md} lists them.
 * The file is then as it was, but for {@code VARVITE_E_NOT_DURABLE}, where the commit is in place and may be
 * lost if power fails.
 *
 * @param path the file
 * @param memoryBytes about how much memory the engine may use for the operations of a diff, beside the diff
 *     as it is sent; those that have no room there go to a temporary file beside the graph, as edges do while
 *     they are sorted. 0: as much as they take
 * @param noLock whether to go on where the file system has no locks, which keep a second writer out
 * @param madeFor the only state of the file that is changed, as {@link varvite.Graph#identity} gave it;
 * empty: any
 */
public record GraphChange(Path path, long memoryBytes, boolean noLock, Optional<Identity> madeFor) {
    /**
     * {@code varvite_apply_options}: size, no_lock, memory_bytes, layer, tool, version, source, file_id,
     * generation, directory_hash.
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
     * Changes that may mean something.
     *
     * @throws IllegalArgumentException if the count of bytes is negative
     */
    public GraphChange {
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("memoryBytes " + memoryBytes + " is a count; 0 sets no limit");
        }
    }

    /** Changes of a file, with as much memory as they take, under its lock. */
    public static GraphChange of(Path path) {
        return new GraphChange(path, 0, false, Optional.empty());
    }

    /** The same with about so much memory. */
    public GraphChange withMemoryBytes(long memoryBytes) {
        return new GraphChange(path, memoryBytes, noLock, madeFor);
    }

    /** The same, but going on where the file system has no locks. */
    public GraphChange goingWithoutLocks() {
        return new GraphChange(path, memoryBytes, true, madeFor);
    }

    /**
     * The same for a file that still is in the state of a graph, whose ids and ranks the diff has. If another
     * writer has committed to it since, or another file has its name, {@link #apply} and {@link #addLayer}
     * throw {@code VARVITE_E_REPLACED}.
     */
    public GraphChange madeFor(Identity seen) {
        return new GraphChange(path, memoryBytes, noLock, Optional.of(seen));
    }

    /**
     * Checks that there is a native library for this machine, before a caller makes a diff.
     *
     * @throws varvite.error.NativeLibraryException if there is none
     */
    public static void checkLibrary() {
        NativeLibrary.get();
    }

    /**
     * Applies a diff: all of it, or nothing. The commit is durable when this returns. Costs in proportion to
     * the diff and to all changes since the columns of the graph were written.
     *
     * @throws ChangeException if an operation is invalid, with its number; the file is as it was
     * @throws EngineException as above
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public Applied apply(Diff diff) {
        return send(diff, null);
    }

    /**
     * Adds the additions of a diff as a layer: nodes of labels that it declares, edges between any nodes of
     * edge labels that it declares, and values of properties that it declares. A layer of the same name is
     * replaced in the same commit.
     *
     * @throws ChangeException if a layer may not do what an operation does, or it is invalid, with its
     * number; the file is as it was
     * @throws EngineException {@code VARVITE_E_ARGUMENT} if the layer of the same name is part of the graph
     *     or others refer to its nodes; or as above
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public Applied addLayer(LayerSpec layer, Diff diff) {
        return send(diff, layer);
    }

    /**
     * Drops layers: all of them, or none.
     *
     * @throws EngineException {@code VARVITE_E_UNKNOWN} if there is no such layer; {@code VARVITE_E_ARGUMENT}
     *     if it is part of the graph or others refer to its nodes; or as above
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
     * @throws EngineException as above
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public GraphLog log() {
        return log(0);
    }

    /**
     * The same, where the log has at most so many bytes before a large commit takes its place.
     *
     * @param bytesMax up to 64 MiB; 0: 16 MiB
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
