package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A fast reader of columns in which nearly all values fit a byte. The innermost loops read one small number
 * per hop; this class does so with a load, its checks and a comparison. Values that do not fit a byte are
 * read by {@link Ints}.
 */
public final class SmallInts {
    /** The byte that stands for a value that is stored elsewhere. */
    public static final int ELSEWHERE = 255;

    private final MemorySegment bytes;
    private final int offset;
    private final Ints ints;
    /** Values that replace or follow the stored ones; null if there are none. */
    private final Patch patch;

    /**
     * Values that follow those of a column, and one value that replaces the values of a set's members.
     *
     * @param before the values of the column
     * @param later the values that follow; null if there are none or all are zero
     * @param limit the total number of values
     * @param replaced the set of indexes whose value is replaced; null if there are none
     * @param sieve the sieve of {@code replaced}
     * @param replacement the value at the replaced indexes
     */
    private record Patch(
            SmallInts before, SmallInts later, int limit, IdSet replaced, Sieve sieve, int replacement) {
        int get(int index) {
            long count = before.ints.count();
            boolean isReplaced = sieve != null && sieve.mayHave(index) && replaced.memberRank(index) >= 0;
            if (isReplaced || later == null && index >= count && index < limit) {
                // This value needs no read, and only a read would detect that the file is closed.
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
     * These values, followed by others, and with one value for all members of a set.
     *
     * @param later the values that follow; null if there are none
     * @param replaced the indexes of replaced values; null if there are none
     */
    public SmallInts patched(SmallInts later, IdSet replaced, int replacement) {
        Sieve sieve = replaced == null ? null : new Sieve(replaced.limit(), replaced);
        return new SmallInts(new Patch(this, later, 0, replaced, sieve, replacement));
    }

    /** These values, followed by zeros up to a limit. */
    public SmallInts withZeros(int limit) {
        return new SmallInts(new Patch(this, null, limit, null, null, 0));
    }

    /** The reader of the same column for all values. */
    public Ints ints() {
        return ints;
    }

    /**
     * Value number {@code index}.
     *
     * @throws varvite.error.VarviteException if the column is damaged, the value is no positive int, or the
     * file closed
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
     * Reads {@code length} values from {@code start} on into {@code out}, from index 0 on: copies the bytes
     * once and loops over the copy. Allocates {@code length} bytes.
     *
     * @throws varvite.error.VarviteException like {@link #get}; the content of {@code out} is undefined then
     * @throws IndexOutOfBoundsException if there are fewer values
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
     * A byte for each value: the value minus {@link #byteBase}, or {@link #ELSEWHERE}; null if the column has
     * another form. For tests with a table by byte, and for loops that keep the segment in a variable.
     */
    public MemorySegment bytes() {
        return bytes;
    }

    /** The byte at {@code index} of {@link #bytes}. */
    public static int byteAt(MemorySegment bytes, int index) {
        return Layouts.u8(bytes, index);
    }

    /** The value that a byte 0 stands for. */
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
