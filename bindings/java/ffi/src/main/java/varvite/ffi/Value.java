package varvite.ffi;

import java.lang.foreign.MemorySegment;

/** The result of reading a value as bytes, see {@link NativeProperty#fillOrPin}. */
public sealed interface Value {
    /**
     * The bytes in place, read-only, until this object is closed. Closing releases the decoded block of the
     * bytes; for bytes in the mapped file it costs nothing.
     */
    final class Borrowed implements Value, AutoCloseable {
        private final MemorySegment bytes;
        private final java.lang.foreign.Arena arena;

        Borrowed(MemorySegment bytes, java.lang.foreign.Arena arena) {
            this.bytes = bytes;
            this.arena = arena;
        }

        /** The bytes. Reading them after {@link #close} is an {@link IllegalStateException}. */
        public MemorySegment bytes() {
            return bytes;
        }

        @Override
        public void close() {
            if (arena != null && arena.scope().isAlive()) {
                arena.close();
            }
        }
    }

    /**
     * The bytes were copied to the beginning of the caller's buffer.
     *
     * @param length the number of copied bytes
     */
    record Filled(long length) implements Value {}

    /**
     * The buffer is too small, and nothing was copied.
     *
     * @param needed the length of the value in bytes
     */
    record TooSmall(long needed) implements Value {}

    /** There is no value, or it is null. */
    record Absent() implements Value {}
}
