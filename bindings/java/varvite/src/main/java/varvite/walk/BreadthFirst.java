package varvite.walk;

/** A breadth-first walk, which stores branches level by level and expands them in that order. */
final class BreadthFirst extends Loop {
    /** Whether the deepest level is returned first. */
    private final boolean isPost;
    /** The branch whose neighbours {@link #frames} is reading. */
    private int branch;
    /** The next branch to expand. In post-order, once all are expanded, the next branch to return. */
    private int next;
    /** The number after the last branch of the level that is being returned in post-order; at first 0. */
    private int levelEnd;

    BreadthFirst(Plan plan, Arena arena, Guide guide) {
        super(plan, arena, guide);
        isPost = plan.order == Order.BREADTH_FIRST_POST;
    }

    @Override
    boolean isOnePath() {
        return false;
    }

    @Override
    void begin() {
        super.begin();
        branch = Branches.NO_BRANCH;
        next = 0;
        levelEnd = 0;
    }

    @Override
    int next() {
        return isPost ? nextOfLevels() : nextOfAll();
    }

    private int nextOfAll() {
        while (step()) {
            int last = branches.count() - 1;
            if (includes(last)) {
                return last;
            }
        }
        return END;
    }

    private int nextOfLevels() {
        if (levelEnd == 0) {
            while (step()) {}
            beginLevelBefore(branches.count());
        }
        while (true) {
            if (next == levelEnd) {
                int begin = levelBegin(levelEnd);
                if (begin == 0) {
                    return END;
                }
                beginLevelBefore(begin);
            }
            int number = next++;
            if (includes(number)) {
                return number;
            }
        }
    }

    /** Moves to the level that ends before branch {@code end}. */
    private void beginLevelBefore(int end) {
        next = levelBegin(end);
        levelEnd = end;
    }

    /**
     * The first branch of the level that ends before branch {@code end}. Searches the depths, which never
     * decrease.
     */
    private int levelBegin(int end) {
        if (end == 0) {
            return 0;
        }
        int depth = branches.depth(end - 1);
        int low = 0;
        int high = end - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (branches.depth(middle) < depth) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Visits one more branch, which is then the last branch in {@link #branches}; false if no branch is left.
     */
    private boolean step() {
        while (true) {
            if (frames.isEmpty()) {
                if (start() != NOWHERE) {
                    return true;
                }
                if (!expandNext()) {
                    return false;
                }
            } else if (!frames.next()) {
                frames.close();
            } else if (arrive(branch, branches.depth(branch) + 1) != NOWHERE) {
                return true;
            }
        }
    }

    /** Expands branches until one has neighbours to visit; false if none has. */
    private boolean expandNext() {
        while (next < branches.count()) {
            int number = next++;
            if (!continues(number)) {
                continue;
            }
            meter.tick();
            if (expand(number)) {
                branch = number;
                return true;
            }
        }
        return false;
    }
}
