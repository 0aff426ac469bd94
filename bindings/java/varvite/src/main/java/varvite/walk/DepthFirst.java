package varvite.walk;

/** Depth first: the branches that are there are one path, and so are the frames. */
sealed class DepthFirst extends Loop permits PlainDepthFirst {
    /** Whether branches are given after those behind them. */
    final boolean isPost;
    /** The last branch was given and has to be expanded, or closed, before the walk goes on. */
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

    /** The next result, behind the last one, which was expanded or closed. */
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
     * Goes on behind the last branch. One with nothing behind it is closed at once; true if it is to be given
     * before.
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
