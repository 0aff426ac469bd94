package varvite.format;

import java.lang.foreign.MemorySegment;

/**
 * A shortcut to columns of which nearly all values fit a byte. The innermost loops read one small number a hop; here that is a
 * load, its checks and a comparison. Whatever is not in a byte takes the long way through {@link Ints}.
 */
public final class SmallInts {
    /** The byte that stands for a value elsewhere. */
    public static final int ELSEWHERE = 255;

    private final MemorySegment bytes;
    private final int offset;
    private final Ints ints;

    /** A reader of the values of {@code ints}, which must not be relative to a key. */
    public SmallInts(Ints ints) {
        this.ints = ints;
        bytes = ints.byteEach();
        offset = ints.smallBase();
    }

    /** The column behind the shortcut. */
    public Ints ints() {
        return ints;
    }

    /**
     * Value number {@code index}.
     *
     * @throws varvite.error.VarviteException if the column is damaged, the value is no positive int, or the file closed
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
     * A byte for each value, {@link #byteBase} below it, or {@link #ELSEWHERE}; null if the column has none. For tests that have a table by
     * byte, and for loops that keep it at hand.
     */
    public MemorySegment bytes() {
        return bytes;
    }

    /** A byte of {@link #bytes}. */
    public static int byteAt(MemorySegment bytes, int index) {
        return Layouts.u8(bytes, index);
    }

    /** What bytes count from. */
    public int byteBase() {
        return offset;
    }

    private int getElsewhere(int index) {
        java.util.Objects.checkIndex(index, ints.count());
        long value = ints.get(index, 0);
        if (value != (int) value || value < 0) {
            throw ints.column().impossible(index);
        }
        return (int) value;
    }
}
