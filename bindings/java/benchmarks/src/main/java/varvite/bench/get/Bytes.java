package varvite.bench.get;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The work that a benchmark does on each value: it sums the value's bytes as longs, or reads only the first
 * eight bytes.
 */
final class Bytes {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle OF_ARRAY =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    static long first(byte[] bytes) {
        return (long) OF_ARRAY.get(bytes, 0);
    }

    static long first(ByteBuffer bytes) {
        return bytes.getLong(bytes.position());
    }

    static long sum(byte[] bytes, int length) {
        long sum = 0;
        for (int i = 0; i + 8 <= length; i += 8) {
            sum += (long) OF_ARRAY.get(bytes, i);
        }
        return sum;
    }

    static long sum(MemorySegment bytes, long offset, int length) {
        long sum = 0;
        for (int i = 0; i + 8 <= length; i += 8) {
            sum += bytes.get(LONG, offset + i);
        }
        return sum;
    }

    static long sum(ByteBuffer bytes) {
        long sum = 0;
        for (int i = bytes.position(); i + 8 <= bytes.limit(); i += 8) {
            sum += bytes.getLong(i);
        }
        return sum;
    }
}
