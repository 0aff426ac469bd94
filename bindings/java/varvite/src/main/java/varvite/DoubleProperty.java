package varvite;

import varvite.format.Ints;

/** A property of floating-point numbers. Single-precision numbers are widened, which changes no value. */
public final class DoubleProperty extends Property {
    private final boolean single;

    DoubleProperty(PropertyInfo info, Lists lists, Ints values) {
        super(info, Numbers.of(info.type(), lists, values));
        single = info.type() == ValueType.F32;
    }

    /** The first value of {@code owner}, or {@code absent} if the owner has no value. */
    public double get(int owner, double absent) {
        long position = position(owner);
        return position < 0 ? absent : value(position, owner);
    }

    /**
     * Value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public double at(int owner, int index) {
        return value(position(owner, index), owner);
    }

    /**
     * Copies the values of {@code owner} to {@code out}, from {@code at} on.
     *
     * @return the number of copied values. If they do not fit, nothing is copied and the result is
     * {@code ~n}, the complement of their number {@code n}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(int owner, double[] out, int at) {
        long ends = ends(owner, out.length, at);
        int count = Lists.fitting(ends, out.length - at);
        for (int i = 0; i < count; i++) {
            out[at + i] = value(Lists.start(ends) + i, owner);
        }
        return count;
    }

    private double value(long position, int owner) {
        long bits = number(position, owner);
        return single ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }
}
