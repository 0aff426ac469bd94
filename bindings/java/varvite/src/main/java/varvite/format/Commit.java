package varvite.format;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import varvite.error.DamagedFileException;

/**
 * The state of a file that counts: the newest superblock whose directory is whole.
 *
 * @param generation number of the commit
 * @param directory what the file holds
 * @param recovered whether a newer commit, or a slot, was damaged and had to be passed over
 */
record Commit(long generation, Directory directory, boolean recovered) {
    static Commit newest(FileChannel channel, long length, byte[] fileId, Faults faults) throws IOException {
        DamagedFileException first = null;
        List<Superblock> slots = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            try {
                ByteBuffer page = page(channel, number, faults);
                Superblock slot = Superblock.of(page, fileId, number, faults);
                if (slot != null) {
                    slots.add(slot);
                }
            } catch (DamagedFileException e) {
                first = first == null ? e : first;
            }
        }
        slots.sort(Comparator.comparing(Superblock::generation, Long::compareUnsigned).reversed());
        for (Superblock slot : slots) {
            try {
                Directory directory = directory(channel, slot, length, faults);
                return new Commit(slot.generation(), directory, first != null);
            } catch (DamagedFileException e) {
                first = first == null ? e : first;
            }
        }
        if (first == null) {
            first = faults.damaged("superblocks", "a commit", "none: writing never ended");
        }
        throw first;
    }

    private static ByteBuffer page(FileChannel channel, int number, Faults faults) throws IOException {
        ByteBuffer page = GraphFile.read(channel, (1L + number) * Header.PAGE, Header.PAGE);
        if (page.limit() < Header.PAGE) {
            throw faults.damaged("superblock " + number, Header.PAGE + " bytes", page.limit());
        }
        return page;
    }

    private static Directory directory(FileChannel channel, Superblock slot, long length, Faults faults)
            throws IOException {
        if (slot.fileLength() > length) {
            throw faults.damaged("file", slot.fileLength() + " bytes", length + ": it was cut short");
        }
        ByteBuffer bytes = GraphFile.read(channel, slot.directoryOffset(), (int) slot.directoryLength());
        if (bytes.limit() < slot.directoryLength()) {
            throw new EOFException(faults.path() + " became shorter while it was opened");
        }
        long found = Xxh3.hash(bytes.array(), slot.generation());
        if (found != slot.directoryHash()) {
            throw faults.damagedAt(
                    "directory",
                    slot.directoryOffset(),
                    Faults.checksum(slot.directoryHash()),
                    Faults.hex(found));
        }
        return Directory.of(bytes, 3L * Header.PAGE, slot.directoryOffset(), faults);
    }
}
