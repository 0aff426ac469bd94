package varvite;

/** The type of a property. */
public enum ValueType {
    /** True or false. */
    BOOL,
    /** Signed, 8 bits. */
    I8,
    /** Signed, 16 bits. */
    I16,
    /** Signed, 32 bits. */
    I32,
    /** Signed, 64 bits. */
    I64,
    /** Unsigned, 8 bits. */
    U8,
    /** Unsigned, 16 bits. */
    U16,
    /** Unsigned, 32 bits. */
    U32,
    /** Unsigned, 64 bits. In Java, a long with the same bits; see {@link Long#toUnsignedString(long)}. */
    U64,
    /** IEEE 754 binary32. */
    F32,
    /** IEEE 754 binary64. */
    F64,
    /** UTF-8 text. */
    STRING,
    /** Any bytes. */
    BYTES,
    /** A node of the same graph. */
    REF;

    private static final ValueType[] NUMBERED = values();

    /**
     * The type with this number in the file format; null if there is none. The constants are in the order of
     * these numbers.
     */
    static ValueType of(int number) {
        return number < NUMBERED.length ? NUMBERED[number] : null;
    }

    /** Whether values are integers or truth values. */
    public boolean isInteger() {
        return ordinal() <= U64.ordinal();
    }

    /** Whether every value fits in an {@code int}. */
    public boolean fitsInt() {
        return isInteger() && this != I64 && this != U32 && this != U64;
    }

    /**
     * The least integer that a file may store for a value. For floating-point types, this integer is the
     * value's bits.
     */
    long least() {
        return switch (this) {
            case I8 -> Byte.MIN_VALUE;
            case I16 -> Short.MIN_VALUE;
            case I32 -> Integer.MIN_VALUE;
            case I64, U64, F64 -> Long.MIN_VALUE;
            default -> 0;
        };
    }

    /** The greatest integer that a file may store for a value. */
    long most() {
        return switch (this) {
            case BOOL -> 1;
            case I8 -> Byte.MAX_VALUE;
            case I16 -> Short.MAX_VALUE;
            case I32 -> Integer.MAX_VALUE;
            case U8 -> 0xff;
            case U16 -> 0xffff;
            case U32, F32 -> 0xffff_ffffL;
            default -> Long.MAX_VALUE;
        };
    }

    /** Whether values are floating-point numbers. */
    public boolean isFloat() {
        return this == F32 || this == F64;
    }

    /** Whether values are texts or byte arrays, both of which are stored as codes. */
    public boolean isText() {
        return this == STRING || this == BYTES;
    }

    /** The name that users see, such as {@code i32}. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
