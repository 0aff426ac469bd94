package varvite.ffi;

import java.lang.foreign.MemorySegment;

/** Checks the caller's memory for an {@code ArrowArrayStream}. Does not use Arrow's classes. */
final class ArrowStream {
    /**
     * The size of {@code struct ArrowArrayStream}, which has four function pointers and a pointer to their
     * data.
     */
    static final long BYTES = 40;

    private ArrowStream() {}

    /**
     * Returns {@code room}, after a check that the struct fits there.
     *
     * @throws IllegalArgumentException if the struct does not fit there
     */
    static MemorySegment checked(MemorySegment room) {
        boolean isRoom = room.isNative() && !room.isReadOnly() && room.byteSize() >= BYTES;
        if (!isRoom || room.address() == 0 || room.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "an ArrowArrayStream takes " + BYTES + " bytes of native memory that may be written, at a multiple of 8; this is " + room);
        }
        return room;
    }

    /**
     * The memory for a struct at an address.
     *
     * @throws IllegalArgumentException if the address is invalid
     */
    static MemorySegment at(long address) {
        return checked(MemorySegment.ofAddress(address).reinterpret(BYTES));
    }
}
