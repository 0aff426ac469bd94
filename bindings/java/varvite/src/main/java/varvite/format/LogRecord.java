package varvite.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The header of a record of the log. A record is a small commit. Records are stored after the end of the
 * commit, which is the file length in the superblock. Each record begins at the first multiple of 64 after
 * the previous one.
 *
 * <pre>
 *  0   8  magic VVRECORD
 *  8   8  generation of the superblock that the record belongs to
 * 16   8  number of the record, from 1
 * 24   8  every record up to this number was durable before this record was written
 * 32   8  checksum of the previous record; in the first record: of the directory
 * 40   8  length of the payload
 * 48   8  XXH3-64 of the payload, seeded with the number of the record
 * 56   8  XXH3-64 of bytes 0 to 55, seeded with the hash of the file id: the checksum of the record
 * </pre>
 *
 * <p>The header is followed by the payload and by zeros up to the next multiple of 64.
 */
record LogRecord(
        long generation, long number, long durable, long previous, long payloadLength, long payloadHash, long checksum) {
    /** The size of the header in bytes; records begin at multiples of this size. */
    static final int HEAD = 64;
    /** The maximum size of the log of one generation, in bytes. A reader does not read beyond it. */
    static final long LOG_MAX = 64 << 20;

    private static final byte[] MAGIC = "VVRECORD".getBytes(StandardCharsets.US_ASCII);
    private static final int HASHED = 56;

    /** Reads the header at {@code at}; null if there is no valid header. */
    static LogRecord of(ByteBuffer bytes, int at, byte[] fileId) {
        byte[] array = bytes.array();
        if (at + HEAD > bytes.limit() || !Arrays.equals(array, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return null;
        }
        LogRecord record = new LogRecord(
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                bytes.getLong(at + 24),
                bytes.getLong(at + 32),
                bytes.getLong(at + 40),
                bytes.getLong(at + 48),
                bytes.getLong(at + HASHED));
        return record.checksum == Xxh3.hash(array, at, HASHED, Xxh3.hash(fileId, 0)) ? record : null;
    }

    /**
     * Whether this record belongs to the log of {@code generation} and follows the record with this number
     * and checksum.
     */
    boolean follows(long generation, long number, long checksum) {
        return this.generation == generation
                && this.number == number + 1
                && previous == checksum
                && Long.compareUnsigned(durable, this.number) < 0;
    }

    /**
     * The size of the record with its payload, in bytes. If the payload's length is invalid, this exceeds
     * {@link #LOG_MAX}.
     */
    long storedLength() {
        boolean isAny = payloadLength >= 0 && payloadLength <= LOG_MAX;
        return isAny ? HEAD + (payloadLength + HEAD - 1 & -HEAD) : Long.MAX_VALUE;
    }

    /** The payload, which is at the start of the bytes after the header. Null if its checksum is wrong. */
    byte[] payload(byte[] afterHead) {
        int length = (int) payloadLength;
        for (int i = length; i < afterHead.length; i++) {
            if (afterHead[i] != 0) {
                return null;
            }
        }
        byte[] payload = Arrays.copyOf(afterHead, length);
        return Xxh3.hash(payload, number) == payloadHash ? payload : null;
    }
}
