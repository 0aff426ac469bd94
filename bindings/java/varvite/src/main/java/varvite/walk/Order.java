package varvite.walk;

/** The order in which a walk visits branches, and returns them as results. */
public enum Order {
    /**
     * Each branch before those behind it, and these before its neighbours. Holds the branches of one path.
     */
    DEPTH_FIRST,
    /**
     * The same, but each branch is given after those behind it. Evaluators and uniqueness are checked on the
     * way down.
     */
    DEPTH_FIRST_POST,
    /**
     * Branches with fewer edges first, in the order of those before them. Holds all branches: 24 bytes each.
     */
    BREADTH_FIRST,
    /**
     * The same, but the deepest level is given first, and each level in its order. Nothing is given before
     * all was visited.
     */
    BREADTH_FIRST_POST,
    /**
     * Branches of least cost first; among equal ones the first found. Holds a branch of 44 bytes for each
     * edge that was read. Uniqueness is checked, and the branch evaluated, when it is the cheapest one left.
     */
    BEST_FIRST;

    /** The name in JSON. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
