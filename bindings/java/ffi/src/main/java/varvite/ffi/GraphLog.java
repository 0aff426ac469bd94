package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.file.Path;
import varvite.change.Diff;
import varvite.error.ChangeException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.spi.Lifetime;

/**
 * A graph file that gets many small commits, from any number of threads: each costs in proportion to its own
 * diff. Other writers are refused with {@code VARVITE_E_BUSY} until it is closed; readers are not, and get
 * the newest commit when they open the file.
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
 * <p>After a write or sync that failed every call fails with {@code VARVITE_E_POISONED}: close this and begin
 * another. One that cannot be reached any more is closed when it is collected, and leaves its log in the
 * file, where readers replay it.
 */
public final class GraphLog implements AutoCloseable {
    /** {@code varvite_log_options}: size, no_lock, bytes_max. */
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

    /** The file. */
    public Path path() {
        return path;
    }

    /**
     * Applies a diff, all of it or nothing, and commits it so that it survives a failure of power.
     *
     * @throws ChangeException if an operation is invalid, with its number; the graph is as it was, and
     * the log goes on
     * @throws EngineException an error of the file system
     * @throws GraphClosedException if the log is closed
     */
    public Applied commit(Diff diff) {
        return commit(diff, Durability.SYNC);
    }

    /**
     * The same with a given durability. A diff that declares names or makes sets of labels that the graph
     * does not have is a large commit, as is one that the log has no room for; these are always synced.
     *
     * @throws ChangeException if an operation is invalid, with its number; the graph is as it was, and
     * the log goes on
     * @throws EngineException an error of the file system
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
            // This object may be unreachable during the call: keep it open until the commit is done.
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Makes everything durable that was committed.
     *
     * @throws EngineException an error of the file system
     * @throws GraphClosedException if the log is closed
     */
    public void sync() {
        call(Call.LOG_SYNC);
    }

    /**
     * Replaces the log by a large commit, if it has records.
     *
     * @throws EngineException an error of the file system
     * @throws GraphClosedException if the log is closed
     */
    public void checkpoint() {
        call(Call.LOG_CHECKPOINT);
    }

    /**
     * The number of records in the log since the last large commit.
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

    private void call(MethodHandle function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            Call.check((int) function.invokeExact(handle(), error), error);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private MemorySegment handle() {
        if (!held.isOpen().get()) {
            throw new GraphClosedException(path, null);
        }
        return held.handle();
    }

    private RuntimeException failure(Throwable thrown) {
        RuntimeException wrapped = Call.wrapped(thrown);
        boolean isStale = wrapped instanceof EngineException e && e.number() == Call.STALE_HANDLE && !held.isOpen().get();
        return isStale ? new GraphClosedException(path, wrapped) : wrapped;
    }

    /**
     * Replaces the log by a large commit, and ends it, whether that fails or not. Closing twice is closing
     * once.
     *
     * @throws EngineException an error of the file system; what was committed stays in the log
     */
    @Override
    public void close() {
        if (!held.isOpen().compareAndSet(true, false)) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            Call.check((int) Call.LOG_CLOSE.invokeExact(held.handle(), error), error);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }
}
