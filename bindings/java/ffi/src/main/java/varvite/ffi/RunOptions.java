package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Options of running a pipeline. A 0 stands for the engine's default.
 *
 * <pre>{@code
 * graph.run(pipeline, RunOptions.DEFAULT.withBatchRows(64));
 * }</pre>
 *
 * @param threads threads for work on whole columns: as many as there are processors
 * @param memoryBytes most bytes that the run may hold beside its batches, before it ends with
 * {@code VARVITE_E_OVER_BUDGET}: a quarter of the machine's memory
 * @param batchRows rows of a batch: 2048. Those of Arrow have as many, and a million at most; others more or
 * less as many
 */
public record RunOptions(int threads, long memoryBytes, long batchRows) {
    /** The engine's defaults. */
    public static final RunOptions DEFAULT = new RunOptions(0, 0, 0);

    /** {@code varvite_run_options}: size, threads, memory_bytes, batch_rows. */
    private static final int BYTES = 24;
    private static final long THREADS_AT = 4;
    private static final long MEMORY_AT = 8;
    private static final long ROWS_AT = 16;

    /**
     * Options that may mean something.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public RunOptions {
        if (threads < 0 || memoryBytes < 0 || batchRows < 0) {
            throw new IllegalArgumentException("threads " + threads + ", memoryBytes " + memoryBytes + " and batchRows " + batchRows
                    + " are counts; 0 leaves one to the engine");
        }
    }

    /** The same with so many threads. */
    public RunOptions withThreads(int threads) {
        return new RunOptions(threads, memoryBytes, batchRows);
    }

    /** The same with so much memory. */
    public RunOptions withMemoryBytes(long memoryBytes) {
        return new RunOptions(threads, memoryBytes, batchRows);
    }

    /** The same with batches of so many rows. */
    public RunOptions withBatchRows(long batchRows) {
        return new RunOptions(threads, memoryBytes, batchRows);
    }

    /** As C has them. */
    MemorySegment in(Arena arena) {
        MemorySegment options = arena.allocate(BYTES, Long.BYTES);
        options.set(JAVA_INT, 0, BYTES);
        options.set(JAVA_INT, THREADS_AT, threads);
        options.set(JAVA_LONG, MEMORY_AT, memoryBytes);
        options.set(JAVA_LONG, ROWS_AT, batchRows);
        return options;
    }
}
