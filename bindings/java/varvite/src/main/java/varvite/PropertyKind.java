package varvite;

/**
 * The subclasses of {@link Property}. If several can read a type, {@link Graph#property(String)} returns the
 * first of them.
 */
enum PropertyKind {
    INT("bool or an integer of up to 32 bits"),
    LONG("bool or an integer"),
    DOUBLE("f32 or f64"),
    TEXT("string"),
    BYTES("bytes or string"),
    REF("ref");

    private final String wanted;

    PropertyKind(String wanted) {
        this.wanted = wanted;
    }

    /** The value types that the class can read, for messages. */
    String wanted() {
        return wanted;
    }

    boolean reads(ValueType type) {
        return switch (this) {
            case INT -> type.fitsInt();
            case LONG -> type.isInteger();
            case DOUBLE -> type.isFloat();
            case TEXT -> type == ValueType.STRING;
            case BYTES -> type.isText();
            case REF -> type == ValueType.REF;
        };
    }
}
