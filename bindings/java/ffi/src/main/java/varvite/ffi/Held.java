package varvite.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;

/**
 * A handle of the engine that is released only once. It does not refer to the object that uses it, so that an
 * object that the program forgot to close can be garbage-collected and its handle released.
 *
 * @param handle the handle that calls pass to the engine
 * @param isOpen true until the handle is released or a call ends it
 * @param release the function of the engine that releases the handle
 */
record Held(MemorySegment handle, AtomicBoolean isOpen, MethodHandle release) {
    Held(MemorySegment handle, MethodHandle release) {
        this(handle, new AtomicBoolean(true), release);
    }

    /** Throws if the handle was released. {@code path} is the file to which the handle belongs. */
    void checkOpen(Path path) {
        if (!isOpen.get()) {
            throw new GraphClosedException(path, null);
        }
    }

    /**
     * The exception for a call that failed: {@link GraphClosedException} if the engine does not know the
     * handle, because another thread has released it.
     */
    RuntimeException failure(Path path, Throwable thrown) {
        RuntimeException wrapped = Call.wrapped(thrown);
        boolean isStale = wrapped instanceof EngineException e && e.number() == Call.STALE_HANDLE && !isOpen.get();
        return isStale ? new GraphClosedException(path, wrapped) : wrapped;
    }

    /** Releases the handle. Calling this again has no effect. */
    void giveBack() {
        if (isOpen.compareAndSet(true, false)) {
            Call.release(release, handle);
        }
    }
}
