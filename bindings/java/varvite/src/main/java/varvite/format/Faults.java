package varvite.format;

import java.nio.file.Path;
import varvite.error.DamagedFileException;
import varvite.error.UnsupportedFileException;

/**
 * Makes exceptions for damage and other faults of a file.
 *
 * @param path the file
 */
public record Faults(Path path) {
    /** The exception for a damaged part, with the expected and found values. */
    public DamagedFileException damaged(String part, Object expected, Object found) {
        return damagedAt(part, -1, expected, found);
    }

    /** The exception for a damaged part at a byte offset in the file. */
    public DamagedFileException damagedAt(String part, long offset, Object expected, Object found) {
        return new DamagedFileException(path, part, offset, expected.toString(), found.toString());
    }

    /** The exception for a graph that is too large for 31-bit numbers. */
    public UnsupportedFileException tooLarge(String reason) {
        return new UnsupportedFileException(path, UnsupportedFileException.TOO_LARGE, reason);
    }

    /** Throws if the file needs features that this reader does not know. */
    void checkFeatures(long unknown) {
        if (unknown != 0) {
            String reason = "the file needs unknown features 0x" + Long.toHexString(unknown)
                    + ": use a newer varvite";
            throw new UnsupportedFileException(path, UnsupportedFileException.UNKNOWN_FEATURE, reason);
        }
    }

    /** A checksum in the form used in messages. */
    static String checksum(long hash) {
        return "checksum " + hex(hash);
    }

    static String hex(long hash) {
        return String.format("%016x", hash);
    }
}
