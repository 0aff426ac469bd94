package varvite.walk;

import varvite.DoubleProperty;
import varvite.IntProperty;
import varvite.LongProperty;
import varvite.Property;
import varvite.ValueType;

/** Reads the values of edges as costs. */
final class Costs {
    private static final double TWO_TO_64 = 0x1p64;

    private Costs() {}

    /** The first value of an edge as a number; NaN if the edge has no value or the value is not a number. */
    static double of(Property property, int rank) {
        return switch (property) {
            case IntProperty ints -> ints.isPresent(rank) ? ints.get(rank, 0) : Double.NaN;
            case LongProperty longs -> longs.isPresent(rank) ? ofLong(longs.get(rank, 0), longs.info().type()) : Double.NaN;
            case DoubleProperty doubles -> doubles.get(rank, Double.NaN);
            default -> Double.NaN;
        };
    }

    private static double ofLong(long value, ValueType type) {
        return value < 0 && type == ValueType.U64 ? value + TWO_TO_64 : value;
    }

    /** Whether an edge has a floating-point value, which may be invalid as a cost. */
    static boolean isNumber(Property property, int rank) {
        return property instanceof DoubleProperty && property.isPresent(rank);
    }
}
