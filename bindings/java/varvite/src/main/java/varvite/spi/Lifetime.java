package varvite.spi;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import varvite.error.GraphBusyException;
import varvite.error.GraphClosedException;

/**
 * How long memory of a graph may be read: until it is closed, on all threads at once. What reads afterwards gets an exception, never
 * other bytes. May be used by any number of threads.
 */
public final class Lifetime {
    private static final int CLOSE_SECONDS = 5;

    private final Path path;
    private final Arena arena = Arena.ofShared();

    /** A lifetime that begins now, of something in the file at {@code path}. */
    public Lifetime(Path path) {
        this.path = path;
    }

    /** The file, for messages. */
    public Path path() {
        return path;
    }

    /** What the memory is tied to. */
    public Arena arena() {
        return arena;
    }

    /** Whether nobody has closed it. */
    public boolean isOpen() {
        return arena.scope().isAlive();
    }

    /**
     * Passes if it is open.
     *
     * @throws GraphClosedException if it is not
     */
    public void checkOpen() {
        if (!isOpen()) {
            throw new GraphClosedException(path, null);
        }
    }

    /** What to throw for something that went wrong: the same, or that this is closed, if that is why. */
    public RuntimeException failure(RuntimeException cause) {
        return cause instanceof IllegalStateException && !isOpen() ? new GraphClosedException(path, cause) : cause;
    }

    /**
     * Ends it, after waiting for calls that are inside. Ending twice is ending once. Costs some microseconds, more where other threads
     * are reading.
     *
     * @throws GraphBusyException if the memory is in use by a call that does not end; it stays open
     */
    public void close() {
        long deadline = System.nanoTime() + CLOSE_SECONDS * 1_000_000_000L;
        while (isOpen()) {
            try {
                arena.close();
            } catch (IllegalStateException e) {
                // Somebody else closed it, or a call holds it for a moment.
                if (isOpen() && System.nanoTime() > deadline) {
                    throw new GraphBusyException(path, CLOSE_SECONDS, e);
                }
                Thread.onSpinWait();
            }
        }
    }
}
