package varvite.format;

import java.lang.foreign.MemorySegment;
import varvite.error.CancelledException;
import varvite.error.DamagedFileException;
import varvite.error.GraphClosedException;
import varvite.error.NativeRequiredException;
import varvite.error.VarviteException;

/**
 * A column of a file. Readers use this object to open the column, and later to name the column in exceptions.
 *
 * @param file the file
 * @param number the number of the column in the directory
 * @param use the purpose of the column in the graph, for messages
 */
public record Column(GraphFile file, int number, String use) {
    /**
     * A mask: a pass over the column checks for an interrupt at each index that has all bits of this mask
     * set.
     */
    private static final long PASS = (1 << 12) - 1;

    /** The column's row in the directory. */
    ColumnRow row() {
        return file.directory().columns().get(number);
    }

    /** The column's name in messages. */
    String name() {
        Encoding encoding = row().encoding();
        return use + ", " + encoding + " " + encoding.kind() + " " + number;
    }

    /** Child {@code number} of this column. */
    Column child(int child) {
        if (child == ColumnRow.NONE) {
            throw damaged("another child", "none");
        }
        return new Column(file, child, use);
    }

    /** The bytes of segment {@code index}, at least {@code length} of them. */
    MemorySegment segment(int index, long length) {
        int segment = requireSegment(index);
        if (!file.isReadable(segment)) {
            throw codecNeeded(segment);
        }
        MemorySegment bytes = file.segment(segment);
        if (Long.compareUnsigned(bytes.byteSize(), length) < 0) {
            throw damaged(Long.toUnsignedString(length) + " bytes in segment " + segment, bytes.byteSize());
        }
        return bytes;
    }

    /** The row of segment {@code index} in the directory. */
    SegmentRow segmentRow(int index) {
        return file.directory().segments().get(requireSegment(index));
    }

    /** Whether segment {@code index} can be read in place, or decoded. */
    boolean isReadable(int index) {
        return file.isReadable(requireSegment(index));
    }

    private int requireSegment(int index) {
        int segment = index == 0 ? row().segment0() : row().segment1();
        if (segment == ColumnRow.NONE) {
            throw damaged("segment " + index, "none");
        }
        return segment;
    }

    /** The exception for compressed bytes if there is no engine to decode them. */
    NativeRequiredException codecNeeded() {
        return codecNeeded(requireSegment(0));
    }

    private NativeRequiredException codecNeeded(int segment) {
        return new NativeRequiredException(
                file.path(), name(), file.directory().segments().get(segment).codecName());
    }

    /** The exception for damage of this column, with the offset of its first segment. */
    DamagedFileException damaged(Object expected, Object found) {
        int segment = row().segment0();
        long offset = segment == ColumnRow.NONE ? -1 : file.directory().segments().get(segment).offset();
        return file.faults().damagedAt(name(), offset, expected, found);
    }

    /**
     * Called for every index of a pass over the column. Checks at some indexes whether the thread is
     * interrupted, because a file may claim billions of values.
     *
     * @throws CancelledException if the thread was interrupted
     */
    void checkPass(long index) {
        if ((index & PASS) == PASS && Thread.currentThread().isInterrupted()) {
            throw new CancelledException(name());
        }
    }

    /** The exception for a column that contradicts another column. */
    public DamagedFileException misfit(Object expected, Object found) {
        return damaged(expected, found);
    }

    /** The exception for a value, at {@code index}, that no writer writes. */
    public DamagedFileException impossible(long index) {
        return damaged("values that fit", "an impossible value at " + index);
    }

    /**
     * Converts the exception of a failed access at {@code index}. Returns a
     * {@link varvite.error.GraphClosedException} if the graph is closed, and damage of this column if the
     * access was out of bounds. Other exceptions are returned unchanged.
     */
    public RuntimeException failure(RuntimeException cause, long index) {
        if (cause instanceof VarviteException) {
            return cause;
        }
        if (!file.isOpen()) {
            return new GraphClosedException(file.path(), cause);
        }
        return cause instanceof IndexOutOfBoundsException ? impossible(index) : cause;
    }
}
