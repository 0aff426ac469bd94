package varvite.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A handle of the engine that is given back once. It refers to no object that uses it, so that an object that
 * was forgotten can be collected and its handle given back.
 *
 * @param handle what calls pass to the engine
 * @param isOpen whether the handle is neither given back nor ended by a call
 * @param release the function of the engine that takes the handle back
 */
record Held(MemorySegment handle, AtomicBoolean isOpen, MethodHandle release) {
    Held(MemorySegment handle, MethodHandle release) {
        this(handle, new AtomicBoolean(true), release);
    }

    /** Gives the handle back. Doing so twice is doing so once. */
    void giveBack() {
        if (isOpen.compareAndSet(true, false)) {
            Call.release(release, handle);
        }
    }
}
