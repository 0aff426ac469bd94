package varvite.format;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Little-endian numbers in a segment: the one way numbers leave mapped bytes.
 *
 * <p>Layouts are constants of this class, because the compiler turns an access into a load only for a
 * constant layout. All are unaligned: segments start at multiples of 64, but codes of packed columns start
 * anywhere.
 */
final class Layouts {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    /**
     * As a handle, which is a call less than the layout: the words of bitmaps are read at the end of a long
     * way.
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

    /** Writes to memory of our own. */
    static void put(MemorySegment bytes, long at, long value) {
        LONG.set(bytes, at, value);
    }

    static long i64(byte[] bytes, int at) {
        return (long) ARRAY_LONG.get(bytes, at);
    }
}
