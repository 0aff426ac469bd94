package varvite.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The head of a record of the log: a small commit behind the length of the file that a superblock gives. This module finds
 * out whether there are any, and does not read them.
 *
 * <pre>
 *  0   8  magic VVRECORD
 *  8   8  generation of the superblock
 * 16  40  number, durable, checksum of the record before, length and checksum of the payload
 * 56   8  XXH3-64 of bytes 0 to 55, seeded with the hash of the file id
 * </pre>
 */
final class LogRecord {
    private static final byte[] MAGIC = "VVRECORD".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = 64;
    private static final int HASHED = 56;
    /** Most bytes of a log. */
    private static final long LOG_MAX = 64 << 20;

    private static final int CHUNK = 1 << 18;

    private LogRecord() {}

    /** Whether records of a superblock lie behind the commit, in a file of {@code length} bytes. */
    static boolean areBehind(FileChannel channel, Superblock slot, byte[] fileId, long length) throws IOException {
        long start = (slot.fileLength() + HEAD - 1) & -HEAD;
        long limit = Math.min(length, start + LOG_MAX);
        for (long at = start; at < limit; at += CHUNK) {
            ByteBuffer chunk = GraphFile.read(channel, at, (int) Math.min(limit - at, CHUNK));
            for (int head = 0; head + HEAD <= chunk.limit(); head += HEAD) {
                if (isOf(chunk, head, slot.generation(), fileId)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOf(ByteBuffer chunk, int head, long generation, byte[] fileId) {
        byte[] bytes = chunk.array();
        return Arrays.equals(bytes, head, head + MAGIC.length, MAGIC, 0, MAGIC.length)
                && chunk.getLong(head + MAGIC.length) == generation
                && chunk.getLong(head + HASHED) == Xxh3.hash(bytes, head, HASHED, Xxh3.hash(fileId, 0));
    }
}
