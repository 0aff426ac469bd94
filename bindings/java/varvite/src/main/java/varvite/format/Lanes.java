package varvite.format;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reads many stored values at once, with a loop for each encoding. The loops fail in the same cases as reads
 * of single values, so that they do not miss damage.
 */
final class Lanes {
    /** The number of consecutive values that share a base in a two-level column. */
    private static final int GROUP = 64;
    /** The largest width, in bits, at which eight bytes contain at least four numbers. */
    private static final int HALF_WIDTH_MAX = 16;

    private Lanes() {}

    static void u8(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.u8(bytes, start + i);
        }
    }

    static void i8(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.i8(bytes, start + i);
        }
    }

    static void u16(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.u16(bytes, 2 * (start + i));
        }
    }

    static void i16(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.i16(bytes, 2 * (start + i));
        }
    }

    static void u32(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.u32(bytes, 4 * (start + i));
        }
    }

    static void i32(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.i32(bytes, 4 * (start + i));
        }
    }

    static void i64(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.i64(bytes, 8 * (start + i));
        }
    }

    static void bits(MemorySegment bytes, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            long index = start + i;
            out[at + i] = Layouts.u8(bytes, index >>> 3) >>> (index & 7) & 1;
        }
    }

    static void sequence(long step, long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = step * (start + i);
        }
    }

    /**
     * Reads values of the two-level encoding, which has a 4-byte base for every group of values and, from
     * offset {@code inner} on, 1 or 2 bytes for each value.
     */
    static void twoLevel(MemorySegment bytes, long inner, int width, long start, int length, long[] out, int at) {
        for (int done = 0; done < length; ) {
            long index = start + done;
            int count = (int) Math.min(GROUP - index % GROUP, length - done);
            long group = Layouts.i32(bytes, index / GROUP * 4);
            if (width == 1) {
                u8(bytes, inner + index, count, out, at + done);
            } else {
                twoBytes(bytes, inner + 2 * index, count, out, at + done);
            }
            for (int i = 0; i < count; i++) {
                out[at + done + i] = out[at + done + i] + group & 0xffff_ffffL;
            }
            done += count;
        }
    }

    private static void twoBytes(MemorySegment bytes, long place, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = Layouts.u16(bytes, place + 2L * i);
        }
    }

    /**
     * Reads {@code length} numbers of {@code width} bits each, from number {@code first} on. Number 0 is at
     * offset {@code place}.
     */
    static void unpack(MemorySegment bytes, long place, int width, int first, int length, long[] out, int at) {
        if (width == 0) {
            Layouts.i64(bytes, place);
            Arrays.fill(out, at, at + length, 0);
            return;
        }
        int eights = width <= HALF_WIDTH_MAX && first % 8 == 0 ? length / 8 * 8 : 0;
        if (eights > 0) {
            // Reading eight numbers at once touches fewer bytes than single reads do. Read the last bytes
            // too, so that this fails if they are missing.
            Layouts.i64(bytes, place + ((long) (first + eights - 1) * width >>> 3));
            unpackEights(bytes, place + (long) first / 8 * width, width, eights, out, at);
        }
        long mask = (1L << width) - 1;
        for (int i = eights; i < length; i++) {
            long bit = (long) (first + i) * width;
            out[at + i] = Layouts.i64(bytes, place + (bit >>> 3)) >>> (bit & 7) & mask;
        }
    }

    /** Reads numbers in groups of eight; a group takes {@code width} bytes. */
    private static void unpackEights(MemorySegment bytes, long place, int width, int length, long[] out, int at) {
        long mask = (1L << width) - 1;
        long next = place;
        for (int i = at; i < at + length; i += 8) {
            long low = Layouts.i64(bytes, next);
            long high = Layouts.i64(bytes, next + (width >>> 1)) >>> (4 * width & 7);
            next += width;
            out[i] = low & mask;
            out[i + 1] = low >>> width & mask;
            out[i + 2] = low >>> 2 * width & mask;
            out[i + 3] = low >>> 3 * width & mask;
            out[i + 4] = high & mask;
            out[i + 5] = high >>> width & mask;
            out[i + 6] = high >>> 2 * width & mask;
            out[i + 7] = high >>> 3 * width & mask;
        }
    }
}
