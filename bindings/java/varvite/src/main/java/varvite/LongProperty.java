package varvite;

import java.util.Objects;
import varvite.format.Ints;

/**
 * A property of truth values or of integers of any width. Values of {@link ValueType#U64} are modulo 2^64.
 */
public final class LongProperty extends Property {
    LongProperty(PropertyInfo info, Lists lists, Ints values) {
        super(info, Numbers.of(info.type(), lists, values));
    }

    /** The first value of {@code owner}, or {@code absent} if it has none; 0 and 1 for truth values. */
    public long get(int owner, long absent) {
        long position = position(owner);
        return position < 0 ? absent : number(position, owner);
    }

    /**
     * Value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if it has fewer
     */
    public long at(int owner, int index) {
        return number(position(owner, index), owner);
    }

    /**
     * Copies the values of {@code owner} to {@code out}, from {@code at} on.
     *
     * @return how many were copied; or, if they do not fit, nothing is copied and it is the complement of
     * their number
     * @throws IndexOutOfBoundsException if {@code at} is no place in {@code out}
     */
    public int copyInto(int owner, long[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        long ends = lists.of(owner);
        int length = Lists.length(ends);
        if (length > out.length - at) {
            return ~length;
        }
        for (int i = 0; i < length; i++) {
            out[at + i] = number(Lists.start(ends) + i, owner);
        }
        return length;
    }

    /**
     * The sum of all values of the owners from {@code start} up and below {@code end}; those of lists too.
     *
     * <p>Costs one to three nanoseconds for each value, and the time of reading memory; values in lists are
     * read one by one. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}
     * @throws ArithmeticException if it does not fit 64 bits
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these
     */
    public long sum(int start, int end) {
        return scan.sum(start, end);
    }
}
