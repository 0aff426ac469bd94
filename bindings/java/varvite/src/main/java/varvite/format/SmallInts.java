package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A shortcut for columns in which nearly all values fit a byte. The innermost loops read one small number a
 * hop; here that is a load, its checks and a comparison. Values beyond a byte take the long way through
 * {@link Ints}.
 */
public final class SmallInts {
    /** The byte that stands for a value elsewhere. */
    public static final int ELSEWHERE = 255;

    private final MemorySegment bytes;
    private final int offset;
    private final Ints ints;
    /** Values that replace some of the stored ones; null without any. */
    private final Patch patch;

    /**
     * Values behind those of a column, and one for some that are in a set.
     *
     * @param before the values up to those that follow
     * @param later those that follow; null if there are none, or all are zero
     * @param limit the end of all of them
     * @param replaced whose value is another one; null for none
     * @param sieve of {@code replaced}
     * @param replacement this one
     */
    private record Patch(
            SmallInts before, SmallInts later, int limit, IdSet replaced, Sieve sieve, int replacement) {
        int get(int index) {
            long count = before.ints.count();
            boolean isReplaced = sieve != null && sieve.mayHave(index) && replaced.memberRank(index) >= 0;
            if (isReplaced || later == null && index >= count && index < limit) {
                // No byte is read for it, which would fail after closing.
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
     * These values with others behind them, and with one value for those in a set.
     *
     * @param later what follows; null for nothing
     * @param replaced owners of changed values; null for none
     */
    public SmallInts patched(SmallInts later, IdSet replaced, int replacement) {
        Sieve sieve = replaced == null ? null : new Sieve(replaced.limit(), replaced);
        return new SmallInts(new Patch(this, later, 0, replaced, sieve, replacement));
    }

    /** These values with zeros behind them, up to a limit. */
    public SmallInts withZeros(int limit) {
        return new SmallInts(new Patch(this, null, limit, null, null, 0));
    }

    /** The column behind the shortcut. */
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
     * The values from {@code start} up, {@code length} of them, into {@code out} from 0 on: one copy of the
     * bytes, and a loop over them. Allocates {@code length} bytes.
     *
     * @throws varvite.error.VarviteException as {@link #get}; {@code out} is undefined then
     * @throws IndexOutOfBoundsException if there are fewer
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
     * A byte for each value, {@link #byteBase} below it, or {@link #ELSEWHERE}; null if the column has none.
     * For tests that have a table by byte, and for loops that keep it at hand.
     */
    public MemorySegment bytes() {
        return bytes;
    }

    /** A byte of {@link #bytes}. */
    public static int byteAt(MemorySegment bytes, int index) {
        return Layouts.u8(bytes, index);
    }

    /** The value that byte 0 stands for. */
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
