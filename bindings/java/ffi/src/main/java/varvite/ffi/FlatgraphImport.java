package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import varvite.Profile;
import varvite.error.EngineException;

/**
 * Makes graph files from flatgraph files ({@code cpg.bin}, {@code *.fg}).
 *
 * <pre>{@code
 * var report = FlatgraphImport.to(Profile.DIRECT).run(Path.of("cpg.bin"), Path.of("code.varvite"));
 * }</pre>
 *
 * @param profile the storage profile of the new file
 * @param replace whether an existing target is replaced
 * @param threads the number of threads; 0 for one on each processor
 * @param expansion the limit of decoded bytes per compressed byte of the source, beyond the first 64 MiB; 0
 * for the default, 200
 */
public record FlatgraphImport(Profile profile, boolean replace, int threads, int expansion) {
    private static final int OPTIONS_BYTES = 24;
    private static final int ZSTD = 2;
    private static final long REPORT_BYTES = 32;

    /**
     * The result of an import.
     *
     * @param nodes the number of nodes of the graph
     * @param edges the number of edges of the graph
     * @param fileLength the size of the new file in bytes
     * @param refsToDeleted the number of references to deleted nodes, which are null in the graph
     */
    public record Report(long nodes, long edges, long fileLength, long refsToDeleted) {}

    /** An import with the default limit of 200 decoded bytes per compressed byte of the source. */
    public FlatgraphImport(Profile profile, boolean replace, int threads) {
        this(profile, replace, threads, 0);
    }

    /** An import that does not replace an existing target, and uses all processors. */
    public static FlatgraphImport to(Profile profile) {
        return new FlatgraphImport(profile, false, 0);
    }

    /**
     * Imports a file. The new file appears complete and synced, or not at all.
     *
     * @throws varvite.error.NativeLibraryException if no native library for this machine is found
     * @throws EngineException if the source is invalid, or the file system reports an error
     */
    public Report run(Path source, Path target) {
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment options = arena.allocate(OPTIONS_BYTES, Integer.BYTES);
            int[] fields = {OPTIONS_BYTES, profile.ordinal(), ZSTD, replace ? 1 : 0, threads, expansion};
            MemorySegment.copy(fields, 0, options, JAVA_INT, 0, fields.length);
            MemorySegment report = arena.allocate(REPORT_BYTES, Long.BYTES);
            MemorySegment from = Words.name(arena, "the path of the source", source.toString());
            MemorySegment to = Words.name(arena, "the path of the target", target.toString());
            Call.check((int) Call.IMPORT.invokeExact(from, to, options, report, REPORT_BYTES, error), error);
            return new Report(
                    report.getAtIndex(JAVA_LONG, 0),
                    report.getAtIndex(JAVA_LONG, 1),
                    report.getAtIndex(JAVA_LONG, 2),
                    report.getAtIndex(JAVA_LONG, 3));
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }
}
