package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns that are made in memory from a log and that the file does not contain; their numbers follow those
 * of the file's columns. They have the values that a full commit would write, in encodings that are cheap to
 * make.
 */
public final class MadeColumns {
    private static final int SIGNED = 4;
    private static final int BUCKET = 256;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final GraphFile file;
    private final List<ColumnRow> columns;
    private final List<SegmentRow> rows;
    private final List<MemorySegment> segments = new ArrayList<>();

    /** Makes no column yet. {@code file} is the open file whose columns come first. */
    public MadeColumns(GraphFile file) {
        this.file = file;
        columns = new ArrayList<>(file.directory().columns());
        rows = new ArrayList<>(file.directory().segments());
    }

    /** The rows of the file's columns, followed by those of the made columns. */
    List<ColumnRow> columns() {
        return List.copyOf(columns);
    }

    List<SegmentRow> rows() {
        return List.copyOf(rows);
    }

    List<MemorySegment> segments() {
        return List.copyOf(segments);
    }

    /** Makes a column of integers and returns its number. */
    public int longs(long[] values) {
        MemorySegment bytes = room(8L * values.length);
        MemorySegment.copy(values, 0, bytes, LONG, 0, values.length);
        return add(Encoding.PLAIN, 8, SIGNED, values.length, ColumnRow.NONE, segment(bytes));
    }

    /** Makes a column of integers that are not negative, and returns its number. */
    public int ints(int[] values) {
        MemorySegment bytes = room(4L * values.length);
        MemorySegment.copy(values, 0, bytes, INT, 0, values.length);
        return add(Encoding.PLAIN, 4, 0, values.length, ColumnRow.NONE, segment(bytes));
    }

    /**
     * Makes a set of ids below {@code limit} and returns its number. {@code members} must be in rising order.
     */
    public int set(int[] members, int limit) {
        if (members.length == 0) {
            return add(Encoding.EMPTY, 0, 0, 0, ColumnRow.NONE, ColumnRow.NONE);
        }
        int[] before = new int[(int) ((limit + BUCKET - 1L) / BUCKET) + 1];
        MemorySegment lows = room(members.length);
        for (int i = 0; i < members.length; i++) {
            lows.set(ValueLayout.JAVA_BYTE, i, (byte) members[i]);
            before[members[i] / BUCKET + 1]++;
        }
        for (int i = 1; i < before.length; i++) {
            before[i] += before[i - 1];
        }
        int buckets = ints(before);
        return add(Encoding.SPARSE, 0, 0, members.length, buckets, segment(lows));
    }

    /** Makes a table of texts and returns its number. */
    public int texts(List<byte[]> texts) {
        long[] starts = new long[texts.size() + 1];
        for (int i = 0; i < texts.size(); i++) {
            starts[i + 1] = starts[i] + texts.get(i).length;
        }
        MemorySegment pool = room(starts[texts.size()]);
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            MemorySegment.copy(text, 0, pool, ValueLayout.JAVA_BYTE, starts[i], text.length);
        }
        int offsets = longs(starts);
        return add(Encoding.ENTRIES, 0, 0, texts.size(), offsets, segment(pool));
    }

    private MemorySegment room(long length) {
        return file.allocate(length);
    }

    private int segment(MemorySegment bytes) {
        segments.add(bytes.asReadOnly());
        rows.add(new SegmentRow(-1, bytes.byteSize(), bytes.byteSize(), 0, 1, 0, false));
        return rows.size() - 1;
    }

    private int add(Encoding encoding, int width, int flags, long count, int child, int segment) {
        int none = ColumnRow.NONE;
        columns.add(new ColumnRow(encoding, width, flags, count, 0, 0, child, none, none, segment, none));
        return columns.size() - 1;
    }
}
