package varvite.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A handle of the engine that is released only once. It does not refer to the object that uses it, so that an
 * object that the program forgot to close can be garbage-collected and its handle released.
 *
 * @param handle the handle that calls pass to the engine
 * @param isOpen whether the handle is neither released nor ended by a call
 * @param release the function of the engine that releases the handle
 */
record Held(MemorySegment handle, AtomicBoolean isOpen, MethodHandle release) {
    Held(MemorySegment handle, MethodHandle release) {
        this(handle, new AtomicBoolean(true), release);
    }

    /** Releases the handle. Calling this again has no effect. */
    void giveBack() {
        if (isOpen.compareAndSet(true, false)) {
            Call.release(release, handle);
        }
    }
}
