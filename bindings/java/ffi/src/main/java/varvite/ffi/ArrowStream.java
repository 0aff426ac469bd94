package varvite.ffi;

import java.lang.foreign.MemorySegment;

/** The room of a caller for an {@code ArrowArrayStream}. Independent of Arrow's own classes. */
final class ArrowStream {
    /** {@code struct ArrowArrayStream}: four functions and their data. */
    static final long BYTES = 40;

    private ArrowStream() {}

    /**
     * The room, which can hold the struct.
     *
     * @throws IllegalArgumentException if it can't
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
     * The room at an address.
     *
     * @throws IllegalArgumentException if nothing can be there
     */
    static MemorySegment at(long address) {
        return checked(MemorySegment.ofAddress(address).reinterpret(BYTES));
    }
}
