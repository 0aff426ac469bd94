package varvite;

import varvite.format.MapBudget;
import varvite.spi.EngineBudget;

/**
 * A memory limit that several open graphs share. It counts the pages of their maps, the copies of files that
 * are not mapped, and the columns that the native engine decodes for them. Create it once, and pass it to
 * {@code Graph.open} for each graph.
 *
 * <pre>{@code
 * try (SharedBudget budget = SharedBudget.of(256 << 20);
 *         Graph client = Graph.open(Path.of("client.varvite"), OpenMode.MAPPED, budget);
 *         Graph server = Graph.open(Path.of("server.varvite"), OpenMode.MAPPED, budget)) {
 *     ..
 * }
 * }</pre>
 *
 * <p>When mapped pages approach the budget, pages are given back to the operating system, those of the least
 * recently used graph first. A later read of such a page returns the same bytes, after the operating system
 * has mapped the page again. While a graph with a budget is open, one thread of the process checks all
 * budgets every ten milliseconds, or sooner if a budget could be reached before. Columns that the engine
 * decodes and the copies of {@link OpenMode#BUFFERED} stay while their graph is open: a call that needs more
 * of them than the budget allows throws an exception with the number {@code OVER_BUDGET}. The Java heap does
 * not count: {@code -Xmx} limits it.
 *
 * <p>Pages are given back on Linux only; on other systems the operating system decides. May be used by any
 * number of threads.
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
     * Private bytes that the graphs hold now: copies of files, and columns and results of the native engine.
     */
    public long heldBytes() {
        return maps.heldBytes();
    }

    /**
     * Bytes of the graphs' maps that are in memory now; -1 if the operating system does not report it. Counts
     * the pages of the maps.
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
     * Closes the budget; call it when no more graphs will be opened with the budget. The native engine's part
     * is released when the last graph of the budget is closed. An unreachable budget is closed when it is
     * collected. Closing it again has no effect.
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
