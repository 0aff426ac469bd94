package varvite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import varvite.format.Xxh3;

/** The bytes of a file with a log. Tests change these bytes and then correct the checksums. */
final class LogFile {
    private static final int PAGE = 4096;
    private static final int HEAD = 64;
    private static final int CONTINUED_HEAD = 40;
    private static final int FIXED = 72;
    /** The offset of the number of columns in the fixed part of a directory. */
    private static final int COLUMNS = 24 + 4 * 7;
    /** The row sizes of the tables before the table of columns. */
    private static final int[] BEFORE_COLUMNS = {8, 56, 20, 44, 40, 28, 8};

    final byte[] bytes;
    private final ByteBuffer buffer;
    private final int superblock;

    LogFile(String name) {
        this(read(Golden.file(name)));
    }

    LogFile(byte[] bytes) {
        this.bytes = bytes;
        buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        superblock = buffer.getLong(PAGE + 8) > buffer.getLong(2 * PAGE + 8) ? PAGE : 2 * PAGE;
    }

    /** Removes the previous commit, to which readers would fall back. */
    void forgetOlder() {
        int older = 3 * PAGE - superblock;
        Arrays.fill(bytes, older, older + PAGE, (byte) 0);
    }

    static byte[] read(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The offset of the directory's fixed part. In a directory that continues an older one, it follows a
     * header.
     */
    int directory() {
        return stored() + (isContinued() ? CONTINUED_HEAD : 0);
    }

    /** The offset of the changes in the directory. */
    int changes() {
        return directoryEnd() - buffer.getInt(directory() + 68);
    }

    int directoryEnd() {
        return stored() + storedLength();
    }

    /** The offset of a column's row, which is in the directory or in the older one that it continues. */
    int column(int number) {
        int older = isContinued() ? buffer.getInt(older() + COLUMNS) : 0;
        int directory = number < older ? older() : directory();
        int start = directory + FIXED;
        for (int table = 0; table < BEFORE_COLUMNS.length; table++) {
            start += buffer.getInt(directory + 24 + 4 * table) * BEFORE_COLUMNS[table];
        }
        return start + (number < older ? number : number - older) * 48;
    }

    private int stored() {
        return (int) buffer.getLong(superblock + 16);
    }

    private int storedLength() {
        return (int) buffer.getLong(superblock + 24);
    }

    private boolean isContinued() {
        return new String(bytes, stored(), 8, StandardCharsets.US_ASCII).equals("VVCONTIN");
    }

    private int older() {
        return (int) buffer.getLong(stored() + 8);
    }

    /** The length of the file according to the superblock. */
    long end() {
        return buffer.getLong(superblock + 40);
    }

    /** The offset of each record, up to the first record whose header is missing. */
    List<Integer> records() {
        List<Integer> starts = new ArrayList<>();
        int at = (int) (end() + HEAD - 1) & -HEAD;
        while (at + HEAD <= bytes.length && bytes[at] == 'V') {
            starts.add(at);
            at += HEAD + (int) (buffer.getLong(at + 40) + HEAD - 1 & -HEAD);
        }
        return starts;
    }

    int payload(int record) {
        return record + HEAD;
    }

    int payloadLength(int record) {
        return (int) buffer.getLong(record + 40);
    }

    void setDurable(int record, long number) {
        buffer.putLong(record + 24, number);
    }

    void setGeneration(int record, long more) {
        buffer.putLong(record + 8, buffer.getLong(record + 8) + more);
    }

    /** Corrects the checksums of the directory, the superblock and the records. */
    void repair() {
        if (isContinued()) {
            byte[] older = Arrays.copyOfRange(bytes, older(), older() + (int) buffer.getLong(stored() + 16));
            buffer.putLong(stored() + 24, Xxh3.hash(older, buffer.getLong(stored() + 32)));
        }
        byte[] directory = Arrays.copyOfRange(bytes, stored(), stored() + storedLength());
        buffer.putLong(superblock + 32, Xxh3.hash(directory, buffer.getLong(superblock + 8)));
        long seed = Xxh3.hash(Arrays.copyOfRange(bytes, 24, 40), 0);
        buffer.putLong(superblock + 56, Xxh3.hash(Arrays.copyOfRange(bytes, superblock, superblock + 56), seed));
        long previous = buffer.getLong(superblock + 32);
        for (int record : records()) {
            byte[] payload = Arrays.copyOfRange(bytes, payload(record), payload(record) + payloadLength(record));
            buffer.putLong(record + 32, previous);
            buffer.putLong(record + 48, Xxh3.hash(payload, buffer.getLong(record + 16)));
            previous = Xxh3.hash(Arrays.copyOfRange(bytes, record, record + 56), seed);
            buffer.putLong(record + 56, previous);
        }
    }
}
