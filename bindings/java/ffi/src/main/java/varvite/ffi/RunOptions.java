package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Options for a run of a pipeline. A 0 stands for the engine's default.
 *
 * <pre>{@code
 * graph.run(pipeline, RunOptions.DEFAULT.withBatchRows(64));
 * }</pre>
 *
 * @param threads the number of threads for work on whole columns; by default one for each processor
 * @param memoryBytes the limit of the run's memory in bytes, not including its batches; a run that exceeds
 * the limit ends with {@code VARVITE_E_OVER_BUDGET}. By default a quarter of the machine's memory
 * @param batchRows the number of rows of a batch; by default 2048. Arrow batches have exactly this number, at
 * most a million; other batches have approximately this number
 */
public record RunOptions(int threads, long memoryBytes, long batchRows) {
    /** The engine's defaults. */
    public static final RunOptions DEFAULT = new RunOptions(0, 0, 0);

    /**
     * The size of the C struct {@code varvite_run_options}, with the fields size, threads, memory_bytes and
     * batch_rows.
     */
    private static final int BYTES = 24;
    private static final long THREADS_AT = 4;
    private static final long MEMORY_AT = 8;
    private static final long ROWS_AT = 16;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public RunOptions {
        if (threads < 0 || memoryBytes < 0 || batchRows < 0) {
            throw new IllegalArgumentException("threads " + threads + ", memoryBytes " + memoryBytes + " and batchRows " + batchRows
                    + " are counts; 0 leaves one to the engine");
        }
    }

    /** A copy of these options with another number of threads. */
    public RunOptions withThreads(int threads) {
        return new RunOptions(threads, memoryBytes, batchRows);
    }

    /** A copy of these options with another memory limit. */
    public RunOptions withMemoryBytes(long memoryBytes) {
        return new RunOptions(threads, memoryBytes, batchRows);
    }

    /** A copy of these options with another number of rows per batch. */
    public RunOptions withBatchRows(long batchRows) {
        return new RunOptions(threads, memoryBytes, batchRows);
    }

    /** The options as the C struct. */
    MemorySegment in(Arena arena) {
        MemorySegment options = arena.allocate(BYTES, Long.BYTES);
        options.set(JAVA_INT, 0, BYTES);
        options.set(JAVA_INT, THREADS_AT, threads);
        options.set(JAVA_LONG, MEMORY_AT, memoryBytes);
        options.set(JAVA_LONG, ROWS_AT, batchRows);
        return options;
    }
}
