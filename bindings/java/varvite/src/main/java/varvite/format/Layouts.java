package varvite.format;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Reads little-endian numbers from a segment. All reads of numbers from mapped bytes use this class.
 *
 * <p>Layouts are constants of this class, because the JIT compiler turns an access into a plain load only if
 * the layout is a constant. All layouts are unaligned: segments start at multiples of 64, but codes of packed
 * columns may start at any byte.
 */
final class Layouts {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    /**
     * A handle for the layout of a long. Compared with the layout itself, it saves one call level, which
     * matters because words of bitmaps are read at the end of a deep chain of inlined calls.
     */
    private static final VarHandle LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

    private static final VarHandle ARRAY_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN).withInvokeExactBehavior();

    private Layouts() {}

    static int u8(MemorySegment bytes, long at) {
        return bytes.get(BYTE, at) & 0xff;
    }

    static int i8(MemorySegment bytes, long at) {
        return bytes.get(BYTE, at);
    }

    static int u16(MemorySegment bytes, long at) {
        return bytes.get(SHORT, at) & 0xffff;
    }

    static int i16(MemorySegment bytes, long at) {
        return bytes.get(SHORT, at);
    }

    static int i32(MemorySegment bytes, long at) {
        return bytes.get(INT, at);
    }

    static long u32(MemorySegment bytes, long at) {
        return bytes.get(INT, at) & 0xffff_ffffL;
    }

    static long i64(MemorySegment bytes, long at) {
        return (long) LONG.get(bytes, at);
    }

    /** Writes a number to memory that this process has allocated. */
    static void put(MemorySegment bytes, long at, long value) {
        LONG.set(bytes, at, value);
    }

    static long i64(byte[] bytes, int at) {
        return (long) ARRAY_LONG.get(bytes, at);
    }
}
