package varvite.format;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The resident file pages of this process, as Linux reports them: those of all files together, and those of
 * one map. Not thread-safe.
 */
final class ProcessPages implements AutoCloseable {
    private static final Path PAGE_TABLE = Path.of("/proc/self/pagemap");
    private static final Path AUXILIARY_VALUES = Path.of("/proc/self/auxv");
    private static final int ENTRIES_PER_READ = 512;
    /** The key of the page size in {@link #AUXILIARY_VALUES}. */
    private static final long PAGE_SIZE_KEY = 6;

    private final RandomAccessFile counts;
    private final long pageBytes;
    private final byte[] text = new byte[128];
    private final ByteBuffer entries = ByteBuffer.allocateDirect(ENTRIES_PER_READ * Long.BYTES).order(ByteOrder.nativeOrder());

    private ProcessPages(RandomAccessFile counts, long pageBytes) {
        this.counts = counts;
        this.pageBytes = pageBytes;
    }

    /** Opens the files of {@code /proc}; null if the system does not have them. */
    static ProcessPages open() {
        try {
            long pageBytes = readPageBytes();
            return pageBytes > 0 ? new ProcessPages(new RandomAccessFile("/proc/self/statm", "r"), pageBytes) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static long readPageBytes() throws IOException {
        ByteBuffer values = ByteBuffer.wrap(Files.readAllBytes(AUXILIARY_VALUES)).order(ByteOrder.nativeOrder());
        while (values.remaining() >= 2 * Long.BYTES) {
            long key = values.getLong();
            long value = values.getLong();
            if (key == PAGE_SIZE_KEY && Long.bitCount(value) == 1) {
                return value;
            }
        }
        return 0;
    }

    /**
     * The number of bytes of file pages in this process's memory, including pages of the program's own files;
     * -1 if the system does not report it. Costs a small read.
     */
    long ofFiles() {
        try {
            counts.seek(0);
            int length = counts.read(text);
            String[] fields = new String(text, 0, Math.max(length, 0), StandardCharsets.US_ASCII).split(" ");
            return fields.length > 2 ? Long.parseLong(fields[2]) * pageBytes : -1;
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /**
     * The number of bytes of a map that are in this process's memory, in whole pages; -1 if the system does
     * not report it. Costs a small read for every two megabytes of the map.
     */
    long of(MemorySegment map) {
        long end = (map.address() + map.byteSize() + pageBytes - 1) / pageBytes;
        try (FileChannel table = FileChannel.open(PAGE_TABLE, StandardOpenOption.READ)) {
            long present = 0;
            for (long page = map.address() / pageBytes; page < end; page += ENTRIES_PER_READ) {
                entries.clear().limit((int) Math.min(end - page, ENTRIES_PER_READ) * Long.BYTES);
                if (table.read(entries, page * Long.BYTES) < entries.limit()) {
                    return -1;
                }
                present += present(entries.flip());
            }
            return present * pageBytes;
        } catch (IOException e) {
            return -1;
        }
    }

    /** The number of entries whose page is in memory; their highest bit is set. */
    private static long present(ByteBuffer entries) {
        long present = 0;
        while (entries.hasRemaining()) {
            present += entries.getLong() >>> 63;
        }
        return present;
    }

    @Override
    public void close() throws IOException {
        counts.close();
    }
}
