package varvite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import varvite.format.Xxh3;

/** The bytes of a file with a log, which tests change and whose checksums they put right. */
final class LogFile {
    private static final int PAGE = 4096;
    private static final int HEAD = 64;

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

    /** Takes the commit before away, which readers would go back to. */
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

    int directory() {
        return (int) buffer.getLong(superblock + 16);
    }

    int directoryLength() {
        return (int) buffer.getLong(superblock + 24);
    }

    int changesLength() {
        return buffer.getInt(directory() + 68);
    }

    /** The length of the file that the superblock gives. */
    long end() {
        return buffer.getLong(superblock + 40);
    }

    /** Where each record begins, as far as heads follow one another. */
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

    /** Every checksum, of the directory, the superblock and the records. */
    void repair() {
        byte[] directory = Arrays.copyOfRange(bytes, directory(), directory() + directoryLength());
        buffer.putLong(superblock + 32, Xxh3.hash(directory, buffer.getLong(superblock + 8)));
        long seed = Xxh3.hash(Arrays.copyOfRange(bytes, 24, 40), 0);
        buffer.putLong(superblock + 48, Xxh3.hash(Arrays.copyOfRange(bytes, superblock, superblock + 48), seed));
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
