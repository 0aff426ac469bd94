package varvite;

import varvite.format.MapBudget;
import varvite.spi.EngineBudget;

/**
 * A memory limit that several open graphs share. It limits the sum of their maps' pages, the copies of files
 * that are not mapped, and the columns that the native engine decodes for these graphs. Create it once, and
 * pass it to {@code Graph.open} for each graph.
 *
 * <pre>{@code
 * try (SharedBudget budget = SharedBudget.of(256 << 20);
 *         Graph client = Graph.open(Path.of("client.varvite"), OpenMode.MAPPED, budget);
 *         Graph server = Graph.open(Path.of("server.varvite"), OpenMode.MAPPED, budget)) {
 *     ..
 * }
 * }</pre>
 *
 * <p>When mapped pages approach the budget, pages are given back to the operating system, beginning with
 * those of the least recently used graph. A later read of such a page returns the same bytes, after the
 * operating system has mapped the page again. While a graph with a budget is open, one thread of the process
 * checks all budgets every ten milliseconds, or sooner if a budget could be reached earlier. Columns that the
 * engine decodes, and the copies of {@link OpenMode#BUFFERED}, stay in memory while their graph is open. A
 * call that would thereby exceed the budget throws an exception with the number {@code OVER_BUDGET}. The
 * budget does not include the Java heap, which {@code -Xmx} limits.
 *
 * <p>Pages are given back only on Linux; on other systems, the operating system decides which pages to
 * reclaim. May be used by any number of threads.
 */
public final class SharedBudget implements AutoCloseable {
    private final MapBudget maps;

    private SharedBudget(long bytes) {
        maps = new MapBudget(bytes);
    }

    /**
     * A budget of {@code bytes} bytes.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive
     */
    public static SharedBudget of(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a budget of " + bytes + " bytes");
        }
        return new SharedBudget(bytes);
    }

    /** The limit in bytes. */
    public long limit() {
        return maps.limit();
    }

    /**
     * The number of private bytes that the graphs hold now: copies of files, and columns and results of the
     * native engine.
     */
    public long heldBytes() {
        return maps.heldBytes();
    }

    /**
     * The number of bytes of the graphs' maps that are in memory now; -1 if the operating system does not
     * report it. Counts the pages of all maps.
     */
    public long residentBytes() {
        return maps.residentBytes();
    }

    /** The number of times that pages of maps were given back. */
    public long givenBack() {
        return maps.givenBack();
    }

    /**
     * The native engine's part of the budget, for module {@code varvite.ffi}.
     *
     * @throws varvite.error.NativeLibraryException if no native library for this machine is found
     */
    public EngineBudget engine() {
        return maps.engine();
    }

    /**
     * Closes the budget. Call this method when no more graphs will be opened with the budget. The native
     * engine's part is released when the last graph of the budget is closed. An unreachable budget is closed
     * when it is garbage-collected. A second call has no effect.
     */
    @Override
    public void close() {
        maps.close();
    }

    /** The budget's part for mapped and copied files. */
    MapBudget maps() {
        return maps;
    }
}
