package varvite.format;

import java.lang.foreign.MemorySegment;
import varvite.error.CancelledException;
import varvite.error.DamagedFileException;
import varvite.error.GraphClosedException;
import varvite.error.NativeRequiredException;
import varvite.error.VarviteException;

/**
 * One column of a file while it is opened, and the name of the column in later failures.
 *
 * @param file the file
 * @param number its number in the directory
 * @param use its purpose, in the words of the graph
 */
public record Column(GraphFile file, int number, String use) {
    /** A pass checks for an interrupt of the thread after each run of so many values, plus one. */
    private static final long PASS = (1 << 12) - 1;

    /** Its row in the directory. */
    ColumnRow row() {
        return file.directory().columns().get(number);
    }

    /** Its name in messages. */
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

    /** The exception for coded bytes without an engine. */
    NativeRequiredException codecNeeded() {
        return codecNeeded(requireSegment(0));
    }

    private NativeRequiredException codecNeeded(int segment) {
        return new NativeRequiredException(
                file.path(), name(), file.directory().segments().get(segment).codecName());
    }

    /** Damage of this column; the offset is where its bytes start. */
    DamagedFileException damaged(Object expected, Object found) {
        int segment = row().segment0();
        long offset = segment == ColumnRow.NONE ? -1 : file.directory().segments().get(segment).offset();
        return file.faults().damagedAt(name(), offset, expected, found);
    }

    /**
     * Passes if a long pass over the column may go on at {@code index}. Looks now and then: a file may claim
     * billions of values.
     *
     * @throws CancelledException if the thread was interrupted
     */
    void checkPass(long index) {
        if ((index & PASS) == PASS && Thread.currentThread().isInterrupted()) {
            throw new CancelledException(name());
        }
    }

    /** The error of a column that does not fit another one. */
    public DamagedFileException misfit(Object expected, Object found) {
        return damaged(expected, found);
    }

    /** A value at {@code index} that no writer wrote. */
    public DamagedFileException impossible(long index) {
        return damaged("values that fit", "an impossible value at " + index);
    }

    /**
     * The exception for an access at {@code index} that failed, in words of the graph: it is closed, or the
     * column is damaged. Other exceptions are returned unchanged.
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
