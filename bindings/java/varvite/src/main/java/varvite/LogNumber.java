package varvite;

import varvite.format.LogOperation.Unsigned;

/**
 * Converts numbers of a log to the integers that a file stores for them. An integer fits every numeric type
 * that can represent it exactly; a double is rounded to the nearest single-precision number.
 */
final class LogNumber {
    private LogNumber() {}

    /** Whether a property of this numeric type can store a value. */
    static boolean fits(Object value, ValueType type) {
        return switch (type) {
            case BOOL -> value instanceof Boolean;
            case I8 -> isBetween(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case I16 -> isBetween(value, Short.MIN_VALUE, Short.MAX_VALUE);
            case I32 -> isBetween(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case I64 -> isBetween(value, Long.MIN_VALUE, Long.MAX_VALUE);
            case U8 -> isBetween(value, 0, 0xff);
            case U16 -> isBetween(value, 0, 0xffff);
            case U32 -> isBetween(value, 0, 0xffff_ffffL);
            case U64 -> value instanceof Unsigned || value instanceof Long signed && signed >= 0;
            case F32 -> isSingle(value);
            case F64 -> value instanceof Float || value instanceof Double || isDouble(value);
            default -> false;
        };
    }

    /** The integer that a file stores for a value that fits the type. */
    static long of(Object value, ValueType type) {
        return switch (type) {
            case BOOL -> (Boolean) value ? 1 : 0;
            case F32 -> Float.floatToRawIntBits(value instanceof Float single ? single : (float) asDouble(value)) & 0xffff_ffffL;
            case F64 -> Double.doubleToRawLongBits(asDouble(value));
            default -> bits(value);
        };
    }

    private static boolean isInteger(Object value) {
        return value instanceof Long || value instanceof Unsigned;
    }

    private static long bits(Object value) {
        return value instanceof Unsigned unsigned ? unsigned.bits() : (Long) value;
    }

    private static boolean isBetween(Object value, long least, long most) {
        boolean isHuge = value instanceof Unsigned unsigned && unsigned.bits() < 0;
        return isInteger(value) && !isHuge && bits(value) >= least && bits(value) <= most;
    }

    private static double asDouble(Object value) {
        return switch (value) {
            case Float single -> single;
            case Double number -> number;
            case Unsigned unsigned when unsigned.bits() < 0 ->
                // The nearest double, which equals the number if any double does.
                (unsigned.bits() >>> 1 | unsigned.bits() & 1) * 2.0;
            default -> bits(value);
        };
    }

    /** Whether a value is an integer that a double represents exactly. */
    private static boolean isDouble(Object value) {
        return isInteger(value) && new java.math.BigDecimal(asDouble(value)).compareTo(exact(value)) == 0;
    }

    private static java.math.BigDecimal exact(Object value) {
        boolean isUnsigned = value instanceof Unsigned;
        return new java.math.BigDecimal(isUnsigned ? Long.toUnsignedString(bits(value)) : Long.toString(bits(value)));
    }

    private static boolean isSingle(Object value) {
        if (value instanceof Float) {
            return true;
        }
        if (value instanceof Double number) {
            return Float.isFinite((float) (double) number) == Double.isFinite(number);
        }
        return isDouble(value) && (float) asDouble(value) == asDouble(value);
    }
}
