package varvite;

import varvite.format.MapBudget;
import varvite.spi.EngineBudget;

/**
 * The memory that open graphs may have together: pages of their maps, copies of files that are not mapped,
 * and columns that the native engine decodes for them. Made once, and passed to the opening of each graph.
 *
 * <pre>{@code
 * try (SharedBudget budget = SharedBudget.of(256 << 20);
 *         Graph client = Graph.open(Path.of("client.varvite"), OpenMode.MAPPED, budget);
 *         Graph server = Graph.open(Path.of("server.varvite"), OpenMode.MAPPED, budget)) {
 *     ..
 * }
 * }</pre>
 *
 * <p>When mapped pages come near the budget, pages are given back, those of the least recently used graph
 * first; a later read of such a page gets the same bytes, after the time that the operating system takes to
 * map it again. One thread of the process does this while a graph of any budget is open: it looks every ten
 * milliseconds, or sooner where a budget could be reached before. Columns that the engine decodes and the
 * copies of {@link OpenMode#BUFFERED} stay while their graph is open: a call that needs more of them than
 * there is room for throws an exception of the number {@code OVER_BUDGET}. The Java heap does not count:
 * {@code -Xmx} limits it.
 *
 * <p>Pages are given back on Linux alone; elsewhere they are left to the operating system. May be used by any
 * number of threads.
 */
public final class SharedBudget implements AutoCloseable {
    private final MapBudget maps;

    private SharedBudget(long bytes) {
        maps = new MapBudget(bytes);
    }

    /**
     * A budget of so many bytes.
     *
     * @throws IllegalArgumentException if that is none
     */
    public static SharedBudget of(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a budget of " + bytes + " bytes");
        }
        return new SharedBudget(bytes);
    }

    /** Most bytes that the graphs may have together. */
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
     * Bytes of the graphs' maps that are in memory now; -1 where the operating system does not report it.
     * Costs a count of their pages.
     */
    public long residentBytes() {
        return maps.residentBytes();
    }

    /** The number of times that pages of maps were given back. */
    public long givenBack() {
        return maps.givenBack();
    }

    /**
     * The part of it that the native engine keeps to, for module {@code varvite.ffi}.
     *
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public EngineBudget engine() {
        return maps.engine();
    }

    /**
     * Closes the budget, once no more graphs are opened with it: the native engine's part goes with the last
     * graph that shares it. One that cannot be reached any more is closed when it is collected. Closing twice
     * is closing once.
     */
    @Override
    public void close() {
        maps.close();
    }

    /** For files. */
    MapBudget maps() {
        return maps;
    }
}
