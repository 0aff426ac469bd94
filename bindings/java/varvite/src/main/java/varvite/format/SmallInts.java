package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A fast reader of columns in which nearly all values fit in a byte. The innermost loops of traversals read
 * one small number per edge; this class does so with a load, its bounds checks and a comparison. {@link Ints}
 * reads the values that do not fit in a byte.
 */
public final class SmallInts {
    /** The byte for a value that is stored elsewhere. */
    public static final int ELSEWHERE = 255;

    private final MemorySegment bytes;
    private final int offset;
    private final Ints ints;
    /** Values that replace or follow the stored ones; null if there are none. */
    private final Patch patch;

    /**
     * Values that follow those of a column, and one value that replaces the column's values at certain
     * indexes.
     *
     * @param before the values of the column
     * @param later the values that follow; null if none follow or all of them are zero
     * @param limit the total number of values
     * @param replaced the set of indexes whose value is replaced; null if none is replaced
     * @param sieve a sieve for {@code replaced}
     * @param replacement the value at the replaced indexes
     */
    private record Patch(
            SmallInts before, SmallInts later, int limit, IdSet replaced, Sieve sieve, int replacement) {
        int get(int index) {
            long count = before.ints.count();
            boolean isReplaced = sieve != null && sieve.mayHave(index) && replaced.memberRank(index) >= 0;
            if (isReplaced || later == null && index >= count && index < limit) {
                // This value is returned without a read, so check explicitly that the file is open.
                before.ints.column().file().checkOpen();
                return isReplaced ? replacement : 0;
            }
            return index < count || later == null ? before.get(index) : later.get((int) (index - count));
        }
    }

    /** A reader of the values of {@code ints}, which must not be relative to a key. */
    public SmallInts(Ints ints) {
        this.ints = ints;
        bytes = ints.byteEach();
        offset = ints.smallBase();
        patch = null;
    }

    private SmallInts(Patch patch) {
        ints = patch.before.ints;
        bytes = null;
        offset = 0;
        this.patch = patch;
    }

    /**
     * A reader of these values, followed by those of {@code later}, with {@code replacement} in place of the
     * values at some indexes.
     *
     * @param later the values that follow; null if none follow
     * @param replaced the set of indexes whose value is replaced; null if none is replaced
     */
    public SmallInts patched(SmallInts later, IdSet replaced, int replacement) {
        Sieve sieve = replaced == null ? null : new Sieve(replaced.limit(), replaced);
        return new SmallInts(new Patch(this, later, 0, replaced, sieve, replacement));
    }

    /** A reader of these values, followed by zeros up to a total of {@code limit} values. */
    public SmallInts withZeros(int limit) {
        return new SmallInts(new Patch(this, null, limit, null, null, 0));
    }

    /**
     * The general reader of the same column, which also returns values that are negative or do not fit in an
     * int.
     */
    public Ints ints() {
        return ints;
    }

    /**
     * Value number {@code index}.
     *
     * @throws varvite.error.VarviteException if the column is damaged, the value is negative or does not fit
     * in an int, or the file is closed
     * @throws IndexOutOfBoundsException if {@code index} is not below the count
     */
    public int get(int index) {
        if (bytes != null) {
            int small = Layouts.u8(bytes, index);
            if (small != ELSEWHERE) {
                return offset + small;
            }
        }
        return getElsewhere(index);
    }

    /**
     * Reads {@code length} values, from number {@code start} on, into {@code out} from index 0 on. Copies the
     * bytes at once and loops over the copy, which allocates {@code length} bytes.
     *
     * @throws varvite.error.VarviteException as for {@link #get}; the content of {@code out} is then
     * undefined
     * @throws IndexOutOfBoundsException if the column has fewer values
     */
    public void fill(int start, int length, int[] out) {
        if (bytes == null) {
            for (int i = 0; i < length; i++) {
                out[i] = getElsewhere(start + i);
            }
            return;
        }
        byte[] small = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, start, small, 0, length);
        for (int i = 0; i < length; i++) {
            int value = small[i] & 0xff;
            out[i] = value == ELSEWHERE ? getElsewhere(start + i) : offset + value;
        }
    }

    /**
     * A byte for each value: the value minus {@link #byteBase}, or {@link #ELSEWHERE}. Null if the column has
     * another form. Meant for tests that look up the byte in a table, and for loops that hold the segment in
     * a variable.
     */
    public MemorySegment bytes() {
        return bytes;
    }

    /** The byte at {@code index} of {@link #bytes}. */
    public static int byteAt(MemorySegment bytes, int index) {
        return Layouts.u8(bytes, index);
    }

    /** The value that the byte 0 stands for. */
    public int byteBase() {
        return offset;
    }

    private int getElsewhere(int index) {
        if (patch != null) {
            return patch.get(index);
        }
        java.util.Objects.checkIndex(index, ints.count());
        long value = ints.get(index, 0);
        if (value != (int) value || value < 0) {
            throw ints.column().impossible(index);
        }
        return (int) value;
    }
}
