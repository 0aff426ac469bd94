package varvite.walk;

/** The order in which a walk visits branches, and returns them as results. */
public enum Order {
    /**
     * Depth-first pre-order: each branch before the branches that continue it, and these before the branch's
     * next sibling. Holds only the branches of one path.
     */
    DEPTH_FIRST,
    /**
     * Depth-first post-order: each branch is returned after the branches that continue it. Evaluators and
     * uniqueness are checked when a branch is first reached.
     */
    DEPTH_FIRST_POST,
    /**
     * Breadth-first: branches with fewer edges first; branches of equal depth in the order of their parent
     * branches. Holds all branches, 24 bytes each.
     */
    BREADTH_FIRST,
    /**
     * Breadth-first with the deepest level returned first; within a level in the order of {@link
     * #BREADTH_FIRST}. The first result is returned after the whole walk was done.
     */
    BREADTH_FIRST_POST,
    /**
     * The branch of least cost first; of branches with equal cost the one that was found first. Holds a
     * branch of 44 bytes for each edge that was read. Uniqueness is checked and the branch evaluated when it
     * is the cheapest remaining branch.
     */
    BEST_FIRST;

    /** The name of the order in JSON. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
