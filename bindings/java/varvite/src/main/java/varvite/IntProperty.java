package varvite;

import java.util.Objects;
import varvite.format.Ints;

/** A property of truth values or of integers that fit an {@code int}. */
public final class IntProperty extends Property {
    IntProperty(PropertyInfo info, Lists lists, Ints values) {
        super(info, Numbers.of(info.type(), lists, values));
    }

    /** The first value of {@code owner}, or {@code absent} if it has none; 0 and 1 for truth values. */
    public int get(int owner, int absent) {
        long position = position(owner);
        return position < 0 ? absent : intNumber(position, owner);
    }

    /**
     * Value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if it has fewer
     */
    public int at(int owner, int index) {
        return intNumber(position(owner, index), owner);
    }

    /** The first value of {@code owner} as a truth value, or {@code absent} if it has none. */
    public boolean is(int owner, boolean absent) {
        return get(owner, absent ? 1 : 0) != 0;
    }

    /**
     * Copies the values of {@code owner} to {@code out}, from {@code at} on.
     *
     * @return how many were copied; or, if they do not fit, nothing is copied and it is the complement of
     * their number
     * @throws IndexOutOfBoundsException if {@code at} is no place in {@code out}
     */
    public int copyInto(int owner, int[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        long ends = lists.of(owner);
        int length = Lists.length(ends);
        if (length > out.length - at) {
            return ~length;
        }
        for (int i = 0; i < length; i++) {
            out[at + i] = intNumber(Lists.start(ends) + i, owner);
        }
        return length;
    }

    /**
     * The first values of the owners from {@code start} up and below {@code end}, as
     * {@link #fill(int, int, long[], long[])} has them, as ints: {@code numbers[i]} is that of owner
     * {@code start + i}, if bit {@code i % 64} of {@code present[i / 64]} says that it has one, and else 0.
     *
     * <p>Costs one to three nanoseconds for each owner; values in lists are read one by one. Allocates
     * nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or an array too short
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these; what
     *     is in the arrays is undefined then
     */
    public void fill(int start, int end, int[] numbers, long[] present) {
        scan.fill(start, end, numbers, present);
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
