package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import varvite.error.GraphClosedException;
import varvite.spi.Lifetime;

/**
 * Work of the engine that returns its results in batches: a run of a pipeline, or a walk. This class holds
 * the engine's handle, and the memory for results of calls.
 */
abstract sealed class Running implements AutoCloseable permits NativeRun, NativeWalk {
    final Lifetime lifetime;
    final MemorySegment handle;
    /**
     * Memory that is garbage-collected with this object, so that calls do not have to keep an arena open for
     * it.
     */
    final Arena results = Arena.ofAuto();
    final MemorySegment count = results.allocate(JAVA_LONG);
    final MemorySegment error = Call.error(results);
    private final MethodHandle cancel;

    /**
     * Makes the object for a handle. The function {@code release} releases the handle, and {@code cancel}
     * ends a call on another thread.
     */
    Running(NativeGraph graph, MemorySegment handle, MethodHandle release, MethodHandle cancel) {
        lifetime = new Lifetime(graph.path());
        this.handle = Call.owned(handle, lifetime.arena(), release);
        this.cancel = cancel;
        lifetime.endWith(this);
    }

    /** Returns the status of a call if the call succeeded, and throws an exception if it failed. */
    final int check(int status) {
        return Call.check(status, error);
    }

    /** The exception for a call that failed: {@link GraphClosedException} if this object was closed. */
    final RuntimeException failure(Throwable thrown) {
        return lifetime.failure(Call.wrapped(thrown));
    }

    /**
     * Cancels the work. A running call soon ends with {@code VARVITE_E_CANCELLED}. Any thread may call this
     * method.
     */
    public void cancel() {
        Call.on(cancel, handle, this::failure);
    }

    /**
     * Ends the work. A running call of another thread first ends with {@code VARVITE_E_CANCELLED}. A second
     * call of this method has no effect.
     *
     * @throws varvite.error.GraphBusyException if that call does not end within seconds
     */
    @Override
    public void close() {
        if (lifetime.isOpen()) {
            try {
                cancel();
            } catch (GraphClosedException e) {
                // Another thread has closed this object.
            }
        }
        lifetime.close();
    }
}
