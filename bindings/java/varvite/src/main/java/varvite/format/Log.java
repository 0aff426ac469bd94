package varvite.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import varvite.error.DamagedFileException;

/**
 * The records behind the commit that a file is at. A record that is not whole ends the log: its writer
 * stopped before the record was durable. If a later record shows that it was durable, this is damage. A
 * writer may be appending meanwhile, so a damaged record is read again before damage is reported.
 *
 * @param payloads of the records, from record 1
 * @param start where the first begins; the length of the file as the superblock has it, if there is none
 * @param end where the last ends
 * @param fileLength the length of the file when it was read
 * @param checksum of the last record; that of the directory, if there is none
 */
public record Log(List<byte[]> payloads, long start, long end, long fileLength, long checksum) {
    /** Bytes that are searched at once for records behind the end of the log. */
    private static final int CHUNK = 256 << 10;

    private static final int ATTEMPTS = 4;
    private static final long PAUSE_NANOS = 20_000;

    /**
     * Reads the log of a commit. Costs nothing but a comparison, if nothing is behind it.
     *
     * @throws DamagedFileException if a record is damaged that was durable
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
                // One after the other.
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

    /** Bytes of the file that the records take. */
    public long bytes() {
        return end - start;
    }

    /** Bytes behind the last record, or behind the commit: of a commit or record that was not finished. */
    public long leftoverBytes() {
        return Math.max(0, fileLength - end);
    }

    private static final class Reading {
        private final FileChannel channel;
        private final byte[] fileId;
        private final long generation;
        /** The end of the file, or the offset at which the log must end. */
        private final long limit;
        private final List<byte[]> payloads = new ArrayList<>();
        /** The offset of the next record. */
        private long at;
        /** The checksum of the record before. */
        private long checksum;

        Reading(FileChannel channel, byte[] fileId, Superblock slot, long limit, long at) {
            this.channel = channel;
            this.fileId = fileId;
            this.limit = limit;
            this.at = at;
            generation = slot.generation();
            checksum = slot.directoryHash();
        }

        /** Takes the next record, if it is whole. */
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

        /** Whether a record that was not whole is, when it is read a few times more. */
        boolean comesBack() throws IOException {
            for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                if (next()) {
                    return true;
                }
            }
            return false;
        }

        /** Whether a later record proves that record {@code missing} was durable. */
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
