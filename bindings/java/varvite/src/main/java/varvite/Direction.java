package varvite;

/** The direction in which edges are followed. */
public enum Direction {
    /** From source to targets. */
    OUT,
    /** From target to sources. */
    IN
}
