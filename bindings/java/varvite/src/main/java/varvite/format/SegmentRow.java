package varvite.format;

import java.nio.ByteBuffer;

/**
 * A row of the segment table: a range of the file that consists of blocks, each with a checksum.
 *
 * <pre>
 *  0   8  offset of the first block in the file, a multiple of 64
 *  8   8  stored bytes of all blocks; the block table follows them
 * 16   8  plain bytes
 * 24   8  XXH3-64 of the block table, seeded with file and segment
 * 32   4  plain bytes of a block; the last block may be shorter
 * 36   1  codec: 0 none, 1 lz4, 2 zstd
 * 37   2  filter: width of a value in bytes; flags 1 delta, 2 planes
 * 39   1  zero
 * </pre>
 */
record SegmentRow(
        long offset, long storedLength, long plainLength, long tableHash, int blockLength, int codec, boolean filtered) {
    /** The size of a row in bytes. */
    static final int SIZE = 40;
    /** The size of an entry of a block table in bytes. */
    static final int ENTRY = 12;

    private static final int BLOCK_MAX = 16 << 20;
    private static final int ALIGN = 64;
    private static final long RATIO_MAX = 1 << 15;
    private static final String[] CODECS = {"none", "lz4", "zstd"};

    /** Reads row {@code number}. The segment must lie between {@code start} and {@code end} in the file. */
    static SegmentRow of(ByteBuffer bytes, int at, int number, long start, long end, Faults faults) {
        String part = "directory, segment " + number;
        int codec = bytes.get(at + 36) & 0xff;
        if (codec >= CODECS.length) {
            throw faults.damaged(part, "a known codec", codec);
        }
        int width = bytes.get(at + 37) & 0xff;
        int flags = bytes.get(at + 38) & 0xff;
        boolean knownWidth = width <= 8 && Integer.bitCount(width) <= 1;
        if (!knownWidth || flags > 3 || width == 0 && flags != 0) {
            throw faults.damaged(part, "a known filter", width + ", " + flags);
        }
        SegmentRow row = new SegmentRow(
                bytes.getLong(at),
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                bytes.getLong(at + 24),
                bytes.getInt(at + 32),
                codec,
                (flags & 1) != 0 || (flags & 2) != 0 && width > 1);
        boolean zero = bytes.get(at + 39) == 0;
        if (row.blockLength < 1 || row.blockLength > BLOCK_MAX || !zero) {
            throw faults.damaged(
                    part, "blocks of 1 to " + BLOCK_MAX + " bytes", Integer.toUnsignedString(row.blockLength));
        }
        if (row.offset % ALIGN != 0) {
            throw faults.damaged(part, "a multiple of " + ALIGN, Long.toUnsignedString(row.offset));
        }
        if (!row.lengthsFit()) {
            throw faults.damaged(
                    part,
                    "stored and plain lengths that fit the codec",
                    Long.toUnsignedString(row.storedLength) + " and " + Long.toUnsignedString(row.plainLength));
        }
        if (!row.isWithin(start, end)) {
            throw faults.damaged(
                    part,
                    "a range within " + start + ".." + end,
                    Long.toUnsignedString(row.storedLength) + " bytes at " + Long.toUnsignedString(row.offset));
        }
        return row;
    }

    private boolean lengthsFit() {
        if (codec == 0) {
            return storedLength == plainLength && !filtered;
        }
        // Avoid an overflow of the product. A stored length that would cause one is refused by the later
        // check of the range.
        boolean saturated = storedLength < 0 || storedLength > Long.MAX_VALUE / RATIO_MAX;
        return saturated || plainLength >= 0 && plainLength <= storedLength * RATIO_MAX;
    }

    /**
     * Whether the segment and its block table lie within {@code start..end}, and no number is 2^63 or more.
     */
    private boolean isWithin(long start, long end) {
        if (offset < start || storedLength < 0 || plainLength < 0 || blocks() >= 0xffff_ffffL) {
            return false;
        }
        long rest = end - offset - storedLength;
        return offset <= end && storedLength <= end - offset && blocks() * ENTRY <= rest;
    }

    /** The number of blocks. */
    long blocks() {
        return plainLength / blockLength + (plainLength % blockLength == 0 ? 0 : 1);
    }

    /** The offset of the block table in the file. */
    long tableOffset() {
        return offset + storedLength;
    }

    /** The offset of the first byte after the segment and its block table. */
    long end() {
        return tableOffset() + blocks() * ENTRY;
    }

    /** The name of the codec that compresses the blocks. */
    String codecName() {
        return CODECS[codec];
    }

    /** Whether the bytes are uncompressed and can be read in place. */
    boolean isPlain() {
        return codec == 0;
    }
}
