package varvite;

/** The number of values that a node of the right label may have. */
public enum Cardinality {
    /** Exactly one. */
    ONE,
    /** One or none. */
    OPTIONAL,
    /** Any number, in order. */
    LIST
}
