package varvite;

import varvite.format.Ints;

/** A property of truth values or of integers that fit in an {@code int}. */
public final class IntProperty extends Property {
    IntProperty(PropertyInfo info, Lists lists, Ints values) {
        super(info, Numbers.of(info.type(), lists, values));
    }

    /**
     * The first value of {@code owner}, or {@code absent} if the owner has no value; 0 or 1 for a truth
     * value.
     */
    public int get(int owner, int absent) {
        long position = position(owner);
        return position < 0 ? absent : intNumber(position, owner);
    }

    /**
     * Value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public int at(int owner, int index) {
        return intNumber(position(owner, index), owner);
    }

    /** The first value of {@code owner} as a truth value, or {@code absent} if the owner has no value. */
    public boolean is(int owner, boolean absent) {
        return get(owner, absent ? 1 : 0) != 0;
    }

    /**
     * Copies the values of {@code owner} to {@code out}, from {@code at} on.
     *
     * @return the number of copied values. If they do not fit, nothing is copied and the result is
     * {@code ~n}, the complement of their number {@code n}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(int owner, int[] out, int at) {
        long ends = ends(owner, out.length, at);
        int count = Lists.fitting(ends, out.length - at);
        for (int i = 0; i < count; i++) {
            out[at + i] = intNumber(Lists.start(ends) + i, owner);
        }
        return count;
    }

    /**
     * The first values of the owners from {@code start} to below {@code end} as ints. Otherwise the same as
     * {@link #fill(int, int, long[], long[])}. Bit {@code i % 64} of {@code present[i / 64]} is 1 if owner
     * {@code start + i} has a value; {@code numbers[i]} is that value, or 0.
     *
     * <p>Takes one to three nanoseconds for each owner; a property of lists is not read in bulk, but value by
     * value. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or an array is too short
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners; the content of the arrays is then undefined
     */
    public void fill(int start, int end, int[] numbers, long[] present) {
        scan.fill(start, end, numbers, present);
    }

    /**
     * The sum of all values of the owners from {@code start} to below {@code end}; every value of a list
     * counts.
     *
     * <p>Takes one to three nanoseconds for each value, and the time of reading memory; a property of lists
     * is not read in bulk, but value by value. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}
     * @throws ArithmeticException if the sum does not fit in 64 bits
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners
     */
    public long sum(int start, int end) {
        return scan.sum(start, end);
    }
}
