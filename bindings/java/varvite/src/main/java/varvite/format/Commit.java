package varvite.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import varvite.error.DamagedFileException;
import varvite.error.TruncatedFileException;
import varvite.error.VarviteException;

/**
 * The current commit of a file, which is that of the newest valid superblock with an undamaged directory.
 *
 * @param generation number of the commit
 * @param directoryHash the checksum of the commit's directory
 * @param directory the tables of the commit
 * @param recovered whether a newer commit or a superblock slot was damaged and therefore skipped
 * @param log the records of the log after the commit
 * @param length the length of the file, which is read after the superblocks because a writer may be appending
 */
record Commit(
        long generation, long directoryHash, Directory directory, boolean recovered, Log log, long length) {
    static Commit newest(FileChannel channel, byte[] fileId, Faults faults) throws IOException {
        VarviteException first = null;
        List<Superblock> slots = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            try {
                ByteBuffer page = page(channel, number, faults);
                Superblock slot = Superblock.of(page, fileId, number, faults);
                if (slot != null) {
                    slots.add(slot);
                }
            } catch (DamagedFileException | TruncatedFileException e) {
                first = first == null ? e : first;
            }
        }
        long length = channel.size();
        slots.sort(Comparator.comparing(Superblock::generation, Long::compareUnsigned).reversed());
        for (Superblock slot : slots) {
            slot.checkFeatures(faults);
            Directory directory;
            try {
                directory = directory(channel, slot, length, faults);
            } catch (DamagedFileException | TruncatedFileException e) {
                first = first == null ? e : first;
                continue;
            }
            Log log = Log.of(channel, slot, fileId, length, faults);
            return new Commit(slot.generation(), slot.directoryHash(), directory, first != null, log, length);
        }
        if (first == null) {
            first = faults.damaged("superblocks", "a commit", "none: the file was never finished");
        }
        throw first;
    }

    /**
     * Whether another commit is the same state of the file: it has the same generation and directory, and a
     * log with the same number of records.
     */
    boolean isAt(Commit other) {
        return generation == other.generation
                && directoryHash == other.directoryHash
                && log.payloads().size() == other.log.payloads().size();
    }

    private static ByteBuffer page(FileChannel channel, int number, Faults faults) throws IOException {
        return whole(channel, (1L + number) * Header.PAGE, Header.PAGE, faults);
    }

    /** Reads bytes of the file; throws if the file ends before them. */
    private static ByteBuffer whole(FileChannel channel, long offset, int wanted, Faults faults) throws IOException {
        ByteBuffer bytes = GraphFile.read(channel, offset, wanted);
        if (bytes.limit() < wanted) {
            throw new TruncatedFileException(faults.path(), offset, wanted, channel.size());
        }
        return bytes;
    }

    private static Directory directory(FileChannel channel, Superblock slot, long length, Faults faults)
            throws IOException {
        if (Long.compareUnsigned(slot.fileLength(), length) > 0) {
            throw new TruncatedFileException(faults.path(), 0, slot.fileLength(), length);
        }
        long start = 3L * Header.PAGE;
        long end = slot.directoryOffset();
        ContinuedDirectory own = new ContinuedDirectory(
                end, (int) slot.directoryLength(), slot.directoryHash(), slot.generation());
        ByteBuffer bytes = checked(channel, own, faults);
        ContinuedDirectory older = ContinuedDirectory.of(bytes, start, end, faults);
        if (older != null) {
            bytes = ContinuedDirectory.complete(checked(channel, older, faults), bytes, faults);
        }
        Directory directory = Directory.of(bytes, start, end, faults);
        Claims.check(directory, slot.fileLength(), faults);
        return directory;
    }

    /** Reads and checks the bytes of a directory, which may continue an older one. */
    private static ByteBuffer checked(FileChannel channel, ContinuedDirectory place, Faults faults) throws IOException {
        ByteBuffer bytes = whole(channel, place.offset(), place.length(), faults);
        long found = Xxh3.hash(bytes.array(), place.generation());
        if (found != place.hash()) {
            throw faults.damagedAt("directory", place.offset(), Faults.checksum(place.hash()), Faults.hex(found));
        }
        return bytes;
    }
}
