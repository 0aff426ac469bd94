package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory for the results of a native call that copies or pins a value. Each thread or cursor has such an
 * object, so that a call allocates nothing.
 */
final class Results {
    final MemorySegment address;
    final MemorySegment length;
    final MemorySegment pin;
    final MemorySegment error;

    Results(Arena arena) {
        address = arena.allocate(ADDRESS);
        length = arena.allocate(JAVA_LONG);
        pin = arena.allocate(ADDRESS);
        error = Call.error(arena);
    }

    /** The address of the bytes, as a segment of length zero. Allocates the segment. */
    MemorySegment bytes() {
        return address.get(ADDRESS, 0);
    }

    long address() {
        return address.get(JAVA_LONG, 0);
    }

    long length() {
        return length.get(JAVA_LONG, 0);
    }

    long pin() {
        return pin.get(JAVA_LONG, 0);
    }
}
