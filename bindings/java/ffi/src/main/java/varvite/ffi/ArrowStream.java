package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** The room of a caller for an {@code ArrowArrayStream}, and the call that fills it. Knows nothing of Arrow's own classes. */
final class ArrowStream {
    /** {@code struct ArrowArrayStream}: four functions and what they need. */
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

    /** Compiles a plan and fills the room with the stream of its rows. If that fails, the room is as it was. */
    static void fill(NativeGraph graph, String plan, RunOptions options, MemorySegment room) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment error = Call.error(scratch);
            MemorySegment bytes = scratch.allocateFrom(JAVA_BYTE, plan.getBytes(StandardCharsets.UTF_8));
            int status = (int) Call.RUN_ARROW.invokeExact(graph.handle(), bytes, bytes.byteSize(), options.in(scratch), room, error);
            Call.check(status, error);
        } catch (Throwable e) {
            throw graph.failure(e);
        }
    }
}
