package varvite.walk;

/** In which order a walk comes to branches, and when it gives them as results. */
public enum Order {
    /**
     * Each branch before those behind it, and these before its neighbours. Holds the branches of one path.
     */
    DEPTH_FIRST,
    /**
     * The same, but each branch is given after those behind it. Evaluators and uniqueness are asked on the
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
     * Branches that cost least first; of equal ones what was found first. Holds a branch for each edge that
     * was looked at: 44 bytes. Uniqueness is looked at, and the branch evaluated, when it is the cheapest
     * that is left.
     */
    BEST_FIRST;

    /** The name in JSON. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
