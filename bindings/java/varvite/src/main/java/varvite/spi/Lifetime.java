package varvite.spi;

import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import varvite.error.GraphBusyException;
import varvite.error.GraphClosedException;

/**
 * The lifetime of a graph's memory, which ends for all threads at once when the graph is closed. Later reads
 * throw an exception and never return wrong bytes. May be used by any number of threads.
 */
public final class Lifetime {
    private static final Cleaner CLEANER = Cleaner.create();

    private static final int CLOSE_SECONDS = 5;
    private static final long WAIT_NANOS_MIN = 1_000;
    private static final long WAIT_NANOS_MAX = 1_000_000;

    private final Path path;
    private final Arena arena = Arena.ofShared();
    /** The actions to run at the end of the lifetime; null after the end. */
    private List<Runnable> afterwards = new ArrayList<>();

    /** Begins the lifetime of memory that belongs to the file at {@code path}. */
    public Lifetime(Path path) {
        this.path = path;
    }

    /** The file, for messages. */
    public Path path() {
        return path;
    }

    /** The arena that owns the memory. */
    public Arena arena() {
        return arena;
    }

    /** Whether the lifetime has not ended. */
    public boolean isOpen() {
        return arena.scope().isAlive();
    }

    /**
     * Checks that the lifetime has not ended.
     *
     * @throws GraphClosedException if the lifetime has ended
     */
    public void checkOpen() {
        if (!isOpen()) {
            throw new GraphClosedException(path, null);
        }
    }

    /**
     * The exception to throw for {@code cause}: a {@link GraphClosedException} if the end of the lifetime
     * caused it, else {@code cause} itself.
     */
    public RuntimeException failure(RuntimeException cause) {
        return cause instanceof IllegalStateException && !isOpen() ? new GraphClosedException(path, cause) : cause;
    }

    /**
     * Makes the lifetime also end when {@code owner} becomes unreachable, so that the memory of a graph that
     * the program does not close is released. This object must hold no reference to {@code owner}.
     */
    public void endWith(Object owner) {
        whenLost(owner, this::close);
    }

    /**
     * Runs {@code action} when {@code owner} becomes unreachable. {@code action} must hold no reference to
     * {@code owner}.
     */
    public static void whenLost(Object owner, Runnable action) {
        CLEANER.register(owner, action);
    }

    /** Runs an action after the end of the lifetime, or at once if it has ended. */
    public void afterwards(Runnable action) {
        synchronized (this) {
            if (afterwards != null) {
                afterwards.add(action);
                return;
            }
        }
        action.run();
    }

    /**
     * Ends the lifetime, after waiting for running calls that use the memory. A second call has no effect.
     * Takes some microseconds, more if other threads are reading.
     *
     * @throws GraphBusyException if a call that uses the memory does not end in time; the lifetime then
     * continues
     */
    public void close() {
        closeArena();
        List<Runnable> actions;
        synchronized (this) {
            actions = afterwards == null ? List.of() : afterwards;
            afterwards = null;
        }
        actions.forEach(Runnable::run);
    }

    private void closeArena() {
        long deadline = System.nanoTime() + CLOSE_SECONDS * 1_000_000_000L;
        boolean wasInterrupted = false;
        try {
            for (long wait = WAIT_NANOS_MIN; isOpen(); wait = Math.min(2 * wait, WAIT_NANOS_MAX)) {
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    // Another thread has closed the arena, or a running call uses it: try again.
                    if (isOpen() && System.nanoTime() > deadline) {
                        throw new GraphBusyException(path, CLOSE_SECONDS, e);
                    }
                    wasInterrupted |= Thread.interrupted();
                    LockSupport.parkNanos(wait);
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
