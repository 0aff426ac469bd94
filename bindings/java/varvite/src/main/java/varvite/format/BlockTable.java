package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The block table of a segment without a codec: the checksum of each block.
 *
 * <pre>
 * for each block: 0 u64 XXH3-64 of its stored bytes, seeded with file, segment and block
 *                 8 u32 its stored length
 * </pre>
 */
record BlockTable(byte[] fileId, int segment, SegmentRow row, Faults faults) {
    /** Takes the place of a block number in the seed for the hash of the block table itself. */
    private static final int TABLE = -1;

    /** Checks the table and every block, which reads the whole segment once. */
    void check(MemorySegment map) {
        byte[] table = bytes(map, row.tableOffset(), (int) Math.min(row.blocks() * SegmentRow.ENTRY, 1 << 30));
        String part = "block table of segment " + segment;
        checkHash(table, TABLE, row.tableHash(), part, row.tableOffset());
        ByteBuffer entries = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
        for (int number = 0; number < row.blocks(); number++) {
            long start = (long) number * row.blockLength();
            int length = (int) Math.min(row.blockLength(), row.plainLength() - start);
            long hash = entries.getLong();
            int found = entries.getInt();
            if (found != length) {
                throw faults.damagedAt(part + ", block " + number, row.tableOffset(), length, Integer.toUnsignedString(found));
            }
            byte[] block = bytes(map, row.offset() + start, length);
            checkHash(block, number, hash, "segment " + segment + ", block " + number, row.offset() + start);
        }
    }

    private static byte[] bytes(MemorySegment map, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(map, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    private void checkHash(byte[] bytes, int number, long expected, String part, long offset) {
        long found = Xxh3.hash(bytes, seed(number));
        if (found != expected) {
            throw faults.damagedAt(part, offset, Faults.checksum(expected), Faults.hex(found));
        }
    }

    /** The seed for the hash of a block: a hash of the file id, the segment and the block number. */
    private long seed(int number) {
        ByteBuffer address = ByteBuffer.wrap(Arrays.copyOf(fileId, 24)).order(ByteOrder.LITTLE_ENDIAN);
        address.putInt(16, segment).putInt(20, number);
        return Xxh3.hash(address.array(), 0);
    }
}
