package varvite.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import varvite.error.NotVarviteException;
import varvite.error.UnsupportedFileException;

/**
 * The header, which is page 0: it identifies the file and its version. Written once and never changed.
 *
 * <pre>
 *  0  16  magic 89 'VARVITE' 0D 0A 1A 0A 00 00 00 00
 * 16   4  format version
 * 20   4  page size, 4096
 * 24  16  file id
 * 40   8  required features: a reader that lacks one refuses the file
 * 48   8  optional features: a reader may ignore them
 * 56   4  profile of the columns: 0 direct, 1 compact, 2 archive
 * 60   4  zero
 * 64   8  XXH3-64 of bytes 0 to 63
 * 72      zero up to 4096
 * </pre>
 *
 * @param fileId the identity of the file; every checksum in the file depends on this number
 * @param profile the number of the storage profile
 */
public record Header(byte[] fileId, int profile) {
    /**
     * The size of the header and of each of the two superblocks in bytes. Segments follow after these three
     * pages.
     */
    public static final int PAGE = 4096;
    /** The newest format version that this module reads. */
    public static final int FORMAT_VERSION = 1;

    private static final byte[] MAGIC = {
        (byte) 0x89, 'V', 'A', 'R', 'V', 'I', 'T', 'E', '\r', '\n', 0x1a, '\n', 0, 0, 0, 0,
    };
    private static final int HASHED = 64;
    private static final int PROFILES = 3;

    /** Reads the first page, or the part of it that exists. */
    static Header of(ByteBuffer page, Faults faults) {
        byte[] bytes = page.array();
        if (page.limit() < MAGIC.length || !startsWith(bytes, MAGIC)) {
            throw new NotVarviteException(faults.path(), guess(Arrays.copyOf(bytes, page.limit())));
        }
        if (page.limit() < PAGE) {
            throw faults.damaged("header", PAGE + " bytes", page.limit());
        }
        long expected = Xxh3.hash(bytes, 0, HASHED, 0);
        long found = page.getLong(HASHED);
        if (expected != found) {
            throw faults.damagedAt("header", HASHED, Faults.checksum(expected), Faults.hex(found));
        }
        checkVersion(page, faults);
        if (page.getInt(20) != PAGE) {
            throw faults.damagedAt("header", 20, "page size " + PAGE, Integer.toUnsignedString(page.getInt(20)));
        }
        int padding = firstNonZero(bytes, HASHED + 8);
        if (padding < PAGE) {
            throw faults.damagedAt("header", padding, "zero padding", "other bytes");
        }
        int profile = page.getInt(56);
        if (Integer.compareUnsigned(profile, PROFILES) >= 0) {
            throw faults.damagedAt("header", 56, "a known profile", Integer.toUnsignedString(profile));
        }
        return new Header(Arrays.copyOfRange(bytes, 24, 40), profile);
    }

    private static void checkVersion(ByteBuffer page, Faults faults) {
        int version = page.getInt(16);
        if (version == 0) {
            throw faults.damagedAt("header", 16, "a format version from 1", 0);
        }
        if (Integer.compareUnsigned(version, FORMAT_VERSION) > 0) {
            String reason = "the file has format version " + Integer.toUnsignedString(version)
                    + ", this program reads up to " + FORMAT_VERSION + ": use a newer varvite";
            throw new UnsupportedFileException(faults.path(), UnsupportedFileException.NEWER_FORMAT, reason);
        }
        faults.checkFeatures(page.getLong(40));
    }

    /** The index of the first nonzero byte from {@code start} on, or the length if all are zero. */
    static int firstNonZero(byte[] bytes, int start) {
        int at = start;
        while (at < bytes.length && bytes[at] == 0) {
            at++;
        }
        return at;
    }

    /** Guesses the format of a file that is not a Varvite file. {@code start} is its first bytes. */
    private static String guess(byte[] start) {
        if (start.length == 0) {
            return "it is empty";
        }
        if (startsWith(start, ascii("FLT GRPH"))) {
            return "it is a flatgraph file (cpg.bin): run `varvite import` on it first";
        }
        if (startsWith(start, ascii("H:2"))) {
            return "it looks like an overflowdb file: open it once with a current Joern, which converts it";
        }
        if (startsWith(start, ascii("PK"))) {
            return "it is a zip archive";
        }
        if (startsWith(start, Arrays.copyOf(MAGIC, 8))) {
            return "its first bytes were changed, perhaps by a copy in text mode: copy it again in binary mode";
        }
        return "its first 16 bytes are not those of a .varvite file";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length
                && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }
}
