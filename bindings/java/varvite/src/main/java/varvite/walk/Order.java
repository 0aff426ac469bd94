package varvite.walk;

/** The order in which a walk visits branches, and returns them as results. */
public enum Order {
    /**
     * Depth-first pre-order: each branch comes before the branches that continue it, and these come before
     * the branch's next sibling. The walk holds only the branches of one path in memory.
     */
    DEPTH_FIRST,
    /**
     * Depth-first post-order: each branch is returned after the branches that continue it. Evaluators and
     * uniqueness are checked when a branch is first reached.
     */
    DEPTH_FIRST_POST,
    /**
     * Breadth-first: branches with fewer edges come first; branches of equal depth are in the order of their
     * parent branches. The walk holds all branches in memory, 24 bytes each.
     */
    BREADTH_FIRST,
    /**
     * Breadth-first, but the deepest level is returned first; within a level, the order is that of
     * {@link #BREADTH_FIRST}. The walk visits all branches before it returns the first result.
     */
    BREADTH_FIRST_POST,
    /**
     * Best-first: the branch of least cost comes first; of branches with equal cost, the one that was found
     * first. The walk holds 44 bytes in memory for each edge that it has read. A branch is checked for
     * uniqueness and evaluated only when it is the cheapest remaining branch.
     */
    BEST_FIRST;

    /** The name of the order in JSON. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
