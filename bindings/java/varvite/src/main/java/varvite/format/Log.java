package varvite.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import varvite.error.DamagedFileException;

/**
 * The records of the log that follows a file's current commit. An incomplete record usually ends the log,
 * because its writer stopped before the record was durable. But if a later record proves that the incomplete
 * record had been durable, the file is damaged. A writer may be appending at the same time, so the record is
 * read again before damage is reported.
 *
 * @param payloads the payloads of the records, from record 1 on
 * @param start the offset of the first record; if there is none, the file length according to the superblock
 * @param end the end of the last record
 * @param fileLength the length of the file when it was read
 * @param checksum the checksum of the last record, or of the directory if there is no record
 */
public record Log(List<byte[]> payloads, long start, long end, long fileLength, long checksum) {
    /** The number of bytes that one call reads in the search for records after the end of the log. */
    private static final int CHUNK = 256 << 10;

    private static final int ATTEMPTS = 4;
    private static final long PAUSE_NANOS = 20_000;

    /**
     * Reads the log that follows a commit. If nothing follows it in the file, this costs only a comparison.
     *
     * @throws DamagedFileException if a durable record is damaged
     */
    static Log of(FileChannel channel, Superblock slot, byte[] fileId, long length, Faults faults) throws IOException {
        long start = slot.fileLength() + LogRecord.HEAD - 1 & -LogRecord.HEAD;
        if (start >= length) {
            return new Log(List.of(), slot.fileLength(), slot.fileLength(), length, slot.directoryHash());
        }
        long limit = Math.min(length, start + LogRecord.LOG_MAX);
        Reading reading = new Reading(channel, fileId, slot, limit, start);
        while (true) {
            while (reading.next()) {
                // The loop's condition reads the next record.
            }
            long missing = reading.payloads.size() + 1;
            if (!reading.isProven(missing)) {
                boolean isAny = missing > 1;
                long from = isAny ? start : slot.fileLength();
                return new Log(List.copyOf(reading.payloads), from, isAny ? reading.at : from, length, reading.checksum);
            }
            if (!reading.comesBack()) {
                throw faults.damagedAt("log record " + missing, reading.at, "a record that was durable", "none");
            }
        }
    }

    /** The size of all records in the file, in bytes. */
    public long bytes() {
        return end - start;
    }

    /**
     * The number of bytes after the last record, or after the commit if there are no records. They belong to
     * a commit or record that was not finished.
     */
    public long leftoverBytes() {
        return Math.max(0, fileLength - end);
    }

    private static final class Reading {
        private final FileChannel channel;
        private final byte[] fileId;
        private final long generation;
        /** The end of the file, or that of the largest possible log if it comes earlier. */
        private final long limit;
        private final List<byte[]> payloads = new ArrayList<>();
        /** The offset of the next record. */
        private long at;
        /** The checksum of the previous record. */
        private long checksum;

        Reading(FileChannel channel, byte[] fileId, Superblock slot, long limit, long at) {
            this.channel = channel;
            this.fileId = fileId;
            this.limit = limit;
            this.at = at;
            generation = slot.generation();
            checksum = slot.directoryHash();
        }

        /** Reads the next record; false if it is incomplete. */
        boolean next() throws IOException {
            LogRecord record = LogRecord.of(GraphFile.read(channel, at, LogRecord.HEAD), 0, fileId);
            if (record == null || !record.follows(generation, payloads.size(), checksum)) {
                return false;
            }
            long stored = record.storedLength();
            if (stored > limit - at) {
                return false;
            }
            int behindHead = (int) (stored - LogRecord.HEAD);
            ByteBuffer bytes = GraphFile.read(channel, at + LogRecord.HEAD, behindHead);
            byte[] payload = bytes.limit() < behindHead ? null : record.payload(bytes.array());
            if (payload == null) {
                return false;
            }
            payloads.add(payload);
            checksum = record.checksum();
            at += stored;
            return true;
        }

        /** Reads an incomplete record again a few times; true if it is complete then. */
        boolean comesBack() throws IOException {
            for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                if (next()) {
                    return true;
                }
            }
            return false;
        }

        /** Whether a later record proves that record {@code missing} had been durable. */
        boolean isProven(long missing) throws IOException {
            for (long start = at; start < limit; start += CHUNK) {
                ByteBuffer chunk = GraphFile.read(channel, start, (int) Math.min(limit - start, CHUNK));
                for (int head = 0; head + LogRecord.HEAD <= chunk.limit(); head += LogRecord.HEAD) {
                    LogRecord record = LogRecord.of(chunk, head, fileId);
                    boolean isOfLog = record != null && record.generation() == generation;
                    if (isOfLog
                            && Long.compareUnsigned(record.number(), missing) > 0
                            && Long.compareUnsigned(record.durable(), missing) >= 0) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
