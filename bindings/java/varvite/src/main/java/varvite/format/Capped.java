package varvite.format;

import java.lang.foreign.MemorySegment;

/**
 * Integers, nearly all of which fit in a byte: a read costs one load and one comparison. The byte 255 means
 * that the value is among the exceptions.
 *
 * <pre>
 * segment = u8 for each value: the value minus the step of the row, or 255; zeros up to 8 bytes
 *           u32 for every 1024 values: the number of exceptions before them; and the number of all exceptions
 *           u16 for each exception: its index modulo 1024; zeros up to 4 bytes
 *           u32 for each exception: its value, above zero
 * </pre>
 */
record Capped(MemorySegment bytes, long step, long starts, long positions, long values) {
    private static final int EXCEPTION = 255;

    static Capped of(Column column, MemorySegment bytes, long count, long step) {
        long starts = count + 7 & -8;
        long blocks = (count + 1023) / 1024;
        long positions = starts + (blocks + 1) * 4;
        if (positions > bytes.byteSize()) {
            throw column.damaged(positions + " bytes", bytes.byteSize());
        }
        long exceptions = Layouts.u32(bytes, positions - 4);
        long values = positions + (2 * exceptions + 3 & -4);
        if (values + 4 * exceptions > bytes.byteSize()) {
            throw column.damaged(exceptions + " exceptions", bytes.byteSize());
        }
        return new Capped(bytes, step, starts, positions, values);
    }

    /** Value number {@code index}, before the column's base is added. */
    long get(long index) {
        int small = Layouts.u8(bytes, index);
        return small == EXCEPTION ? exception(index) : step + small;
    }

    /** Reads {@code length} values, from number {@code start} on, into {@code out}. */
    void fill(long start, int length, long[] out, int at) {
        for (int i = 0; i < length; i++) {
            int small = Layouts.u8(bytes, start + i);
            out[at + i] = small == EXCEPTION ? exception(start + i) : step + small;
        }
    }

    private long exception(long index) {
        long block = starts + (index >>> 10) * 4;
        long low = Layouts.u32(bytes, block);
        long end = Layouts.u32(bytes, block + 4);
        long high = end;
        int wanted = (int) index & 1023;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (Layouts.u16(bytes, positions + 2 * middle) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low >= end || Layouts.u16(bytes, positions + 2 * low) != wanted) {
            throw new IndexOutOfBoundsException("no exception for this value");
        }
        return Layouts.u32(bytes, values + 4 * low);
    }
}
