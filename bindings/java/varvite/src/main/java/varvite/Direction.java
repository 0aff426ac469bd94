package varvite;

/** From where to where edges are followed. */
public enum Direction {
    /** From source to targets. */
    OUT,
    /** From target to sources. */
    IN
}
