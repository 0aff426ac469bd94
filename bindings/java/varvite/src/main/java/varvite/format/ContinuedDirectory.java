package varvite.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reference from a directory to an older one that it continues: the directory omits the rows of columns and
 * segments that the older one already has.
 *
 * <pre>
 *  0   8  magic VVCONTIN
 *  8   8  offset of the older directory
 * 16   8  length of the older directory
 * 24   8  checksum of the older directory
 * 32   8  generation of the older directory
 * 40  ..  the directory, whose counts of columns and segments are those of its own rows
 * </pre>
 */
record ContinuedDirectory(long offset, int length, long hash, long generation) {
    private static final byte[] MAGIC = "VVCONTIN".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = 40;
    private static final int COLUMNS = 7;
    private static final int SEGMENTS = 8;

    /**
     * The reference at the start of these bytes; null if they are a whole directory. The older directory must
     * lie within {@code start..end} of the file.
     */
    static ContinuedDirectory of(ByteBuffer bytes, long start, long end, Faults faults) {
        if (!Arrays.equals(Arrays.copyOf(bytes.array(), MAGIC.length), MAGIC)) {
            return null;
        }
        if (bytes.limit() < HEAD) {
            throw faults.damaged("directory", HEAD + " bytes", bytes.limit());
        }
        long offset = bytes.getLong(8);
        long length = bytes.getLong(16);
        if (Long.compareUnsigned(length, Superblock.DIRECTORY_MAX) > 0) {
            String most = "at most " + Superblock.DIRECTORY_MAX + " bytes of directory";
            throw faults.damaged("directory", most, Long.toUnsignedString(length));
        }
        if (offset < start || offset > end - length) {
            throw faults.damaged("directory", "one between " + start + " and " + end, Long.toUnsignedString(offset));
        }
        return new ContinuedDirectory(offset, (int) length, bytes.getLong(24), bytes.getLong(32));
    }

    /**
     * Combines the bytes of the older directory and of the one that continues it into those of a whole
     * directory.
     */
    static ByteBuffer complete(ByteBuffer older, ByteBuffer bytes, Faults faults) {
        ByteBuffer own = bytes.slice(HEAD, bytes.limit() - HEAD).order(ByteOrder.LITTLE_ENDIAN);
        Directory.checkMagic(older, faults);
        Directory.checkMagic(own, faults);
        long[] ofOlder = ends(older, faults);
        long[] ofOwn = ends(own, faults);
        long length = own.limit() + ofOlder[SEGMENTS] - ofOlder[COLUMNS - 1];
        if (length > Superblock.DIRECTORY_MAX) {
            throw faults.damaged("directory", "at most " + Superblock.DIRECTORY_MAX + " bytes of directory", length);
        }
        ByteBuffer whole = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        whole.put(own.slice(0, (int) ofOwn[COLUMNS - 1]));
        for (int table : new int[] {COLUMNS, SEGMENTS}) {
            int at = 24 + 4 * table;
            whole.putInt(at, older.getInt(at) + own.getInt(at));
            whole.put(part(older, ofOlder[table - 1], ofOlder[table]));
            whole.put(part(own, ofOwn[table - 1], ofOwn[table]));
        }
        return whole.put(part(own, ofOwn[SEGMENTS], own.limit())).flip();
    }

    private static ByteBuffer part(ByteBuffer bytes, long start, long end) {
        return bytes.slice((int) start, (int) (end - start));
    }

    /** The end of each table. All tables up to the segments must lie within the bytes. */
    private static long[] ends(ByteBuffer bytes, Faults faults) {
        long[] ends = Directory.ends(bytes);
        if (ends[SEGMENTS] > bytes.limit()) {
            throw faults.damaged("directory", "at least " + ends[SEGMENTS] + " bytes", bytes.limit());
        }
        return ends;
    }
}
