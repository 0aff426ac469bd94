package varvite.ffi;

import java.lang.foreign.MemorySegment;

/** The result of {@link NativeProperty#fillOrPin}, which reads a value as bytes. */
public sealed interface Value {
    /**
     * The bytes in place, read-only, which are valid until this object is closed. Closing releases the bytes'
     * decoded block; for bytes in the mapped file, closing costs nothing.
     */
    final class Borrowed implements Value, AutoCloseable {
        private final MemorySegment bytes;
        private final java.lang.foreign.Arena arena;

        Borrowed(MemorySegment bytes, java.lang.foreign.Arena arena) {
            this.bytes = bytes;
            this.arena = arena;
        }

        /** The bytes. A read after {@link #close} throws {@link IllegalStateException}. */
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
