package varvite.walk;

import varvite.Adjacency;
import varvite.Labels;

/**
 * Depth first, where edges need not be told from each other, and neither labels of targets nor a function of the caller say which are
 * followed: what {@link DepthFirst} does, with all that an edge needs in local variables.
 */
final class PlainDepthFirst extends DepthFirst {
    /** Results that are counted where the loop comes to them, and not given. */
    private long toCount;

    PlainDepthFirst(Plan plan, Arena arena, Guide guide) {
        super(plan, arena, guide);
    }

    @Override
    void count(long most) {
        while (counted < most) {
            // The last one ends the loop, as any result does that is given.
            toCount = isPost ? 0 : most - counted - 1;
            int given;
            try {
                given = next();
            } finally {
                toCount = 0;
            }
            if (given == END) {
                return;
            }
            counted++;
        }
    }

    @Override
    int nextBranch() {
        while (true) {
            if (!frames.isEmpty()) {
                int given = goOn();
                if (given != END) {
                    return given;
                }
            }
            int evaluation = start();
            if (evaluation == NOWHERE) {
                return END;
            }
            if (!isPost && (evaluation & Evaluation.INCLUDES) != 0) {
                isFresh = true;
                return 0;
            }
            if (openLast(0, evaluation)) {
                return 0;
            }
        }
    }

    /** Goes on in the last frame: the next result, or {@link #END} when no frame is left. */
    private int goOn() {
        Plan plan = this.plan;
        Frames frames = this.frames;
        Branches branches = this.branches;
        Labels labels = this.labels;
        boolean isUnique = this.isUnique;
        // Who looks at branches has them held; others only if they are results, or have anything behind them.
        boolean areHeld = isUnique || guide != null;
        Adjacency adjacency = frames.adjacency;
        int node = frames.node;
        int way = frames.way;
        long rest = frames.rest;
        int number = branches.count();
        long edges = this.edges;
        long reached = 0;
        long opened = 0;
        try {
            while (true) {
                if (rest == 0) {
                    frames.rest = 0;
                    if (!frames.turnOn()) {
                        frames.close();
                        number--;
                        if (isPost && includes(number)) {
                            isClosing = true;
                            return number;
                        }
                        closeLast();
                        if (frames.isEmpty()) {
                            return END;
                        }
                    }
                    adjacency = frames.adjacency;
                    node = frames.node;
                    way = frames.way;
                    rest = frames.rest;
                    continue;
                }
                int neighbor = adjacency.neighbor(node, rest);
                rest = adjacency.after(node, rest);
                if ((++edges & Meter.TICKS - 1) == 0) {
                    meter.look();
                }
                if (isUnique && !admits(neighbor, way, Plan.NO_RANK, number - 1, number)) {
                    continue;
                }
                int code = labels.code(neighbor);
                reached++;
                int evaluation = plan.evaluate(code, number);
                boolean isHeld = areHeld || (evaluation & plan.testsDecide) != 0;
                if (isHeld) {
                    branches.push(neighbor, number - 1, number, code, Plan.NO_RANK, way);
                    evaluation = ask(evaluation, number, number - 1);
                    branches.evaluate(number, way, evaluation);
                } else {
                    evaluation &= plan.testsAlways;
                }
                boolean isIncluded = (evaluation & Evaluation.INCLUDES) != 0;
                if (isIncluded && !isPost) {
                    if (toCount == 0) {
                        hold(isHeld, neighbor, number, code, way, evaluation);
                        frames.rest = rest;
                        isFresh = true;
                        return number;
                    }
                    toCount--;
                    counted++;
                }
                if ((evaluation & Evaluation.CONTINUES) != 0) {
                    opened++;
                    int place = plan.place(code, way);
                    Adjacency first = plan.firstAdjacencies[place];
                    long below = first == null ? 0 : first.rest(neighbor);
                    if (below != 0) {
                        hold(isHeld, neighbor, number, code, way, evaluation);
                        frames.rest = rest;
                        adjacency = first;
                        node = neighbor;
                        rest = below;
                        way = frames.openFirst(neighbor, place, below);
                        number++;
                        continue;
                    }
                    if (plan.hasMoreWays(place)) {
                        frames.rest = rest;
                        if (frames.openMore(neighbor, place)) {
                            hold(isHeld, neighbor, number, code, way, evaluation);
                            adjacency = frames.adjacency;
                            node = neighbor;
                            way = frames.way;
                            rest = frames.rest;
                            number++;
                            continue;
                        }
                    }
                }
                if (isIncluded && isPost) {
                    hold(isHeld, neighbor, number, code, way, evaluation);
                    frames.rest = rest;
                    isClosing = true;
                    return number;
                }
                if (isHeld) {
                    closeLast();
                }
            }
        } finally {
            this.edges = edges;
            branchCount += reached;
            labelReads += reached;
            expansions += opened;
        }
    }

    /** Holds a branch that is not held. */
    private void hold(boolean isHeld, int node, int number, int code, int way, int evaluation) {
        if (!isHeld) {
            branches.push(node, number - 1, number, code, Plan.NO_RANK, way);
            branches.evaluate(number, way, evaluation);
        }
    }
}
