package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import varvite.change.Diff;
import varvite.error.ChangeException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.spi.Lifetime;

/**
 * A graph file that is open for many small commits, from any number of threads. The cost of a commit is
 * proportional to the size of its diff. Until the log is closed, other writers fail with
 * {@code VARVITE_E_BUSY}; readers see the newest commit when they open the file.
 *
 * <pre>{@code
 * try (GraphLog log = GraphChange.of(path).log()) {
 *     for (int node : found) {
 *         Diff diff = new Diff();
 *         diff.set(node, "ORDER", 1);
 *         log.commit(diff, Durability.BUFFERED);
 *     }
 * }
 * }</pre>
 *
 * <p>After a write or sync has failed, every call fails with {@code VARVITE_E_POISONED}; close this log and
 * begin another one. An unreachable log is closed when it is garbage-collected; its records stay in the file,
 * and readers replay them.
 */
public final class GraphLog implements AutoCloseable {
    /** The size of the C struct {@code varvite_log_options}, with the fields size, no_lock and bytes_max. */
    private static final int OPTIONS_BYTES = 16;
    private static final long NO_LOCK_AT = 4;
    private static final long BYTES_MAX_AT = 8;

    private final Path path;
    private final Held held;

    private GraphLog(Path path, Held held) {
        this.path = path;
        this.held = held;
        Lifetime.whenLost(this, held::giveBack);
    }

    static GraphLog begin(Path path, long bytesMax, boolean noLock) {
        if (bytesMax < 0) {
            throw new IllegalArgumentException("bytesMax " + bytesMax + " is a count; 0 leaves it to the engine");
        }
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment options = arena.allocate(OPTIONS_BYTES, Long.BYTES);
            options.set(JAVA_INT, 0, OPTIONS_BYTES);
            options.set(JAVA_INT, NO_LOCK_AT, noLock ? 1 : 0);
            options.set(JAVA_LONG, BYTES_MAX_AT, bytesMax);
            MemorySegment log = arena.allocate(ADDRESS);
            MemorySegment file = Words.name(arena, "the path", path.toString());
            Call.check((int) Call.LOG_BEGIN.invokeExact(file, options, log, error), error);
            return new GraphLog(path, new Held(log.get(ADDRESS, 0), Call.LOG_RELEASE));
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /** The path of the file. */
    public Path path() {
        return path;
    }

    /**
     * Commits a diff, completely or not at all. The commit survives a power failure.
     *
     * @throws ChangeException if an operation is invalid, with the operation's number; the graph is
     * unchanged, and the log stays usable
     * @throws EngineException if the file system reports an error
     * @throws GraphClosedException if the log is closed
     */
    public Applied commit(Diff diff) {
        return commit(diff, Durability.SYNC);
    }

    /**
     * Commits a diff with a given durability. If the diff declares names or makes label sets that the graph
     * lacks, or if the log has no room for the diff, a full commit is made, which is always synced.
     *
     * @throws ChangeException if an operation is invalid, with the operation's number; the graph is
     * unchanged, and the log stays usable
     * @throws EngineException if the file system reports an error
     * @throws GraphClosedException if the log is closed
     */
    public Applied commit(Diff diff, Durability durability) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            SentDiff sent = new SentDiff(arena, diff);
            int status = (int) Call.LOG_COMMIT_BYTES.invokeExact(
                    handle(),
                    sent.bytes,
                    sent.bytes.byteSize(),
                    durability.ordinal(),
                    sent.applied,
                    SentDiff.APPLIED_BYTES,
                    sent.ranks,
                    sent.edges,
                    error);
            Call.check(status, error);
            return sent.answer();
        } catch (Throwable e) {
            throw failure(e);
        } finally {
            // Keep this object reachable, and therefore open, until the commit is done.
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Syncs the file, so that all commits so far are durable.
     *
     * @throws EngineException if the file system reports an error
     * @throws GraphClosedException if the log is closed
     */
    public void sync() {
        Call.on(Call.LOG_SYNC, handle(), this::failure);
    }

    /**
     * Replaces the log by a full commit, if the log has records.
     *
     * @throws EngineException if the file system reports an error
     * @throws GraphClosedException if the log is closed
     */
    public void checkpoint() {
        Call.on(Call.LOG_CHECKPOINT, handle(), this::failure);
    }

    /**
     * The number of records in the log since the last full commit.
     *
     * @throws GraphClosedException if the log is closed
     */
    public long records() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment records = arena.allocate(JAVA_LONG);
            Call.check((int) Call.LOG_RECORDS.invokeExact(handle(), records, error), error);
            return records.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private MemorySegment handle() {
        held.checkOpen(path);
        return held.handle();
    }

    private RuntimeException failure(Throwable thrown) {
        return held.failure(path, thrown);
    }

    /**
     * Replaces the log by a full commit and closes this object, even if the commit fails. A second call has
     * no effect.
     *
     * @throws EngineException if the file system reports an error; all earlier commits stay in the log
     */
    @Override
    public void close() {
        if (held.isOpen().compareAndSet(true, false)) {
            Call.on(Call.LOG_CLOSE, held.handle(), Call::wrapped);
        }
    }
}
