package varvite;

/** The number of values that an owner of a property may have. */
public enum Cardinality {
    /** Exactly one value. */
    ONE,
    /** One value or none. */
    OPTIONAL,
    /** Any number of values, in order. */
    LIST
}
