package varvite.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A superblock, which has the offset of the directory. Pages 1 and 2 are two slots for superblocks; the
 * newest valid superblock is the current one.
 *
 * <pre>
 *  0   8  magic VVSUPER1
 *  8   8  generation: odd in page 1, even in page 2
 * 16   8  offset of the directory
 * 24   8  length of the directory
 * 32   8  XXH3-64 of the directory, seeded with the generation
 * 40   8  length of the file
 * 48   8  required features of the commit: a reader that lacks one refuses the file
 * 56   8  XXH3-64 of bytes 0 to 55, seeded with the hash of the file id
 * 64      zero up to 4096
 * </pre>
 */
record Superblock(
        long generation,
        long directoryOffset,
        long directoryLength,
        long directoryHash,
        long fileLength,
        long requiredFeatures) {
    /** The maximum size of a directory that a reader accepts, in bytes. */
    static final long DIRECTORY_MAX = 16 << 20;

    private static final byte[] MAGIC = "VVSUPER1".getBytes(StandardCharsets.US_ASCII);
    private static final int HASHED = 56;
    /**
     * The features that this module knows: columns of changes, and a directory that continues an older one.
     */
    private static final long KNOWN_FEATURES = 3;

    /**
     * Reads slot {@code number}, which is 0 for page 1 and 1 for page 2; null if the slot was never written.
     */
    static Superblock of(ByteBuffer page, byte[] fileId, int number, Faults faults) {
        String part = "superblock " + number;
        byte[] bytes = page.array();
        if (Header.firstNonZero(bytes, 0) == bytes.length) {
            return null;
        }
        long expected = Xxh3.hash(bytes, 0, HASHED, Xxh3.hash(fileId, 0));
        long found = page.getLong(HASHED);
        if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length) || found != expected) {
            throw faults.damaged(part, Faults.checksum(expected), Faults.hex(found));
        }
        if (Header.firstNonZero(bytes, HASHED + 8) < bytes.length) {
            throw faults.damaged(part, "zero padding", "other bytes");
        }
        Superblock slot = new Superblock(
                page.getLong(8),
                page.getLong(16),
                page.getLong(24),
                page.getLong(32),
                page.getLong(40),
                page.getLong(48));
        if ((slot.generation & 1) == number) {
            String parity = number == 0 ? "an odd generation" : "an even generation";
            throw faults.damagedAt(part, 8, parity, Long.toUnsignedString(slot.generation));
        }
        if (!slot.fits()) {
            throw faults.damaged(
                    part,
                    "a directory within " + Long.toUnsignedString(slot.fileLength) + " bytes",
                    Long.toUnsignedString(slot.directoryLength) + " bytes at "
                            + Long.toUnsignedString(slot.directoryOffset));
        }
        return slot;
    }

    /**
     * Throws if the commit needs features that this reader does not know. Such a commit is not skipped,
     * because the older commit is outdated.
     */
    void checkFeatures(Faults faults) {
        faults.checkFeatures(requiredFeatures & ~KNOWN_FEATURES);
    }

    /**
     * Whether the numbers are consistent. A negative file length stands for 2^63 or more, which is longer
     * than any file and is reported later.
     */
    private boolean fits() {
        return generation != 0
                && directoryOffset >= 3 * Header.PAGE
                && directoryLength >= 0
                && directoryLength <= DIRECTORY_MAX
                && (fileLength < 0 || directoryOffset <= fileLength - directoryLength);
    }
}
