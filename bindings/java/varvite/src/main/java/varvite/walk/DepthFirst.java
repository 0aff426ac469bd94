package varvite.walk;

/** Depth first: the branches that are there are one path, and so are the frames. */
final class DepthFirst extends Loop {
    /** Whether branches are given after those behind them. */
    private final boolean isPost;
    /** The last branch was given and has to be expanded, or closed, before the walk goes on. */
    private boolean isFresh;

    private boolean isClosing;

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
    int next() {
        if (isFresh) {
            isFresh = false;
            openLast();
        }
        if (isClosing) {
            isClosing = false;
            closeLast();
        }
        while (true) {
            if (frames.isEmpty()) {
                if (!start()) {
                    return END;
                }
            } else if (frames.next()) {
                int depth = branches.count();
                if (!arrive(depth - 1, depth)) {
                    continue;
                }
            } else {
                frames.close();
                int last = branches.count() - 1;
                if (isPost && includes(last)) {
                    isClosing = true;
                    return last;
                }
                closeLast();
                continue;
            }
            int last = branches.count() - 1;
            if (!isPost && includes(last)) {
                isFresh = true;
                return last;
            }
            if (openLast()) {
                return last;
            }
        }
    }

    /**
     * Goes on behind the last branch. One with nothing behind it is closed at once; true if it is to be given before.
     */
    private boolean openLast() {
        int last = branches.count() - 1;
        if (continues(last) && expand(last)) {
            return false;
        }
        if (isPost && includes(last)) {
            isClosing = true;
            return true;
        }
        closeLast();
        return false;
    }
}
