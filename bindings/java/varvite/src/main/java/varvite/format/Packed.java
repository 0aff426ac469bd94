package varvite.format;

import java.lang.foreign.MemorySegment;

/**
 * Bit-packed integers with a frame of reference: patched frame of reference (Zukowski et al., ICDE 2006), in
 * a layout that allows single values to be read.
 *
 * <pre>
 * segment = headers (48 bytes for each block of 1024, 64 if sloped), then data, then 8 bytes of zeros
 * header  =  0 u32 x 8  bases of the lanes of 128
 *           32 u8  x 8  widths of the lanes, 0 to 32; top bit: the lane has exceptions
 *           40 u32      data of the block, in units of 8 bytes from the end of the headers
 *           44 u16      exceptions of the block
 *           48 u16 x 8  slopes of the lanes, if sloped: (low 12 bits) * j >> (high 4 bits) is added to value j
 * data    = lanes, 16 * width bytes each; then u16 positions in the block, rising; then u32 values
 * </pre>
 */
record Packed(MemorySegment bytes, int header, long data) {
    private static final int FLAT_HEADER = 48;
    private static final int SLOPED_HEADER = 64;
    private static final int LANE = 128;
    private static final int WIDTHS = 32;
    private static final int WIDTH_MAX = 32;
    private static final int HAS_EXCEPTIONS = 0x80;
    private static final long WIDTH_BITS = 0x3f3f_3f3f_3f3f_3f3fL;
    private static final long BYTE_SUM = 0x0101_0101_0101_0101L;

    static Packed of(Column column, MemorySegment bytes, long count, boolean sloped) {
        long blocks = (count + 1023) / 1024;
        int header = sloped ? SLOPED_HEADER : FLAT_HEADER;
        if (blocks > bytes.byteSize() / header) {
            throw column.damaged(blocks + " block headers", bytes.byteSize());
        }
        return new Packed(bytes, header, blocks * header);
    }

    /** Value number {@code index}, before the column's base is added. */
    long get(long index) {
        long block = (index >>> 10) * header;
        int lane = (int) (index >>> 7) & 7;
        long widths = Layouts.i64(bytes, block + WIDTHS);
        return value(index, block, lane, widths, lanesAt(block, lane, widths));
    }

    /**
     * Value number {@code index} in the low 32 bits and the next value in the high 32; both must be in the
     * same lane.
     */
    long pair(long index) {
        long block = (index >>> 10) * header;
        int lane = (int) (index >>> 7) & 7;
        long widths = Layouts.i64(bytes, block + WIDTHS);
        long codes = lanesAt(block, lane, widths);
        return value(index + 1, block, lane, widths, codes) << 32 | value(index, block, lane, widths, codes);
    }

    /** The start of a lane's codes. One multiplication sums the widths of the lanes before this lane. */
    private long lanesAt(long block, int lane, long widths) {
        long before = (widths & WIDTH_BITS & ((1L << 8 * lane) - 1)) * BYTE_SUM >>> 56;
        return data + Layouts.u32(bytes, block + 40) * 8 + before * 16;
    }

    private long value(long index, long block, int lane, long widths, long codes) {
        int flags = (int) (widths >>> 8 * lane) & 0xff;
        int width = Math.min(flags & 0x3f, WIDTH_MAX);
        int j = (int) index & 127;
        int bit = j * width;
        long mask = (1L << width) - 1;
        long code = Layouts.i64(bytes, codes + (bit >>> 3)) >>> (bit & 7) & mask;
        if (code == mask && (flags & HAS_EXCEPTIONS) != 0) {
            return exception(index, block);
        }
        int slope = header == FLAT_HEADER ? 0 : slope(block, lane, j);
        return Layouts.i32(bytes, block + 4 * lane) + (int) code + slope & 0xffff_ffffL;
    }

    private int slope(long block, int lane, int j) {
        int slope = Layouts.u16(bytes, block + FLAT_HEADER + 2 * lane);
        return (slope & 0xfff) * j >>> (slope >>> 12);
    }

    /** Reads values from number {@code start} on, lane by lane. */
    void fill(long start, int length, long[] out, int at) {
        for (int done = 0; done < length; ) {
            long index = start + done;
            int count = (int) Math.min(LANE - index % LANE, length - done);
            fillFromLane(index, count, out, at + done);
            done += count;
        }
    }

    /** Reads values of one lane. */
    private void fillFromLane(long index, int count, long[] out, int at) {
        long block = (index >>> 10) * header;
        int lane = (int) (index >>> 7) & 7;
        long widths = Layouts.i64(bytes, block + WIDTHS);
        int flags = (int) (widths >>> 8 * lane) & 0xff;
        int width = Math.min(flags & 0x3f, WIDTH_MAX);
        int first = (int) index & LANE - 1;
        Lanes.unpack(bytes, lanesAt(block, lane, widths), width, first, count, out, at);
        long all = (flags & HAS_EXCEPTIONS) != 0 ? (1L << width) - 1 : -1;
        int base = Layouts.i32(bytes, block + 4 * lane);
        int slope = header == FLAT_HEADER ? 0 : Layouts.u16(bytes, block + FLAT_HEADER + 2 * lane);
        if (all < 0) {
            raise(base, slope, first, count, out, at);
            return;
        }
        for (int i = 0; i < count; i++) {
            long code = out[at + i];
            int rise = (slope & 0xfff) * (first + i) >>> (slope >>> 12);
            out[at + i] = code == all ? exception(index + i, block) : base + (int) code + rise & 0xffff_ffffL;
        }
    }

    /** Converts codes in {@code out} to values; the caller must then store the exceptions. */
    private static void raise(int base, int slope, int first, int count, long[] out, int at) {
        for (int i = 0; i < count; i++) {
            int rise = (slope & 0xfff) * (first + i) >>> (slope >>> 12);
            out[at + i] = base + (int) out[at + i] + rise & 0xffff_ffffL;
        }
    }

    private long exception(long index, long block) {
        int count = Layouts.u16(bytes, block + 44);
        long codes = (Layouts.i64(bytes, block + WIDTHS) & WIDTH_BITS) * BYTE_SUM >>> 56;
        long positions = data + Layouts.u32(bytes, block + 40) * 8 + 16 * codes;
        long values = positions + (2L * count + 3 & -4);
        int wanted = (int) index & 1023;
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int position = Layouts.u16(bytes, positions + 2L * middle);
            if (position == wanted) {
                return Layouts.u32(bytes, values + 4L * middle);
            }
            if (position < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        throw new IndexOutOfBoundsException("no exception for this value");
    }
}
