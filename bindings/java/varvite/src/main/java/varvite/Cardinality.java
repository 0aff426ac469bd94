package varvite;

/** How many values of a property a node of the right label has. */
public enum Cardinality {
    /** Exactly one. */
    ONE,
    /** One or none. */
    OPTIONAL,
    /** Any number, in order. */
    LIST
}
