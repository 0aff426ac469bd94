package varvite.walk;

/**
 * A depth-first walk. The branches in memory form one path, and each frame belongs to a branch of this path.
 */
sealed class DepthFirst extends Loop permits PlainDepthFirst {
    /** Whether the walk returns a branch after the branches that continue it. */
    final boolean isPost;
    /**
     * Whether the last branch was returned and must still be expanded ({@code isFresh}) or closed
     * ({@code isClosing}) before the next step.
     */
    boolean isFresh;

    boolean isClosing;

    DepthFirst(Plan plan, Arena arena, Guide guide) {
        super(plan, arena, guide);
        isPost = plan.order == Order.DEPTH_FIRST_POST;
    }

    @Override
    boolean isOnePath() {
        return true;
    }

    @Override
    void begin() {
        super.begin();
        isFresh = false;
        isClosing = false;
    }

    @Override
    final int next() {
        if (isFresh) {
            isFresh = false;
            int last = branches.count() - 1;
            openLast(last, branches.evaluation(last));
        }
        if (isClosing) {
            isClosing = false;
            closeLast();
        }
        return nextBranch();
    }

    /** Finds the next result, once the last returned branch is expanded or closed. */
    int nextBranch() {
        while (true) {
            int number = branches.count();
            int evaluation;
            if (frames.isEmpty()) {
                evaluation = start();
                if (evaluation == NOWHERE) {
                    return END;
                }
            } else if (frames.next()) {
                evaluation = arrive(number - 1, number);
                if (evaluation == NOWHERE) {
                    continue;
                }
            } else {
                frames.close();
                if (isPost && includes(number - 1)) {
                    isClosing = true;
                    return number - 1;
                }
                closeLast();
                continue;
            }
            if (!isPost && (evaluation & Evaluation.INCLUDES) != 0) {
                isFresh = true;
                return number;
            }
            if (openLast(number, evaluation)) {
                return number;
            }
        }
    }

    /**
     * Expands the last branch, if the walk continues from it. A branch that has no neighbours to follow is
     * closed at once; if it must be returned first, the method returns true instead.
     */
    final boolean openLast(int last, int evaluation) {
        if ((evaluation & Evaluation.CONTINUES) != 0 && expand(last)) {
            return false;
        }
        if (isPost && (evaluation & Evaluation.INCLUDES) != 0) {
            isClosing = true;
            return true;
        }
        closeLast();
        return false;
    }
}
