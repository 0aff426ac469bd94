package varvite.format;

import java.nio.ByteBuffer;

/**
 * One row of the column table: an encoding with its parameters, child columns and segments.
 *
 * <pre>
 *  0   2  encoding
 *  2   1  width of a value in bytes; 0 if the encoding has no fixed width
 *  3   1  flags: 1 relative to the caller's key, 2 sorted, 4 signed, 8 sloped
 *  4   8  count: values of an integer column, members of a set, entries of a string table
 * 12   8  base, signed
 * 20   8  step, signed
 * 28  12  child columns, 3 numbers, all ones for none
 * 40   8  segments, 2 numbers, all ones for none
 * </pre>
 */
public record ColumnRow(
        Encoding encoding,
        int width,
        int flags,
        long count,
        long base,
        long step,
        int child0,
        int child1,
        int child2,
        int segment0,
        int segment1) {
    /** Bytes of a row in the file. */
    static final int SIZE = 48;
    /** Stands for no child or no segment. */
    static final int NONE = -1;

    private static final int RELATIVE = 1;
    private static final int SORTED = 2;
    private static final int SIGNED = 4;
    private static final int SLOPED = 8;

    /** Reads row {@code number}. Children must have lower numbers, and segments must exist. */
    static ColumnRow of(ByteBuffer bytes, int at, int number, int segments, Faults faults) {
        int encodingNumber = bytes.getShort(at) & 0xffff;
        Encoding encoding = Encoding.of(encodingNumber);
        if (encoding == null) {
            throw faults.damaged(part(number), "a known encoding", encodingNumber);
        }
        int flags = bytes.get(at + 3) & 0xff;
        if (flags > 15) {
            throw faults.damaged(part(number), "known flags", flags);
        }
        ColumnRow row = new ColumnRow(
                encoding,
                bytes.get(at + 2) & 0xff,
                flags,
                bytes.getLong(at + 4),
                bytes.getLong(at + 12),
                bytes.getLong(at + 20),
                bytes.getInt(at + 28),
                bytes.getInt(at + 32),
                bytes.getInt(at + 36),
                bytes.getInt(at + 40),
                bytes.getInt(at + 44));
        for (int child : new int[] {row.child0, row.child1, row.child2}) {
            if (child != NONE && Integer.compareUnsigned(child, number) >= 0) {
                throw faults.damaged(
                        part(number), "children before their parent", Integer.toUnsignedString(child));
            }
        }
        for (int segment : new int[] {row.segment0, row.segment1}) {
            if (segment != NONE && Integer.compareUnsigned(segment, segments) >= 0) {
                throw faults.damaged(
                        part(number), "a segment below " + segments, Integer.toUnsignedString(segment));
            }
        }
        return row;
    }

    private static String part(int number) {
        return "directory, column " + number;
    }

    /** Whether values are differences from a key, which the caller passes. */
    boolean isRelative() {
        return (flags & RELATIVE) != 0;
    }

    /** Whether strings are sorted by their bytes. */
    boolean isSorted() {
        return (flags & SORTED) != 0;
    }

    /** Whether plain values of 1, 2 or 4 bytes are signed. */
    boolean isSigned() {
        return (flags & SIGNED) != 0;
    }

    /** Whether packed lanes have slopes. */
    boolean isSloped() {
        return (flags & SLOPED) != 0;
    }
}
