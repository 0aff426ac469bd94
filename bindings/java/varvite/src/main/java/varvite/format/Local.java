package varvite.format;

import java.lang.foreign.MemorySegment;

/**
 * Integers in blocks of 1024. Each block has a small table of its distinct values and stores a code for each
 * value. A block in which a table would save nothing has no table and stores each value minus the block's
 * smallest value.
 *
 * <pre>
 * segment = headers (16 bytes for each block), then data, then 8 bytes of zeros
 * header  =  0 u32  base: the smallest value of the block
 *            4 u32  data of the block, in units of 8 bytes from the end of the headers
 *            8 u16  number of values in the table, 0 for no table
 *           10 u8   width of a code, or of a value if there is no table
 *           11 u8   width of a table value
 * data    = codes, 128 * width bytes; then table values, rising, above the base; zeros up to 8 bytes
 * </pre>
 */
record Local(MemorySegment bytes, long data) {
    private static final int BLOCK = 1024;
    private static final int HEADER = 16;
    private static final int WIDTH_MAX = 32;

    static Local of(Column column, MemorySegment bytes, long count) {
        long blocks = (count + BLOCK - 1) / BLOCK;
        if (blocks > bytes.byteSize() / HEADER) {
            throw column.damaged(blocks * HEADER + " bytes of headers", bytes.byteSize());
        }
        return new Local(bytes, blocks * HEADER);
    }

    /** Value number {@code index}, before the column's base is added. */
    long get(long index) {
        long header = (index >>> 10) * HEADER;
        long start = Layouts.i64(bytes, header);
        int shape = Layouts.i32(bytes, header + 8);
        int base = (int) start;
        long codes = data + (start >>> 32) * 8;
        int width = Math.min(shape >>> 16 & 0xff, WIDTH_MAX);
        long code = bits(codes, (int) index & BLOCK - 1, width);
        if ((shape & 0xffff) == 0) {
            return base + (int) code & 0xffff_ffffL;
        }
        long table = codes + BLOCK / 8 * width;
        return base + (int) bits(table, code, Math.min(shape >>> 24, WIDTH_MAX)) & 0xffff_ffffL;
    }

    /** Reads values from number {@code start} on, block by block. */
    void fill(long start, int length, long[] out, int at) {
        for (int done = 0; done < length; ) {
            long index = start + done;
            int count = (int) Math.min(BLOCK - index % BLOCK, length - done);
            fillFromBlock(index, count, out, at + done);
            done += count;
        }
    }

    /** Reads values of one block. */
    private void fillFromBlock(long index, int count, long[] out, int at) {
        long header = (index >>> 10) * HEADER;
        long start = Layouts.i64(bytes, header);
        int shape = Layouts.i32(bytes, header + 8);
        int base = (int) start;
        long codes = data + (start >>> 32) * 8;
        int width = Math.min(shape >>> 16 & 0xff, WIDTH_MAX);
        Lanes.unpack(bytes, codes, width, (int) index & BLOCK - 1, count, out, at);
        if ((shape & 0xffff) != 0) {
            look(codes + BLOCK / 8 * width, Math.min(shape >>> 24, WIDTH_MAX), count, out, at);
        }
        for (int i = at; i < at + count; i++) {
            out[i] = base + (int) out[i] & 0xffff_ffffL;
        }
    }

    /** Replaces the codes in {@code out} with their values in a block's table. */
    private void look(long table, int width, int count, long[] out, int at) {
        for (int i = at; i < at + count; i++) {
            out[i] = bits(table, out[i], width);
        }
    }

    /** Reads number {@code index} of the {@code width}-bit numbers that begin at offset {@code start}. */
    private long bits(long start, long index, int width) {
        long bit = index * width;
        return Layouts.i64(bytes, start + (bit >>> 3)) >>> (bit & 7) & (1L << width) - 1;
    }
}
