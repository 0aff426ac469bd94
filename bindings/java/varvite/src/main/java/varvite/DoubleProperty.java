package varvite;

import java.util.Objects;
import varvite.format.Ints;

/** A property of floating-point numbers. Single precision is widened, which keeps every value. */
public final class DoubleProperty extends Property {
    private final boolean single;

    DoubleProperty(PropertyInfo info, Lists lists, Ints values) {
        super(info, Numbers.of(info.type(), lists, values));
        single = info.type() == ValueType.F32;
    }

    /** The first value of {@code owner}, or {@code absent} if it has none. */
    public double get(int owner, double absent) {
        long position = position(owner);
        return position < 0 ? absent : value(position, owner);
    }

    /**
     * Value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if it has fewer
     */
    public double at(int owner, int index) {
        return value(position(owner, index), owner);
    }

    /**
     * Copies the values of {@code owner} to {@code out}, from {@code at} on.
     *
     * @return how many were copied; or, if they do not fit, nothing is copied and it is the complement of
     * their number
     * @throws IndexOutOfBoundsException if {@code at} is no place in {@code out}
     */
    public int copyInto(int owner, double[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        long ends = lists.of(owner);
        int length = Lists.length(ends);
        if (length > out.length - at) {
            return ~length;
        }
        for (int i = 0; i < length; i++) {
            out[at + i] = value(Lists.start(ends) + i, owner);
        }
        return length;
    }

    private double value(long position, int owner) {
        long bits = number(position, owner);
        return single ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }
}
